/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.c - rate limits for requests of a client, and for starts of a user.  Requests above
 * the limit are not refused: they wait in the socket while others are answered.
 */
#include "daemon/limits.h"

#include "backend/daemon/wire.h"
#include "base/clock.h"

#define SECOND 1000000000

int64_t limits_now(void)
{
	return unc_monotonic();
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

void limits_take(const struct limits *l, struct bucket *requests, struct bucket *starts,
		 unsigned kind)
{
	const int64_t now = limits_now();

	take(requests, now, l->requests ? l->requests : REQUESTS_PER_SECOND);
	if (kind == UNC_WIRE_START)
		take(starts, now, STARTS_PER_SECOND);
}

int64_t limits_wait(const struct bucket *requests, const struct bucket *starts, int64_t now)
{
	const int64_t wait = wait_of(requests, now), wait_to_start = wait_of(starts, now);

	return wait > wait_to_start ? wait : wait_to_start;
}
