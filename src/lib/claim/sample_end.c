/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_end.c - the end of a sample: check that its overflow stopped the boxes, and stop the
 * others by writes.
 */
#include "claim/stop_after.h"

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
			r = unc_fold(u->hw, &c, 1, unc_clock(u->hw));
		if (r < 0)
			return unc_op_failed(u->hw, &c->read, r, &u->err);
	}
	return 0;
}

/* The hardware has stopped some boxes already; this stops the rest. */
int unc_stop_after_halt(const struct unc_run *run, int result)
{
	struct uncore *u = run->u;
	const struct unc_ops *pause = &run->program.phase[UNC_PAUSE];

	run->stop_after->halted = true;
	return unc_carry_out(u, pause->op, pause->n, UNC_HALT, result);
}

/* Which of the boxes that an overflow should have stopped have counted since the last look. */
static int find_running(const struct unc_run *run, unsigned package, bool *others,
			bool *without_freeze)
{
	struct uncore *u = run->u;
	*others = *without_freeze = false;
	for (size_t i = 0; i < run->n_claimed; i++) {
		const struct unc_box *b = &u->machine.boxes[run->claimed[i].box];
		struct unc_counter *c =
			unc_counter_of(u, run->claimed[i].box, run->claimed[i].assignment.counter);
		const uint64_t before = atomic_load(&c->total);
		int r;

		if (!unc_freezes(b, package))
			continue;
		r = unc_fold(u->hw, &c, 1, unc_clock(u->hw));
		if (r < 0)
			return unc_op_failed(u->hw, &c->read, r, &u->err);
		if (atomic_load(&c->total) != before)
			*(b->type->no_box_ctl ? without_freeze : others) = true;
	}
	return 0;
}

/* Boxes do not stop at the same time: one that still counts at the third look was not stopped. */
#define LOOKS 3

/*
 * Not every one of these counters has been observed to stop a machine (docs/hardware/README.md,
 * "Freeze on overflow"), and a U-Box has no freeze.  So check it before stopping all boxes by
 * writes.
 */
static int check_stopped(struct unc_run *run, unsigned sample)
{
	struct uncore *u = run->u;
	const struct unc_sample *s = &run->stop_after->samples.at[sample];
	bool others = true, without_freeze = true;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < LOOKS && (others || without_freeze); i++)
		r = find_running(run, u->machine.boxes[s->box].package, &others, &without_freeze);
	if (r == 0 && others)
		run->stop_after->not_stopped[sample] =
			"its overflow did not stop the boxes, which kept counting until they were "
			"stopped by software";
	else if (r == 0 && without_freeze)
		run->stop_after->not_stopped[sample] =
			"the U-Box has no freeze and kept counting until it was stopped by "
			"software: its counts are not exact, those of the other boxes are";
	return r;
}

int unc_stop_after_check(struct unc_run *run)
{
	struct uncore *u = run->u;
	struct unc_stop_after *stop_after = run->stop_after;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < stop_after->samples.n; i++)
		if (!stop_after->samples.at[i].polled && unc_sample_reached(u, stop_after, i))
			r = check_stopped(run, i);
	if (r == 0)
		r = unc_stop_after_halt(run, 0);
	return r == 0 ? unc_stop_after_fold(u, stop_after) : r;
}
