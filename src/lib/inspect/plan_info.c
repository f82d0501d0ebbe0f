/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_info.c - public functions that show a plan. */
#include <string.h>

#include "base/sized.h"
#include "plan/complete.h"
#include "set/set.h"

/* The conflict is one of counted events; report it in those of the list that was given. */
static void name_owners(struct uncore_plan *plan)
{
	const struct unc_counted *t = &plan->counted;
	struct unc_layout *l = &plan->layout;
	char reason[sizeof(l->reason)];
	unsigned n = 0;

	memcpy(reason, l->reason, sizeof(reason));
	unc_counted_conflict(t, l->conflict, l->n_conflict, reason, l->reason, sizeof(l->reason));
	for (unsigned i = 0; i < l->n_conflict; i++) {
		const unsigned owner = t->owner[l->conflict[i]];

		if (n == 0 || l->conflict[n - 1] != owner)
			l->conflict[n++] = owner;
	}
	l->n_conflict = n;
}

static int make(struct uncore *u, const unsigned *ids, size_t n,
		const struct uncore_plan_options *o, struct uncore_plan **out)
{
	struct unc_samples samples = {.cores = o->cores};
	struct unc_counted t;
	int r = unc_counted_make(&t, u->names, NULL, ids, NULL, n, &u->err);

	if (r == 0)
		r = unc_stop_after_fill(&samples, &t, o->stop_after, o->n_stop_after, &u->err);
	if (r == 0) {
		r = unc_plan_whole(&u->machine, &t, o->n_stop_after ? &samples : NULL, out);
		if (r < 0)
			unc_fail(&u->err, r, "%s",
				 r != UNCORE_ENOMEM ? (*out)->layout.reason
						    : "out of memory for a plan");
	}
	if (r == 0 && !(*out)->feasible)
		name_owners(*out);
	unc_counted_free(&t);
	return r;
}

int uncore_plan(struct uncore *u, const unsigned *ids, size_t n,
		const struct uncore_plan_options *options, struct uncore_plan **out)
{
	struct uncore_plan_options o = {.size = sizeof(o)};
	int r = 0;

	*out = NULL;
	if (options)
		r = unc_take(&u->err, &o, options, UNC_SIZED(uncore_plan_options));
	if (r == 0)
		r = make(u, ids, n, &o, out);
	if (r == 0) {
		(*out)->err = &u->err;
	} else {
		uncore_plan_free(*out);
		*out = NULL;
	}
	return r;
}

/* ---- contents ---- */

int uncore_plan_info(const struct uncore_plan *plan, struct uncore_plan_info *info)
{
	struct uncore_plan_info is = {.feasible = plan->feasible};

	memcpy(is.reason, plan->layout.reason, sizeof(is.reason));
	return unc_give(plan->err, info, &is, UNC_SIZED(uncore_plan_info), 0);
}

int uncore_plan_assignment(const struct uncore_plan *plan, unsigned i,
			   struct uncore_assignment_info *info)
{
	struct uncore_assignment_info is;
	const struct unc_box_event *p;
	const struct unc_box *b;

	if (!plan->feasible || i >= plan->layout.n)
		return 0;
	p = &plan->layout.at[i];
	b = &plan->machine->boxes[p->box];
	is = (struct uncore_assignment_info){
		.event = unc_owner(&plan->counted, p->event),
		.counted = plan->counted.ids[p->event],
		.package = b->socket,
		.die = b->die,
		.kind = b->type->name,
		.box = b->number,
		.counter = p->assignment.counter,
		.fixed = p->assignment.counter == b->type->n_counters,
		.control = p->assignment.control,
	};
	return unc_give(plan->err, info, &is, UNC_SIZED(uncore_assignment_info), 1);
}

int uncore_plan_op(const struct uncore_plan *plan, enum uncore_phase phase, unsigned i,
		   struct uncore_op_info *op)
{
	struct uncore_op_info is;

	if ((unsigned)phase >= UNC_PLAN_PHASES)
		return unc_fail(plan->err, UNCORE_EINVAL, "invalid plan phase: %d", (int)phase);
	if (i >= plan->phase[phase].n)
		return 0;
	unc_op_describe(plan->machine, &plan->phase[phase].op[i], &is);
	return unc_give(plan->err, op, &is, UNC_SIZED(uncore_op_info), 1);
}

int uncore_plan_conflict(const struct uncore_plan *plan, unsigned i, unsigned *event)
{
	if (i >= plan->layout.n_conflict)
		return 0;
	*event = plan->layout.conflict[i];
	return 1;
}
