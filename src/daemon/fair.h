/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fair.h - schedule the work of users by start-time fair queueing.
 *
 * Work comes in pieces that are not interrupted, and whose cost is known afterwards.  A flow is
 * one kind of work of one user: the virtual time at the end of its last piece, ns; 0: none yet.
 * All flows with waiting work get equal shares of the time, and a flow that was idle is served
 * next, however much work others have.
 */
#ifndef UNC_FAIR_H
#define UNC_FAIR_H

#include <stddef.h>
#include <stdint.h>

/* All zero: initial state. */
struct fair {
	int64_t now; /* virtual time at the start of the last piece */
};

/* The index of the next of n > 0 waiting pieces, given their flows. */
size_t fair_next(const struct fair *fair, int64_t *const *flows, size_t n);
/* Account for a piece of the flow that took that long. */
void fair_charge(struct fair *fair, int64_t *flow, int64_t ns);

#endif
