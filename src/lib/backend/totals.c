/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.c - the sums of a set and their times, for all backends. */
#include "backend/ranks.h"

#define FIRST_NS 200000 /* of a first read, which may be of hundreds of registers */
#define SHORT_NS 4000   /* a look at the clock costs less than 1 % of a longer read */
#define READS    3      /* maximum number of reads until one is not interrupted */

/* ---- only up ---- */

void unc_raise_to(_Atomic int64_t *held, int64_t to)
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
	unc_raise_to(&set->list->last_ns, now);
}

void unc_raise_to_last(struct uncore_set *set, unsigned epoch, uint64_t *sums)
{
	const _Atomic uint64_t *last = set->list->last[unc_which(epoch)];

	for (size_t e = 0; e < set->list->counted.n; e++) {
		const uint64_t known = atomic_load_explicit(&last[e], memory_order_relaxed);

		if ((int64_t)(known - sums[e]) > 0)
			sums[e] = known;
	}
}

/* ---- with their time ---- */

/*
 * Much longer than other reads of this list: the thread was descheduled meanwhile.  There is
 * nothing to compare the first one with.
 */
static bool is_interrupted(struct unc_list *list, int64_t took)
{
	const int64_t shortest = atomic_load_explicit(&list->shortest, memory_order_relaxed);

	if (shortest == 0 || took + 1 < shortest)
		atomic_store_explicit(&list->shortest, took + 1, memory_order_relaxed);
	return shortest ? took > UNC_DESCHEDULED_NS && took > 4 * shortest : took > FIRST_NS;
}

/*
 * A look at the clock costs as much as a read of some counters in memory.  The shortest read so far
 * is no measure of a longer one: all reads that were timed may have been interrupted.
 */
static int64_t expected(const struct unc_list *list)
{
	const int64_t shortest = atomic_load_explicit(&list->shortest, memory_order_relaxed);

	return shortest > 0 && shortest <= SHORT_NS ? shortest - 1 : 0;
}

int unc_sum_timed(struct uncore_set *set, uint64_t *sums, struct unc_reader *reader)
{
	const bool timed = reader->timed || set->list->counted.derived;
	const int64_t took = timed ? 0 : expected(set->list);
	struct unc_when when;
	int r, reads = 0;

	do {
		when.took = took;
		reader->now = unc_clock(set->u->hw);
		r = unc_backend_of(set)->sum(set, sums, reader->now, &when);
	} while (r == 0 && is_interrupted(set->list, when.took) && timed && ++reads < READS);
	reader->time = when.at;
	reader->took = took ? 0 : when.took;
	return r;
}

void unc_note_missed_wrap(struct unc_list *list, bool missed,
			  const struct uncore_missed_wrap *worst)
{
	list->missed = missed;
	list->missed_wrap = *worst;
	list->missed_wrap.event = unc_owner(&list->counted, worst->event);
}

/* ---- the zero point ---- */

void unc_begin_at(struct uncore_set *set, int64_t now)
{
	struct unc_list *list = set->list;
	const unsigned which = unc_which(atomic_load(&set->epoch) + 1);
	_Atomic uint64_t *last = list->last[which], *base = list->base[which];

	for (size_t e = 0; e < list->n_sums; e++) {
		const bool level = list->counted.levels && unc_counted_is_level(&list->counted, e);
		const uint64_t sum = level ? 0 : list->scratch[e];

		atomic_store(&base[e], sum);
		atomic_store(&last[e], sum);
		atomic_store(&list->zero[e], sum);
	}
	atomic_store(&list->last_ns, now);
	atomic_store(&list->reader, 0);
	atomic_store(&set->run->base_ns, now);
	list->missed = false;
}

/* As late as possible. */
int unc_take_base(struct uncore_set *set)
{
	struct unc_reader reader = {.timed = true};
	uint64_t *scratch = set->list->scratch;
	const int r = unc_sum_timed(set, scratch, &reader);

	if (r < 0)
		return unc_code_of_errno(r); /* uncore_errmsg() returns the message */
	scratch[set->list->counted.n] = (uint64_t)reader.time;
	unc_begin_at(set, reader.now);
	return 0;
}

/* ---- enabled time ---- */

/* In a forked child the last read is the one before the fork. */
int64_t unc_last_enabled(const struct uncore_set *set, unsigned epoch)
{
	const struct unc_list *list = set->list;
	const int64_t began = atomic_load(&list->began);

	if (!(epoch & 1))
		return atomic_load(&list->ended) - began;
	return (int64_t)atomic_load(&list->last[unc_which(epoch)][list->counted.n]) - began;
}

/* The sums share memory with the results: each is used before it is overwritten. */
int unc_times_of_sums(struct uncore_set *set, unsigned epoch, struct unc_times *times)
{
	uint64_t *sums = (uint64_t *)times;
	const struct unc_list *list = set->list;
	const bool live = (epoch & 1) && !unc_is_child(set->u);
	struct unc_when when = {.took = 0};
	const int code =
		live ? unc_backend_of(set)->sum(set, sums, unc_clock(set->u->hw), &when) : 0;
	int64_t time;

	if (live && code == 0) {
		time = when.at - atomic_load(&list->began);
	} else {
		time = unc_last_enabled(set, epoch);
		for (size_t e = 0; e < list->counted.n; e++)
			sums[e] = atomic_load(&list->last[unc_which(epoch)][e]);
	}
	for (size_t e = list->counted.n; e-- > 0;) {
		const int64_t count = (int64_t)(sums[e] - atomic_load(&list->zero[e]));

		times[e] = (struct unc_times){time, time, count, 0, 0};
	}
	return code;
}

/*
 * For backends that count outside this process. Their totals since the start, added to the
 * last sums of the previous run, take the place of sums of registers, so that zero points,
 * metrics and times work as for registers.
 */

static uint64_t last_sum(const struct uncore_set *set, size_t e)
{
	return atomic_load(&set->list->last[unc_which(atomic_load(&set->epoch))][e]);
}

void unc_external_begin(struct uncore_set *set)
{
	struct unc_list *list = set->list;

	for (size_t e = 0; e < list->n_sums; e++)
		list->scratch[e] = last_sum(set, e);
	unc_begin_at(set, 0);
	atomic_store(&list->began, (int64_t)list->scratch[list->counted.n]);
}

void unc_external_add_zero(const struct uncore_set *set, uint64_t *counts)
{
	const struct unc_list *list = set->list;

	for (size_t e = 0; e < list->counted.n; e++)
		counts[e] += atomic_load_explicit(&list->zero[e], memory_order_acquire);
}

int64_t unc_external_time(const struct uncore_set *set, int64_t enabled)
{
	return enabled + atomic_load_explicit(&set->list->began, memory_order_acquire);
}

void unc_external_end(struct uncore_set *set, int64_t enabled)
{
	const int64_t ended = unc_external_time(set, enabled);
	uint64_t *sums = set->list->scratch;

	unc_external_add_zero(set, sums);
	unc_remember(set, atomic_load(&set->epoch), sums, ended, unc_clock(set->u->hw));
	atomic_store(&set->list->ended, ended);
}

void unc_external_lost(struct uncore_set *set)
{
	atomic_store(&set->list->ended, (int64_t)last_sum(set, set->list->counted.n));
}
