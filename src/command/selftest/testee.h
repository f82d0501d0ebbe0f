/* SPDX-License-Identifier: BSD-3-Clause */
/* testee.h - the tested machine, and functions to count and report; src/command/selftest
 * only. */
#ifndef SELFTEST_TESTEE_H
#define SELFTEST_TESTEE_H

#include "command/base/box.h"
#include "command/base/text.h"
#include "selftest.h"

#define WINDOW_US   20000 /* duration of a check */
#define MOST_EVENTS 256   /* in the set of one check */
/*
 * If other processes count, boxes start and stop one after the other, and this process may be
 * preempted in between.  A real error occurs in every try.
 */
#define TRIES      5
#define BUSY_TRIES 20 /* on a busy computer */
/*
 * Differences up to this multiple of the noise give no verdict: both the start and the stop may be
 * late, and the machine's other traffic is subtracted.  The largest multiple seen on simulated
 * machines is 2.4 (docs/selftest.md).
 */
#define NOISE_FACTOR 4

/*
 * Not yet calibrated on hardware: a check warns above the tolerance and fails above five times it.
 * Counts that should be equal may differ by `counts`, since boxes do not start simultaneously.
 */
#define TOLERANCE        0.001
#define TOLERANCE_FAIL   5
#define TOLERANCE_COUNTS 200.0

/* Tolerances for traffic, relative to the lines moved. */
#define TOLERANCE_MEMORY  0.02 /* bytes at the memory controllers */
#define TOLERANCE_HOME    0.01 /* home agents, M2M, compared with memory controllers */
#define TOLERANCE_CHANNEL 0.05 /* a single memory channel */
#define TOLERANCE_LINK    0.05
#define TOLERANCE_CACHE   0.05 /* lookups, misses, TOR */
#define TOLERANCE_LATENCY 0.15

struct testee {
	struct uncore *u;
	struct uncore_machine_info info;
	struct selftest_report *report;
	const struct selftest_time *time;
	enum {
		KERNEL_UNKNOWN,
		KERNEL_USABLE,
		KERNEL_UNUSABLE
	} kernel; /* the kernel driver: compare_kernel.c */
};

/* The texts are from text_of(); the report frees them. */
void report_check(struct testee *t, enum selftest_state state, char *what, char *expected,
		  char *seen);

/* Like report_check() for a difference; on a busy computer, noise gives no verdict. */
void report_difference(struct testee *t, double difference, double tolerance, char *what,
		       char *expected, char *seen);
/* The same without a report. */
enum selftest_state verdict(struct testee *t, double difference, double tolerance);
/* How often to count before a difference is reported. */
int tries(const struct testee *t);

/* Judge a relative difference. */
enum selftest_state judge(double difference);
enum selftest_state judge_by(double difference, double tolerance);
/* |a - b| relative to the larger one, less the tolerance for the start. */
double difference_of(double a, double b);

/* Count events together for a window: 0, or a library error whose message is set. */
int count_at_once(struct testee *t, const unsigned *ids, size_t n, int64_t *counts);
/*
 * Report a library error: no verdict if another process has the counter, or if the machine lacks
 * the feature.  Texts as in report_check(); the actual result is the library's message.
 */
void report_refusal(struct testee *t, int code, char *what, char *expected);

/* The boxes of one kind that are present. */
struct kind {
	const char *name;
	unsigned counters;
	size_t n;
	struct uncore_box_info *box;
};

/* clocks.c: the control value with which boxes of a kind count their clock. */
struct clock {
	bool found;
	char name[UNCORE_NAME_MAX + 1]; /* of the event; "": not listed */
	uint64_t control;
	char why[256]; /* reason if not found */
};
void find_clock(struct testee *t, const struct kind *kind, struct clock *clock);
/* The clock of one box with other control bits; by name if it has one. */
int clock_event(struct testee *t, const struct uncore_box_info *box, const struct clock *clock,
		uint64_t control, unsigned *id);
/* An event by its control value in one box; 0, or a code of the library. */
int raw_event(struct testee *t, const struct uncore_box_info *box, uint64_t control, unsigned *id);

/* ---- checks ---- */

void check_boxes_alike(struct testee *t, const struct kind *kind, const struct clock *clock);
void check_counters_alike(struct testee *t, const struct kind *kind, const struct clock *clock);
void check_conditions(struct testee *t, const struct kind *kind, const struct clock *clock);
void check_overflow(struct testee *t, const struct kind *kind, const struct clock *clock);
/* Call while an overflow freezes the package of the first box. */
void check_frozen(struct testee *t, const struct kind *kind);
void compare_with_kernel(struct testee *t, const struct kind *kind, const struct clock *clock);
void check_identities(struct testee *t);
void check_traffic(struct testee *t);

#endif
