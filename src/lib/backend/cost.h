/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.h - the cost of counting an event set, known before it starts. */
#ifndef UNC_COST_H
#define UNC_COST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct uncore;
struct uncore_set;

struct unc_cost {
	size_t counters; /* one per event and box; for multiplexed events, in each round */
	size_t bytes;    /* maximum memory while it counts */
};

/* The least that a set of these events can cost: it is not planned. */
struct unc_cost unc_cost_at_least(const struct uncore *u, const unsigned *ids, size_t n);

/* For a set with events.  To be called by the thread that assigned them. */
struct unc_cost unc_set_cost(const struct uncore_set *set);

/* The mean number of counters in a window; 0: not multiplexed.  Any thread. */
size_t unc_counters_of_window(const struct uncore_set *set);

#ifdef __cplusplus
}
#endif
#endif
