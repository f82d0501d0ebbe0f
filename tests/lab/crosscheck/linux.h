/* SPDX-License-Identifier: BSD-3-Clause */
/* linux.h - the kernel's side: its uncore PMUs, and the clock of the simulated machine. */
#ifndef LAB_LINUX_H
#define LAB_LINUX_H

#include <stddef.h>
#include <stdint.h>

#include "uncore_inspect.h"

/* A PMU of Linux's driver; box -1: the only one of its kind. */
struct pmu {
	char name[64];
	uint32_t type;
	int box;
};

/* The PMUs uncore_KIND and uncore_KIND_N, at most n of them. */
size_t find_pmus(const char *kind, struct pmu *pmu, size_t n);

/* A CPU of each package, by package; the number of packages. */
size_t package_cpus(int *cpu, size_t n);

/* Count on a CPU's package from now on: a file descriptor, or -errno. */
int open_counter(const struct pmu *pmu, int cpu, uint64_t config, uint64_t config1);
int read_counter(int fd, uint64_t *value);

/* Read a register of the library's operation past the library; location as in uncore_box_info. */
int read_register(const struct uncore_op_info *op, const char *location, int cpu, uint64_t *value);

/* Let the simulated machine's time pass: 0, or -errno without its portal. */
int advance(uint64_t ns);

#endif
