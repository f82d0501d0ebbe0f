/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    uncore_presets.c
 * @brief   Each preset counts the same as the native event whose name follows "PAPI_".  Presets
 *          that the machine lacks are rejected.
 */
#include <unistd.h>

#include "uncore_test.h"

#ifdef PAPI_MAX_uncore_PRESETS

static const char native_prefix[] = "uncore:::";

static void count_both(const char *preset, const char *native, int quiet)
{
	long long values[2] = {-1, -1};
	int set = PAPI_NULL;

	CHECK(PAPI_create_eventset(&set));
	CHECK(PAPI_add_named_event(set, preset));
	CHECK(PAPI_add_named_event(set, native));
	CHECK(PAPI_start(set));
	usleep(10000);
	CHECK(PAPI_stop(set, values));
	if (!quiet)
		printf("%s = %lld\n", preset, values[0]);
	if (values[0] < 0 || values[0] != values[1])
		test_fail(__FILE__, __LINE__, "the native event has another count", PAPI_EMISC);
	uncore_destroy(&set);
}

static void check_missing(const char *preset)
{
	int set = PAPI_NULL;

	CHECK(PAPI_create_eventset(&set));
	REFUSED(PAPI_add_named_event(set, preset), PAPI_ENOEVNT);
	CHECK(PAPI_destroy_eventset(&set));
}

/* Returns whether the machine has it. */
static int check_preset(int code, int quiet)
{
	char native[PAPI_MAX_STR_LEN + sizeof(native_prefix)];
	PAPI_event_info_t info;
	int again = 0;

	CHECK(PAPI_get_event_info(code, &info));
	CHECK(PAPI_event_name_to_code(info.symbol, &again));
	if (again != code || strncmp(info.symbol, "PAPI_UNCORE_", strlen("PAPI_UNCORE_")) != 0)
		test_fail(__FILE__, __LINE__, info.symbol, PAPI_EMISC);
	if (PAPI_query_event(code) != PAPI_OK) {
		check_missing(info.symbol);
		return 0;
	}
	snprintf(native, sizeof(native), "%s%.*s", native_prefix, PAPI_MAX_STR_LEN,
		 info.symbol + strlen("PAPI_"));
	count_both(info.symbol, native, quiet);
	return 1;
}

int main(int argc, char **argv)
{
	const int first = PAPI_UNCORE_MEM_READ_BYTES, last = PAPI_UNCORE_ENERGY_DRAM_UJ;
	int quiet = tests_quiet(argc, argv);
	int cidx = uncore_component(__FILE__);
	int found = 0;

	for (int code = first; code <= last; code++)
		found += check_preset(code, quiet);
	if (found == 0 || found != PAPI_get_component_info(cidx)->num_preset_events)
		test_fail(__FILE__, __LINE__, "number of presets", PAPI_EMISC);
	test_pass(__FILE__);
	return 0;
}

#else

int main(int argc, char **argv)
{
	tests_quiet(argc, argv);
	uncore_component(__FILE__);
	test_skip(__FILE__, __LINE__, "this version of PAPI has no presets of components",
		  PAPI_ECMP);
	return 0;
}

#endif
