/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.h - an event of a box through the kernel's driver; src/command/selftest only. */
#ifndef SELFTEST_KERNEL_H
#define SELFTEST_KERNEL_H

#include "backend/kernel/perf.h"
#include "command/selftest/testee.h"

/* An event in a box. */
struct both {
	const struct uncore_box_info *box;
	unsigned id;
	struct uncore_perf_info perf;
	int ours, kernels; /* numbers of the controls; -1: not known */
	struct uncore_set *set;
	int fd;
	/* the kernel's count, and ours just before and just after that was read; then and now */
	int64_t before[2], after[2];
	struct unc_perf_count then, now;
};

/* One event in the boxes of a kind, and what came of it. */
struct beside {
	struct testee *t;
	const struct kind *kind;
	size_t n;
	struct both *at;
	int code;      /* of the library's refusal, or 0 */
	char *wrong;   /* the first difference, or NULL */
	char *skipped; /* why the kernel does not count it, or NULL */
};

/* Keep the first of several texts; what is not kept is freed. */
void keep_text(char **kept, char *text);
/* "cbo3 of package 1", to be freed. */
char *place_text(const struct both *b);
/* Count from now on: a descriptor; otherwise the reason is kept. */
int open_in_kernel(struct beside *s, const struct both *b);

/* What the kernel writes to the box, against our plan; kernel_registers.c. */
void compare_registers(struct beside *s, struct both *b);
/* What both count at the same time; *text is to be freed.  kernel_counts.c. */
enum selftest_state compare_counts(struct beside *s, char **text);

#endif
