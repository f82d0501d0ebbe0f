/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks_counts.c - counts of sets of which other ranks count some or all events; see ranks.h. */
#include <string.h>

#include "backend/ranks.h"

static struct unc_ranks_part *parts_of(const struct uncore_set *set)
{
	const struct unc_ranks *ranks = atomic_load(&set->list->ranks);

	return atomic_load_explicit(&ranks->parts, memory_order_acquire);
}

/* ---- sums; signal-safe ---- */

static void take_last(struct unc_ranks_part *part, unsigned epoch, uint64_t *sums)
{
	for (size_t e = 0; e < part->set.list->n_sums; e++)
		sums[e] = atomic_load(&part->set.list->last[unc_which(epoch)][e]);
}

/* sums: room for the time, too. 0 or -errno */
static int read_part(struct unc_ranks_part *part, int64_t now, uint64_t *sums)
{
	struct uncore_set *set = &part->set;
	const unsigned epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
	struct unc_when when = {.took = 0};
	int r = 0;

	if (epoch & 1)
		r = set->backend->sum(set, sums, now, &when);
	if (!(epoch & 1) || r < 0 || atomic_load(&set->epoch) != epoch) {
		take_last(part, atomic_load(&set->epoch), sums);
		return atomic_load(&set->epoch) == epoch ? r : 0;
	}
	sums[set->list->counted.n] = (uint64_t)when.at;
	unc_remember(set, epoch, sums, when.at, now);
	unc_raise_to_last(set, epoch, sums);
	return 0;
}

/* Since the start of the part. */
static uint64_t since_start(const struct unc_ranks_part *part, const uint64_t *sums, size_t e)
{
	const struct unc_list *list = part->set.list;
	const unsigned which = unc_which(atomic_load(&part->set.epoch));

	return unc_counted_is_level(&list->counted, e)
		       ? sums[e]
		       : sums[e] - atomic_load(&list->base[which][e]);
}

static int add_part(struct unc_ranks_part *part, int64_t now, uint64_t *sums, uint64_t *counts,
		    int64_t *enabled)
{
	const int r = read_part(part, now, sums);
	const size_t n = part->set.list->counted.n;
	const int64_t time = (int64_t)since_start(part, sums, n);

	for (size_t e = 0; e < n; e++)
		counts[part->events[e]] = since_start(part, sums, e);
	if (time > *enabled)
		*enabled = time;
	return r;
}

/* As in a reset, a set that is too large for the stack is read by one thread at a time. */
__attribute__((noinline)) static int add_small(struct unc_ranks_part *part, int64_t now,
					       uint64_t *counts, int64_t *enabled)
{
	uint64_t sums[UNC_MAX_READ + 1] = {0};

	return add_part(part, now, sums, counts, enabled);
}

static int add_large(struct unc_ranks_part *part, int64_t now, uint64_t *counts, int64_t *enabled)
{
	struct unc_list *list = part->set.list;
	const unsigned epoch = atomic_load(&part->set.epoch);
	int r;

	if (atomic_flag_test_and_set_explicit(&list->spare_busy, memory_order_acquire)) {
		for (size_t e = 0; e < list->counted.n; e++)
			counts[part->events[e]] = atomic_load(&list->last[unc_which(epoch)][e]) -
						  atomic_load(&list->base[unc_which(epoch)][e]);
		return 0;
	}
	r = add_part(part, now, list->spare, counts, enabled);
	atomic_flag_clear_explicit(&list->spare_busy, memory_order_release);
	return r;
}

static int add_parts(const struct uncore_set *set, int64_t now, uint64_t *counts, int64_t *enabled)
{
	int result = 0;

	memset(counts, 0, set->list->counted.n * sizeof(*counts));
	*enabled = 0;
	for (struct unc_ranks_part *part = parts_of(set); part; part = part->next) {
		const bool small = part->set.list->counted.n <= UNC_MAX_READ;
		const int r = small ? add_small(part, now, counts, enabled)
				    : add_large(part, now, counts, enabled);

		result = result < 0 ? result : r;
	}
	return result;
}

static int ranks_sum(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when)
{
	int64_t enabled;
	const int r = add_parts(set, now, sums, &enabled);

	*when = (struct unc_when){.at = unc_external_time(set, enabled)};
	unc_external_add_zero(set, sums);
	return r;
}

