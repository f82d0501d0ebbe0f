/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    uncore_events.c
 * @brief   Each listed event and umask has one code and one name; each event has a description
 *          and can be added to an event set.  One event per box kind is counted.
 */
#include <unistd.h>

#include "uncore_test.h"

/* Length of the name up to its second underscore: uncore:::UNC_M of uncore:::UNC_M_CAS_COUNT. */
static size_t kind_length(const char *name)
{
	const char *end = strchr(name, '_');

	end = end ? strchr(end + 1, '_') : NULL;
	return end ? (size_t)(end - name) : strlen(name);
}

/* Returns 0 if another program uses the boxes of the event, which is not an error here. */
static int count(int code, const char *name, int quiet)
{
	int set = PAPI_NULL, ret;
	long long value = -1;

	CHECK(PAPI_create_eventset(&set));
	CHECK(PAPI_add_event(set, code));
	ret = PAPI_start(set);
	if (ret == PAPI_OK) {
		usleep(1000);
		CHECK(PAPI_stop(set, &value));
		if (!quiet)
			printf("%s = %lld\n", name, value);
	} else if (ret != PAPI_ECNFLCT) {
		test_fail(__FILE__, __LINE__, name, ret);
	}
	uncore_destroy(&set);
	return ret == PAPI_OK;
}

/* The name of a listed event is found again, and has the same code. */
static void check_name(int code, char name[PAPI_MAX_STR_LEN])
{
	int again = 0;

	CHECK(PAPI_event_code_to_name(code, name));
	CHECK(PAPI_event_name_to_code(name, &again));
	if (again != code)
		test_fail(__FILE__, __LINE__, name, again);
}

static void check_umasks(int event, int cidx)
{
	char name[PAPI_MAX_STR_LEN];

	while (PAPI_enum_cmp_event(&event, PAPI_NTV_ENUM_UMASKS, cidx) == PAPI_OK)
		check_name(event, name);
}

int main(int argc, char **argv)
{
	int quiet = tests_quiet(argc, argv);
	int cidx = uncore_component(__FILE__);
	int code = PAPI_NATIVE_MASK, set = PAPI_NULL, events = 0, counted = 0, ret;
	char name[PAPI_MAX_STR_LEN], last[PAPI_MAX_STR_LEN] = "";
	PAPI_event_info_t info;

	ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, cidx);
	for (; ret == PAPI_OK; ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, cidx)) {
		check_name(code, name);
		check_umasks(code, cidx);
		CHECK(PAPI_get_event_info(code, &info));
		if (info.long_descr[0] == '\0')
			test_fail(__FILE__, __LINE__, "event without description", PAPI_EMISC);
		CHECK(PAPI_create_eventset(&set));
		ret = PAPI_add_event(set, code);
		if (ret != PAPI_OK)
			test_fail(__FILE__, __LINE__, name, ret);
		uncore_destroy(&set);
		events++;
		if (kind_length(name) != kind_length(last) ||
		    strncmp(name, last, kind_length(name)) != 0) {
			counted += count(code, name, quiet);
			memcpy(last, name, sizeof(last));
		}
	}
	/* PAPI 7 turns a component's PAPI_ENOEVNT into PAPI_EINVAL. */
	if (ret != PAPI_ENOEVNT && ret != PAPI_EINVAL)
		test_fail(__FILE__, __LINE__, "enumeration failed", ret);
	if (events != PAPI_get_component_info(cidx)->num_native_events)
		test_fail(__FILE__, __LINE__, "num_native_events differs from the list",
			  PAPI_EMISC);
	if (!quiet)
		printf("%d events, %d of them counted\n", events, counted);
	if (counted == 0)
		test_skip(__FILE__, __LINE__, "all boxes are used by another program",
			  PAPI_ECNFLCT);
	test_pass(__FILE__);
	return 0;
}
