/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    uncore_names.c
 * @brief   Qualifiers select boxes and packages, sums equal the sum of their parts, and invalid
 *          names are rejected with the right error code.
 */
#include <unistd.h>

#include "uncore_test.h"

#define MAX_PACKAGES 16

/* Find the first listed event that is not a metric. */
static void first_event(int cidx, char name[PAPI_MAX_STR_LEN])
{
	int code = PAPI_NATIVE_MASK, ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, cidx);

	for (; ret == PAPI_OK; ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, cidx)) {
		CHECK(PAPI_event_code_to_name(code, name));
		if (strstr(name, ":::UNC_"))
			return;
	}
	test_skip(__FILE__, __LINE__, "this machine lists only metrics", PAPI_ENOEVNT);
}

/* Add the event, and the event of each package; return the number of packages. */
static int add_parts(int set, const char *name)
{
	char part[PAPI_MAX_STR_LEN + 32];
	int n, ret = PAPI_OK;

	CHECK(PAPI_add_named_event(set, name));
	for (n = 0; n < MAX_PACKAGES; n++) {
		snprintf(part, sizeof(part), "%s:pkg=%d", name, n);
		ret = PAPI_add_named_event(set, part);
		if (ret != PAPI_OK)
			break;
	}
	if (n == 0 || (n < MAX_PACKAGES && ret != PAPI_EATTR))
		test_fail(__FILE__, __LINE__, part, ret);
	return n;
}

static void sums(const char *name, int quiet)
{
	long long values[MAX_PACKAGES + 1], sum = 0;
	int set = PAPI_NULL, n, ret;

	CHECK(PAPI_create_eventset(&set));
	n = add_parts(set, name);
	ret = PAPI_start(set);
	if (ret == PAPI_ECNFLCT)
		test_skip(__FILE__, __LINE__, "the boxes are used by another program", ret);
	CHECK(ret);
	REFUSED(PAPI_add_named_event(set, name), PAPI_EISRUN);
	usleep(10000);
	CHECK(PAPI_stop(set, values));
	for (int i = 1; i <= n; i++)
		sum += values[i];
	if (!quiet)
		printf("%s = %lld, the sum over %d packages %lld\n", name, values[0], n, sum);
	/* After the stop, both come from the same counters. */
	if (values[0] != sum)
		test_fail(__FILE__, __LINE__, "the sum differs from the sum of its parts",
			  PAPI_EMISC);
	uncore_destroy(&set);
}

static void refusals(const char *name)
{
	char wrong[PAPI_MAX_STR_LEN + 32];
	int set = PAPI_NULL;

	CHECK(PAPI_create_eventset(&set));
	REFUSED(PAPI_add_named_event(set, "uncore:::UNC_NO_SUCH_EVENT"), PAPI_ENOEVNT);
	snprintf(wrong, sizeof(wrong), "%s:NO_SUCH_UMASK", name);
	REFUSED(PAPI_add_named_event(set, wrong), PAPI_EATTR);
	snprintf(wrong, sizeof(wrong), "%s:box=999", name);
	REFUSED(PAPI_add_named_event(set, wrong), PAPI_EATTR);
	CHECK(PAPI_add_named_event(set, name));
	REFUSED(PAPI_add_named_event(set, name), PAPI_ECNFLCT);
	uncore_destroy(&set);
}

int main(int argc, char **argv)
{
	int quiet = tests_quiet(argc, argv);
	char name[PAPI_MAX_STR_LEN];

	first_event(uncore_component(__FILE__), name);
	refusals(name);
	sums(name, quiet);
	test_pass(__FILE__);
	return 0;
}
