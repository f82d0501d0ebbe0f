/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h - how often clients may ask. */
#ifndef UNC_LIMITS_H
#define UNC_LIMITS_H

#include <stdint.h>

#define REQUESTS_PER_SECOND 100000 /* of a client */
#define STARTS_PER_SECOND   500    /* of all clients of a user */
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
	struct bucket last; /* of these the one that is full last */
};

int64_t limits_now(void);
/* A request of that kind has been answered. */
void limits_take(struct limits *limits, struct bucket *requests, unsigned user, unsigned kind);
/* For how long a client has to wait, ns; 0: it may ask. */
int64_t limits_wait(const struct limits *limits, const struct bucket *requests, unsigned user,
		    int64_t now);

#endif
