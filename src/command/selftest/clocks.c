/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.c - check clock counts: boxes of a kind and package must agree, as must the counters of a
 * box, and conditions with a known result must give it.
 *
 * A clock adds 1 in each cycle.  So a threshold of 1, and an inverted one of 2 and more, count the
 * same; a threshold of 2 counts nothing, and an edge comes once at most.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/selftest/testee.h"

/* Bit positions as in the sysfs format of nearly all uncore PMUs on Linux. */
#define EDGE         (UINT64_C(1) << 18)
#define INVERT       (UINT64_C(1) << 23)
#define THRESHOLD(n) ((uint64_t)(n) << 24)

/* ---- events ---- */

/* Emerald Rapids has the PMUs of Sapphire Rapids. */
static const char *prefix_of(const struct testee *t)
{
	return strcmp(t->info.platform, "emr") == 0 ? "spr" : t->info.platform;
}

int raw_event(struct testee *t, const struct uncore_box_info *box, uint64_t control, unsigned *id)
{
	char name[UNCORE_NAME_MAX];

	snprintf(name, sizeof(name), "%s_unc_%s::RAW:config=%#" PRIx64 ":box=%u:pkg=%u",
		 prefix_of(t), box->kind, control, box->index, box->package);
	return uncore_event(t->u, name, id);
}

/* "UNC_C_CLOCKTICKS:i=1:t=2", for such a control value. */
static bool named_event(struct testee *t, const struct uncore_box_info *box,
			const struct clock *clock, uint64_t control, unsigned *id)
{
	struct uncore_encoding is = {.size = sizeof(is)};
	const unsigned threshold = (unsigned)(control >> 24 & 0xff);
	char name[2 * UNCORE_NAME_MAX], t_part[16] = "";

	if (threshold)
		snprintf(t_part, sizeof(t_part), ":t=%u", threshold);
	snprintf(name, sizeof(name), "%s%s%s%s:box=%u:pkg=%u", clock->name,
		 control & EDGE ? ":e=1" : "", control & INVERT ? ":i=1" : "", t_part, box->index,
		 box->package);
	return *clock->name && uncore_event(t->u, name, id) == 0 &&
	       uncore_event_encoding(t->u, *id, &is) == 0 && is.control == control;
}

int clock_event(struct testee *t, const struct uncore_box_info *box, const struct clock *clock,
		uint64_t control, unsigned *id)
{
	return named_event(t, box, clock, control, id) ? 0 : raw_event(t, box, control, id);
}

/* first: only the box's clock; otherwise also its memory clock, which has another rate. */
static bool is_clock(const char *name, bool first)
{
	static const char *const others[] = {"FREERUN", "CMS_",     "_HCLOCK",
					     "_DCLOCK", "_D_CLOCK", "_E_CLOCK"};

	if (!strstr(name, "CLOCKTICKS"))
		return false;
	for (size_t i = 0; i < (first ? sizeof(others) / sizeof(*others) : 3); i++)
		if (strstr(name, others[i]))
			return false;
	return true;
}

/* On a programmable counter; the event of a fixed counter cannot be. */
static bool take_control(struct testee *t, unsigned id, struct clock *clock)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};
	struct uncore_plan *plan;

	if (uncore_plan(t->u, &id, 1, NULL, &plan) == 0 &&
	    uncore_plan_assignment(plan, 0, &a) == 1 && !a.fixed) {
		clock->found = true;
		clock->control = a.control;
		snprintf(clock->name, sizeof(clock->name), "%s", uncore_event_name(t->u, id));
	}
	uncore_plan_free(plan);
	return clock->found;
}

static void search(struct testee *t, const struct kind *kind, struct clock *clock, bool first)
{
	struct uncore_event_info e = {.size = sizeof(e)};
	unsigned id;

	for (unsigned i = 0; !clock->found && uncore_listed_event(t->u, i, &id) == 1; i++)
		if (uncore_event_info(t->u, id, &e) == 0 && strcmp(e.kind, kind->name) == 0 &&
		    is_clock(e.name, first))
			take_control(t, id, clock);
}

/* Clocks that no listed event names. */
static const struct known {
	const char *platforms, *kind;
	uint64_t control;
} known[] = {
	/* DCLOCKTICKS, in Intel's event list, which libpfm4 lacks */
	{"snbep", "imc", 0x000},
	/* Intel's event lists of Granite Rapids, Sierra Forest and Clearwater Forest */
	{"gnr srf cwf", "cha", 0x001},
	{"gnr srf cwf", "pcu", 0x001},
	{"gnr srf cwf", "iio", 0x001},
	{"gnr srf cwf", "irp", 0x001},
	{"gnr srf cwf", "upi", 0x001},
	{"gnr srf cwf", "imc", 0x101},
	{"gnr srf cwf", "b2cmi", 0x001},
	{"gnr srf cwf", "b2cxl", 0x001},
	{"gnr srf cwf", "b2upi", 0x001},
	{"gnr srf cwf", "b2hot", 0x101},
};

