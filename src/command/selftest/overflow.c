/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow.c - a counter preloaded near its maximum overflows on time: this confirms the counter
 * width, and that an overflow freezes the counters it should.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command/selftest/testee.h"

#define OCCURRENCES 100000
#define WINDOWS     100 /* maximum to wait for */

static char *what_text(const struct kind *kind)
{
	return text_of("%s: overflow", kind->name);
}

static char *expected_text(void)
{
	return text_of("counting stops after %d cycles", OCCURRENCES);
}

static void skip(struct testee *t, const struct kind *kind, const char *why)
{
	report_check(t, SELFTEST_SKIP, what_text(kind), expected_text(), text_of("%s", why));
}

static void give_up(struct testee *t, const struct kind *kind, int code)
{
	report_refusal(t, code, what_text(kind), expected_text());
}

/*
 * The preloaded value has all upper bits set.  A narrower counter drops the bits it lacks and still
 * overflows on time, but its value looks as if it had counted through them.  Returns the width of
 * such a counter; 0: the width is as expected.
 */
static unsigned bits_left(const struct kind *kind, int64_t count)
{
	const unsigned width = kind->box[0].width;

	for (unsigned bits = 20; bits < width && width < 63; bits++) {
		const int64_t dropped = (INT64_C(1) << width) - (INT64_C(1) << bits);

		if (count >= dropped && count - dropped < INT64_C(10) * OCCURRENCES)
			return bits;
	}
	return 0;
}

static char *seen_text(const struct kind *kind, int64_t count, bool stopped)
{
	const unsigned bits = bits_left(kind, count);

	if (bits)
		return text_of("the counter is %u bits wide, not %u", bits, kind->box[0].width);
	return stopped ? text_of("stopped after %" PRId64, count)
		       : text_of("not stopped after %" PRId64
				 ": the width of the counter may be wrong",
				 count);
}

static void judge_count(struct testee *t, const struct kind *kind, int64_t count, bool stopped)
{
	const bool wrong = !stopped || count < OCCURRENCES;

	if (wrong)
		report_check(t, SELFTEST_FAIL, what_text(kind), expected_text(),
			     seen_text(kind, count, stopped));
	else
		report_difference(t, difference_of((double)count, OCCURRENCES), TOLERANCE,
				  what_text(kind), expected_text(),
				  seen_text(kind, count, stopped));
}

static void wait_for_it(struct testee *t, const struct kind *kind, struct uncore_set *set)
{
	int64_t count = 0;
	int r = 0, stopped;

	for (int i = 0; r == 0 && i < WINDOWS; i++) {
		t->time->pass(t->time->arg, WINDOW_US / 20);
		r = uncore_set_wait(set, 0);
	}
	if (r == 1)
		check_frozen(t, kind);
	stopped = uncore_set_stop(set);
	if (r < 0 || stopped < 0 || uncore_set_read(set, &count) < 0)
		give_up(t, kind, r < 0 ? r : stopped < 0 ? stopped : UNCORE_EIO);
	else
		judge_count(t, kind, count, r == 1);
}

/* No source documents the position of its bit in the package status; docs/hardware/spr.md. */
static bool leaves_bits(const struct testee *t, const struct kind *kind)
{
	return strstr("spr emr", t->info.platform) && strstr("upi m3upi", kind->name);
}

void check_overflow(struct testee *t, const struct kind *kind, const struct clock *clock)
{
	struct uncore_stop_after after = {.size = sizeof(after), .count = OCCURRENCES};
	struct uncore_stop_after_info info = {.size = sizeof(info)};
	struct uncore_set *set = NULL;
	unsigned id;
	int r;

	if (leaves_bits(t, kind)) {
		skip(t, kind,
		     "the overflow would leave a bit in the package's status that cannot be "
		     "cleared");
		return;
	}
	r = clock_event(t, &kind->box[0], clock, clock->control, &id);
	if (r == 0)
		r = uncore_set_create(t->u, &set);
	if (r == 0)
		r = uncore_set_assign(set, &id, 1);
	if (r == 0)
		r = uncore_set_stop_after(set, &after, 1, 0);
	if (r == 0 && uncore_set_stop_after_info(set, 0, &info) == 1 && info.polled)
		skip(t, kind, info.polled);
	else if (r == 0 && (r = uncore_set_start(set)) == 0)
		wait_for_it(t, kind, set);
	if (r < 0)
		give_up(t, kind, r);
	uncore_set_destroy(set);
}
