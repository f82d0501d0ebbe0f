/* SPDX-License-Identifier: BSD-3-Clause */
/* retry.c - wait while another process is claiming or releasing counters. */
#include <time.h>

#include "set/set.h"

#define LONGEST_US 20000

struct wait {
	int64_t began; /* ns; 0: not waiting yet */
	unsigned us;   /* of the next sleep */
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * Signals can be delivered meanwhile.  A claim takes a millisecond or two, so the first sleeps
 * are short. false: the timeout is over.
 */
static bool wait_with_backoff(const struct uncore *u, struct wait *wait)
{
	struct timespec t = {.tv_sec = 0};

	if (!wait->began) {
		wait->began = now_ns();
		wait->us = 100;
	}
	if (now_ns() - wait->began >= (int64_t)u->lock_timeout_ms * 1000000)
		return false;
	t.tv_nsec = (long)wait->us * 1000;
	nanosleep(&t, NULL);
	wait->us = wait->us * 2 > LONGEST_US ? LONGEST_US : wait->us * 2;
	return true;
}

int unc_retry_until_unlocked(struct uncore *u, unc_attempt *body, void *arg)
{
	struct wait wait = {.began = 0};
	sigset_t before;
	int r;

	do {
		unc_lock(u, &before);
		r = body(u, arg);
		unc_unlock(u, &before);
	} while (r == UNC_WAIT && wait_with_backoff(u, &wait));
	return r;
}

int unc_retry_or_busy(struct uncore *u, unc_attempt *body, void *arg)
{
	const int r = unc_retry_until_unlocked(u, body, arg);

	return r == UNC_WAIT ? unc_share_held(u->share, u->lock_timeout_ms) : r;
}