static void look_up(const struct testee *t, const struct kind *kind, struct clock *clock)
{
	for (size_t i = 0; !clock->found && i < sizeof(known) / sizeof(*known); i++) {
		clock->found = strstr(known[i].platforms, t->info.platform) &&
			       strcmp(known[i].kind, kind->name) == 0;
		clock->control = clock->found ? known[i].control : 0;
	}
}

void find_clock(struct testee *t, const struct kind *kind, struct clock *clock)
{
	unsigned id;

	*clock = (struct clock){.found = false};
	search(t, kind, clock, true);
	search(t, kind, clock, false);
	look_up(t, kind, clock);
	if (clock->found && clock_event(t, &kind->box[0], clock, clock->control, &id) < 0) {
		clock->found = false;
		uncore_errmsg(t->u, clock->why, sizeof(clock->why));
	} else if (!clock->found) {
		snprintf(clock->why, sizeof(clock->why),
			 "no known event counts the clock of this kind of box on a programmable "
			 "counter");
	}
}

/* ---- the boxes of a kind ---- */

/* The largest difference so far, and where. */
struct worst {
	double difference;
	double count, others;
	char where[128];
};

static void compare(struct worst *w, double count, double others, const char *where)
{
	const double difference = difference_of(count, others);

	if (difference <= w->difference)
		return;
	*w = (struct worst){.difference = difference, .count = count, .others = others};
	snprintf(w->where, sizeof(w->where), "%s", where);
}

/* A real error occurs in every try, so the best of several tries is used. */
static bool goes_on(const struct testee *t, int tried, const struct worst *least)
{
	return tried < tries(t) && judge(least->difference) != SELFTEST_PASS;
}

static void keep_least(struct worst *least, const struct worst *now)
{
	if (now->difference < least->difference)
		*least = *now;
}

static void keep_worst(struct worst *worst, const struct worst *now)
{
	if (now->difference > worst->difference)
		*worst = *now;
}

static char *clock_text(const struct clock *clock)
{
	return *clock->name ? text_of("%s", clock->name)
			    : text_of("the clock (control %#" PRIx64 ")", clock->control);
}

static char *seen_text(const struct worst *w)
{
	return *w->where ? text_of("%s counted %.0f, others %.0f: difference %.2f %%", w->where,
				   w->count, w->others, 100 * w->difference)
			 : text_of("no difference");
}

static int by_size(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* The median, which a single wrong count does not change. */
static double median(const int64_t *counts, size_t n)
{
	const size_t middle = n / 2;
	int64_t sorted[MOST_EVENTS];

	memcpy(sorted, counts, n * sizeof(*counts));
	qsort(sorted, n, sizeof(*sorted), by_size);
	return (double)sorted[middle];
}

/* The nearest other count. */
static double nearest(const int64_t *counts, size_t n, size_t of)
{
	size_t best = of;

	for (size_t i = 0; i < n; i++)
		if (i != of && (best == of ||
				llabs(counts[i] - counts[of]) < llabs(counts[best] - counts[of])))
			best = i;
	return (double)counts[best];
}

/* Whether each die of a package has its own clock (docs/hardware/gnr.md, "Dies"). */
static bool differs_by_die(const struct testee *t)
{
	return strstr("gnr srf cwf", t->info.platform) != NULL;
}

/* Number of boxes of one package, from first on, that fit into a set. */
static size_t some_of_package(const struct kind *kind, size_t first)
{
	size_t n = 1;

	while (n < MOST_EVENTS && first + n < kind->n &&
	       kind->box[first + n].package == kind->box[first].package)
		n++;
	return n;
}

static int compare_boxes(struct testee *t, const struct kind *kind, const struct clock *clock,
			 size_t first, size_t n, struct worst *w)
{
	unsigned ids[MOST_EVENTS] = {0};
	int64_t counts[MOST_EVENTS];
	char where[96], name[BOX_NAME];
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++)
		r = clock_event(t, &kind->box[first + i], clock, clock->control, &ids[i]);
	if (r == 0)
		r = count_at_once(t, ids, n, counts);
	for (size_t i = 0; r == 0 && i < n; i++) {
		snprintf(where, sizeof(where), "%s of package %u",
			 box_name(name, kind->name, kind->box[first + i].index),
			 kind->box[first + i].package);
		compare(w, (double)counts[i],
			differs_by_die(t) ? nearest(counts, n, i) : median(counts, n), where);
		if (counts[i] <= 0)
			compare(w, 0, TOLERANCE_COUNTS * 1000, where);
	}
	return r;
}

static int compare_all_boxes(struct testee *t, const struct kind *kind, const struct clock *clock,
			     struct worst *w)
{
	int r = 0;

	*w = (struct worst){.difference = 0};
	for (size_t i = 0, n; r == 0 && i < kind->n; i += n) {
		struct worst least = {.difference = INFINITY}, now;

		n = some_of_package(kind, i);
		for (int k = 0; r == 0 && goes_on(t, k, &least); k++) {
			now = (struct worst){.difference = 0};
			r = compare_boxes(t, kind, clock, i, n, &now);
			keep_least(&least, &now);
		}
		keep_worst(w, &least);
	}
	return r;
}

