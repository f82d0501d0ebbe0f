/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.c - the complete plan of a list of events on an idle machine. */
#include "plan/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/compose.h"

static bool append(struct unc_op **ops, size_t *n, const struct unc_ops *more)
{
	struct unc_op *all = NULL;

	if (!more->failed)
		all = realloc(*ops, (*n + more->n + 1) * sizeof(*all));
	if (!all)
		return false;
	*ops = all;
	for (size_t i = 0; i < more->n; i++)
		all[(*n)++] = more->op[i];
	return true;
}

static bool copy_assignments(struct uncore_plan *plan, const struct unc_machine *m,
			     const struct unc_layout *l)
{
	plan->assignments = calloc(l->n ? l->n : 1, sizeof(*plan->assignments));
	if (!plan->assignments)
		return false;
	plan->n_assignments = l->n;
	for (size_t i = 0; i < l->n; i++) {
		const struct unc_box_event *p = &l->at[i];
		const struct unc_box *b = &m->boxes[p->box];

		plan->assignments[i] = (struct unc_planned_assignment){
			.event = p->event,
			.package = b->socket,
			.die = b->die,
			.kind = b->type->name,
			.box = b->number,
			.counter = p->assignment.counter,
			.fixed = p->assignment.counter == b->type->n_counters,
			.control = p->assignment.control,
		};
	}
	return true;
}

/* The phases from one to another, in one list. */
static bool append_phases(struct unc_op **ops, size_t *n, const struct unc_program *p,
			  enum unc_phase from, enum unc_phase to)
{
	bool ok = true;

	for (unsigned k = from; ok && k <= to; k++)
		ok = append(ops, n, &p->phase[k]);
	return ok;
}

/* What is read while the set counts. */
static bool append_reads(struct uncore_plan *plan, const struct unc_machine *m,
			 const struct unc_claims *h)
{
	struct unc_ops read = {.n = 0};
	bool ok;

	for (size_t i = 0; i < h->n; i++) {
		const struct unc_claimed *one = &h->claimed[i];
		const struct unc_job job = {m,    &m->boxes[one->box], NULL,
					    NULL, &one->assignment,    1};

		unc_program_read(&read, &job);
	}
	ok = append(&plan->read, &plan->n_read, &read);
	unc_ops_free(&read);
	return ok;
}

static bool append_restore(struct uncore_plan *plan, const struct unc_ops *save)
{
	struct unc_ops restore = {.n = 0};
	bool ok;

	unc_program_restore(&restore, save);
	ok = append(&plan->restore, &plan->n_restore, &restore);
	unc_ops_free(&restore);
	return ok;
}

static bool compose(struct uncore_plan *plan, const struct unc_machine *m,
		    const struct unc_claims *h)
{
	const struct unc_state alone = {.machine = m};
	struct unc_program p = {.frozen = false};
	bool ok = unc_program_enter(&p, &alone, h) && unc_program_leave(&p, &alone, h);

	ok = ok && append_phases(&plan->setup, &plan->n_setup, &p, UNC_SAVE, UNC_VERIFY) &&
	     append_phases(&plan->start, &plan->n_start, &p, UNC_START, UNC_WATCH) &&
	     append_reads(plan, m, h) &&
	     append_phases(&plan->stop, &plan->n_stop, &p, UNC_WATCH, UNC_DISARM) &&
	     append_restore(plan, &p.phase[UNC_SAVE]);
	unc_program_free(&p);
	return ok;
}

static bool fill(struct uncore_plan *plan, const struct unc_machine *m, const struct unc_layout *l,
		 const struct unc_samples *samples)
{
	struct unc_claimed *claimed;
	size_t n;
	bool ok;

	if (m->listed) /* nobody here programs registers */
		return copy_assignments(plan, m, l);
	claimed = unc_claimed_make(l, NULL, &n);
	ok = claimed && compose(plan, m, &(struct unc_claims){n, claimed, samples});
	free(claimed);
	return copy_assignments(plan, m, l) && ok;
}

int unc_plan_whole(const struct unc_machine *m, const struct unc_event *const *events,
		   const char *const *names, size_t n, struct unc_samples *samples,
		   struct uncore_plan **out)
{
	struct uncore_plan *plan = calloc(1, sizeof(*plan));
	struct unc_layout layout;
	int r;

	*out = plan;
	if (!plan)
		return UNCORE_ENOMEM;
	plan->machine = m;
	r = unc_layout_make(&layout, m, NULL, events, names, n);
	memcpy(plan->reason, layout.reason, sizeof(plan->reason));
	if (r == 0 && samples)
		r = unc_samples_assign(samples, &layout, m, names, plan->reason,
				       sizeof(plan->reason));
	if (r == 0 && !fill(plan, m, &layout, samples))
		r = UNCORE_ENOMEM;
	plan->feasible = r == 0;
	if (r == UNCORE_ECONFLICT) {
		plan->n_conflict = layout.n_conflict;
		plan->conflict = layout.conflict;
		layout.conflict = NULL;
		r = 0;
	}
	unc_layout_free(&layout);
	return r;
}

void uncore_plan_free(struct uncore_plan *plan)
{
	if (!plan)
		return;
	free(plan->assignments);
	free(plan->setup);
	free(plan->start);
	free(plan->read);
	free(plan->stop);
	free(plan->restore);
	free(plan->conflict);
	free(plan);
}
