/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * msr.c - MSRs through dev/cpu/N/msr, or msr-safe's dev/cpu/N/msr_safe.
 *
 * Uncore MSRs have package scope: any CPU of the package can access them.  The calling CPU's
 * own file saves the kernel an interrupt of another CPU, so each CPU's is opened at the first
 * access from it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/files.h"
#include "hw/native.h"

#define NOT_TRIED (-1) /* state of a package's files; less by -errno if all of them failed so */

enum { CLOSED = -1, REFUSED = -2 }; /* state of a file that is not open */

/* Leave most of the process's file descriptors to the application. */
static unsigned most_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 4 < 256)
		return (unsigned)limit.rlim_cur / 4;
	return 256;
}

int unc_msr_init(struct unc_msr *msr, const struct unc_topology *t, const char *root)
{
	const size_t n = t->n_cpus;

	msr->topo = t;
	msr->root = root;
	msr->name = "msr";
	msr->n_slots = n ? t->cpus[n - 1].id + 1 : 0;
	msr->fd = malloc((n ? n : 1) * sizeof(*msr->fd));
	msr->package = malloc((n ? n : 1) * sizeof(*msr->package));
	msr->slot = malloc((msr->n_slots ? msr->n_slots : 1) * sizeof(*msr->slot));
	msr->n_homes = t->n_packages;
	msr->home = malloc((t->n_packages ? t->n_packages : 1) * sizeof(*msr->home));
	if (!msr->fd || !msr->package || !msr->slot || !msr->home)
		return -ENOMEM;
	atomic_init(&msr->room, (int)most_files());
	for (unsigned i = 0; i < t->n_packages; i++)
		msr->home[i] = NOT_TRIED;
	for (unsigned i = 0; i < msr->n_slots; i++)
		msr->slot[i] = -1;
	for (size_t i = 0; i < n; i++) {
		atomic_init(&msr->fd[i], CLOSED);
		msr->package[i] = (int16_t)unc_logical_package(t, t->cpus[i].package);
		msr->slot[t->cpus[i].id] = (int16_t)i;
	}
	return 0;
}

static inline int fd_of(const struct unc_msr *msr, size_t i)
{
	return atomic_load_explicit(&msr->fd[i], memory_order_acquire);
}

void unc_msr_free(struct unc_msr *msr)
{
	for (size_t i = 0; msr->fd && i < msr->topo->n_cpus; i++)
		if (fd_of(msr, i) >= 0)
			close(fd_of(msr, i));
	free(msr->fd);
	free(msr->slot);
	free(msr->package);
	free(msr->home);
}

static char *put_number(char *to, unsigned n)
{
	if (n >= 10)
		to = put_number(to, n / 10);
	*to = (char)('0' + n % 10);
	return to + 1;
}

/* Without stdio, because a read in a signal handler may open its CPU's file. */
static int open_named(const char *root, unsigned cpu, const char *name)
{
	char path[PATH_MAX + 32], *to;
	int fd;

	to = stpcpy(path, root);
	to = put_number(stpcpy(to, "/dev/cpu/"), cpu);
	stpcpy(stpcpy(to, "/"), name);
	fd = unc_open(path, O_RDWR);
	return fd < 0 ? -errno : fd;
}

/*
 * The kernel's own file is preferred, since it has no allow-list.  All CPUs use files of the
 * kind that could be opened first.
 */
static int open_file(struct unc_msr *msr, unsigned cpu)
{
	int r = msr->refused, safe;

	if (msr->opened)
		return open_named(msr->root, cpu, msr->name);
	if (r == 0)
		r = open_named(msr->root, cpu, "msr");
	msr->name = "msr";
	if (r < 0) {
		safe = open_named(msr->root, cpu, "msr_safe");
		/*
		 * without the msr module, the missing privileges are those for the file of
		 * msr-safe
		 */
		if (safe >= 0 || (r == -ENOENT && safe != -ENOENT)) {
			msr->name = "msr_safe";
			r = safe;
		}
	}
	msr->opened = r >= 0;
	return r;
}

/* The descriptor of a CPU's file, or -errno.  Any thread once a file is open; signal-safe then. */
static int open_cpu(struct unc_msr *msr, size_t i)
{
	int before = fd_of(msr, i), fd;

	if (before >= 0)
		return before;
	fd = open_file(msr, msr->topo->cpus[i].id);
	if (fd < 0)
		return fd;
	if (atomic_compare_exchange_strong(&msr->fd[i], &before, fd)) {
		atomic_fetch_sub(&msr->room, 1);
		return fd;
	}
	/* by another thread, or by a signal handler, in the meantime */
	close(fd);
	return before;
}

/* The index of a CPU of the package: the caller's, or -1. */
static inline int own_index(const struct unc_msr *msr, int here, unsigned package)
{
	const int i = here >= 0 && (unsigned)here < msr->n_slots ? msr->slot[here] : -1;

	return i >= 0 && msr->package[i] == (int)package ? i : -1;
}

