/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h - rate limits of clients. */
#ifndef UNC_LIMITS_H
#define UNC_LIMITS_H

#include <stdint.h>

#define REQUESTS_PER_SECOND 100000 /* per client */
#define STARTS_PER_SECOND   500    /* for all clients of a user */

struct bucket {
	int64_t full_at; /* ns */
};

struct limits {
	unsigned requests; /* per second; 0: REQUESTS_PER_SECOND */
};

int64_t limits_now(void);
/* A request of that kind was answered: take it from the client's and the user's bucket. */
void limits_take(const struct limits *limits, struct bucket *requests, struct bucket *starts,
		 unsigned kind);
/* How long a client must wait, ns; 0: not at all. */
int64_t limits_wait(const struct bucket *requests, const struct bucket *starts, int64_t now);

#endif
