/* SPDX-License-Identifier: BSD-3-Clause */
/* multiplex.c - sets whose events take turns: start, stop, enabled and running time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/multiplexed/mux.h"
#include "base/sized.h"
#include "set/inside.h"
#include "set/set.h"

int uncore_set_info(struct uncore_set *set, struct uncore_set_info *info)
{
	struct unc_mux *r = set->mux;
	const bool there = set->u->remote && unc_is_running(set);
	const unsigned planned = r ? atomic_load(&r->split)->n : 1;
	const unsigned rounds = there ? set->there.rounds : planned;
	const struct uncore_set_info is = {
		.events = (unsigned)set->list->counted.n_values,
		.rounds = rounds ? rounds : 1,
		.running = unc_is_running(set),
		.elsewhere = set->elsewhere,
	};

	return unc_give(&set->u->err, info, &is, UNC_SIZED(uncore_set_info), 0);
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

/* ---- start, stop ---- */

/* Windows up to now, less those that zero and zero_time tell of: there the result goes, too. */
static int count_windows(struct uncore_set *set, bool less)
{
	struct unc_list *list = set->list;
	const size_t n = list->counted.n;
	struct unc_times *times = calloc(n, sizeof(*times));
	struct unc_when when;
	int code;

	if (!times)
		return unc_fail(&set->u->err, UNCORE_ENOMEM,
				"out of memory for the windows of events that take turns");
	code = unc_mux_windows(set->mux, times, &when);
	for (size_t e = 0; code == 0 && e < n; e++) {
		const uint64_t zero = less ? atomic_load(&list->zero[e]) : 0;
		const int64_t zero_time = less ? atomic_load(&list->zero_time[e]) : 0;

		atomic_store(&list->zero[e], (uint64_t)times[e].count - zero);
		atomic_store(&list->zero_time[e], times[e].running_ns - zero_time);
		atomic_store(&list->noise[e], times[e].error);
	}
	free(times);
	return code < 0 ? unc_code_of_errno(code) : 0; /* uncore_errmsg() has the sentence */
}

/* All rounds have been planned since the first counter started: the set begins after that. */
static int take_first_base(struct uncore_set *set)
{
	struct unc_mux *r = set->mux;
	struct unc_hw *hw = set->u->hw;
	uint64_t *sums = set->list->scratch;
	const int64_t now = unc_clock(hw), began = unc_hw_now(hw);
	const int code = unc_windows_sum_at(r, began, sums);

	if (code < 0)
		return unc_code_of_errno(code); /* uncore_errmsg() has the sentence */
	sums[set->list->counted.n] = (uint64_t)began;
	unc_begin_at(set, now);
	unc_windows_first_gap(r, began, sums);
	return 0;
}

int unc_set_start_windows(struct uncore_set *set)
{
	struct unc_mux *r = set->mux;
	int code = unc_mux_start(r);

	if (code < 0)
		return code;
	code = r->running == 1 ? take_first_base(set) : unc_take_base(set);
	if (code == 0) {
		atomic_store(&set->list->began, (int64_t)set->list->scratch[set->list->counted.n]);
		code = count_windows(set, false);
	}
	if (code < 0)
		unc_mux_stop(set->mux);
	return code;
}

void unc_take_missed_wrap(struct uncore_set *set)
{
	const struct unc_mux *r = set->mux;

	if (unc_is_running(set))
		unc_note_missed_wrap(set->list, r->missed, &r->missed_wrap);
}

int unc_set_stop_windows(struct uncore_set *set)
{
	struct unc_list *list = set->list;
	struct uncore *u = set->u;
	struct unc_mux *r = set->mux;
	const int64_t now = unc_clock(u->hw);
	struct unc_when when;
	int code;

	unc_mux_stop(r);
	code = unc_sum(set, list->scratch, now, &when);
	atomic_store(&list->ended, when.at);
	if (code == 0)
		unc_remember(set, atomic_load(&set->epoch), list->scratch, when.at, now);
	else
		code = UNCORE_EIO; /* uncore_errmsg() has the sentence */
	unc_take_missed_wrap(set);
	atomic_fetch_add(&set->epoch, 1);
	if (code == 0)
		code = count_windows(set, true);
	return r->failure ? unc_fail(&u->err, r->failure, "%s", r->why) : code;
}

/* ---- enabled and running time ---- */

/* Without a read: up to the stop, or in a forked child up to the last one before the fork. */
static int64_t last_enabled(const struct uncore_set *set, unsigned epoch)
{
	const struct unc_list *list = set->list;
	const int64_t began = atomic_load(&list->began);

	if (set->u->way)
		return atomic_load(&set->there_ns);
	if (!(epoch & 1))
		return atomic_load(&list->ended) - began;
	return (int64_t)atomic_load(&list->last[unc_which(epoch)][list->counted.n]) - began;
}

/* Those who count all the time count from the start of the set to its end. */
static void times_in_windows(struct uncore_set *set, bool running, int64_t time,
			     struct unc_times *times)
{
	const struct unc_split *split = atomic_load(&((struct unc_mux *)set->mux)->split);

	for (size_t e = 0; e < set->list->counted.n; e++) {
		const int64_t count = (int64_t)atomic_load(&set->list->zero[e]);
		const int64_t length = atomic_load(&set->list->zero_time[e]);

		times[e].count = running ? times[e].count - count : count;
		times[e].running_ns = running ? times[e].running_ns - length : length;
		times[e].enabled_ns = time;
		if (unc_split_has(split, UNC_STEADY, e))
			times[e].running_ns = time;
		times[e].error = unc_error_of(
			&times[e], running ? times[e].error : atomic_load(&set->list->noise[e]));
	}
}

