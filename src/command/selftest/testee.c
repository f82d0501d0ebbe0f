/* SPDX-License-Identifier: BSD-3-Clause */
/* testee.c - see testee.h. */
#include "command/selftest/testee.h"

#include <math.h>
#include <stdlib.h>

void report_check(struct testee *t, enum selftest_state state, char *what, char *expected,
		  char *seen)
{
	struct selftest_report *r = t->report;

	r->at = need_more(r->at, r->n + 1, sizeof(*r->at));
	r->at[r->n++] = (struct selftest_check){state, what, expected, seen};
	if (t->time->done)
		t->time->done(t->time->arg, &r->at[r->n - 1]);
}

static void measure_noise(struct testee *t)
{
	if (t->time->noise)
		t->report->noise = fmax(t->report->noise, t->time->noise(t->time->arg));
}

int tries(const struct testee *t)
{
	return t->report->noise > TOLERANCE ? BUSY_TRIES : TRIES;
}

/* Measure the noise again, because the load of a computer changes. */
enum selftest_state verdict(struct testee *t, double difference, double tolerance)
{
	const enum selftest_state state = judge_by(difference, tolerance);

	if (state == SELFTEST_PASS)
		return state;
	measure_noise(t);
	return t->report->noise > TOLERANCE && difference <= NOISE_FACTOR * t->report->noise
		       ? SELFTEST_BUSY
		       : state;
}

void report_difference(struct testee *t, double difference, double tolerance, char *what,
		       char *expected, char *seen)
{
	const enum selftest_state state = verdict(t, difference, tolerance);

	if (state == SELFTEST_BUSY) {
		char *more = text_of("%s; this computer is too busy: the self-test was not running "
				     "for %.1f %% of the time",
				     seen, 100 * t->report->noise);

		free(seen);
		seen = more;
	}
	report_check(t, state, what, expected, seen);
}

enum selftest_state judge(double difference)
{
	return judge_by(difference, TOLERANCE);
}

enum selftest_state judge_by(double difference, double tolerance)
{
	if (difference <= tolerance)
		return SELFTEST_PASS;
	return difference <= TOLERANCE_FAIL * tolerance ? SELFTEST_WARN : SELFTEST_FAIL;
}

double difference_of(double a, double b)
{
	const double apart = fabs(a - b) - TOLERANCE_COUNTS, larger = fmax(fabs(a), fabs(b));

	return apart <= 0 || larger <= 0 ? 0 : apart / larger;
}

static int count(struct testee *t, struct uncore_set *set, const unsigned *ids, size_t n,
		 int64_t *counts)
{
	int r = uncore_set_assign(set, ids, n), stopped;

	if (r == 0)
		r = uncore_set_start(set);
	if (r < 0)
		return r;
	t->time->pass(t->time->arg, WINDOW_US);
	stopped = uncore_set_stop(set);
	r = uncore_set_read(set, counts);
	return stopped < 0 ? stopped : r;
}

int count_at_once(struct testee *t, const unsigned *ids, size_t n, int64_t *counts)
{
	struct uncore_set *set = NULL;
	int r = uncore_set_create(t->u, &set);

	if (r == 0)
		r = count(t, set, ids, n, counts);
	uncore_set_destroy(set);
	return r;
}

static enum selftest_state state_of(int code)
{
	switch (code) {
	case UNCORE_EBUSY:
	case UNCORE_ECONFLICT:
	case UNCORE_ECOMBO:
	case UNCORE_ENOEVENT:
	case UNCORE_EATTR:
	case UNCORE_ENODEV:
	case UNCORE_ENOSUPP:
		return SELFTEST_SKIP;
	default:
		return SELFTEST_FAIL;
	}
}

void report_refusal(struct testee *t, int code, char *what, char *expected)
{
	char text[UNCORE_ERRMSG_MAX];

	report_check(t, state_of(code), what, expected,
		     text_of("%s", uncore_errmsg(t->u, text, sizeof(text))));
}
