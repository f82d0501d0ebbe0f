/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * baseline.c - the values of its counters at which a run begins.
 *
 * The reset of a box clears its counters, so a counter need not be read once a reset has been seen
 * to clear it.  Whether a counter that held 0 was cleared cannot be seen.  Nor need a counter be read
 * whose box a round of multiplexed events has just left frozen, once it has been seen to keep its
 * value.
 */
#include "claim/claim.h"

/* Counters that are read in one access if possible. */
struct batch {
	struct unc_claimed *claimed[UNC_BATCH_MAX];
	struct unc_counter *counters[UNC_BATCH_MAX];
	uint64_t held[UNC_BATCH_MAX]; /* their values at the last read */
	unsigned n;
};

/* In one access if possible; otherwise one by one, to find the register that fails. */
static int fold(struct uncore *u, struct unc_counter *const *counters, unsigned n, int64_t now)
{
	if (n > 1 && unc_fold(u->hw, counters, n, now) == 0)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		const int r = unc_fold(u->hw, &counters[i], 1, now);

		if (r < 0)
			return unc_op_failed(u->hw, &counters[i]->read, r, &u->err);
	}
	return 0;
}

static void learn(const struct unc_claimed *h, struct unc_counter *c, uint64_t held)
{
	if (h->reset && c->users == 1)
		c->clears = unc_last_raw(c) == 0 && (c->clears || held);
	else if (h->still)
		c->stands = unc_last_raw(c) == held;
}

/* The time of a read is between those of the previous and of this look at the clock. */
static int read_batch(struct uncore *u, struct batch *b, int64_t now, int64_t *before)
{
	const int r = fold(u, b->counters, b->n, now);
	const struct unc_bracket all = {*before, unc_hw_now(u->hw)};

	for (unsigned i = 0; i < b->n; i++) {
		b->counters[i]->looked = unc_bracket_part(all, i, b->n);
		b->claimed[i]->zero = atomic_load(&b->counters[i]->total);
		if (r == 0)
			learn(b->claimed[i], b->counters[i], b->held[i]);
	}
	*before = all.after;
	b->n = 0;
	return r;
}

static void add(struct batch *b, struct unc_claimed *h, struct unc_counter *c)
{
	b->claimed[b->n] = h;
	b->counters[b->n] = c;
	b->held[b->n++] = unc_last_raw(c);
	if (c->users == 1 && !h->still)
		unc_forget(c);
}

/* A counter that is loaded after the reset holds another value. */
static bool is_cleared(const struct unc_run *run, const struct unc_claimed *h,
		       const struct unc_counter *c)
{
	return h->reset && c->clears && c->users == 1 && !run->stop_after;
}

/* With the value that it is known to hold: that of the last read, or 0. */
static void begin_at(struct unc_claimed *h, struct unc_counter *c, int64_t now, int64_t time)
{
	if (h->reset) {
		unc_forget(c);
		unc_fold_zero(c, now);
	} else {
		unc_fold_still(c, now);
	}
	c->looked = (struct unc_bracket){time, time};
	h->zero = atomic_load(&c->total);
}

int unc_take_baselines(struct unc_run *run)
{
	struct uncore *u = run->u;
	const unsigned most = u->hw->batch ? u->hw->batch : 1;
	const int64_t now = unc_clock(u->hw);
	int64_t before = unc_hw_now(u->hw);
	struct batch b = {.n = 0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < run->n_claimed; i++) {
		struct unc_claimed *h = &run->claimed[i];
		struct unc_counter *c = unc_counter_of(u, h->box, h->assignment.counter);

		if (is_cleared(run, h, c) || (h->still && c->stands))
			begin_at(h, c, now, before);
		else
			add(&b, h, c);
		if (b.n == most)
			r = read_batch(u, &b, now, &before);
	}
	return r == 0 && b.n ? read_batch(u, &b, now, &before) : r;
}
