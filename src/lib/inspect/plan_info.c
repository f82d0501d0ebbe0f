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

/* If multiplexing does not help, there are no rounds. */
static int find_rounds(struct uncore_plan *plan, struct unc_err *err)
{
	const struct unc_counted *t = &plan->counted;
	size_t stuck;
	const int r = unc_rounds_make(&plan->rounds, plan->machine, NULL, t->events, t->groups,
				      t->n, &stuck);

	if (r == UNCORE_ECONFLICT)
		plan->rounds.n = 0;
	return r == UNCORE_ENOMEM ? unc_fail(err, r, "out of memory for the rounds of a plan") : 0;
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
	if (r == 0 && !(*out)->feasible && o->multiplex)
		r = find_rounds(*out, &u->err);
	unc_counted_free(&t);
	return r;
}

int uncore_plan(struct uncore *u, const unsigned *ids, size_t n,
		const struct uncore_plan_options *options, struct uncore_plan **out)
{
	struct uncore_plan_options o = {.size = sizeof(o)};
	int r = unc_unopened(u);

	*out = NULL;
	if (r == 0 && options)
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

/* Whether all events that entry k of the list is made of are in the round. */
static bool is_in_round(const struct uncore_plan *plan, unsigned round, size_t k)
{
	const struct unc_counted *t = &plan->counted;
	size_t first = 0;

	while (t->list[first] != t->list[k])
		first++;
	for (size_t e = 0; e < t->n; e++)
		if (unc_owner(t, (unsigned)e) == first && !unc_in_round(&plan->rounds, round, e))
			return false;
	return true;
}

int uncore_plan_round(const struct uncore_plan *plan, unsigned round, unsigned i, unsigned *event)
{
	const unsigned rounds = plan->feasible ? 1 : plan->rounds.n;

	if (round >= rounds)
		return 0;
	for (size_t k = 0; k < plan->counted.n_values; k++) {
		if (!plan->feasible && !is_in_round(plan, round, k))
			continue;
		*event = (unsigned)k;
		if (i-- == 0)
			return 1;
	}
	return 0;
}
