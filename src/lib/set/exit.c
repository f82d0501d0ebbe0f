/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exit.c - programs that end without stopping their sets (TAU, the PAPI high-level API) must
 * not leave counters running: each open handle restores its registers at exit(), and is closed
 * when dlclose() unloads the library; and uncore_restore().
 *
 * At exit() a handle stays open, because other threads, and handlers that run later, may still
 * use it.  After dlclose() that is impossible, since the code is gone.
 */
#include <stdlib.h>

#include "claim/others.h"
#include "set/set.h"
#include "set/takeover.h"

/* The C library's atexit() with an argument; handlers of one owner can be run before exit(). */
int __cxa_atexit(void (*function)(void *), void *argument, void *owner);
void __cxa_finalize(void *owner);

/* Owners of handlers: only the addresses are used. */
static const char unload_owner = 0, exit_owner = 0;

/* Outlives the handle, because a registration cannot be cancelled. */
struct unc_guard {
	struct uncore *u; /* NULL: closed */
	void (*close)(struct uncore *u);
	unsigned n_handlers; /* number of handlers that have not run yet */
	bool exiting;
};

static void release(struct unc_guard *guard)
{
	if (--guard->n_handlers > 0)
		return;
	if (guard->u)
		guard->u->guard = NULL;
	free(guard);
}

/*
 * exit() runs handlers in reverse order of registration, regardless of their owners, so this
 * one runs before close_handle().
 */
static void stop_sets(void *argument)
{
	struct unc_guard *guard = argument;
	struct uncore *u = guard->u;
	sigset_t before;

	guard->exiting = true;
	if (u && !unc_is_child(u)) {
		unc_takeover_stop(u);
		unc_stop_all(u);
		unc_lock(u, &before);
		unc_failed_retry(u);
		unc_others_prune(u);
		unc_wrap_poller_stop(u);
		unc_unlock(u, &before);
		unc_settle(u);
	}
	release(guard);
}

static void close_handle(void *argument)
{
	struct unc_guard *guard = argument;

	if (!guard->exiting)
		guard->close(guard->u);
	release(guard);
}

/* At dlclose(), or at the end of exit() after the last handler. */
__attribute__((destructor)) static void unload(void)
{
	__cxa_finalize((void *)&unload_owner);
	__cxa_finalize((void *)&exit_owner);
}

static bool add_handler(struct unc_guard *guard, void (*handler)(void *), const char *owner)
{
	if (__cxa_atexit(handler, guard, (void *)owner) != 0)
		return false;
	guard->n_handlers++;
	return true;
}

int unc_guard_add(struct uncore *u, void (*close)(struct uncore *))
{
	struct unc_guard *guard = calloc(1, sizeof(*guard));

	if (!guard)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the exit handler");
	guard->close = close; /* of no handle, if only the first handler can be registered */
	if (!add_handler(guard, close_handle, &unload_owner)) {
		free(guard);
		return unc_fail(&u->err, UNCORE_ENOMEM, "cannot register the exit handler");
	}
	if (!add_handler(guard, stop_sets, &exit_owner))
		return unc_fail(&u->err, UNCORE_ENOMEM, "cannot register the exit handler");
	guard->u = u;
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
	r = unc_report_failed(u);
	unc_others_prune(u);
	unc_unlock(u, &before);
	return r;
}
