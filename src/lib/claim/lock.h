/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock.h - the lock of a package: one process at a time claims, releases or recovers its counters.
 *
 * POSIX record locks (fcntl() with F_SETLK) are used because they end with the process that holds
 * them, even if a forked child lives on.  They are on files that only processes with write access
 * to registers can open: the msr and msr_safe files of the package's first CPU, and a file in the
 * journal directory, which a process with msr and one with msr_safe have in common.  All files that
 * can be opened are locked.
 *
 * A record lock does not exclude other handles of the same process, and is released when the
 * process closes any descriptor of the file.  So a second lock excludes these handles (F_OFD_SETLK,
 * at an offset unique to the process), and it must be held to close such a file.
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
	int fd[UNC_LOCK_FILES]; /* msr, msr_safe, the one in the directory; -1: not open */
	bool opened;
	bool held;
};

struct unc_locks {
	const char *root;
	const struct unc_topology *topo;
	unsigned n;
	struct unc_lock *package;
	int64_t range; /* offset of the lock between handles, unique to this process */
};

int unc_locks_init(struct unc_locks *locks, const char *root, const struct unc_topology *topo);
/* Releases all locks; other handles of this process keep theirs. */
void unc_locks_free(struct unc_locks *locks);

/*
 * Lock all wanted packages, or none.  1: they are held; 0: another process (*holder), or another
 * handle of this one, holds the lock of *package; or an error: UNCORE_EACCESS, UNCORE_EIO.  If no
 * file can be opened, nothing is locked.
 */
int unc_locks_take(struct unc_locks *locks, const struct unc_directory *dir, const bool *wanted,
		   unsigned *package, pid_t *holder, struct unc_err *err);
void unc_locks_drop(struct unc_locks *locks);

/*
 * Before descriptors of such files are closed: exclude other handles of this process until
 * unc_locks_free().  false: one holds a lock, try again.
 */
bool unc_locks_quiesce(struct unc_locks *locks);

/* Whether the lock is on a file, so that other processes see it. */
bool unc_lock_is_real(const struct unc_lock *lock);

#ifdef __cplusplus
}
#endif
#endif
