/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selftest.h - check that the counters of a machine count correctly: count events with a known
 * result and compare.  Uses the public headers, so it tests what users get.  Only claimed counters
 * are written, and all registers are restored.  Part of the command only.
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
	SELFTEST_BUSY /* the difference may be caused by load on this computer: no verdict */
};

struct selftest_check {
	enum selftest_state state;
	char *what;     /* "cbo: each counter" */
	char *expected; /* expected result */
	char *seen;     /* actual result, or why the check was skipped */
};

struct selftest_report {
	double noise; /* the largest measured noise */
	size_t n;
	struct selftest_check *at;
};

/* How lines move between a CPU and memory: streaming reads, non-temporal stores, both, a chase. */
enum selftest_kernel { SELFTEST_READ, SELFTEST_WRITE, SELFTEST_COPY, SELFTEST_CHASE };

/* Traffic of known size: the request and the result. */
struct selftest_load {
	enum selftest_kernel kernel;
	unsigned cpu;           /* that runs it */
	unsigned memory_cpu;    /* a CPU of the package that has the memory */
	uint64_t reads, writes; /* lines of 64 bytes moved */
	uint64_t ns;            /* duration */
	char why[256];          /* reason of a failure */
	void *memory;           /* private data of the traffic maker */
};

/*
 * Functions that generate traffic.  prepare() is called before each run() and may generate traffic
 * itself; end() is called once, even without prepare().  False: why has the reason.
 */
struct selftest_traffic {
	bool (*prepare)(void *arg, struct selftest_load *load);
	bool (*run)(void *arg, struct selftest_load *load);
	void (*end)(void *arg, struct selftest_load *load);
	void *arg;
};

/*
 * How time passes while counters run: by sleeping, or by advancing a simulated clock; and how
 * traffic is generated, NULL: not supported.
 */
struct selftest_time {
	void (*pass)(void *arg, unsigned us);
	void *arg;
	const struct selftest_traffic *traffic;
	/*
	 * The share of the time for which this process is preempted, 0 to 1: counts that start and
	 * stop one after the other may differ by this share.  NULL: 0.
	 */
	double (*noise)(void *arg);
	/* Called with each check as soon as it is done; may be NULL. */
	void (*done)(void *arg, const struct selftest_check *check);
};

/*
 * Check a machine.  kinds: NULL-terminated list of box kinds, as in uncore_box(); sums over several
 * kinds and traffic are not checked then.  NULL or an empty list: check everything.
 */
void selftest_run(struct selftest_report *report, struct uncore *u,
		  const struct selftest_time *time, const char *const *kinds);
void selftest_free(struct selftest_report *report);

#ifdef __cplusplus
}
#endif
#endif
