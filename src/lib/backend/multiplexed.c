/* SPDX-License-Identifier: BSD-3-Clause */
/* multiplexed.c - the backend of multiplexed sets, by registers of this process. */
#include <stdlib.h>

#include "backend/backend.h"

/* ---- reading; signal-safe ---- */

static int windows_sum(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when)
{
	int r;

	for (size_t e = 0; e < set->list->counted.n; e++)
		sums[e] = 0;
	r = unc_mux_sum(set->list->mux, sums, now, when);
	if (r > 0)
		unc_raise_to_last(set, atomic_load(&set->epoch), sums);
	return r < 0 ? r : 0;
}

/* Events that count all the time count from the start of the set to its end. */
static void times_in_windows(struct uncore_set *set, bool running, int64_t time,
			     struct unc_times *times)
{
	struct unc_mux *r = set->list->mux;
	const struct unc_split *split = atomic_load(&r->split);

	for (size_t e = 0; e < set->list->counted.n; e++) {
		const int64_t count = (int64_t)atomic_load(&set->list->zero[e]);
		const int64_t length = atomic_load(&set->list->zero_time[e]);

		times[e].count = running ? times[e].count - count : count;
		times[e].running_ns = running ? times[e].running_ns - length : length;
		times[e].enabled_ns = time;
		if (unc_split_has(split, UNC_STEADY, e))
			times[e].running_ns = time;
		if (!running || times[e].running_ns == time)
			times[e].shift_ns = 0;
		times[e].error = (float)unc_error_of(
			&times[e], running ? times[e].error : atomic_load(&set->list->noise[e]));
	}
}

static int windows_times(struct uncore_set *set, unsigned epoch, struct unc_times *times)
{
	int64_t time = unc_last_enabled(set, epoch);
	struct unc_when when;
	int code = 0;

	if (epoch & 1) {
		code = unc_mux_windows(set->list->mux, times, &when);
		time = when.at - atomic_load(&set->list->began);
	}
	times_in_windows(set, epoch & 1, time, times);
	return code;
}

/* ---- start, stop ---- */

/* Subtract the windows before the zero point (zero and zero_time); the result replaces them. */
static int count_windows(struct uncore_set *set, bool less)
{
	struct unc_list *list = set->list;
	const size_t n = list->counted.n;
	struct unc_times *times = calloc(n, sizeof(*times));
	struct unc_when when;
	int code;

	if (!times)
		return unc_fail(&set->u->err, UNCORE_ENOMEM,
				"out of memory while setting up multiplexing");
	code = unc_mux_windows(set->list->mux, times, &when);
	for (size_t e = 0; code == 0 && e < n; e++) {
		const uint64_t zero = less ? atomic_load(&list->zero[e]) : 0;
		const int64_t zero_time = less ? atomic_load(&list->zero_time[e]) : 0;

		atomic_store(&list->zero[e], (uint64_t)times[e].count - zero);
		atomic_store(&list->zero_time[e], times[e].running_ns - zero_time);
		atomic_store(&list->noise[e], times[e].error);
	}
	free(times);
	return code < 0 ? unc_code_of_errno(code) : 0; /* uncore_errmsg() returns the message */
}

/* All rounds have been planned before the first counter starts; the set begins after that. */
static int take_first_base(struct uncore_set *set)
{
	struct unc_mux *r = set->list->mux;
	struct unc_hw *hw = set->u->hw;
	uint64_t *sums = set->list->scratch;
	const int64_t now = unc_clock(hw), began = unc_hw_now(hw);
	const int code = unc_windows_sum_at(r, began, sums);

	if (code < 0)
		return unc_code_of_errno(code); /* uncore_errmsg() returns the message */
	sums[set->list->counted.n] = (uint64_t)began;
	unc_begin_at(set, now);
	unc_windows_first_gap(r, began, sums);
	return 0;
}

static int windows_go(struct uncore_set *set)
{
	struct unc_mux *r = set->list->mux;
	int code = unc_mux_start(r);

	if (code < 0)
		return code;
	code = r->running == 1 ? take_first_base(set) : unc_take_base(set);
	if (code == 0) {
		atomic_store(&set->list->began, (int64_t)set->list->scratch[set->list->counted.n]);
		code = count_windows(set, false);
	}
	if (code < 0)
		unc_mux_stop(set->list->mux);
	return code;
}

static void take_missed_wrap(struct uncore_set *set)
{
	const struct unc_mux *r = set->list->mux;

	if (unc_is_running(set))
		unc_note_missed_wrap(set->list, r->missed, &r->missed_wrap);
}

static int windows_halt(struct uncore_set *set)
{
	struct unc_list *list = set->list;
	struct uncore *u = set->u;
	struct unc_mux *r = set->list->mux;
	const int64_t now = unc_clock(u->hw);
	struct unc_when when;
	int code;

	unc_mux_stop(r);
	code = windows_sum(set, list->scratch, now, &when);
	atomic_store(&list->ended, when.at);
	if (code == 0)
		unc_remember(set, atomic_load(&set->epoch), list->scratch, when.at, now);
	else
		code = UNCORE_EIO; /* uncore_errmsg() returns the message */
	take_missed_wrap(set);
	atomic_fetch_add(&set->epoch, 1);
	if (code == 0)
		code = count_windows(set, true);
	return r->failure ? unc_fail(&u->err, r->failure, "%s", r->why) : code;
}

/* Also called by a reset, which must not wait for the end of a window. */
static int windows_missed_wrap(struct uncore_set *set, struct uncore_missed_wrap *worst)
{
	struct uncore *u = set->u;
	sigset_t before;
	int missed;

	if (!unc_mux_has_missed(set->list->mux))
		return 0;
	unc_lock(u, &before);
	take_missed_wrap(set);
	*worst = set->list->missed_wrap;
	missed = set->list->missed;
	unc_unlock(u, &before);
	return missed;
}

const struct unc_backend unc_backend_multiplexed = {
	.multiplexed = &unc_backend_multiplexed,
	.start = unc_registers_start,
	.stop = unc_registers_stop,
	.go = windows_go,
	.halt = windows_halt,
	.sum = windows_sum,
	.check = unc_check_windows,
	.times = windows_times,
	.missed_wrap = windows_missed_wrap,
};