/* The sums are kept where the results go: each is used before it is written over. */
static int times_of_counters(struct uncore_set *set, unsigned epoch, struct unc_times *times)
{
	uint64_t *sums = (uint64_t *)times;
	const bool live = (epoch & 1) && !unc_is_child(set->u);
	struct unc_when when;
	const int code = live ? unc_sum(set, sums, unc_clock(set->u->hw), &when) : 0;
	int64_t time;

	if (!live || code < 0)
		for (size_t e = 0; e < set->list->counted.n; e++)
			sums[e] = atomic_load(&set->list->last[unc_which(epoch)][e]);
	if (!live || code < 0 || set->u->way)
		time = last_enabled(set, epoch);
	else
		time = when.at - atomic_load(&set->list->began);
	for (size_t e = set->list->counted.n; e-- > 0;) {
		const int64_t count = (int64_t)(sums[e] - atomic_load(&set->list->zero[e]));

		times[e] = (struct unc_times){time, time, count, 0};
	}
	return code;
}

static int times_of_windows(struct uncore_set *set, unsigned epoch, struct unc_times *times)
{
	int64_t time = last_enabled(set, epoch);
	struct unc_when when;
	int code = 0;

	if (epoch & 1) {
		code = unc_mux_windows(set->mux, times, &when);
		time = when.at - atomic_load(&set->list->began);
	}
	times_in_windows(set, epoch & 1, time, times);
	return code;
}

static int times_of_counted(struct uncore_set *set, struct unc_times *times)
{
	unsigned epoch;
	int code;

	do { /* again if it was stopped meanwhile: then there is nothing to read */
		epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
		code = 0;
		if (set->u->way && set->u->way->times && set->list->interval) {
			code = set->u->way->times(set, epoch & 1, times);
			continue;
		}
		code = set->mux ? times_of_windows(set, epoch, times)
				: times_of_counters(set, epoch, times);
	} while ((epoch & 1) && atomic_load(&set->epoch) != epoch);
	return code < 0 ? UNCORE_EIO : 0;
}

/* What a set of these windows would have counted, had it counted all the time. */
static int64_t estimate_of(const struct unc_times *t)
{
	return t->running_ns > 0
		       ? (int64_t)((double)t->count * (double)t->enabled_ns / (double)t->running_ns)
		       : 0;
}

static double value_of(const struct unc_formula *f, const int64_t *counts, int64_t ns)
{
	const int64_t value = unc_formula_value(f, counts, (double)ns * 1e-9);

	return unc_formula_is_real(f) ? uncore_real(value) : (double)value;
}

/* By how much the value changes with each count's error; as if these were independent. */
static double error_of(const struct unc_formula *f, const struct unc_times *times)
{
	int64_t counts[UNC_MAX_READ];
	double value, squares = 0;

	for (size_t e = 0; e < f->n; e++) {
		if (times[e].error < 0)
			return times[e].error;
		counts[e] = estimate_of(&times[e]);
	}
	value = value_of(f, counts, times->enabled_ns);
	for (size_t e = 0; e < f->n; e++) {
		const int64_t count = counts[e];
		double change;

		counts[e] = count + (int64_t)times[e].error;
		change = value_of(f, counts, times->enabled_ns) - value;
		squares += change * change;
		counts[e] = count;
	}
	return isfinite(squares) ? unc_root(squares) : UNCORE_ERROR_UNKNOWN;
}

/* The events of a metric count together, so one of them tells the time. */
__attribute__((noinline)) static int times_of_values(struct uncore_set *set,
						     struct unc_times *times)
{
	struct unc_times counted[UNC_MAX_READ] = {0};
	int64_t counts[UNC_MAX_READ + 1];
	const struct unc_counted *t = &set->list->counted;
	int code;

	memset(counted, 0, t->n * sizeof(*counted));
	code = times_of_counted(set, counted);
	for (size_t e = 0; e < t->n; e++)
		counts[e] = counted[e].count;
	for (size_t i = 0; i < t->n_values; i++) {
		const struct unc_value *v = &t->values[i];

		times[i] = counted[v->first];
		if (!v->formula)
			continue;
		times[i].error = error_of(v->formula, &counted[v->first]);
		times[i].count = unc_formula_is_real(v->formula)
					 ? 0
					 : unc_formula_value(v->formula, counts + v->first, 0);
	}
	return code;
}

/* From the front of the caller's memory to its elements, which are larger. */
static void spread(struct uncore_times *times, size_t n, size_t size)
{
	const struct unc_times *packed = (const struct unc_times *)times;
	char *const elements = (char *)times;

	for (size_t i = n; i-- > 0;) {
		const struct unc_times from = packed[i];
		const struct uncore_times to = {
			.enabled_ns = from.enabled_ns,
			.running_ns = from.running_ns,
			.count = from.count,
			.error = from.error,
		};

		memcpy(elements + i * size, &size, sizeof(size));
		unc_give(NULL, elements + i * size, &to, UNC_SIZED(uncore_times), 0);
	}
}

int uncore_set_times(struct uncore_set *set, struct uncore_times *times)
{
	const size_t n = set->list->counted.n_values;
	struct unc_times *packed = (struct unc_times *)times;
	size_t size;
	int r;

	if (n == 0)
		return 0;
	r = unc_size_check(&set->u->err, times, UNC_SIZED(uncore_times));
	if (r < 0)
		return r;
	memcpy(&size, times, sizeof(size)); /* before anything is written there */
	r = set->list->counted.derived ? times_of_values(set, packed)
				       : times_of_counted(set, packed);
	spread(times, n, size);
	return r;
}
