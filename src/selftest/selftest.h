/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selftest.h - whether the counters of a machine count as they should: events whose answer is known
 * are counted, and compared.  Through the public headers, so it tests what users get; only one's
 * own counters are written, and all is restored.  Part of the command only.
 */
#ifndef SELFTEST_H
#define SELFTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

enum selftest_state { SELFTEST_PASS, SELFTEST_WARN, SELFTEST_FAIL, SELFTEST_SKIP };

struct selftest_check {
	enum selftest_state state;
	char *what;     /* "cbo: each counter" */
	char *expected; /* what should be seen */
	char *seen;     /* what was, or why it was not tried */
};

struct selftest_report {
	size_t n;
	struct selftest_check *at;
};

/* How time passes while counters count: by sleeping, or on a machine whose time is stepped. */
struct selftest_time {
	void (*pass)(void *arg, unsigned us);
	void *arg;
};

/* Check all kinds of boxes of a machine. */
void selftest_run(struct selftest_report *report, struct uncore *u,
		  const struct selftest_time *time);
void selftest_free(struct selftest_report *report);

#ifdef __cplusplus
}
#endif
#endif
