/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    uncore_multiplex.c
 * @brief   Events that do not fit are rejected without and accepted with PAPI_set_multiplex().
 */
#include <stdlib.h>
#include <unistd.h>

#include "uncore_test.h"

#define MAX 64

/* Add the event with different thresholds, so that each needs a counter of its own. */
static int fill(int set, const char *name)
{
	char variant[PAPI_MAX_STR_LEN + 32];
	int n, ret;

	for (n = 0; n < MAX; n++) {
		snprintf(variant, sizeof(variant), "%s:t=%d", name, n + 1);
		ret = PAPI_add_named_event(set, variant);
		if (ret != PAPI_OK)
			break;
	}
	if (n == 0 && ret == PAPI_EATTR)
		return 0;
	if (n < MAX && ret != PAPI_ECNFLCT)
		test_fail(__FILE__, __LINE__, variant, ret);
	return n;
}

/* Find the first listed event that accepts a threshold; return how many of it fit. */
static int first_event(int cidx, char name[PAPI_MAX_STR_LEN])
{
	int code = PAPI_NATIVE_MASK, ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, cidx);
	int set, n;

	for (; ret == PAPI_OK; ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, cidx)) {
		CHECK(PAPI_event_code_to_name(code, name));
		if (!strstr(name, ":::UNC_"))
			continue;
		set = PAPI_NULL;
		CHECK(PAPI_create_eventset(&set));
		n = fill(set, name);
		uncore_destroy(&set);
		if (n > 0 && n < MAX)
			return n;
	}
	test_skip(__FILE__, __LINE__, "no event of this machine accepts a threshold", PAPI_ENOEVNT);
	return 0;
}

int main(int argc, char **argv)
{
	int quiet = tests_quiet(argc, argv);
	int cidx = uncore_component(__FILE__), set = PAPI_NULL, fit, n, ret;
	char name[PAPI_MAX_STR_LEN];
	long long values[MAX] = {0};

	fit = first_event(cidx, name);
	CHECK(PAPI_create_eventset(&set));
	CHECK(PAPI_assign_eventset_component(set, cidx));
	CHECK(PAPI_set_multiplex(set));
	n = fill(set, name);
	if (n <= fit)
		test_fail(__FILE__, __LINE__, "multiplexing does not allow more events", n);
	ret = PAPI_start(set);
	if (ret == PAPI_ECNFLCT)
		test_skip(__FILE__, __LINE__, "the boxes are used by another program", ret);
	CHECK(ret);
	/* Five windows of 10 ms for each group. */
	usleep((useconds_t)(50000 * (n / fit + 1)));
	CHECK(PAPI_stop(set, values));
	if (!quiet)
		printf("%s: %d fit, %d multiplexed\n", name, fit, n);
	for (int i = 0; i < n; i++) {
		if (values[i] < 0)
			test_fail(__FILE__, __LINE__, "count is negative", PAPI_EMISC);
		if (!quiet)
			printf("  t=%d: %lld\n", i + 1, values[i]);
	}
	uncore_destroy(&set);
	test_pass(__FILE__);
	return 0;
}
