/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latency.h - the time from the arrival of a request in the socket to its answer, for requests of
 * one user (--latency), for tests/bench/users_bench.c.  A client measures more: also the time until
 * the kernel runs it again.
 */
#ifndef UNC_LATENCY_H
#define UNC_LATENCY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct msghdr;

enum latency_kind { LATENCY_READ, LATENCY_START, LATENCY_KINDS };

struct latency {
	bool measured;
	uid_t user;
	struct latency_of {
		uint64_t n;
		int64_t sum, longest; /* ns */
	} kinds[LATENCY_KINDS];
};

/* Have the kernel note the arrival of a client's messages. */
void latency_begin(const struct latency *l, int fd);
/* The arrival of a received message, ns since 1970; 0: unknown. */
int64_t latency_arrival(struct msghdr *message);
/* A request of that kind (enum unc_wire_kind) was answered now. */
void latency_note(struct latency *l, uid_t user, unsigned kind, int64_t arrived);
/* One message with all of them. */
void latency_report(const struct latency *l);

#endif
