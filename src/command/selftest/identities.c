/* SPDX-License-Identifier: BSD-3-Clause */
/* identities.c - sums that must be equal, independent of the load. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "command/selftest/testee.h"

#define TERMS 4

/* The parts must add up to the total; skipped if the machine lacks one of the events. */
static const struct identity {
	const char *what, *all;
	const char *parts[TERMS];
} identities[] = {
	{"memory accesses", "UNC_M_CAS_COUNT:ALL", {"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:WR"}},
	{"DRAM pages",
	 "UNCORE_DRAM_ACCESSES",
	 {"UNCORE_DRAM_PAGE_HITS", "UNCORE_DRAM_PAGE_EMPTIES", "UNCORE_DRAM_PAGE_MISSES"}},
};

/*
 * The relative difference between the total and the sum of the parts.  Parts that are differences
 * of the same counts always add up, but become negative if a count is wrong.
 */
static double lack(const int64_t *counts, size_t n, int64_t *sum, int64_t *least)
{
	double difference;

	*sum = 0;
	*least = n > 1 ? counts[1] : 0;
	for (size_t i = 1; i < n; i++) {
		*sum += counts[i];
		*least = counts[i] < *least ? counts[i] : *least;
	}
	difference = difference_of((double)*sum, (double)counts[0]);
	return *least < 0 ? fmax(difference, difference_of((double)*least, 0)) : difference;
}

static void check_sum(struct testee *t, const struct identity *e, const unsigned *ids, size_t n)
{
	char *what = text_of("sum: %s", e->what);
	int64_t counts[TERMS + 1] = {0}, sum = 0, least = 0;
	double difference = 1;
	int r = 0;

	for (int i = 0; r == 0 && i < tries(t) && judge(difference) != SELFTEST_PASS; i++) {
		r = count_at_once(t, ids, n, counts);
		difference = r == 0 ? lack(counts, n, &sum, &least) : 1;
	}
	if (r < 0)
		report_refusal(t, r, what, text_of("the parts of %s add up", e->all));
	else
		report_difference(
			t, difference, TOLERANCE, what,
			text_of("the parts of %s add up to %" PRId64 ", none below 0", e->all,
				counts[0]),
			least < 0 ? text_of("%" PRId64 ", with a part of %" PRId64, sum, least)
				  : text_of("%" PRId64, sum));
}

static void check_one(struct testee *t, const struct identity *e)
{
	unsigned ids[TERMS + 1];
	size_t n = 0;
	int r = uncore_event(t->u, e->all, &ids[n++]);

	for (size_t i = 0; r == 0 && i < TERMS && e->parts[i]; i++)
		r = uncore_event(t->u, e->parts[i], &ids[n++]);
	if (r == 0)
		check_sum(t, e, ids, n);
}

/* Each core of a package is in one of these states in each cycle. */
static void check_cores(struct testee *t)
{
	static const char *const names[] = {"UNCORE_CORES_IN_C0_CYCLES",
					    "UNCORE_CORES_IN_C3_CYCLES",
					    "UNCORE_CORES_IN_C6_CYCLES", "UNCORE_PCU_CYCLES"};
	unsigned ids[4];
	int64_t counts[4];
	double cores, whole;

	for (size_t i = 0; i < 4; i++)
		if (uncore_event(t->u, names[i], &ids[i]) < 0)
			return;
	if (count_at_once(t, ids, 4, counts) < 0 || counts[3] <= 0)
		return;
	cores = (double)(counts[0] + counts[1] + counts[2]) / (double)counts[3];
	whole = round(cores);
	report_difference(t, whole > 0 ? fabs(cores - whole) / whole : 1, TOLERANCE,
			  text_of("sum: states of cores"),
			  text_of("C0, C3 and C6 add up to a whole number of cores"),
			  text_of("%.3f cores", cores));
}

void check_identities(struct testee *t)
{
	for (size_t i = 0; i < sizeof(identities) / sizeof(*identities); i++)
		check_one(t, &identities[i]);
	check_cores(t);
}
