/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    uncore_basic.c
 * @brief   Count the first listed event for 10 ms.
 */
#include <unistd.h>

#include "uncore_test.h"

int main(int argc, char **argv)
{
	int quiet = tests_quiet(argc, argv);
	int cidx = uncore_component(__FILE__);
	int code = PAPI_NATIVE_MASK, set = PAPI_NULL;
	const PAPI_component_info_t *info = PAPI_get_component_info(cidx);
	char name[PAPI_MAX_STR_LEN];
	long long value = -1;

	CHECK(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, cidx));
	CHECK(PAPI_event_code_to_name(code, name));
	CHECK(PAPI_create_eventset(&set));
	CHECK(PAPI_add_event(set, code));
	CHECK(PAPI_start(set));
	usleep(10000);
	CHECK(PAPI_stop(set, &value));
	if (!quiet)
		printf("%s: %s = %lld\n", info->description, name, value);
	if (value < 0)
		test_fail(__FILE__, __LINE__, "count is negative", PAPI_EMISC);
	uncore_destroy(&set);
	test_pass(__FILE__);
	return 0;
}
