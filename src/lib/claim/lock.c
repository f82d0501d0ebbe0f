/* SPDX-License-Identifier: BSD-3-Clause */
/* lock.c - see lock.h. */
#include "claim/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/process.h"

/* ---- files ---- */

static int open_device(const struct unc_locks *locks, unsigned package, const char *name)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < locks->topo->n_cpus; i++) {
		const struct unc_cpu *cpu = &locks->topo->cpus[i];

		if (cpu->package != locks->topo->package_ids[package])
			continue;
		snprintf(path, sizeof(path), "%s/dev/cpu/%u/%s", locks->root, cpu->id, name);
		return unc_open(path, O_RDWR);
	}
	errno = ENOENT;
	return -1;
}

static int no_file(struct unc_err *err, const char *name, int error)
{
	return unc_fail(err, UNCORE_EACCESS,
			"cannot open the lock file %s: %s; counters cannot be claimed without it",
			name, strerror(error));
}

/* Missing files and denied access are skipped; too many open files are an error. */
static int open_devices(const struct unc_locks *locks, struct unc_lock *lock, unsigned package,
			struct unc_err *err)
{
	static const char names[][9] = {"msr", "msr_safe"};

	for (int i = 0; i < 2; i++) {
		if (lock->fd[i] < 0)
			lock->fd[i] = open_device(locks, package, names[i]);
		if (lock->fd[i] < 0 && unc_is_shortage(errno))
			return no_file(err, names[i], errno);
	}
	return 0;
}

static int open_files(const struct unc_locks *locks, struct unc_lock *lock, unsigned package,
		      const struct unc_directory *dir, struct unc_err *err)
{
	int r = lock->opened ? 0 : open_devices(locks, lock, package, err);
	char name[32];
	int fd;

	lock->opened = r == 0;
	if (r < 0 || dir->fd < 0 || lock->fd[2] >= 0)
		return r;
	snprintf(name, sizeof(name), "package-%u.lock", package);
	fd = unc_directory_file(dir, name, false);
	if (fd < 0)
		return no_file(err, name, -fd);
	lock->fd[2] = fd;
	return 0;
}

bool unc_lock_is_real(const struct unc_lock *lock)
{
	for (int i = 0; i < UNC_LOCK_FILES; i++)
		if (lock->fd[i] >= 0)
			return true;
	return false;
}

/* ---- this process ---- */

/*
 * Once; a process that does not count skips it.  Process ids are reused; a pid with its start time
 * is unique.  All handles of a process need the same range.
 */
static int find_range(struct unc_locks *locks, struct unc_err *err)
{
	struct unc_process self;
	int r;

	if (locks->range)
		return 0;
	r = unc_this_process(&self);
	if (r < 0)
		return unc_fail(err, UNCORE_EACCESS, "cannot lock packages: /proc/self/stat: %s",
				strerror(-r));
	locks->range = 1 + (int64_t)((self.began << 22 | ((unsigned)self.pid & 0x3fffff)) &
				     INT64_MAX >> 1);
	return 0;
}

/* ---- lock of one file ---- */

/* Between handles of this process.  True if the file system does not support OFD locks. */
static bool lock_in_process(const struct unc_locks *locks, int fd, short type)
{
	struct flock lock = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = locks->range, .l_len = 1};

	return fcntl(fd, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

static bool lock_machine(int fd, short type)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};

	return fcntl(fd, F_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

static pid_t holder_of(int fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

	return fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? lock.l_pid : 0;
}

/* Another program may lock the whole file.  OFD locks have no pid; only ours have this range. */
static pid_t holder_of_range(const struct unc_locks *locks, int fd)
{
	struct flock lock = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = locks->range, .l_len = 1};

	if (fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
		return getpid();
	if (lock.l_pid > 0)
		return lock.l_pid;
	return lock.l_start == locks->range && lock.l_len == 1 ? getpid() : 0;
}

static void unlock(const struct unc_locks *locks, struct unc_lock *lock, int files)
{
	while (files-- > 0)
		if (lock->fd[files] >= 0) {
			lock_machine(lock->fd[files], F_UNLCK);
			lock_in_process(locks, lock->fd[files], F_UNLCK);
		}
	lock->held = false;
}

/* ---- a package ---- */

static bool take(const struct unc_locks *locks, struct unc_lock *lock, pid_t *holder)
{
	for (int i = 0; i < UNC_LOCK_FILES; i++) {
		const int fd = lock->fd[i];

		if (fd < 0)
			continue;
		if (!lock_in_process(locks, fd, F_WRLCK)) {
			*holder = holder_of_range(locks, fd);
			unlock(locks, lock, i);
			return false;
		}
		if (!lock_machine(fd, F_WRLCK)) {
			*holder = holder_of(fd);
			lock_in_process(locks, fd, F_UNLCK);
			unlock(locks, lock, i);
			return false;
		}
	}
	lock->held = true;
	return true;
}

int unc_locks_take(struct unc_locks *locks, const struct unc_directory *dir, const bool *wanted,
		   unsigned *package, pid_t *holder, struct unc_err *err)
{
	int r = find_range(locks, err);

	if (r < 0)
		return r;
	for (unsigned p = 0; p < locks->n; p++) {
		struct unc_lock *lock = &locks->package[p];

		if (!wanted[p])
			continue;
		r = open_files(locks, lock, p, dir, err);
		if (r == 0 && take(locks, lock, holder))
			continue;
		*package = p;
		unc_locks_drop(locks);
		return r;
	}
	return 1;
}

void unc_locks_drop(struct unc_locks *locks)
{
	for (unsigned p = 0; p < locks->n; p++)
		if (locks->package[p].held)
			unlock(locks, &locks->package[p], UNC_LOCK_FILES);
}

bool unc_locks_quiesce(struct unc_locks *locks)
{
	if (find_range(locks, NULL) < 0)
		return false;
	/* always in the same order, to avoid a deadlock between two handles */
	for (unsigned p = 0; p < locks->n; p++) {
		struct unc_lock *lock = &locks->package[p];

		if (!lock->opened)
			open_devices(locks, lock, p, NULL);
		for (int i = 0; i < UNC_LOCK_FILES; i++)
			if (lock->fd[i] >= 0 && !lock_in_process(locks, lock->fd[i], F_WRLCK))
				return false;
	}
	return true;
}

/* ---- all locks ---- */

int unc_locks_init(struct unc_locks *locks, const char *root, const struct unc_topology *topo)
{
	*locks = (struct unc_locks){.root = root, .topo = topo, .n = topo->n_packages};
	locks->package = calloc(locks->n + 1, sizeof(*locks->package));
	for (unsigned p = 0; locks->package && p < locks->n; p++)
		for (int i = 0; i < UNC_LOCK_FILES; i++)
			locks->package[p].fd[i] = -1;
	return locks->package ? 0 : UNCORE_ENOMEM;
}

void unc_locks_free(struct unc_locks *locks)
{
	for (unsigned p = 0; locks->package && p < locks->n; p++)
		for (int i = 0; i < UNC_LOCK_FILES; i++)
			if (locks->package[p].fd[i] >= 0) {
				/* a forked child shares the open file description, and so this lock
				 */
				lock_in_process(locks, locks->package[p].fd[i], F_UNLCK);
				close(locks->package[p].fd[i]);
			}
	free(locks->package);
	locks->package = NULL;
}