void unc_ranks_clear(const struct uncore_set *set, int64_t *values)
{
	const struct unc_ranks *ranks = atomic_load(&set->list->ranks);

	if (!ranks || !atomic_load(&ranks->in_parts))
		return;
	for (size_t i = 0; i < set->list->counted.n_values; i++)
		if (atomic_load(&ranks->waits[i]))
			values[i] = 0;
}

/* ---- stop, check; under lock ---- */

static int stop_parts(const struct uncore_set *set, bool anyway)
{
	int result = 0, r = 0;

	for (struct unc_ranks_part *part = parts_of(set); part && r != UNC_WAIT;
	     part = part->next) {
		r = unc_is_running(&part->set) ? part->set.backend->stop(&part->set, anyway) : 0;
		result = result < 0 ? result : r;
	}
	return r == UNC_WAIT ? r : result;
}

static void note_missed_wraps(struct uncore_set *set)
{
	struct unc_list *list = set->list;

	for (struct unc_ranks_part *part = parts_of(set); part && !list->missed;
	     part = part->next) {
		struct uncore_missed_wrap worst = part->set.list->missed_wrap;

		worst.event = part->events[worst.event];
		if (part->set.list->missed)
			unc_note_missed_wrap(list, true, &worst);
	}
}

static int ranks_stop(struct uncore_set *set, bool anyway)
{
	const struct unc_ranks *ranks = atomic_load(&set->list->ranks);
	int64_t enabled;
	int r = stop_parts(set, anyway);

	if (r == UNC_WAIT)
		return r;
	add_parts(set, 0, set->list->scratch, &enabled);
	unc_external_end(set, enabled);
	note_missed_wraps(set);
	atomic_fetch_add(&set->epoch, 1);
	if (r == 0 && ranks->failure)
		return unc_fail(&set->u->err, ranks->failure, "%s", ranks->why);
	return r;
}

static int ranks_check(struct uncore_set *set, unsigned epoch)
{
	int result = 0;

	(void)epoch;
	for (struct unc_ranks_part *part = parts_of(set); part; part = part->next) {
		const unsigned own = atomic_load(&part->set.epoch);
		const int r = own & 1 ? part->set.backend->check(&part->set, own) : 0;

		result = result < 0 ? result : r;
	}
	return result;
}

/* ---- times; signal-safe ---- */

static int times_of_part(struct unc_ranks_part *part, struct unc_times *times)
{
	struct unc_times own[UNC_MAX_READ] = {{.count = 0}};
	const size_t n = part->set.list->counted.n;
	const int r =
		n <= UNC_MAX_READ
			? part->set.backend->times(&part->set, atomic_load(&part->set.epoch), own)
			: 0;

	for (size_t e = 0; e < n && n <= UNC_MAX_READ; e++)
		times[part->events[e]] = own[e];
	return r;
}

static int ranks_times(struct uncore_set *set, unsigned epoch, struct unc_times *times)
{
	int result = 0;

	(void)epoch;
	memset(times, 0, set->list->counted.n * sizeof(*times));
	for (struct unc_ranks_part *part = parts_of(set); part; part = part->next) {
		const int r = times_of_part(part, times);

		result = result < 0 ? result : r;
	}
	return result;
}

static int ranks_missed_wrap(struct uncore_set *set, struct uncore_missed_wrap *worst)
{
	for (struct unc_ranks_part *part = parts_of(set); part; part = part->next) {
		const struct unc_backend *backend = part->set.backend;

		if (!unc_is_running(&part->set) || !backend->missed_wrap ||
		    backend->missed_wrap(&part->set, worst) != 1)
			continue;
		worst->event = unc_owner(&set->list->counted, part->events[worst->event]);
		return 1;
	}
	return 0;
}

static unsigned rounds_of(const struct uncore_set *set)
{
	struct unc_mux *mux = set->list->mux;

	if (set->backend->rounds)
		return set->backend->rounds(set);
	return mux ? atomic_load(&mux->split)->n : 1;
}

static unsigned ranks_rounds(const struct uncore_set *set)
{
	unsigned most = 1;

	for (struct unc_ranks_part *part = parts_of(set); part; part = part->next) {
		const unsigned rounds = rounds_of(&part->set);

		most = rounds > most ? rounds : most;
	}
	return most;
}

const struct unc_backend unc_backend_ranks = {
	.stop = ranks_stop,
	.sum = ranks_sum,
	.check = ranks_check,
	.times = ranks_times,
	.missed_wrap = ranks_missed_wrap,
	.rounds = ranks_rounds,
};
