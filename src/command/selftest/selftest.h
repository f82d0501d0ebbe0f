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
#include <stdint.h>

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

enum selftest_state {
	SELFTEST_PASS,
	SELFTEST_WARN,
	SELFTEST_FAIL,
	SELFTEST_SKIP,
	SELFTEST_BUSY /* what differs may come from this computer being busy: no verdict */
};

struct selftest_check {
	enum selftest_state state;
	char *what;     /* "cbo: each counter" */
	char *expected; /* what should be seen */
	char *seen;     /* what was, or why it was not tried */
};

struct selftest_report {
	double noise; /* the largest that was measured */
	size_t n;
	struct selftest_check *at;
};

/* What moves lines between a CPU and memory: streaming reads, non-temporal stores, both, a chase.
 */
enum selftest_kernel { SELFTEST_READ, SELFTEST_WRITE, SELFTEST_COPY, SELFTEST_CHASE };

/* Traffic of known size: asked for, and what became of it. */
struct selftest_load {
	enum selftest_kernel kernel;
	unsigned cpu;           /* that runs it */
	unsigned memory_cpu;    /* one of the package whose memory it is */
	uint64_t reads, writes; /* lines of 64 bytes that it has moved */
	uint64_t ns;            /* that it took */
	char why[256];          /* it cannot be done: the reason */
	void *memory;           /* of who makes it */
};

/*
 * Who makes traffic.  It is prepared before each time that it runs, which may make some, too, and
 * ended once, even if it was never prepared.  False: why has been told.
 */
struct selftest_traffic {
	bool (*prepare)(void *arg, struct selftest_load *load);
	bool (*run)(void *arg, struct selftest_load *load);
	void (*end)(void *arg, struct selftest_load *load);
	void *arg;
};

/*
 * How time passes while counters count: by sleeping, or on a machine whose time is stepped; and
 * how traffic is made in it, NULL: it cannot be.
 */
struct selftest_time {
	void (*pass)(void *arg, unsigned us);
	void *arg;
	const struct selftest_traffic *traffic;
	/*
	 * The share of the time for which this process does not get to run, 0 to 1: by so much may
	 * counts differ that start and stop one after the other.  NULL: 0.
	 */
	double (*noise)(void *arg);
	/* Called with each check as soon as it is done; may be NULL. */
	void (*done)(void *arg, const struct selftest_check *check);
};

/*
 * Check a machine, or only boxes of kinds with these names, as uncore_box() has them, up to NULL:
 * then no sums of several kinds, and no traffic.  NULL, or an empty list: all.
 */
void selftest_run(struct selftest_report *report, struct uncore *u,
		  const struct selftest_time *time, const char *const *kinds);
void selftest_free(struct selftest_report *report);

#ifdef __cplusplus
}
#endif
#endif