int unc_msr_open(struct unc_msr *msr, unsigned package)
{
	const int own = own_index(msr, sched_getcpu(), package);
	int16_t *home = &msr->home[package];
	int r = *home >= 0 ? 0 : -ENODEV;

	if (*home < NOT_TRIED)
		return *home - NOT_TRIED;
	/* the caller's first: it will be read most */
	for (int i = own < 0 ? 0 : -1; r < 0 && i < (int)msr->topo->n_cpus; i++) {
		const int k = i < 0 ? own : i;

		if (msr->package[k] != (int)package)
			continue;
		r = open_cpu(msr, (size_t)k);
		if (r >= 0)
			*home = (int16_t)k;
	}
	if (r < 0)
		*home = (int16_t)(NOT_TRIED + r);
	return r < 0 ? r : 0;
}

/* At the first access from this CPU. */
__attribute__((noinline, cold)) static bool open_own(struct unc_msr *msr, int i)
{
	const int error = errno;
	int closed = CLOSED;
	const bool opened = atomic_load(&msr->room) > 0 && open_cpu(msr, (size_t)i) >= 0;

	if (!opened)
		atomic_compare_exchange_strong(&msr->fd[i], &closed, REFUSED);
	errno = error;
	return opened;
}

/* The index of the calling CPU if it belongs to the package, else of the package's first. */
static inline int nearest(struct unc_msr *msr, int here, unsigned package)
{
	const int i = own_index(msr, here, package);

	if (i >= 0 &&
	    (fd_of(msr, (size_t)i) >= 0 || (fd_of(msr, (size_t)i) == CLOSED && open_own(msr, i))))
		return i;
	return package < msr->n_homes ? msr->home[package] : -1;
}

int unc_msr_cpu(const struct unc_msr *msr, int here, const struct unc_op *op)
{
	int i;

	if (op->space == UNCORE_CPU)
		return op->unit;
	i = own_index(msr, here, op->package);
	if (i < 0 && op->package < msr->n_homes)
		i = msr->home[op->package];
	return i < 0 ? -1 : (int)msr->topo->cpus[i].id;
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

static ssize_t transfer(int fd, uint32_t address, uint64_t *value, bool write)
{
	return write ? unc_pwrite(fd, value, sizeof(*value), (off_t)address)
		     : unc_pread(fd, value, sizeof(*value), (off_t)address);
}

__attribute__((noinline, cold)) static int try_others(struct unc_msr *msr, unsigned package,
						      uint32_t address, uint64_t *value, bool write)
{
	int r = -ENODEV;

	for (size_t i = 0; i < msr->topo->n_cpus && cpu_is_gone(-r); i++) {
		const int fd = msr->package[i] == (int)package ? open_cpu(msr, i) : -1;

		if (fd >= 0)
			r = outcome(transfer(fd, address, value, write));
	}
	return r;
}

static inline int access_package(struct unc_msr *msr, unsigned package, uint32_t address,
				 uint64_t *value, bool write)
{
	const int i = nearest(msr, sched_getcpu(), package);
	const ssize_t n = i < 0 ? -1 : transfer(fd_of(msr, (size_t)i), address, value, write);

	if (__builtin_expect(n == sizeof(*value), 1))
		return 0;
	if (i < 0 || (n < 0 && cpu_is_gone(errno)))
		return try_others(msr, package, address, value, write);
	return outcome(n);
}

int unc_msr_read(struct unc_msr *msr, unsigned package, uint32_t address, uint64_t *value)
{
	return access_package(msr, package, address, value, false);
}

int unc_msr_write(struct unc_msr *msr, unsigned package, uint32_t address, uint64_t value)
{
	return access_package(msr, package, address, &value, true);
}

/* ---- one CPU's own registers ---- */

static int fd_of_cpu(struct unc_msr *msr, unsigned cpu)
{
	const int i = cpu < msr->n_slots ? msr->slot[cpu] : -1;

	return i < 0 ? -ENODEV : open_cpu(msr, (size_t)i);
}

int unc_msr_cpu_open(struct unc_msr *msr, unsigned cpu)
{
	const int fd = fd_of_cpu(msr, cpu);

	return fd < 0 ? fd : 0;
}

int unc_msr_cpu_read(struct unc_msr *msr, unsigned cpu, uint32_t address, uint64_t *value)
{
	const int fd = fd_of_cpu(msr, cpu);

	return fd < 0 ? fd : outcome(unc_pread(fd, value, sizeof(*value), (off_t)address));
}

int unc_msr_cpu_write(struct unc_msr *msr, unsigned cpu, uint32_t address, uint64_t value)
{
	const int fd = fd_of_cpu(msr, cpu);

	return fd < 0 ? fd : outcome(unc_pwrite(fd, &value, sizeof(value), (off_t)address));
}
