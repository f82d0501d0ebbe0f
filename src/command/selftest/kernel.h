/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.h - count an event of a box with the kernel driver; src/command/selftest only. */
#ifndef SELFTEST_KERNEL_H
#define SELFTEST_KERNEL_H

#include "backend/kernel/perf.h"
#include "command/selftest/testee.h"

/* An event in a box. */
struct both {
	const struct uncore_box_info *box;
	unsigned id;
	struct uncore_perf_info perf;
	int ours, kernels; /* indexes of the control registers; -1: unknown */
	struct uncore_set *set;
	int fd;
	/* the kernel's count, and ours read just before and after it; at the start and now */
	int64_t before[2], after[2];
	struct unc_perf_count then, now;
};

/* One event in the boxes of a kind, and the result. */
struct comparison {
	struct testee *t;
	const struct kind *kind;
	size_t n;
	struct both *at;
	int code;      /* the library's error, or 0 */
	char *wrong;   /* the first difference, or NULL */
	char *skipped; /* why the kernel does not count it, or NULL */
};

/* Store text if it is the first one; otherwise free it. */
void keep_text(char **first, char *text);
/* "cbo3 of package 1", to be freed. */
char *place_text(const struct both *b);
/* Start counting; returns a descriptor, or a negative value and stores the reason. */
int open_in_kernel(struct comparison *s, const struct both *b);

/* Compare the registers written by the kernel with our plan; kernel_registers.c. */
void compare_registers(struct comparison *s, struct both *b);
/* Compare the counts of both at the same time; *text is to be freed.  kernel_counts.c. */
enum selftest_state compare_counts(struct comparison *s, char **text);

#endif
