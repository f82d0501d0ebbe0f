/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock.h - one process at a time claims, gives back or restores the counters of a package.
 *
 * Locks are fcntl()'s, since those end with the process that has them, also while a forked child
 * lives on.  They are on files that only those can open who may write registers: the msr and
 * msr_safe files of the package's first CPU, and a file in the journals' directory, which those
 * who have only one or the other have in common.  All that can be opened are locked.
 *
 * A process's own lock does not stop its other handles, and ends when it closes any
 * descriptor of the file.  So there is a second lock that stops these (fcntl's of open files, at
 * an offset that no other process has), and who closes such a file takes that, too.
 */
#ifndef UNC_LOCK_H
#define UNC_LOCK_H

#include "claim/directory.h"
#include "hw/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_LOCK_FILES 3

struct unc_lock {
	int fd[UNC_LOCK_FILES]; /* msr, msr_safe, the directory's; -1: none */
	bool opened;
	bool held;
};

struct unc_locks {
	const char *root;
	const struct unc_topology *topo;
	unsigned n;
	struct unc_lock *package;
	int64_t range; /* of this process alone */
};

int unc_locks_init(struct unc_locks *locks, const char *root, const struct unc_topology *topo);
/* Nothing is held any more, and nobody else in this process loses what it holds. */
void unc_locks_free(struct unc_locks *locks);

/*
 * Take those of the packages that are wanted, or none.  1: they are held; 0: another
 * process (*holder), or another handle of this one, has one of them (*package); or an error:
 * UNCORE_EACCESS, UNCORE_EIO.  Without a file that can be opened there is no lock.
 */
int unc_locks_take(struct unc_locks *locks, const struct unc_directory *dir, const bool *wanted,
		   unsigned *package, pid_t *holder, struct unc_err *err);
void unc_locks_drop(struct unc_locks *locks);

/*
 * Before descriptors of such files are closed: no other handle of this process holds a lock until
 * ours are freed.  false: one does now, try again.
 */
bool unc_locks_quiesce(struct unc_locks *locks);

/* Whether a package's lock is on a file that others share. */
bool unc_lock_is_real(const struct unc_lock *lock);

#ifdef __cplusplus
}
#endif
#endif
