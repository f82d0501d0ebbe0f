/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read.c - the counts of a set: what its counters, or its windows, have counted since its zero
 * point.  Signal-safe: no lock, no allocation, no stdio.
 */
#include <errno.h>

#include "count/readers.h"
#include "mux/mux.h"
#include "session/session.h"

#define YOUNG_NS 20000 /* reset takes the same thread's last read if it ended so recently */

/* ---- sums ---- */

/* Sums, zero points and times only grow: who comes late must not take them back. */
static void raise_to(_Atomic int64_t *held, int64_t to)
{
	int64_t is = atomic_load_explicit(held, memory_order_relaxed);

	while (to > is && !atomic_compare_exchange_weak_explicit(
				  held, &is, to, memory_order_release, memory_order_relaxed))
		;
}

void unc_remember(struct uncore_set *set, unsigned epoch, const uint64_t *sums, int64_t now)
{
	_Atomic uint64_t *last = set->list->last[unc_which(epoch)];

	for (size_t e = 0; e < set->list->n_sums; e++) {
		uint64_t held = atomic_load_explicit(&last[e], memory_order_relaxed);

		while ((int64_t)(sums[e] - held) > 0 &&
		       !atomic_compare_exchange_weak_explicit(&last[e], &held, sums[e],
							      memory_order_relaxed,
							      memory_order_relaxed))
			;
	}
	raise_to(&set->list->last_ns, now);
}

static void raise_to_last(struct uncore_set *set, unsigned epoch, uint64_t *sums)
{
	const _Atomic uint64_t *last = set->list->last[unc_which(epoch)];

	for (size_t e = 0; e < set->list->n_sums; e++) {
		const uint64_t known = atomic_load_explicit(&last[e], memory_order_relaxed);

		if ((int64_t)(known - sums[e]) > 0)
			sums[e] = known;
	}
}

static int sum_registers(struct uncore_set *set, uint64_t *sums, int64_t now)
{
	const struct unc_reading *reading =
		atomic_load_explicit(&set->run->reading, memory_order_acquire);
	struct uncore *u = set->u;
	struct unc_readers *readers = atomic_load_explicit(&u->readers, memory_order_acquire);

	return readers ? unc_readers_sum(readers, reading, u->hw, &u->err, sums, now)
		       : unc_reading_sum(reading, u->hw, &u->err, sums, now);
}

int unc_sum(struct uncore_set *set, uint64_t *sums, int64_t now)
{
	const struct unc_list *list = set->list;
	struct uncore *u = set->u;
	int r;

	if (u->way)
		return u->way->sum(set, sums);
	for (size_t e = 0; e < list->n_sums; e++)
		sums[e] = 0;
	if (list->counted.derived)
		sums[list->counted.n] = (uint64_t)unc_hw_now(u->hw);
	if (!set->mux)
		return sum_registers(set, sums, now);
	r = unc_mux_sum(set->mux, sums, now);
	if (r > 0)
		raise_to_last(set, atomic_load(&set->epoch), sums);
	return r < 0 ? r : 0;
}

/* ---- counts ---- */

static int64_t since_base(const struct uncore_set *set, unsigned epoch, size_t e, uint64_t sum)
{
	const _Atomic uint64_t *bases = set->list->base[unc_which(epoch)];
	const uint64_t base = unc_counted_is_level(&set->list->counted, e)
				      ? 0
				      : atomic_load_explicit(&bases[e], memory_order_relaxed);
	const int64_t count = (int64_t)(sum - base);

	return count < 0 ? 0 : count; /* a reset in another thread came in between */
}

static void last_counts(const struct uncore_set *set, int64_t *values)
{
	const unsigned epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
	const _Atomic uint64_t *last = set->list->last[unc_which(epoch)];

	for (size_t e = 0; e < set->list->n_sums; e++)
		values[e] = since_base(set, epoch, e,
				       atomic_load_explicit(&last[e], memory_order_relaxed));
}

static uintptr_t this_thread(void)
{
	return (uintptr_t)pthread_self();
}

static bool running(unsigned epoch)
{
	return epoch & 1;
}

/* Who has read, and when that ended. */
static void sign(struct uncore_set *set)
{
	atomic_store_explicit(&set->list->read_ns, unc_clock(set->u->hw), memory_order_relaxed);
	atomic_store_explicit(&set->list->reader, this_thread(), memory_order_release);
}

static bool read_just_now(const struct uncore_set *set, int64_t now)
{
	return atomic_load_explicit(&set->list->reader, memory_order_acquire) == this_thread() &&
	       now - atomic_load_explicit(&set->list->read_ns, memory_order_relaxed) < YOUNG_NS;
}

