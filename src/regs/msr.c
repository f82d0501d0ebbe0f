/*
 * msr.c - MSRs through dev/cpu/N/msr.
 *
 * Uncore MSRs have package scope: any CPU of the package reaches them.  The
 * calling CPU's own file spares the kernel a cross-CPU call.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "regs/paths.h"

int unc_msr_init(struct unc_msr *msr, const struct unc_machine *m)
{
	const size_t n = m->topo.n_cpus;

	msr->n_slots = n ? m->topo.cpus[n - 1].id + 1 : 0;
	msr->fd = malloc((n ? n : 1) * sizeof(*msr->fd));
	msr->package = malloc((n ? n : 1) * sizeof(*msr->package));
	msr->slot = malloc((msr->n_slots ? msr->n_slots : 1) * sizeof(*msr->slot));
	if (!msr->fd || !msr->package || !msr->slot)
		return -ENOMEM;
	for (unsigned i = 0; i < msr->n_slots; i++)
		msr->slot[i] = -1;
	for (size_t i = 0; i < n; i++) {
		msr->fd[i] = -1;
		msr->package[i] = (int16_t)unc_package_of_cpu(m, m->topo.cpus[i].id);
		msr->slot[m->topo.cpus[i].id] = (int16_t)i;
	}
	return 0;
}

void unc_msr_free(struct unc_msr *msr, const struct unc_machine *m)
{
	for (size_t i = 0; msr->fd && i < m->topo.n_cpus; i++)
		if (msr->fd[i] >= 0)
			close(msr->fd[i]);
	free(msr->fd);
	free(msr->slot);
	free(msr->package);
}

static int open_cpu(struct unc_msr *msr, const struct unc_machine *m, const char *root, size_t i)
{
	char path[PATH_MAX];

	if (msr->fd[i] >= 0)
		return 0;
	snprintf(path, sizeof(path), "%s/dev/cpu/%u/msr", root, m->topo.cpus[i].id);
	msr->fd[i] = open(path, O_RDWR | O_CLOEXEC);
	return msr->fd[i] < 0 ? -errno : 0;
}

int unc_msr_open(struct unc_msr *msr, const struct unc_machine *m, const char *root,
		 unsigned package)
{
	int r = -ENODEV;

	for (size_t i = 0; r < 0 && i < m->topo.n_cpus; i++)
		if (msr->package[i] == (int)package)
			r = open_cpu(msr, m, root, i);
	return r;
}

/* Leaves most of the process's file descriptors to the application. */
void unc_msr_open_all(struct unc_msr *msr, const struct unc_machine *m, const char *root)
{
	struct rlimit limit;
	size_t budget = 256;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 4 < budget)
		budget = (size_t)limit.rlim_cur / 4;
	for (size_t i = 0; i < m->topo.n_cpus && i < budget; i++)
		open_cpu(msr, m, root, i);
}

/*
 * The next open file of a package to try: the calling CPU's own when *next is
 * -1, then one after the other.
 */
static int choose(const struct unc_msr *msr, size_t n, unsigned package, int *next)
{
	const int cpu = *next < 0 ? sched_getcpu() : -1;

	if (*next < 0)
		*next = 0;
	if (cpu >= 0 && (unsigned)cpu < msr->n_slots && msr->slot[cpu] >= 0) {
		const int16_t i = msr->slot[cpu];

		if (msr->package[i] == (int)package && msr->fd[i] >= 0)
			return msr->fd[i];
	}
	while (*next < (int)n) {
		const int i = (*next)++;

		if (msr->package[i] == (int)package && msr->fd[i] >= 0)
			return msr->fd[i];
	}
	return -1;
}

/* A CPU that went offline: the next one of its package does as well. */
static bool cpu_is_gone(int error)
{
	return error == ENXIO || error == ENODEV;
}

int unc_msr_read(struct unc_msr *msr, const struct unc_machine *m, unsigned package,
		 uint32_t address, uint64_t *value)
{
	int next = -1, error = ENODEV, fd;

	while (cpu_is_gone(error) && (fd = choose(msr, m->topo.n_cpus, package, &next)) >= 0) {
		const ssize_t n = pread(fd, value, sizeof(*value), (off_t)address);

		if (n == sizeof(*value))
			return 0;
		error = n < 0 ? errno : EIO;
	}
	return -error;
}

int unc_msr_write(struct unc_msr *msr, const struct unc_machine *m, unsigned package,
		  uint32_t address, uint64_t value)
{
	int next = -1, error = ENODEV, fd;

	while (cpu_is_gone(error) && (fd = choose(msr, m->topo.n_cpus, package, &next)) >= 0) {
		const ssize_t n = pwrite(fd, &value, sizeof(value), (off_t)address);

		if (n == sizeof(value))
			return 0;
		error = n < 0 ? errno : EIO;
	}
	return -error;
}
