/* SPDX-License-Identifier: BSD-3-Clause */
/* cpuid.c - the CPUID instruction on a given CPU, through dev/cpu/N/cpuid. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "base/files.h"
#include "hw/native.h"

/* All CPUs of a machine have the same counters, so this CPU can stand for the one requested. */
static int instruction(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
#if defined(__x86_64__) || defined(__i386__)
	if (__get_cpuid_count(leaf, subleaf, &regs[0], &regs[1], &regs[2], &regs[3]))
		return 0;
#endif
	(void)leaf;
	(void)subleaf;
	memset(regs, 0, 4 * sizeof(*regs));
	return -ENOENT;
}

int unc_cpuid(const char *root, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	char path[PATH_MAX];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/dev/cpu/%u/cpuid", root, cpu);
	fd = unc_open(path, O_RDONLY);
	if (fd < 0)
		return strcmp(root, "/") == 0 ? instruction(leaf, subleaf, regs) : -errno;
	n = unc_pread(fd, regs, 4 * sizeof(*regs), (off_t)subleaf << 32 | leaf);
	close(fd);
	return n == (ssize_t)(4 * sizeof(*regs)) ? 0 : -EIO;
}
