/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Count the first listed event for a moment.  In PAPI's test conventions: part
 * of `make comp_tests` in a PAPI tree; skips on a machine without an uncore.
 * With UNCORE_MACHINE=sim:snbep it runs anywhere, on simulated registers.
 */
#include <stdio.h>
#include <unistd.h>

#include "papi.h"
#include "papi_test.h"

static void check(int ret, const char *call, int line)
{
	if (ret != PAPI_OK)
		test_fail(__FILE__, line, call, ret);
}

#define CHECK(call) check(call, #call, __LINE__)

int main(int argc, char **argv)
{
	int quiet = tests_quiet(argc, argv);
	int cidx, code = PAPI_NATIVE_MASK, set = PAPI_NULL;
	const PAPI_component_info_t *info;
	char name[PAPI_MAX_STR_LEN];
	long long value = -1;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		test_fail(__FILE__, __LINE__, "PAPI_library_init", PAPI_EINVAL);
	cidx = PAPI_get_component_index("uncore");
	if (cidx < 0)
		test_fail(__FILE__, __LINE__, "PAPI_get_component_index", cidx);
	info = PAPI_get_component_info(cidx);
	if (info->disabled)
		test_skip(__FILE__, __LINE__, info->disabled_reason, info->disabled);

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
	CHECK(PAPI_cleanup_eventset(set));
	CHECK(PAPI_destroy_eventset(&set));
	test_pass(__FILE__);
	return 0;
}
