/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fair.h - schedule the work of users by start-time fair queueing.
 *
 * Work comes in pieces that are not interrupted, and whose cost is known afterwards.  A flow is
 * one kind of work of one user.  All flows with waiting work get equal shares of the time, and
 * a flow that was idle is served next, however much work others have.
 */
#ifndef UNC_FAIR_H
#define UNC_FAIR_H

#include <stddef.h>
#include <stdint.h>

#define FAIR_FLOWS 1024

struct fair_flow {
	unsigned user, kind;
	int64_t at; /* virtual time at the end of the flow's last piece, ns */
};

/* All zero: initial state. */
struct fair {
	int64_t now; /* virtual time at the start of the last piece */
	size_t n, replaced;
	struct fair_flow flow[FAIR_FLOWS];
};

/* The index of a flow; a new one is added. */
size_t fair_flow(struct fair *fair, unsigned user, unsigned kind);
/* The index of the next of n > 0 waiting pieces, given their flows. */
size_t fair_next(const struct fair *fair, const size_t *flows, size_t n);
/* Account for a piece of the flow that took that long. */
void fair_charge(struct fair *fair, size_t flow, int64_t ns);

#endif
