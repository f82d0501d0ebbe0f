/* SPDX-License-Identifier: BSD-3-Clause */
/* testee.h - the machine that is tested, and how a check counts and tells; src/command/selftest
 * only. */
#ifndef SELFTEST_TESTEE_H
#define SELFTEST_TESTEE_H

#include "command/base/box.h"
#include "command/base/text.h"
#include "selftest.h"

#define WINDOW_US   20000 /* that a check counts */
#define MOST_EVENTS 256   /* in a set of a check */
/*
 * Where others count, boxes start and stop one after the other, and this process may lose its CPU
 * in between.  What is wrong is wrong each time.
 */
#define TRIES      5
#define BUSY_TRIES 20 /* on a busy computer */
/*
 * A difference up to so many times the noise is no verdict: a start and a stop may both be late,
 * and what the machine does besides is subtracted.  The most that was seen on simulated machines
 * is 2.4 (docs/selftest.md).
 */
#define NOISE_FACTOR 4

/*
 * Not yet calibrated on hardware: beyond one a check warns, beyond five times it fails.
 * Counts that are to be equal may differ by `counts`, since boxes do not start at one instant.
 */
#define TOLERANCE        0.001
#define TOLERANCE_FAIL   5
#define TOLERANCE_COUNTS 200.0

/* The same of traffic, as a part of what was moved. */
#define TOLERANCE_MEMORY  0.02 /* bytes at the memory controllers */
#define TOLERANCE_HOME    0.01 /* home agents, M2M: what memory controllers count */
#define TOLERANCE_CHANNEL 0.05 /* what one channel of memory counts */
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
		KERNEL_THERE,
		KERNEL_NONE
	} kernel; /* its driver: compare_kernel.c */
};

/* The texts are text_of()'s; the report frees them. */
void report_check(struct testee *t, enum selftest_state state, char *what, char *expected,
		  char *seen);

/* As report_check(), by a difference; on a busy computer one that noise explains is no verdict. */
void report_difference(struct testee *t, double difference, double tolerance, char *what,
		       char *expected, char *seen);
/* The same without a report. */
enum selftest_state verdict(struct testee *t, double difference, double tolerance);
/* How often to count before a difference is believed. */
int tries(const struct testee *t);

/* What a difference means, as a part of what is compared. */
enum selftest_state judge(double difference);
enum selftest_state judge_by(double difference, double tolerance);
/* |a - b| as a part of the larger one, less what may be a matter of the start. */
double difference_of(double a, double b);

/* Count events at once for a window: 0, or a code of the library, whose sentence is then told. */
int count_at_once(struct testee *t, const unsigned *ids, size_t n, int64_t *counts);
/*
 * The library refused: that is no verdict if somebody else has the counter, or this machine cannot
 * do it.  The texts are as in report_check(); what was seen is the library's sentence.
 */
void report_refusal(struct testee *t, int code, char *what, char *expected);

/* The boxes of one kind that are present. */
struct kind {
	const char *name;
	unsigned counters;
	size_t n;
	struct uncore_box_info *box;
};

/* clocks.c: the event by which boxes of a kind count their clock, as a control value. */
struct clock {
	bool found;
	char name[UNCORE_NAME_MAX + 1]; /* of the event; "": none is listed */
	uint64_t control;
	char why[256]; /* not found: why */
};
void find_clock(struct testee *t, const struct kind *kind, struct clock *clock);
/* The clock in one box, with other bits of the control; by its name as far as there is one. */
int clock_event(struct testee *t, const struct uncore_box_info *box, const struct clock *clock,
		uint64_t control, unsigned *id);
/* An event by its control value in one box; 0, or a code of the library. */
int raw_event(struct testee *t, const struct uncore_box_info *box, uint64_t control, unsigned *id);

/* ---- checks ---- */

void check_boxes_alike(struct testee *t, const struct kind *kind, const struct clock *clock);
void check_counters_alike(struct testee *t, const struct kind *kind, const struct clock *clock);
void check_conditions(struct testee *t, const struct kind *kind, const struct clock *clock);
void check_overflow(struct testee *t, const struct kind *kind, const struct clock *clock);
/* While an overflow holds the package of the first box. */
void check_frozen(struct testee *t, const struct kind *kind);
void compare_with_kernel(struct testee *t, const struct kind *kind, const struct clock *clock);
void check_identities(struct testee *t);
void check_traffic(struct testee *t);

#endif
