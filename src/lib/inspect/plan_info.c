/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_info.c - plans for those who want to look at one. */
#include <string.h>

#include "base/sized.h"
#include "plan/complete.h"
#include "set/set.h"

/* The plan is one of counted events: back to the list that was given. */
static void name_owners(struct uncore_plan *plan, const struct unc_counted *t)
{
	char reason[sizeof(plan->reason)];
	size_t n = 0;

	memcpy(reason, plan->reason, sizeof(reason));
	unc_counted_conflict(t, plan->conflict, plan->n_conflict, reason, plan->reason,
			     sizeof(plan->reason));
	for (size_t i = 0; i < plan->n_assignments; i++) {
		struct unc_planned_assignment *p = &plan->assignments[i];

		p->counted = t->ids[p->event];
		p->event = t->owner[p->event];
	}
	for (size_t i = 0; i < plan->n_conflict; i++) {
		const unsigned owner = t->owner[plan->conflict[i]];

		if (n == 0 || plan->conflict[n - 1] != owner)
			plan->conflict[n++] = owner;
	}
	plan->n_conflict = n;
}

static int make(struct uncore *u, const unsigned *ids, size_t n,
		const struct uncore_plan_options *o, struct uncore_plan **out)
{
	struct unc_samples samples = {.cores = o->cores};
	struct unc_counted t;
	int r = unc_counted_make(&t, u->names, ids, NULL, n, &u->err);

	if (r == 0)
		r = unc_stop_after_fill(&samples, &t, o->stop_after, o->n_stop_after, &u->err);
	if (r == 0) {
		r = unc_plan_whole(&u->machine, t.events, t.names, t.n,
				   o->n_stop_after ? &samples : NULL, out);
		if (r < 0)
			unc_fail(&u->err, r, "%s",
				 r != UNCORE_ENOMEM ? (*out)->reason : "out of memory for a plan");
	}
	if (r == 0)
		name_owners(*out, &t);
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

/* ---- what is in it ---- */

int uncore_plan_info(const struct uncore_plan *plan, struct uncore_plan_info *info)
{
	struct uncore_plan_info is = {.feasible = plan->feasible};

	memcpy(is.reason, plan->reason, sizeof(is.reason));
	return unc_give(plan->err, info, &is, UNC_SIZED(uncore_plan_info), 0);
}

int uncore_plan_assignment(const struct uncore_plan *plan, unsigned i,
			   struct uncore_assignment_info *info)
{
	const struct unc_planned_assignment *p = &plan->assignments[i];
	struct uncore_assignment_info is;

	if (i >= plan->n_assignments)
		return 0;
	is = (struct uncore_assignment_info){
		.event = p->event,
		.counted = p->counted,
		.package = p->package,
		.die = p->die,
		.kind = p->kind,
		.box = p->box,
		.counter = p->counter,
		.fixed = p->fixed,
		.control = p->control,
	};
	return unc_give(plan->err, info, &is, UNC_SIZED(uncore_assignment_info), 1);
}

int uncore_plan_op(const struct uncore_plan *plan, enum uncore_phase phase, unsigned i,
		   struct uncore_op_info *op)
{
	const struct {
		const struct unc_op *op;
		size_t n;
	} phases[] = {
		[UNCORE_PHASE_SETUP] = {plan->setup, plan->n_setup},
		[UNCORE_PHASE_START] = {plan->start, plan->n_start},
		[UNCORE_PHASE_READ] = {plan->read, plan->n_read},
		[UNCORE_PHASE_STOP] = {plan->stop, plan->n_stop},
		[UNCORE_PHASE_RESTORE] = {plan->restore, plan->n_restore},
	};
	struct uncore_op_info is;

	if ((unsigned)phase >= sizeof(phases) / sizeof(*phases))
		return unc_fail(plan->err, UNCORE_EINVAL, "invalid plan phase: %d", (int)phase);
	if (i >= phases[phase].n)
		return 0;
	unc_op_describe(plan->machine, &phases[phase].op[i], &is);
	return unc_give(plan->err, op, &is, UNC_SIZED(uncore_op_info), 1);
}

int uncore_plan_conflict(const struct uncore_plan *plan, unsigned i, unsigned *event)
{
	if (i >= plan->n_conflict)
		return 0;
	*event = plan->conflict[i];
	return 1;
}
