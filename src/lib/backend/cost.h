/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.h - what counting an event set takes, known before it starts. */
#ifndef UNC_COST_H
#define UNC_COST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct uncore_set;

struct unc_cost {
	size_t counters; /* an event in a box is one; of events that take turns in each round */
	size_t bytes;    /* of memory while it counts, at most */
};

/* Of a set that has its events.  For the thread that assigned them. */
struct unc_cost unc_set_cost(const struct uncore_set *set);

#ifdef __cplusplus
}
#endif
#endif
