/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stand.c - the end of a sample: whether its overflow has stopped the boxes, and a stop by hand
 * for those that it does not reach.
 */
#include "session/stop_after.h"

#include <errno.h>

bool unc_sample_reached(struct uncore *u, const struct unc_stop_after *stop_after, unsigned i)
{
	const uint64_t total = atomic_load(&unc_sampled(u, &stop_after->samples.at[i])->total);

	return (int64_t)(total - stop_after->armed[i] - stop_after->samples.at[i].n) >= 0;
}

int unc_stop_after_fold(struct uncore *u, const struct unc_stop_after *stop_after)
{
	for (unsigned i = 0; i < stop_after->samples.n; i++) {
		struct unc_counter *c = unc_sampled(u, &stop_after->samples.at[i]);
		int r = -EIO;

		for (int k = 0; r < 0 && k < UNC_TRIES; k++)
			r = unc_fold(u, &c, 1, unc_clock(u));
		if (r < 0)
			return unc_op_failed(u->hw, &c->read, r, &u->err);
	}
	return 0;
}

/* What the hardware stopped stands already; this stops the rest. */
int unc_stop_after_halt(struct uncore *u, const struct uncore_set *set)
{
	const struct unc_ops *pause = &set->program.phase[UNC_PAUSE];

	return unc_carry_out(u, pause->op, pause->n, UNC_HALT, 0);
}

/* Looks at the boxes that an overflow should have stopped: what has counted since the last look. */
static int watch(struct uncore *u, const struct uncore_set *set, unsigned package, bool *others,
		 bool *without_freeze)
{
	*others = *without_freeze = false;
	for (size_t i = 0; i < set->n_claimed; i++) {
		const struct unc_box *b = &u->machine.boxes[set->claimed[i].box];
		struct unc_counter *c =
			unc_counter_of(u, set->claimed[i].box, set->claimed[i].assignment.counter);
		const uint64_t before = atomic_load(&c->total);
		int r;

		if (!unc_freezes(b, package))
			continue;
		r = unc_fold(u, &c, 1, unc_clock(u));
		if (r < 0)
			return unc_op_failed(u->hw, &c->read, r, &u->err);
		if (atomic_load(&c->total) != before)
			*(b->type->no_box_ctl ? without_freeze : others) = true;
	}
	return 0;
}

/* Boxes do not stop at the same instant: what still counts in the third look does go on. */
#define LOOKS 3

/*
 * Nobody has seen every one of these counters stop a machine (docs/hardware/README.md,
 * "Freeze on overflow"), and a U-Box has no freeze of its own.  So that is looked at before all is
 * stopped by hand.
 */
static int check_stands(struct uncore *u, struct uncore_set *set, unsigned sample)
{
	const struct unc_sample *s = &set->stop_after->samples.at[sample];
	bool others = true, without_freeze = true;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < LOOKS && (others || without_freeze); i++)
		r = watch(u, set, u->machine.boxes[s->box].package, &others, &without_freeze);
	if (r == 0 && others)
		set->stop_after->went_on[sample] =
			"its overflow did not stop the boxes, which counted on until they were "
			"stopped when that was seen";
	else if (r == 0 && without_freeze)
		set->stop_after->went_on[sample] =
			"the U-Box has no freeze of its own and counted on until that was seen: "
			"the counts of all other boxes are exact, its own are not";
	return r;
}

int unc_stop_after_stand(struct uncore *u, struct uncore_set *set)
{
	struct unc_stop_after *stop_after = set->stop_after;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < stop_after->samples.n; i++)
		if (!stop_after->samples.at[i].polled && unc_sample_reached(u, stop_after, i))
			r = check_stands(u, set, i);
	if (r == 0)
		r = unc_stop_after_halt(u, set);
	return r == 0 ? unc_stop_after_fold(u, stop_after) : r;
}
