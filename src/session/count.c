/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count.c - 64-bit counts from counters of 36 to 48 bits, without a lock.
 *
 * A total is loaded before its register is read, so the register is never older
 * than the total; the new total is the smallest value not below the old one
 * that has the register's low bits.  Readers that race advance it to the
 * maximum of what they found.
 *
 * Signal-safe: no lock, no allocation, no stdio.
 */
#include <errno.h>
#include <time.h>

#include "session/mux.h"

static uint64_t advance(struct unc_counter *c, uint64_t from, uint64_t to)
{
	uint64_t now = from;

	while ((int64_t)(to - now) > 0 &&
	       !atomic_compare_exchange_weak_explicit(&c->total, &now, to, memory_order_acq_rel,
						      memory_order_acquire))
		;
	return to;
}

/* A dead PCI device answers all ones; no counter is that wide. */
static inline bool is_dead(uint64_t raw)
{
	return __builtin_expect(raw == UINT64_MAX, 0);
}

/*
 * A PCI counter is read as two halves, low first: a carry between them makes
 * the value 2^32 too large.  That cannot happen without 2^32 counts since the
 * last look, and shows in a second reading that is smaller than the first.
 */
__attribute__((noinline, cold)) static int untear(struct unc_hw *hw, const struct unc_counter *c,
						  uint64_t from, uint64_t *raw)
{
	for (int tries = 0; unc_ahead(c, from, *raw) >> 32 && tries < 4; tries++) {
		const uint64_t before = *raw;
		const int r = hw->ops->read(hw, &c->read, raw);

		if (r < 0)
			return r;
		if (is_dead(*raw))
			return -ENODEV;
		if (((*raw - before) & c->mask) >> 32 == 0)
			return 0;
	}
	return 0;
}

static inline int check_raw(struct unc_hw *hw, const struct unc_counter *c, uint64_t from,
			    uint64_t *raw)
{
	if (is_dead(*raw))
		return -ENODEV;
	if (c->read.space == UNCORE_PCI && __builtin_expect(unc_ahead(c, from, *raw) >> 32 != 0, 0))
		return untear(hw, c, from, raw);
	return 0;
}

int unc_read_whole(struct unc_hw *hw, const struct unc_counter *c, uint64_t from, uint64_t *raw)
{
	const int r = hw->ops->read(hw, &c->read, raw);

	return r < 0 ? r : check_raw(hw, c, from, raw);
}

/* ---- what a counter may have done since it was last looked at; missed_wrap.c ---- */

/* Whoever finds this time of another reader finds its total, too. */
static inline struct unc_look look_at(const struct unc_counter *c)
{
	const unsigned bias_seq = atomic_load_explicit(&c->bias_seq, memory_order_acquire);
	const int64_t seen = atomic_load_explicit(&c->seen_ns, memory_order_acquire);

	return (struct unc_look){seen, atomic_load_explicit(&c->total, memory_order_acquire),
				 bias_seq};
}

/* Never true of a counter that was looked at in time and is nobody else's. */
static inline bool is_odd(const struct unc_counter *c, const struct unc_look *look, int64_t now,
			  uint64_t raw)
{
	const uint64_t age = (uint64_t)(now - look->seen) + c->slack_ns;

	return age > c->wrap_ns || unc_ahead(c, look->total, raw) > age * c->per_ns;
}

/* A reader that was overtaken leaves the later time. */
static inline void saw(struct unc_counter *c, const struct unc_look *look, int64_t now)
{
	if (now > look->seen)
		atomic_store_explicit(&c->seen_ns, now, memory_order_release);
}

/* Apart from the access itself, this is what a read costs: kept free of calls. */
static inline int finish(struct uncore *u, struct unc_counter *c, int64_t now, struct unc_look look,
			 uint64_t raw, uint64_t *total)
{
	int r = check_raw(u->hw, c, look.total, &raw);
	uint64_t to = look.total + unc_ahead(c, look.total, raw);

	if (r == 0 && __builtin_expect(is_odd(c, &look, now, raw), 0)) {
		r = unc_look_again(u, c, now, &look, &raw);
		to = look.total + unc_ahead(c, look.total, raw);
	}
	if (__builtin_expect(!unc_settled(c, &look), 0)) {
		*total = look.total; /* it stands, and was folded before it was loaded */
	} else if (r == 0) {
		*total = advance(c, look.total, to);
		saw(c, &look, now);
	}
	return r;
}

static inline int read_one(struct uncore *u, struct unc_counter *c, int64_t now, uint64_t *total)
{
	const struct unc_look look = look_at(c);
	uint64_t raw;
	const int r = u->hw->ops->read(u->hw, &c->read, &raw);

	return r < 0 ? r : finish(u, c, now, look, raw, total);
}

/* Counters that one access can read, at least one. */
static int read_some(struct uncore *u, struct unc_counter *const *c, unsigned n, int64_t now,
		     uint64_t *totals)
{
	const struct uncore_op *ops[UNC_BATCH_MAX];
	struct unc_look look[UNC_BATCH_MAX];
	unsigned filled = 0;
	int r;

	do {
		look[filled] = look_at(c[filled]);
		ops[filled] = &c[filled]->read;
	} while (++filled < n);
	r = u->hw->ops->read_many(u->hw, ops, n, totals);
	for (unsigned i = 0; r == 0 && i < n; i++)
		r = finish(u, c[i], now, look[i], totals[i], &totals[i]);
	return r;
}

/* MSRs that stand together in an array and can be read at once; at least one counter. */
static unsigned together(const struct uncore *u, struct unc_counter *const *c, unsigned n)
{
	unsigned some = 1;

	while (some < n && some < u->hw->batch && unc_is_msr(&c[0]->read) &&
	       unc_is_msr(&c[some]->read))
		some++;
	return some;
}

