/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.c - see complete.h. */
#include "plan/complete.h"

#include <stdlib.h>

#include "plan/compose.h"

/* Concatenate phases of the program into one of the plan. */
static void push_phases(struct unc_ops *ops, const struct unc_program *p, enum unc_phase from,
			enum unc_phase to)
{
	for (unsigned k = from; k <= to; k++) {
		ops->failed |= p->phase[k].failed;
		for (size_t i = 0; i < p->phase[k].n; i++)
			unc_ops_push(ops, p->phase[k].op[i]);
	}
}

static void push_reads(struct unc_ops *ops, const struct unc_machine *m, const struct unc_claims *h)
{
	for (size_t i = 0; i < h->n; i++) {
		const struct unc_claimed *one = &h->claimed[i];
		const struct unc_job job = {m,    &m->boxes[one->box], NULL,
					    NULL, &one->assignment,    1};

		unc_program_read(ops, &job);
	}
}

static bool compose(struct uncore_plan *plan, const struct unc_claims *h)
{
	const struct unc_state alone = {.machine = plan->machine};
	struct unc_program p = {.frozen = false};
	bool ok = unc_program_enter(&p, &alone, h) && unc_program_leave(&p, &alone, h);

	push_phases(&plan->setup, &p, UNC_SAVE, UNC_VERIFY);
	push_phases(&plan->start, &p, UNC_START, UNC_FREEZE_CHECK);
	push_reads(&plan->read, plan->machine, h);
	push_phases(&plan->stop, &p, UNC_FREEZE_CHECK, UNC_DISARM);
	unc_program_restore(&plan->restore, &p.phase[UNC_SAVE]);
	unc_program_free(&p);
	for (unsigned i = 0; i < UNC_PLAN_PHASES; i++)
		ok = ok && !plan->phase[i].failed;
	return ok;
}

/* A machine that only has a list of events has no registers to program. */
static bool fill(struct uncore_plan *plan, const struct unc_samples *samples)
{
	struct unc_claimed *claimed;
	size_t n;
	bool ok;

	if (plan->machine->listed)
		return true;
	claimed = unc_claimed_make(&plan->layout, NULL, &n);
	ok = claimed && compose(plan, &(struct unc_claims){n, claimed, samples});
	free(claimed);
	return ok;
}

int unc_plan_whole(const struct unc_machine *m, struct unc_counted *counted,
		   struct unc_samples *samples, struct uncore_plan **out)
{
	struct uncore_plan *plan = calloc(1, sizeof(*plan));
	int r;

	*out = plan;
	if (!plan)
		return UNCORE_ENOMEM;
	plan->machine = m;
	plan->counted = *counted;
	*counted = (struct unc_counted){.n = 0};
	r = unc_layout_make(&plan->layout, m, NULL, plan->counted.events, plan->counted.names,
			    plan->counted.n);
	if (r == 0 && samples)
		r = unc_samples_assign(samples, &plan->layout, m, plan->counted.names,
				       plan->layout.reason, sizeof(plan->layout.reason));
	if (r == 0 && !fill(plan, samples))
		r = UNCORE_ENOMEM;
	plan->feasible = r == 0;
	return r == UNCORE_ECONFLICT ? 0 : r;
}

void uncore_plan_free(struct uncore_plan *plan)
{
	if (!plan)
		return;
	for (unsigned i = 0; i < UNC_PLAN_PHASES; i++)
		unc_ops_free(&plan->phase[i]);
	unc_layout_free(&plan->layout);
	unc_rounds_free(&plan->rounds);
	unc_counted_free(&plan->counted);
	free(plan);
}
