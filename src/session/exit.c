/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exit.c - programs that end without stopping (TAU, the PAPI high-level API)
 * must not leave counters running: every handle restores its registers at
 * exit() and when the library is unloaded; and uncore_restore().
 */
#include <stdlib.h>

#include "run/others.h"
#include "session/session.h"

/* The C library's atexit() with an argument, which also runs at dlclose(). */
int __cxa_atexit(void (*function)(void *), void *argument, void *dso);
extern void *__dso_handle;

/* Outlives the handle: a registration cannot be taken back. */
struct unc_guard {
	struct uncore *u;
};

static void stop_all(void *argument)
{
	struct unc_guard *guard = argument;
	struct uncore *u = guard->u;
	sigset_t before;

	free(guard);
	if (!u || unc_is_child(u))
		return;
	u->guard = NULL;
	unc_stop_all(u);
	unc_lock(u, &before);
	unc_failed_retry(u);
	unc_others_prune(u);
	unc_wrap_poller_stop(u);
	unc_unlock(u, &before);
}

int unc_guard_add(struct uncore *u)
{
	struct unc_guard *guard = malloc(sizeof(*guard));

	if (!guard)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the exit handler");
	guard->u = u;
	if (__cxa_atexit(stop_all, guard, &__dso_handle) != 0) {
		free(guard);
		return unc_fail(&u->err, UNCORE_ENOMEM, "the exit handler cannot be registered");
	}
	u->guard = guard;
	return 0;
}

void unc_guard_remove(struct uncore *u)
{
	if (u->guard)
		u->guard->u = NULL;
	u->guard = NULL;
}

int uncore_restore(struct uncore *u)
{
	sigset_t before;
	int r = unc_refuse_child(u);

	if (r < 0)
		return r;
	unc_lock(u, &before);
	r = unc_failed_tell(u);
	unc_others_prune(u);
	unc_unlock(u, &before);
	return r;
}
