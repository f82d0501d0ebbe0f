/* SPDX-License-Identifier: BSD-3-Clause */
/* claim.c - take the counters of a set: save, program, start. */
#include "session/claim.h"

#include <stdlib.h>

#include "session/stop_after.h"

/* From here on the counters are ours: unc_release() gives them back. */
static void enter(struct uncore *u, const struct uncore_set *set)
{
	for (size_t i = 0; i < set->n_claimed; i++) {
		const struct unc_claimed *h = &set->claimed[i];
		struct unc_use *use = &u->uses[h->box];
		struct unc_counter *c = unc_counter_of(u, h->box, h->assignment.counter);

		c->hidden += set->owner != NULL;
		if (c->users++ == 0)
			use->at[use->n++] = h->assignment;
	}
	unc_count_units(u);
	unc_count_change(u, set);
}

/* Together, if that is one access; which of them cannot be read shows one by one. */
static int fold(struct uncore *u, struct unc_counter *const *counters, unsigned n, int64_t now)
{
	if (n > 1 && unc_fold(u, counters, n, now) == 0)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		const int r = unc_fold(u, &counters[i], 1, now);

		if (r < 0)
			return unc_op_failed(u->hw, &counters[i]->read, r, &u->err);
	}
	return 0;
}

/* The registers now hold a new zero point: the totals jump ahead to it. */
static int take_baselines(struct uncore *u, struct uncore_set *set)
{
	const unsigned most = u->hw->batch ? u->hw->batch : 1;
	struct unc_counter *some[UNC_BATCH_MAX];
	const int64_t now = unc_clock(u);
	unsigned n = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < set->n_claimed; i++) {
		const struct unc_claimed *h = &set->claimed[i];

		some[n] = unc_counter_of(u, h->box, h->assignment.counter);
		if (some[n]->users == 1)
			unc_forget(some[n]);
		if (++n == most || i + 1 == set->n_claimed) {
			r = fold(u, some, n, now);
			n = 0;
		}
	}
	return r;
}

/* What an earlier set left in a register would be taken for what was there before. */
static int refuse_pending(struct uncore *u, const struct uncore_set *set)
{
	const struct unc_ops *start = &set->program.phase[UNC_START];
	int r = unc_pending_refuse(u, start->op, start->n);

	for (size_t i = 0; r == 0 && i < set->n_claimed; i++) {
		const struct unc_claimed *h = &set->claimed[i];

		r = unc_pending_refuse(u, &unc_counter_of(u, h->box, h->assignment.counter)->read,
				       1);
	}
	return r;
}

static int compose(struct uncore *u, struct uncore_set *set)
{
	const struct unc_state state = unc_state_of(u);
	struct unc_claims claims;

	free(set->claimed);
	set->claimed = unc_claimed_make(&set->layout, u->uses, &set->n_claimed);
	set->n_held = set->n_claimed;
	claims = unc_claims_of(set);
	unc_program_free(&set->program);
	if (!set->claimed || !unc_program_enter(&set->program, &state, &claims) ||
	    unc_reading_make(u, set) < 0 || unc_watch_make(u, set) < 0)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the counters of a set");
	return 0;
}

/* Nothing is written so far. */
static int prepare(struct uncore *u, struct uncore_set *set)
{
	int r = compose(u, set);

	if (r < 0)
		return r;
	u->hw->ops->prepare(u->hw);
	r = refuse_pending(u, set);
	return r < 0 ? r : unc_save(u, set);
}

int unc_claim(struct uncore *u, struct uncore_set *set)
{
	int r = prepare(u, set);

	if (r < 0) {
		set->n_claimed = 0;
		unc_watch_free(set);
		unc_program_free(&set->program);
		return r;
	}
	if (set->stop_after)
		set->stop_after->claimed = true;
	for (enum unc_phase phase = UNC_SETUP; r == 0 && phase <= UNC_LOAD; phase++)
		r = unc_run_phase(u, set, phase);
	if (r == 0)
		unc_learn_filters(u, &set->program.phase[UNC_VERIFY]);
	enter(u, set);
	if (r == 0)
		r = take_baselines(u, set);
	return r;
}

int unc_go(struct uncore *u, struct uncore_set *set)
{
	const int64_t before = unc_hw_now(u->hw);
	const int r = unc_run_phase(u, set, UNC_START);
	const int64_t after = unc_hw_now(u->hw);

	set->unsure = after - before;
	atomic_store(&set->began, set->program.frozen ? after : before + (after - before) / 2);
	for (size_t i = 0; i < set->n_claimed; i++)
		atomic_store(
			&unc_counter_of(u, set->claimed[i].box, set->claimed[i].assignment.counter)
				 ->running,
			true);
	if (r == 0)
		unc_watch_learn(u, set);
	return r;
}
