/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * msr.c - MSRs through dev/cpu/N/msr, or msr-safe's dev/cpu/N/msr_safe.
 *
 * Uncore MSRs have package scope: any CPU of the package can access them.  The calling CPU's
 * own file saves the kernel a cross-CPU call.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/files.h"
#include "hw/native.h"

#define NOT_TRIED (-1) /* state of a package's files; less by -errno if all of them failed so */

int unc_msr_init(struct unc_msr *msr, const struct unc_topology *t)
{
	const size_t n = t->n_cpus;

	msr->name = "msr";
	msr->n_slots = n ? t->cpus[n - 1].id + 1 : 0;
	msr->fd = malloc((n ? n : 1) * sizeof(*msr->fd));
	msr->own = malloc((n ? n : 1) * sizeof(*msr->own));
	msr->package = malloc((n ? n : 1) * sizeof(*msr->package));
	msr->slot = malloc((msr->n_slots ? msr->n_slots : 1) * sizeof(*msr->slot));
	msr->n_homes = t->n_packages;
	msr->home = malloc((t->n_packages ? t->n_packages : 1) * sizeof(*msr->home));
	if (!msr->fd || !msr->own || !msr->package || !msr->slot || !msr->home)
		return -ENOMEM;
	for (unsigned i = 0; i < t->n_packages; i++)
		msr->home[i] = NOT_TRIED;
	for (unsigned i = 0; i < msr->n_slots; i++)
		msr->slot[i] = -1;
	for (size_t i = 0; i < n; i++) {
		msr->fd[i] = msr->own[i] = -1;
		msr->package[i] = (int16_t)unc_logical_package(t, t->cpus[i].package);
		msr->slot[t->cpus[i].id] = (int16_t)i;
	}
	return 0;
}

void unc_msr_free(struct unc_msr *msr, const struct unc_topology *t)
{
	for (size_t i = 0; msr->fd && msr->own && i < t->n_cpus; i++) {
		if (msr->fd[i] >= 0)
			close(msr->fd[i]);
		if (msr->own[i] >= 0)
			close(msr->own[i]);
	}
	free(msr->fd);
	free(msr->own);
	free(msr->slot);
	free(msr->package);
	free(msr->home);
}

static int open_named(int *fd, const char *root, unsigned cpu, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/dev/cpu/%u/%s", root, cpu, name);
	*fd = unc_open(path, O_RDWR);
	return *fd < 0 ? -errno : 0;
}

/*
 * The kernel's own file is preferred, since it has no allow-list.  All CPUs use files of the
 * kind that could be opened first.
 */
static int open_file(struct unc_msr *msr, int *fd, const struct unc_topology *t, const char *root,
		     size_t i)
{
	const unsigned cpu = t->cpus[i].id;
	int r = msr->refused, safe;

	if (*fd >= 0)
		return 0;
	if (msr->opened)
		return open_named(fd, root, cpu, msr->name);
	if (r == 0)
		r = open_named(fd, root, cpu, "msr");
	msr->name = "msr";
	if (r < 0) {
		safe = open_named(fd, root, cpu, "msr_safe");
		/*
		 * without the msr module, the missing privileges are those for the file of
		 * msr-safe
		 */
		if (safe == 0 || (r == -ENOENT && safe != -ENOENT)) {
			msr->name = "msr_safe";
			r = safe;
		}
	}
	msr->opened = r == 0;
	return r;
}

static int open_cpu(struct unc_msr *msr, const struct unc_topology *t, const char *root, size_t i)
{
	return open_file(msr, &msr->fd[i], t, root, i);
}

int unc_msr_open(struct unc_msr *msr, const struct unc_topology *t, const char *root,
		 unsigned package)
{
	int16_t *home = &msr->home[package];
	int r = *home >= 0 ? 0 : -ENODEV;

	if (*home < NOT_TRIED)
		return *home - NOT_TRIED;
	for (size_t i = 0; r < 0 && i < t->n_cpus; i++)
		if (msr->package[i] == (int)package) {
			r = open_cpu(msr, t, root, i);
			if (r == 0)
				*home = (int16_t)i;
		}
	if (r < 0)
		*home = (int16_t)(NOT_TRIED + r);
	return r;
}

/* Leave most of the process's file descriptors to the application. */
void unc_msr_open_all(struct unc_msr *msr, const struct unc_topology *t, const char *root)
{
	struct rlimit limit;
	size_t budget = 256;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 4 < budget)
		budget = (size_t)limit.rlim_cur / 4;
	for (size_t i = 0; i < t->n_cpus && i < budget; i++)
		open_cpu(msr, t, root, i);
}