void check_boxes_alike(struct testee *t, const struct kind *kind, const struct clock *clock)
{
	char *what = text_of("%s: clocks of all boxes", kind->name);
	char *event = clock_text(clock);
	char *expected = text_of(
		differs_by_die(t) ? "each of %zu per package counts %s like another one on its die"
				  : "all %zu of a package count the same for %s",
		some_of_package(kind, 0), event);
	struct worst w;
	const int r = compare_all_boxes(t, kind, clock, &w);

	free(event);
	if (r < 0)
		report_refusal(t, r, what, expected);
	else
		report_difference(t, w.difference, TOLERANCE, what, expected, seen_text(&w));
}

/* ---- the counters of a box ---- */

#define MOST_VARIANTS 16

/* Variant i of counting the clock. */
static uint64_t variant(const struct clock *clock, unsigned i)
{
	if (i < 2)
		return clock->control | THRESHOLD(i);
	return clock->control | INVERT | THRESHOLD(i);
}

/* The counter of the box that an event of a set uses. */
static unsigned counter_of(const struct uncore_plan *plan, unsigned event)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};

	for (unsigned i = 0; uncore_plan_assignment(plan, i, &a) == 1; i++)
		if (a.event == event)
			return a.counter;
	return 0;
}

/* One variant per counter of the box, as far as there are events. */
static size_t find_variants(struct testee *t, const struct kind *kind, const struct clock *clock,
			    const struct uncore_box_info *box, unsigned *ids)
{
	size_t n = 0;

	for (unsigned i = 0; i < MOST_VARIANTS && n < kind->counters; i++)
		n += clock_event(t, box, clock, variant(clock, i), &ids[n]) == 0;
	return n;
}

static int compare_counters(struct testee *t, const struct uncore_box_info *box,
			    const unsigned *ids, size_t n, struct worst *w)
{
	int64_t counts[MOST_VARIANTS];
	struct uncore_plan *plan = NULL;
	char where[128], name[BOX_NAME];
	int r = uncore_plan(t->u, ids, n, NULL, &plan);

	if (r == 0)
		r = count_at_once(t, ids, n, counts);
	for (unsigned i = 0; r == 0 && i < n; i++) {
		snprintf(where, sizeof(where), "%s of package %u, counter %u",
			 box_name(name, box->kind, box->index), box->package, counter_of(plan, i));
		compare(w, (double)counts[i], median(counts, n), where);
	}
	uncore_plan_free(plan);
	return r;
}

static int compare_all_counters(struct testee *t, const struct kind *kind,
				const struct clock *clock, size_t *n, struct worst *w)
{
	unsigned ids[MOST_VARIANTS];
	int r = 0;

	*w = (struct worst){.difference = 0};
	for (size_t i = 0; r == 0 && i < kind->n; i++) {
		struct worst least = {.difference = INFINITY}, now;

		*n = find_variants(t, kind, clock, &kind->box[i], ids);
		for (int k = 0; r == 0 && goes_on(t, k, &least); k++) {
			now = (struct worst){.difference = 0};
			r = compare_counters(t, &kind->box[i], ids, *n, &now);
			keep_least(&least, &now);
		}
		keep_worst(w, &least);
	}
	return r;
}

void check_counters_alike(struct testee *t, const struct kind *kind, const struct clock *clock)
{
	char *what = text_of("%s: each counter of each box", kind->name), *expected;
	char *event = clock_text(clock);
	struct worst w;
	size_t n = 0;
	const int r = compare_all_counters(t, kind, clock, &n, &w);

	expected = text_of("all %zu count the same for %s", n, event);
	free(event);
	if (r < 0)
		report_refusal(t, r, what, expected);
	else if (n < 2)
		report_check(t, SELFTEST_SKIP, what, expected,
			     text_of("no second event with a known count for this kind of box"));
	else
		report_difference(t, w.difference, TOLERANCE, what, expected, seen_text(&w));
}

/* ---- conditions ---- */

void check_conditions(struct testee *t, const struct kind *kind, const struct clock *clock)
{
	const uint64_t controls[] = {clock->control | THRESHOLD(2),
				     clock->control | EDGE | THRESHOLD(1)};
	char *what = text_of("%s: threshold and edge", kind->name);
	char *expected = text_of("clock with threshold 2: 0; clock edges: at most 1");
	unsigned ids[2];
	int64_t counts[2] = {0, 0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < 2; i++)
		r = clock_event(t, &kind->box[0], clock, controls[i], &ids[i]);
	if (r == 0 && kind->counters >= 2)
		r = count_at_once(t, ids, 2, counts);
	if (r == 0 && kind->counters < 2)
		report_check(t, SELFTEST_SKIP, what, expected,
			     text_of("not supported by this kind of box"));
	else if (r < 0)
		report_refusal(t, r, what, expected);
	else
		report_check(
			t, counts[0] == 0 && counts[1] <= 1 ? SELFTEST_PASS : SELFTEST_FAIL, what,
			expected,
			text_of("threshold 2: %" PRId64 "; edges: %" PRId64, counts[0], counts[1]));
}
