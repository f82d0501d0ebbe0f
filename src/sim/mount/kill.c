/* SPDX-License-Identifier: BSD-3-Clause */
/* kill.c - kill a process at a chosen register write, to test recovery. */
#include <errno.h>
#include <signal.h>

#include "tree.h"

int kill_at_write(struct tree *tree)
{
	int64_t left = __atomic_load_n(&tree->kill_at, __ATOMIC_RELAXED);

	while (left != 0) {
		const int64_t next = left > 0 ? left - 1 : left + 1;

		if (__atomic_compare_exchange_n(&tree->kill_at, &left, next, false,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return next ? 0 : (int)left;
	}
	return 0;
}

/*
 * A thread ID identifies its process.  The kernel reports 0 for a process in a PID namespace that
 * is not visible here; kill() would take 0 for our own process group.
 */
int kill_caller(pid_t pid)
{
	if (pid <= 0)
		return -ESRCH;
	return kill(pid, SIGKILL) == 0 ? -EINTR : -errno;
}