/* The index of the calling CPU if it belongs to the package, else of the package's first. */
static inline int nearest(const struct unc_msr *msr, int here, unsigned package)
{
	if (here >= 0 && (unsigned)here < msr->n_slots && msr->slot[here] >= 0) {
		const int16_t i = msr->slot[here];

		if (msr->package[i] == (int)package && msr->fd[i] >= 0)
			return i;
	}
	return package < msr->n_homes ? msr->home[package] : -1;
}

static inline int nearest_fd(const struct unc_msr *msr, unsigned package)
{
	const int i = nearest(msr, sched_getcpu(), package);

	return i < 0 ? -1 : msr->fd[i];
}

int unc_msr_cpu(const struct unc_msr *msr, const struct unc_topology *t, int here,
		const struct unc_op *op)
{
	int i;

	if (op->space == UNCORE_CPU)
		return op->unit;
	i = nearest(msr, here, op->package);
	return i < 0 ? -1 : (int)t->cpus[i].id;
}

/* The result of an 8-byte access; 0 bytes mean that the register does not exist. */
static int outcome(ssize_t n)
{
	if (n == sizeof(uint64_t))
		return 0;
	return n < 0 ? -errno : n == 0 ? -EIO : -ENODATA;
}

/* The CPU went offline: use another one of its package. */
static bool cpu_is_gone(int error)
{
	return error == ENXIO || error == ENODEV;
}

__attribute__((noinline, cold)) static int try_others(struct unc_msr *msr,
						      const struct unc_topology *t,
						      unsigned package, uint32_t address,
						      uint64_t *value, bool write)
{
	int r = -ENODEV;

	for (size_t i = 0; i < t->n_cpus && cpu_is_gone(-r); i++) {
		if (msr->package[i] != (int)package || msr->fd[i] < 0)
			continue;
		r = outcome(write ? unc_pwrite(msr->fd[i], value, sizeof(*value), (off_t)address)
				  : unc_pread(msr->fd[i], value, sizeof(*value), (off_t)address));
	}
	return r;
}

int unc_msr_read(struct unc_msr *msr, const struct unc_topology *t, unsigned package,
		 uint32_t address, uint64_t *value)
{
	const int fd = nearest_fd(msr, package);
	const ssize_t n = fd < 0 ? -1 : unc_pread(fd, value, sizeof(*value), (off_t)address);

	if (__builtin_expect(n == sizeof(*value), 1))
		return 0;
	if (fd < 0 || (n < 0 && cpu_is_gone(errno)))
		return try_others(msr, t, package, address, value, false);
	return outcome(n);
}

int unc_msr_write(struct unc_msr *msr, const struct unc_topology *t, unsigned package,
		  uint32_t address, uint64_t value)
{
	const int fd = nearest_fd(msr, package);
	const ssize_t n = fd < 0 ? -1 : unc_pwrite(fd, &value, sizeof(value), (off_t)address);

	if (n == sizeof(value))
		return 0;
	if (fd < 0 || (n < 0 && cpu_is_gone(errno)))
		return try_others(msr, t, package, address, &value, true);
	return outcome(n);
}

/* ---- one CPU's own registers ---- */

/*
 * On machines with many CPUs, not all have an open file (see above); a CPU whose own registers
 * are used gets one at the first access.
 */
static int fd_of_cpu(struct unc_msr *msr, const struct unc_topology *t, const char *root,
		     unsigned cpu)
{
	const int i = cpu < msr->n_slots ? msr->slot[cpu] : -1;
	int r;

	if (i < 0)
		return -ENODEV;
	if (msr->fd[i] >= 0)
		return msr->fd[i];
	r = msr->own[i] >= 0 ? 0 : open_file(msr, &msr->own[i], t, root, (size_t)i);
	return r < 0 ? r : msr->own[i];
}

int unc_msr_cpu_open(struct unc_msr *msr, const struct unc_topology *t, const char *root,
		     unsigned cpu)
{
	const int fd = fd_of_cpu(msr, t, root, cpu);

	return fd < 0 ? fd : 0;
}

int unc_msr_cpu_read(struct unc_msr *msr, const struct unc_topology *t, const char *root,
		     unsigned cpu, uint32_t address, uint64_t *value)
{
	const int fd = fd_of_cpu(msr, t, root, cpu);

	return fd < 0 ? fd : outcome(unc_pread(fd, value, sizeof(*value), (off_t)address));
}

int unc_msr_cpu_write(struct unc_msr *msr, const struct unc_topology *t, const char *root,
		      unsigned cpu, uint32_t address, uint64_t value)
{
	const int fd = fd_of_cpu(msr, t, root, cpu);

	return fd < 0 ? fd : outcome(unc_pwrite(fd, &value, sizeof(value), (off_t)address));
}
