/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fair.h - the order in which the work of users is done: start-time fair queueing.
 *
 * Work comes in pieces that are not interrupted, whose cost is known when they are done.  A flow is
 * one kind of work of one user.  All flows with work waiting get the same share of the time, and a
 * flow that had none waiting is served next, whatever the others have waiting.
 */
#ifndef UNC_FAIR_H
#define UNC_FAIR_H

#include <stddef.h>
#include <stdint.h>

#define FAIR_FLOWS 1024

struct fair_flow {
	unsigned user, kind;
	int64_t at; /* the virtual time at which the last piece of the flow ended, ns */
};

/* All zero: nothing was done yet. */
struct fair {
	int64_t now; /* virtual time: when the last piece began */
	size_t n, replaced;
	struct fair_flow flow[FAIR_FLOWS];
};

/* The index of a flow, which is added if it is new. */
size_t fair_flow(struct fair *fair, unsigned user, unsigned kind);
/* Which of n > 0 waiting pieces is next, given the flow of each. */
size_t fair_next(const struct fair *fair, const size_t *flows, size_t n);
/* A piece of the flow was done and took that long. */
void fair_charge(struct fair *fair, size_t flow, int64_t ns);

#endif
