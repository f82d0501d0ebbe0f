/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.c - the sums of a set and their times, for all backends. */
#include "backend/backend.h"

#define FIRST_NS 200000 /* of a first read, which may be of hundreds of registers */
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

int unc_sum_timed(struct uncore_set *set, uint64_t *sums, struct unc_reader *reader)
{
	const bool timed = reader->timed || set->list->counted.derived;
	const int64_t shortest = atomic_load_explicit(&set->list->shortest, memory_order_relaxed);
	struct unc_when when;
	int r, reads = 0;

	do {
		/* a look at the clock costs as much as a read of some counters in memory */
		when.took = timed || !shortest ? 0 : shortest - 1;
		reader->now = unc_clock(set->u->hw);
		r = set->backend->sum(set, sums, reader->now, &when);
	} while (r == 0 && is_interrupted(set->list, when.took) && timed && ++reads < READS);
	reader->time = when.at;
	reader->took = when.took;
	return r;
}

/* ---- the zero point ---- */

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
	const int code = live ? set->backend->sum(set, sums, unc_clock(set->u->hw), &when) : 0;
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

		times[e] = (struct unc_times){time, time, count, 0};
	}
	return code;
}
