/* SPDX-License-Identifier: BSD-3-Clause */
/* turn.c - wait while another process claims counters, or gives them back. */
#include <time.h>

#include "session/session.h"

#define LONGEST_US 20000

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A claim takes a millisecond or two, so the first sleeps are short. */
bool unc_wait_turn(const struct uncore *u, struct unc_turn *turn)
{
	struct timespec t = {.tv_sec = 0};

	if (!turn->began) {
		turn->began = now_ns();
		turn->us = 100;
	}
	if (now_ns() - turn->began >= (int64_t)u->lock_timeout_ms * 1000000)
		return false;
	t.tv_nsec = (long)turn->us * 1000;
	nanosleep(&t, NULL);
	turn->us = turn->us * 2 > LONGEST_US ? LONGEST_US : turn->us * 2;
	return true;
}
