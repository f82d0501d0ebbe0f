/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read.c - the counts of a set: what its counters or windows have counted since its zero point.
 * Signal-safe: no lock, no allocation, no stdio.
 */
#include <errno.h>

#include "backend/daemon/page.h"
#include "backend/ranks.h"
#include "base/documents.h"
#include "set/set.h"
#include "set/takeover.h"

#define YOUNG_NS \
	20000 /* a reset uses the last read of the same thread if it is more recent than this */

/* ---- counts ---- */

static int64_t since_base(const struct uncore_set *set, unsigned epoch, size_t e, uint64_t sum)
{
	const _Atomic uint64_t *bases = set->list->base[unc_which(epoch)];
	const uint64_t base = unc_counted_is_level(&set->list->counted, e)
				      ? 0
				      : atomic_load_explicit(&bases[e], memory_order_relaxed);
	const int64_t count = (int64_t)(sum - base);

	return count < 0 ? 0 : count; /* a reset by another thread in between */
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

/* Record the thread and the end of a read, or the start of a short one. */
static void sign(struct uncore_set *set, const struct unc_reader *reader)
{
	atomic_store_explicit(&set->list->read_ns, reader->now + reader->took,
			      memory_order_relaxed);
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
		unc_takeover_look(set);
		r = unc_sum_timed(set, sums, reader);
		/* stopped meanwhile: the counters may belong to another process by now */
		if (atomic_load_explicit(&set->epoch, memory_order_acquire) != reader->epoch)
			reader->live = false, r = 0;
	}
	if (r < 0 || !reader->live) {
		take_last_sums(set, reader, sums);
		return r < 0 ? UNCORE_EIO : 0;
	}
	unc_remember(set, reader->epoch, sums, reader->time, reader->now);
	if (set->list->interval) /* estimates of concurrent readers can go back */
		unc_raise_to_last(set, reader->epoch, sums);
	return 0;
}

/* ns: the time of the counts; NULL: not wanted. */
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
		sign(set, &reader);
	return r;
}

/* A metric consists of more counts than the caller has room for. */
__attribute__((noinline)) static int read_values(struct uncore_set *set, int64_t *values,
						 int64_t *ns)
{
	int64_t counts[UNC_MAX_READ + 1];
	int64_t *time = &counts[set->list->counted.n];
	unsigned resets;
	int tries = 0, r;

	do { /* a reset in between: a mean of old and new counts would be meaningless */
		resets = atomic_load_explicit(&set->list->resets, memory_order_acquire);
		r = read_counts(set, counts, time);
	} while (atomic_load_explicit(&set->list->resets, memory_order_acquire) != resets &&
		 ++tries < 4);
	unc_counted_values(&set->list->counted, counts, values);
	unc_ranks_clear(set, values);
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

/* The arrays of a run are used again by the next but one. */
static bool is_past(const struct uncore_set *set, unsigned epoch)
{
	return atomic_load_explicit(&set->epoch, memory_order_acquire) - epoch > 1;
}

/*
 * A thread that is delayed here until its arrays belong to another run finds a zero point that
 * is not below the last sums of its own run, and does not change it.
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
	unc_raise_to(&set->run->base_ns, since);
	for (size_t e = 0; e < set->list->n_sums; e++)
		rebase(set, epoch, e);
	atomic_fetch_add_explicit(&set->list->resets, 1, memory_order_acq_rel);
}

/*
 * Each reset has its own sums, so that it may interrupt another reset, or a stop.  For a set
 * that is too large for the stack of a signal handler, only one reset reads at a time; another
 * one uses the last sums.
 */
__attribute__((noinline)) static int read_base(struct uncore_set *set, unsigned epoch, int64_t now)
{
	uint64_t few[UNC_MAX_READ] = {0};
	const bool many = set->list->counted.n > UNC_MAX_READ;
	struct unc_when when = {.took = 0};
	uint64_t *sums = many ? set->list->spare : few;
	int r;

	if (many && atomic_flag_test_and_set_explicit(&set->list->spare_busy, memory_order_acquire))
		return 0;
	r = unc_backend_of(set)->sum(set, sums, now, &when);
	if (r == 0 && atomic_load_explicit(&set->epoch, memory_order_acquire) == epoch)
		unc_remember(set, epoch, sums, when.at, now);
	if (many)
		atomic_flag_clear_explicit(&set->list->spare_busy, memory_order_release);
	return r;
}

/* Counts between a read and a reset that follows it at once are not lost. */
static int reset(struct uncore_set *set)
{
	const unsigned epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
	int r = 0;

	if (running(epoch) && !unc_is_child(set->u)) {
		const int64_t now = unc_clock(set->u->hw);

		if (!read_just_now(set, now))
			r = read_base(set, epoch, now);
	}
	/* a run that began meanwhile has its own zero point */
	if (!is_past(set, epoch))
		rebase_to_last(set, epoch,
			       atomic_load_explicit(&set->list->last_ns, memory_order_acquire));
	return r < 0 ? UNCORE_EIO : 0;
}

/* A reset that is cancelled half-way would block reads for ever, and other resets. */
int uncore_set_reset(struct uncore_set *set)
{
	const int before = unc_cancel_off(), r = reset(set);

	unc_cancel_on(before);
	return r;
}

/* ---- without reading ---- */

int uncore_set_refresh(struct uncore_set *set, unsigned interval_us)
{
	struct uncore *u = set->u;
	sigset_t before;
	int r = 0;

	if (interval_us && interval_us < UNCORE_REFRESH_MIN_US)
		return unc_fail(&u->err, UNCORE_EINVAL,
				"refresh interval of %u us is too short: the minimum is %d us",
				interval_us, UNCORE_REFRESH_MIN_US);
	if (interval_us && !u->backend->pages)
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"a refresh interval requires uncored: this handle does not use it "
				"(" UNC_DOC_DAEMON ")");
	unc_lock(u, &before);
	if (unc_is_running(set))
		r = unc_fail(&u->err, UNCORE_ESTATE,
			     "cannot change the refresh interval of a running event set: stop it "
			     "first");
	else
		set->list->refresh_us = interval_us;
	unc_unlock(u, &before);
	return r;
}

/* The counts of this run, and their time. */
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
	unc_external_add_zero(set, (uint64_t *)counts);
	for (size_t e = 0; e < list->counted.n; e++)
		counts[e] = since_base(set, epoch, e, (uint64_t)counts[e]);
	if (list->counted.derived)
		counts[list->counted.n] =
			since_base(set, epoch, list->counted.n,
				   (uint64_t)unc_external_time(set, time.enabled));
	return 0;
}

__attribute__((noinline)) static int peek_values(const struct uncore_set *set, unsigned epoch,
						 int64_t *values, int64_t *when)
{
	int64_t counts[UNC_MAX_READ + 1] = {0};
	const int r = peek_counts(set, epoch, counts, when);

	if (r == 0) {
		unc_counted_values(&set->list->counted, counts, values);
		unc_ranks_clear(set, values);
	}
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
