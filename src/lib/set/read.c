/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read.c - the counts of a set: what its counters, or its windows, have counted since its zero
 * point.  Signal-safe: no lock, no allocation, no stdio.
 */
#include <errno.h>

#include "backend/multiplexed/mux.h"
#include "count/readers.h"
#include "set/set.h"

#define YOUNG_NS 20000 /* reset takes the same thread's last read if it ended so recently */
#define PAUSE_NS 20000 /* a thread that is descheduled is so for longer */
#define READS    3     /* at most, until one is not interrupted */

/* ---- sums ---- */

/* Sums, zero points and times only grow: who comes late must not take them back. */
static void raise_to(_Atomic int64_t *held, int64_t to)
{
	int64_t is = atomic_load_explicit(held, memory_order_relaxed);

	while (to > is && !atomic_compare_exchange_weak_explicit(
				  held, &is, to, memory_order_release, memory_order_relaxed))
		;
}

static void raise_sum(_Atomic uint64_t *last, uint64_t sum)
{
	uint64_t held = atomic_load_explicit(last, memory_order_relaxed);

	while ((int64_t)(sum - held) > 0 &&
	       !atomic_compare_exchange_weak_explicit(last, &held, sum, memory_order_relaxed,
						      memory_order_relaxed))
		;
}

void unc_remember(struct uncore_set *set, unsigned epoch, const uint64_t *sums, int64_t time,
		  int64_t now)
{
	_Atomic uint64_t *last = set->list->last[unc_which(epoch)];
	const size_t n = set->list->counted.n;

	for (size_t e = 0; e < n; e++)
		raise_sum(&last[e], sums[e]);
	raise_sum(&last[n], (uint64_t)time);
	raise_to(&set->list->last_ns, now);
}