/* Keeps on behind a counter that cannot be read. */
int unc_fold(struct uncore *u, struct unc_counter *const *c, unsigned n, int64_t now)
{
	uint64_t totals[UNC_BATCH_MAX];
	int result = 0;

	for (unsigned i = 0, some; i < n; i += some) {
		int r;

		some = together(u, c + i, n - i);
		r = some > 1 ? read_some(u, c + i, some, now, totals)
			     : read_one(u, c[i], now, totals);
		result = result < 0 ? result : r;
	}
	return result;
}

static inline void add(const struct unc_reading *reading, const struct unc_addend *addend,
		       uint64_t total, uint64_t *sums)
{
	const unsigned *user = &reading->users[addend->first_user];

	for (unsigned k = 0; k < addend->n_users; k++)
		sums[user[k]] += total;
}

/* Keep for the message which of the counters it was, and why. */
__attribute__((noinline, cold)) static void failed(struct uncore *u,
						   const struct unc_reading *reading,
						   const struct unc_access *a, int r)
{
	const struct unc_addend *addend = &reading->addends[a->first_addend];

	for (unsigned i = 0; i < a->n_addends && a->n_addends > 1; i++) {
		const struct unc_counter *c = addend[i].counter;
		uint64_t raw;
		const int again = unc_read_whole(
			u->hw, c, atomic_load_explicit(&c->total, memory_order_acquire), &raw);

		if (again < 0) {
			unc_err_late(&u->err, &c->read, again, 0);
			return;
		}
	}
	unc_err_late(&u->err, &addend->counter->read, r, 0);
}

/* Counters of one register access. */
static int sum_some(struct uncore *u, const struct unc_reading *reading, const struct unc_access *a,
		    int64_t now, uint64_t *sums)
{
	const struct unc_addend *addends = &reading->addends[a->first_addend];
	struct unc_counter *counters[UNC_BATCH_MAX];
	uint64_t totals[UNC_BATCH_MAX];
	int r;

	counters[0] = addends->counter;
	for (unsigned i = 1; i < a->n_addends; i++)
		counters[i] = addends[i].counter;
	r = read_some(u, counters, a->n_addends, now, totals);
	for (unsigned i = 0; r == 0 && i < a->n_addends; i++)
		add(reading, &addends[i], totals[i], sums);
	return r;
}

static inline int sum_access(struct uncore *u, const struct unc_reading *reading,
			     const struct unc_access *a, int64_t now, uint64_t *sums)
{
	const struct unc_addend *addend = &reading->addends[a->first_addend];
	uint64_t total = 0;
	int r;

	if (a->n_addends > 1)
		return sum_some(u, reading, a, now, sums);
	r = read_one(u, addend->counter, now, &total);
	add(reading, addend, total, sums);
	return r;
}

int unc_sum_counters(struct uncore_set *set, uint64_t *sums, int64_t now)
{
	const struct unc_reading *reading =
		atomic_load_explicit(&set->reading, memory_order_acquire);
	int r = 0;

	for (size_t i = 0; r == 0 && i < reading->n_accesses; i++) {
		r = sum_access(set->u, reading, &reading->accesses[i], now, sums);
		if (__builtin_expect(r < 0, 0))
			failed(set->u, reading, &reading->accesses[i], r);
	}
	return r;
}

void unc_sum_totals(struct uncore_set *set, uint64_t *sums)
{
	const struct unc_reading *reading =
		atomic_load_explicit(&set->reading, memory_order_acquire);

	for (size_t i = 0; i < reading->n_addends; i++)
		add(reading, &reading->addends[i],
		    atomic_load_explicit(&reading->addends[i].counter->total, memory_order_acquire),
		    sums);
}

/* Readers that come late must not take the counts back: sums only grow. */
void unc_remember(struct uncore_set *set, unsigned epoch, const uint64_t *sums, int64_t now)
{
	_Atomic uint64_t *last = set->last[unc_run(epoch)];

	for (size_t e = 0; e < set->n_sums; e++) {
		uint64_t held = atomic_load_explicit(&last[e], memory_order_relaxed);

		while ((int64_t)(sums[e] - held) > 0 &&
		       !atomic_compare_exchange_weak_explicit(&last[e], &held, sums[e],
							      memory_order_relaxed,
							      memory_order_relaxed))
			;
	}
	atomic_store_explicit(&set->last_ns, now, memory_order_release);
}

void unc_last_sums(struct uncore_set *set, unsigned epoch, uint64_t *sums)
{
	const _Atomic uint64_t *last = set->last[unc_run(epoch)];

	for (size_t e = 0; e < set->n_sums; e++) {
		const uint64_t known = atomic_load_explicit(&last[e], memory_order_relaxed);

		if ((int64_t)(known - sums[e]) > 0)
			sums[e] = known;
	}
}

int uncore_poll_wraps(struct uncore *u)
{
	struct unc_counter *some[UNC_BATCH_MAX];
	unsigned n = 0;
	int64_t now;
	int r = 0;

	if (unc_is_child(u))
		return 0;
	now = unc_clock(u);
	for (size_t i = 0; i < u->machine.n_counters; i++) {
		if (!atomic_load_explicit(&u->counters[i].running, memory_order_acquire))
			continue;
		some[n++] = &u->counters[i];
		if (n == UNC_BATCH_MAX) {
			r = unc_fold(u, some, n, now) < 0 ? UNCORE_EIO : r;
			n = 0;
			now = unc_clock(u);
		}
	}
	return unc_fold(u, some, n, now) < 0 ? UNCORE_EIO : r;
}