static void take_last_sums(struct uncore_set *set, struct unc_reader *reader, uint64_t *sums)
{
	const struct unc_list *list = set->list;

	reader->live = false;
	reader->epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
	reader->now = atomic_load_explicit(&list->last_ns, memory_order_acquire);
	for (size_t e = 0; e < reader->n; e++)
		sums[e] = atomic_load_explicit(&list->last[unc_which(reader->epoch)][e],
					       memory_order_relaxed);
}

int unc_read_sums(struct uncore_set *set, struct unc_reader *reader, uint64_t *sums)
{
	int r = 0;

	reader->n = set->list->n_sums;
	reader->epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
	reader->live = running(reader->epoch) && !unc_is_child(set->u);
	if (reader->live) {
		reader->now = unc_clock(set->u->hw);
		r = unc_sum(set, sums, reader->now);
		/* stopped meanwhile: the counters may be somebody else's already */
		if (atomic_load_explicit(&set->epoch, memory_order_acquire) != reader->epoch)
			reader->live = false, r = 0;
	}
	if (r < 0 || !reader->live) {
		take_last_sums(set, reader, sums);
		return r < 0 ? UNCORE_EIO : 0;
	}
	unc_remember(set, reader->epoch, sums, reader->now);
	if (set->list->interval) /* estimates of readers that overtake each other can go back */
		raise_to_last(set, reader->epoch, sums);
	return 0;
}

static int read_counts(struct uncore_set *set, int64_t *values)
{
	uint64_t *sums = (uint64_t *)values;
	struct unc_reader reader;
	const int r = unc_read_sums(set, &reader, sums);

	for (size_t e = 0; e < reader.n; e++)
		values[e] = since_base(set, reader.epoch, e, sums[e]);
	if (reader.live)
		sign(set);
	return r;
}

/* Metrics are made of more counts than the caller has room for. */
__attribute__((noinline)) static int read_values(struct uncore_set *set, int64_t *values)
{
	int64_t counts[UNC_MAX_READ + 1];
	unsigned resets;
	int tries = 0, r;

	do { /* a reset in between: a mean of old and new counts would be nonsense */
		resets = atomic_load_explicit(&set->list->resets, memory_order_acquire);
		r = read_counts(set, counts);
	} while (atomic_load_explicit(&set->list->resets, memory_order_acquire) != resets &&
		 ++tries < 4);
	unc_counted_values(&set->list->counted, counts, values);
	return r;
}

int uncore_set_read(struct uncore_set *set, int64_t *values)
{
	return set->list->counted.derived ? read_values(set, values) : read_counts(set, values);
}

/* The arrays of a run are those of the next one but one. */
static bool is_past(const struct uncore_set *set, unsigned epoch)
{
	return atomic_load_explicit(&set->epoch, memory_order_acquire) - epoch > 1;
}

/*
 * Who is put aside here for so long that the arrays are those of another run finds another
 * zero point in them, which is not below the last sums of this run, and leaves it.
 */
static void rebase(struct uncore_set *set, unsigned epoch, size_t e)
{
	_Atomic uint64_t *base = &set->list->base[unc_which(epoch)][e];
	uint64_t held = atomic_load_explicit(base, memory_order_acquire);
	uint64_t last;

	do {
		last = atomic_load_explicit(&set->list->last[unc_which(epoch)][e],
					    memory_order_acquire);
	} while ((int64_t)(last - held) > 0 && !is_past(set, epoch) &&
		 !atomic_compare_exchange_weak_explicit(base, &held, last, memory_order_acq_rel,
							memory_order_acquire));
}

static void rebase_to_last(struct uncore_set *set, unsigned epoch, int64_t since)
{
	atomic_fetch_add_explicit(&set->list->resets, 1, memory_order_acq_rel);
	raise_to(&set->run->base_ns, since);
	for (size_t e = 0; e < set->list->n_sums; e++)
		rebase(set, epoch, e);
	atomic_fetch_add_explicit(&set->list->resets, 1, memory_order_acq_rel);
}

/*
 * Sums of its own, so that a reset may interrupt another one, and a stop.  Of a set that
 * is too large for the stack of a handler only one reset reads at a time; another one
 * takes what was read last.
 */
__attribute__((noinline)) static int read_base(struct uncore_set *set, unsigned epoch, int64_t now)
{
	uint64_t few[UNC_MAX_READ + 1] = {0};
	const bool many = set->list->n_sums > UNC_MAX_READ + 1;
	uint64_t *sums = many ? set->list->spare : few;
	int r;

	if (many && atomic_flag_test_and_set_explicit(&set->list->spare_busy, memory_order_acquire))
		return 0;
	r = unc_sum(set, sums, now);
	if (r == 0 && atomic_load_explicit(&set->epoch, memory_order_acquire) == epoch)
		unc_remember(set, epoch, sums, now);
	if (many)
		atomic_flag_clear_explicit(&set->list->spare_busy, memory_order_release);
	return r;
}

