/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.c - see complete.h. */
#include "plan/complete.h"

#include <stdlib.h>

#include "plan/compose.h"
#include "plan/ledger.h"

/* Concatenate phases of the program into one of the plan. */
static void push_phases(struct unc_ops *ops, const struct unc_program *p, enum unc_phase from,
			enum unc_phase to)
{
	for (unsigned k = from; k <= to; k++) {
		ops->failed |= p->phase[k].failed;
		for (size_t i = 0; i < p->phase[k].n; i++) {
			struct unc_op op = p->phase[k].op[i];

			/* the bits that must be 0, whereas a plan has the value to be expected */
			op.value = k == UNC_SAVE ? 0 : op.value;
			unc_ops_push(ops, op);
		}
	}
}

static void push_reads(struct unc_ops *ops, const struct unc_claims *h)
{
	const struct unc_machine *m = h->machine;

	for (size_t i = 0; i < h->n; i++) {
		const struct unc_claimed *one = &h->claimed[i];
		const struct unc_job job = {m,    &m->boxes[one->box], NULL,
					    NULL, &one->assignment,    1};

		unc_program_read(ops, &job);
	}
}

static bool note_all(struct unc_ledger *ledger, const struct unc_ops *save)
{
	for (size_t i = 0; i < save->n; i++) {
		const struct unc_op *op = &save->op[i];
		const unsigned group = save->scope[i].group;

		if (!unc_op_is_saved(op))
			continue;
		if (!unc_ledger_note(ledger, group, op, 0, 0))
			return false;
		unc_ledger_save(ledger, group, op);
	}
	return true;
}

/* The registers of boxes, as a run restores them; those of packages are restored before. */
static void push_restore(struct unc_ops *ops, const struct unc_claims *h,
			 const struct unc_ops *save)
{
	struct unc_ledger ledger;
	const struct unc_op *back;
	struct unc_use then;
	struct unc_job j;
	size_t n = 0;

	if (unc_ledger_make(&ledger, unc_count_groups(h->machine)) && note_all(&ledger, save)) {
		for (size_t i = 0; unc_next_change(h, UNC_LEAVING, &i, &then, &j);)
			unc_ledger_leave(&ledger, &j);
		n = unc_ledger_restore(&ledger, &back);
	} else {
		ops->failed = true;
	}
	for (size_t i = 0; i < n; i++)
		unc_ops_push(ops, back[i]);
	unc_ledger_free(&ledger);
}

static bool compose(struct uncore_plan *plan, const struct unc_claims *h)
{
	struct unc_program p = {.frozen = false};
	bool ok = unc_program_enter(&p, h) && unc_program_leave(&p, h);

	push_phases(&plan->setup, &p, UNC_SAVE, UNC_VERIFY);
	push_phases(&plan->start, &p, UNC_START, UNC_FREEZE_CHECK);
	push_reads(&plan->read, h);
	push_phases(&plan->stop, &p, UNC_FREEZE_CHECK, UNC_DISARM);
	push_restore(&plan->restore, h, &p.phase[UNC_SAVE]);
	unc_program_free(&p);
	for (unsigned i = 0; i < UNC_PLAN_PHASES; i++)
		ok = ok && !plan->phase[i].failed;
	return ok;
}

/* A machine that only has a list of events has no registers to program. */
static bool fill(struct uncore_plan *plan, const struct unc_samples *samples)
{
	struct unc_claims alone = {.machine = plan->machine, .samples = samples};
	struct unc_claimed *claimed;
	bool ok;

	if (plan->machine->listed)
		return true;
	alone.claimed = claimed = unc_claimed_make(&plan->layout, NULL, &alone.n);
	ok = claimed && compose(plan, &alone);
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
