/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    uncore_test.h
 * @brief   Functions shared by the tests of the component uncore.
 */
#ifndef UNCORE_TEST_H
#define UNCORE_TEST_H

#include <stdio.h>
#include <string.h>

#include "papi.h"
#include "papi_test.h"

static inline void check(int ret, const char *file, int line, const char *call)
{
	if (ret != PAPI_OK)
		test_fail(file, line, call, ret);
}

#define CHECK(call) check(call, __FILE__, __LINE__, #call)

/* Check that a call fails with this code. */
#define REFUSED(call, code)                                                              \
	do {                                                                             \
		int refused_ = (call);                                                   \
		if (refused_ != (code))                                                  \
			test_fail(__FILE__, __LINE__, #call " did not fail with " #code, \
				  refused_);                                             \
	} while (0)

/*
 * Initialize PAPI and return the component's index; skip the test if the component is disabled.
 * The component detects the machine, and may become disabled, when its events are first used.
 */
static inline int uncore_component(const char *file)
{
	const PAPI_component_info_t *info;
	int code = PAPI_NATIVE_MASK, cidx, ret;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		test_fail(file, __LINE__, "PAPI_library_init", PAPI_EINVAL);
	cidx = PAPI_get_component_index("uncore");
	if (cidx < 0)
		test_skip(file, __LINE__, "PAPI was built without the component uncore", cidx);
	ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, cidx);
	info = PAPI_get_component_info(cidx);
	if (info->disabled)
		test_skip(file, __LINE__, info->disabled_reason, info->disabled);
	if (ret != PAPI_OK)
		test_fail(file, __LINE__, "PAPI_enum_cmp_event", ret);
	return cidx;
}

static inline void uncore_destroy(int *set)
{
	CHECK(PAPI_cleanup_eventset(*set));
	CHECK(PAPI_destroy_eventset(set));
}

#endif