/* What was counted between a read and a reset that follows it at once is not lost. */
int uncore_set_reset(struct uncore_set *set)
{
	const unsigned epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
	int r = 0;

	if (running(epoch) && !unc_is_child(set->u)) {
		const int64_t now = unc_clock(set->u->hw);

		if (!read_just_now(set, now))
			r = read_base(set, epoch, now);
	}
	/* a run that has begun meanwhile has a zero point of its own */
	if (!is_past(set, epoch))
		rebase_to_last(set, epoch,
			       atomic_load_explicit(&set->list->last_ns, memory_order_acquire));
	return r < 0 ? UNCORE_EIO : 0;
}

void unc_begin_at(struct uncore_set *set, int64_t now)
{
	struct unc_list *list = set->list;
	const unsigned which = unc_which(atomic_load(&set->epoch) + 1);
	_Atomic uint64_t *last = list->last[which], *base = list->base[which];

	for (size_t e = 0; e < list->n_sums; e++) {
		const uint64_t sum = unc_counted_is_level(&list->counted, e) ? 0 : list->scratch[e];

		atomic_store(&base[e], sum);
		atomic_store(&last[e], sum);
		atomic_store(&list->zero[e], sum);
	}
	atomic_store(&list->last_ns, now);
	atomic_store(&list->reader, 0);
	atomic_store(&set->run->base_ns, now);
	list->missed = false;
}

/* The zero point of the set, taken as late as can be. */
int unc_take_base(struct uncore *u, struct uncore_set *set)
{
	const int64_t now = unc_clock(u->hw);
	const int r = unc_sum(set, set->list->scratch, now);

	if (r < 0)
		return unc_code_of_errno(r); /* uncore_errmsg() has the sentence */
	unc_begin_at(set, now);
	return 0;
}

/* ---- without reading ---- */

int uncore_set_refresh(struct uncore_set *set, unsigned interval_us)
{
	struct uncore *u = set->u;
	sigset_t before;
	int r = 0;

	if (interval_us && interval_us < UNCORE_REFRESH_MIN_US)
		return unc_fail(&u->err, UNCORE_EINVAL,
				"counts cannot be refreshed every %u us: ask for %d or more",
				interval_us, UNCORE_REFRESH_MIN_US);
	if (interval_us && !u->remote)
		return unc_fail(
			&u->err, UNCORE_ENOSUPP,
			"uncored does not count for this handle, and nobody else reads at a "
			"fixed rate (docs/daemon.md)");
	unc_lock(u, &before);
	if (unc_is_running(set))
		r = unc_fail(&u->err, UNCORE_ESTATE,
			     "the event set counts: stop it before its rate is changed");
	else
		set->refresh_us = interval_us;
	unc_unlock(u, &before);
	return r;
}

/* Counts of this run, and when they were read. */
static int peek_counts(const struct uncore_set *set, unsigned epoch, int64_t *counts, int64_t *when)
{
	const struct unc_list *list = set->list;
	const struct unc_page *page = atomic_load(&list->paged) ? atomic_load(&list->page) : NULL;
	struct unc_page_time time;
	int r;

	if (!page) {
		*when = atomic_load_explicit(&list->last_ns, memory_order_acquire);
		last_counts(set, counts);
		return *when ? 0 : UNCORE_ESTATE;
	}
	r = unc_page_read(page, (uint64_t *)counts, list->counted.n, &time);
	if (r < 0)
		return r == -EAGAIN ? UNCORE_ESTATE : UNCORE_EIO;
	*when = time.when;
	unc_way_add_zero(set, (uint64_t *)counts, time.enabled);
	for (size_t e = 0; e < list->n_sums; e++)
		counts[e] = since_base(set, epoch, e, (uint64_t)counts[e]);
	return 0;
}

__attribute__((noinline)) static int peek_values(const struct uncore_set *set, unsigned epoch,
						 int64_t *values, int64_t *when)
{
	int64_t counts[UNC_MAX_READ + 1] = {0};
	const int r = peek_counts(set, epoch, counts, when);

	if (r == 0)
		unc_counted_values(&set->list->counted, counts, values);
	return r;
}

int uncore_set_peek(struct uncore_set *set, int64_t *values, int64_t *age_ns)
{
	const unsigned epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
	int64_t when = 0;
	int r;

	if (!running(epoch))
		return UNCORE_ESTATE;
	r = set->list->counted.derived ? peek_values(set, epoch, values, &when)
				       : peek_counts(set, epoch, values, &when);
	if (r == 0 && age_ns)
		*age_ns = unc_clock(set->u->hw) - when;
	return r;
}