static void raise_to_last(struct uncore_set *set, unsigned epoch, uint64_t *sums)
{
	const _Atomic uint64_t *last = set->list->last[unc_which(epoch)];

	for (size_t e = 0; e < set->list->counted.n; e++) {
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

static int sum_windows(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when)
{
	const int r = unc_mux_sum(set->mux, sums, now, when);

	if (r > 0)
		raise_to_last(set, atomic_load(&set->epoch), sums);
	return r < 0 ? r : 0;
}

static int sum_elsewhere(struct uncore_set *set, uint64_t *sums, struct unc_when *when)
{
	int64_t enabled = 0;
	const int r = set->u->way->sum(set, sums, &enabled);

	*when = (struct unc_when){.at = unc_way_time(set, enabled)};
	return r;
}

int unc_sum(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when)
{
	struct uncore *u = set->u;
	int64_t before;
	int r;

	if (u->way)
		return sum_elsewhere(set, sums, when);
	for (size_t e = 0; e < set->list->counted.n; e++)
		sums[e] = 0;
	if (set->mux)
		return sum_windows(set, sums, now, when);
	before = unc_hw_now(u->hw);
	r = sum_registers(set, sums, now);
	*when = unc_between(before, unc_hw_now(u->hw));
	return r;
}

/* Longer than reads of this list take: the thread was descheduled meanwhile. */
static bool is_interrupted(struct unc_list *list, int64_t took)
{
	const int64_t shortest = atomic_load_explicit(&list->shortest, memory_order_relaxed);

	if (shortest == 0 || took < shortest)
		atomic_store_explicit(&list->shortest, took + 1, memory_order_relaxed);
	return shortest && took > PAUSE_NS && took > 4 * shortest;
}

/* What is divided by its time is read again if that is not known well. */
static int sum_timed(struct uncore_set *set, uint64_t *sums, struct unc_reader *reader)
{
	const bool timed = reader->timed || set->list->counted.derived;
	struct unc_when when = {.at = 0};
	int r, reads = 0;

	do {
		reader->now = unc_clock(set->u->hw);
		r = unc_sum(set, sums, reader->now, &when);
	} while (r == 0 && is_interrupted(set->list, when.took) && timed && ++reads < READS);
	reader->time = when.at;
	return r;
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

	for (size_t e = 0; e < set->list->counted.n + set->list->counted.derived; e++)
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
	const _Atomic uint64_t *last;

	reader->live = false;
	reader->epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
	reader->now = atomic_load_explicit(&list->last_ns, memory_order_acquire);
	last = list->last[unc_which(reader->epoch)];
	for (size_t e = 0; e < reader->n; e++)
		sums[e] = atomic_load_explicit(&last[e], memory_order_relaxed);
	reader->time = (int64_t)atomic_load_explicit(&last[reader->n], memory_order_relaxed);
}

int unc_read_sums(struct uncore_set *set, struct unc_reader *reader, uint64_t *sums)
{
	int r = 0;

	reader->n = set->list->counted.n;
	reader->epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
	reader->live = running(reader->epoch) && !unc_is_child(set->u);
	if (reader->live) {
		r = sum_timed(set, sums, reader);
		/* stopped meanwhile: the counters may be somebody else's already */
		if (atomic_load_explicit(&set->epoch, memory_order_acquire) != reader->epoch)
			reader->live = false, r = 0;
	}
	if (r < 0 || !reader->live) {
		take_last_sums(set, reader, sums);
		return r < 0 ? UNCORE_EIO : 0;
	}
	unc_remember(set, reader->epoch, sums, reader->time, reader->now);
	if (set->list->interval) /* estimates of readers that overtake each other can go back */
		raise_to_last(set, reader->epoch, sums);
	return 0;
}

/* ns: the time that they stand for; NULL: it does not matter. */
static int read_counts(struct uncore_set *set, int64_t *values, int64_t *ns)
{
	uint64_t *sums = (uint64_t *)values;
	struct unc_reader reader = {.timed = ns != NULL};
	const int r = unc_read_sums(set, &reader, sums);

	for (size_t e = 0; e < reader.n; e++)
		values[e] = since_base(set, reader.epoch, e, sums[e]);
	if (ns)
		*ns = since_base(set, reader.epoch, reader.n, (uint64_t)reader.time);
	if (reader.live)
		sign(set);
	return r;
}

/* Metrics are made of more counts than the caller has room for. */
__attribute__((noinline)) static int read_values(struct uncore_set *set, int64_t *values,
						 int64_t *ns)
{
	int64_t counts[UNC_MAX_READ + 1];
	int64_t *time = &counts[set->list->counted.n];
	unsigned resets;
	int tries = 0, r;

	do { /* a reset in between: a mean of old and new counts would be nonsense */
		resets = atomic_load_explicit(&set->list->resets, memory_order_acquire);
		r = read_counts(set, counts, time);
	} while (atomic_load_explicit(&set->list->resets, memory_order_acquire) != resets &&
		 ++tries < 4);
	unc_counted_values(&set->list->counted, counts, values);
	if (ns)
		*ns = *time;
	return r;
}

int uncore_set_read_timed(struct uncore_set *set, int64_t *values, int64_t *ns)
{
	return set->list->counted.derived ? read_values(set, values, ns)
					  : read_counts(set, values, ns);
}

int uncore_set_read(struct uncore_set *set, int64_t *values)
{
	return uncore_set_read_timed(set, values, NULL);
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
	uint64_t few[UNC_MAX_READ] = {0};
	const bool many = set->list->counted.n > UNC_MAX_READ;
	struct unc_when when;
	uint64_t *sums = many ? set->list->spare : few;
	int r;

	if (many && atomic_flag_test_and_set_explicit(&set->list->spare_busy, memory_order_acquire))
		return 0;
	r = unc_sum(set, sums, now, &when);
	if (r == 0 && atomic_load_explicit(&set->epoch, memory_order_acquire) == epoch)
		unc_remember(set, epoch, sums, when.at, now);
	if (many)
		atomic_flag_clear_explicit(&set->list->spare_busy, memory_order_release);
	return r;
}

/* What was counted between a read and a reset that follows it at once is not lost. */
static int reset(struct uncore_set *set)
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

/* Half of a reset would leave a read without end, and other resets without memory. */
int uncore_set_reset(struct uncore_set *set)
{
	const int before = unc_cancel_off(), r = reset(set);

	unc_cancel_on(before);
	return r;
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
int unc_take_base(struct uncore_set *set)
{
	struct unc_reader reader = {.timed = true};
	uint64_t *scratch = set->list->scratch;
	const int r = sum_timed(set, scratch, &reader);

	if (r < 0)
		return unc_code_of_errno(r); /* uncore_errmsg() has the sentence */
	scratch[set->list->counted.n] = (uint64_t)reader.time;
	unc_begin_at(set, reader.now);
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
	unc_way_add_zero(set, (uint64_t *)counts);
	for (size_t e = 0; e < list->counted.n; e++)
		counts[e] = since_base(set, epoch, e, (uint64_t)counts[e]);
	if (list->counted.derived)
		counts[list->counted.n] = since_base(set, epoch, list->counted.n,
						     (uint64_t)unc_way_time(set, time.enabled));
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
