/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h - rate limits of clients. */
#ifndef UNC_LIMITS_H
#define UNC_LIMITS_H

#include <stdint.h>

#define REQUESTS_PER_SECOND 100000 /* per client */
#define STARTS_PER_SECOND   500    /* for all clients of a user */
#define LIMITED_USERS       256    /* as many as clients */

struct bucket {
	int64_t full_at; /* ns */
};

struct user_starts {
	unsigned user;
	struct bucket bucket;
};

struct limits {
	unsigned requests; /* per second; 0: REQUESTS_PER_SECOND */
	struct user_starts starts[LIMITED_USERS];
	struct bucket last; /* the bucket that will be full last */
};

int64_t limits_now(void);
/* A request of that kind was answered. */
void limits_take(struct limits *limits, struct bucket *requests, unsigned user, unsigned kind);
/* How long a client must wait, ns; 0: not at all. */
int64_t limits_wait(const struct limits *limits, const struct bucket *requests, unsigned user,
		    int64_t now);

#endif
