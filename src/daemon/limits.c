/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.c - rate limits for requests of a client, and for starts of a user.  Requests above
 * the limit are not refused: they wait in the socket while others are answered.
 */
#include "daemon/limits.h"

#include <time.h>

#include "backend/daemon/wire.h"
#include "daemon/daemon.h"

#define SECOND 1000000000

int64_t limits_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

/*
 * A token bucket that fills at a rate per second and holds the tokens of one second,
 * represented by the time at which it will be full: each token taken moves that time.
 */
static void take(struct bucket *b, int64_t now, unsigned per_second)
{
	if (b->full_at < now)
		b->full_at = now;
	b->full_at += SECOND / per_second;
}

/* Time until it has a token, ns. */
static int64_t wait_of(const struct bucket *b, int64_t now)
{
	const int64_t wait = b->full_at - now - SECOND;

	return wait > 0 ? wait : 0;
}

/* The bucket of a user.  A full bucket has no state, so it can be given to any user. */
static struct user_starts *starts_of(struct limits *l, unsigned user, int64_t now)
{
	struct user_starts *free_one = &l->starts[0];

	for (unsigned i = 0; i < LIMITED_USERS; i++) {
		if (l->starts[i].user == user && l->starts[i].bucket.full_at > now)
			return &l->starts[i];
		if (l->starts[i].bucket.full_at < free_one->bucket.full_at)
			free_one = &l->starts[i];
	}
	if (free_one->bucket.full_at <= now)
		*free_one = (struct user_starts){.user = user};
	return free_one;
}

void limits_take(struct limits *l, struct bucket *requests, unsigned user, unsigned kind)
{
	const int64_t now = limits_now();
	struct bucket *starts;

	take(requests, now, l->requests ? l->requests : REQUESTS_PER_SECOND);
	if (kind != UNC_WIRE_START)
		return;
	starts = &starts_of(l, user, now)->bucket;
	take(starts, now, STARTS_PER_SECOND);
	if (starts->full_at > l->last.full_at)
		l->last = *starts;
}

int64_t limits_wait(const struct limits *l, const struct bucket *requests, unsigned user,
		    int64_t now)
{
	int64_t wait = wait_of(requests, now);

	if (wait_of(&l->last, now) == 0)
		return wait;
	for (unsigned i = 0; i < LIMITED_USERS; i++) {
		const int64_t starts = wait_of(&l->starts[i].bucket, now);

		if (l->starts[i].user == user && starts > wait)
			wait = starts;
	}
	return wait;
}
