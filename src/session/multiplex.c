/* SPDX-License-Identifier: BSD-3-Clause */
/* multiplex.c - what the user of a set can ask about its multiplexing. */
#include <string.h>

#include "session/inside.h"
#include "session/mux.h"

unsigned uncore_set_rounds(struct uncore_set *set)
{
	struct unc_mux *r = set->mux;
	const unsigned n = r ? atomic_load(&r->split)->n : 1;

	return n ? n : 1;
}

bool unc_multiplex_next(struct uncore_set *set)
{
	struct unc_mux *r = set->mux;
	sigset_t before;

	if (!r || unc_is_child(set->u))
		return false;
	unc_lock(set->u, &before);
	if (r->running)
		unc_mux_next_window(r);
	unc_unlock(set->u, &before);
	return true;
}

int64_t unc_multiplex_due(struct uncore *u)
{
	sigset_t before;
	int64_t next;

	unc_lock(u, &before);
	next = unc_mux_due(u);
	unc_unlock(u, &before);
	return next;
}

/* ---- enabled and running time ---- */

static int64_t enabled(const struct uncore_set *set, bool running)
{
	const int64_t began = atomic_load(&set->began);

	return running ? unc_hw_now(set->u->hw) - began : atomic_load(&set->ended) - began;
}

/* Those who count all the time count from the start of the set to its end. */
static void times_in_windows(struct uncore_set *set, bool running, struct uncore_times *times)
{
	const struct unc_split *split = atomic_load(&((struct unc_mux *)set->mux)->split);
	const int64_t time = enabled(set, running);

	for (size_t e = 0; e < set->n; e++) {
		const int64_t count = (int64_t)atomic_load(&set->zero[e]);
		const int64_t length = atomic_load(&set->zero_time[e]);

		times[e].count = running ? times[e].count - count : count;
		times[e].running_ns = running ? times[e].running_ns - length : length;
		times[e].enabled_ns = time;
		if (unc_split_has(split, UNC_STEADY, e))
			times[e].running_ns = time;
	}
}

/* The sums are kept where the results go: each is used before it is written over. */
static int times_of_counters(struct uncore_set *set, unsigned epoch, struct uncore_times *times)
{
	uint64_t *sums = (uint64_t *)times;
	const bool live = (epoch & 1) && !unc_is_child(set->u);
	const int code = live ? unc_sum(set, sums, unc_clock(set->u)) : 0;
	int64_t time;

	if (!live || code < 0)
		for (size_t e = 0; e < set->n; e++)
			sums[e] = atomic_load(&set->last[unc_run(epoch)][e]);
	time = enabled(set, epoch & 1);
	for (size_t e = set->n; e-- > 0;) {
		const int64_t count = (int64_t)(sums[e] - atomic_load(&set->zero[e]));

		times[e] = (struct uncore_times){time, time, count};
	}
	return code;
}

static int times_of_counted(struct uncore_set *set, struct uncore_times *times)
{
	unsigned epoch;
	int code;

	do { /* again if it was stopped meanwhile: then there is nothing to read */
		epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
		code = 0;
		if (!set->mux) {
			code = times_of_counters(set, epoch, times);
			continue;
		}
		if (epoch & 1)
			code = unc_mux_windows(set->mux, times);
		times_in_windows(set, epoch & 1, times);
	} while ((epoch & 1) && atomic_load(&set->epoch) != epoch);
	return code < 0 ? UNCORE_EIO : 0;
}

/* The events of a metric count together, so one of them tells the time. */
__attribute__((noinline)) static int times_of_values(struct uncore_set *set,
						     struct uncore_times *times)
{
	struct uncore_times counted[UNC_MAX_READ] = {0};
	int64_t counts[UNC_MAX_READ + 1];
	const struct unc_counted *t = &set->counted;
	int code;

	memset(counted, 0, t->n * sizeof(*counted));
	code = times_of_counted(set, counted);
	for (size_t e = 0; e < t->n; e++)
		counts[e] = counted[e].count;
	for (size_t i = 0; i < t->n_values; i++) {
		const struct unc_value *v = &t->values[i];

		times[i] = counted[v->first];
		if (v->formula)
			times[i].count =
				unc_formula_is_real(v->formula)
					? 0
					: unc_formula_value(v->formula, counts + v->first, 0);
	}
	return code;
}

int uncore_set_times(struct uncore_set *set, struct uncore_times *times)
{
	return set->counted.derived ? times_of_values(set, times) : times_of_counted(set, times);
}
