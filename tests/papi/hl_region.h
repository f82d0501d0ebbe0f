/* SPDX-License-Identifier: BSD-3-Clause */
/* hl_region.h - regions of PAPI's high-level API, which PAPI before 6.0 does not have. */
#ifndef TESTS_PAPI_HL_REGION_H
#define TESTS_PAPI_HL_REGION_H

#include <filesystem>

#include <papi.h>

#include "papi/papi_calls.h"

#if PAPI_VERSION < PAPI_VERSION_NUMBER(6, 0, 0, 0)
constexpr bool kHasRegions = false;
inline void hl_region(double)
{
	FAIL() << "not in this PAPI";
}
#else
constexpr bool kHasRegions = true;
inline void hl_region(double ms)
{
	EXPECT_EQ(PAPI_OK, PAPI_hl_region_begin("work"));
	wait_ms(ms);
	EXPECT_EQ(PAPI_OK, PAPI_hl_region_end("work"));
}
#endif

/* Whether it is what the API writes: rank_000000.json, in 6.0 rank_ and six other characters. */
inline bool is_hl_output(const std::filesystem::directory_entry &entry)
{
	return entry.is_regular_file() && entry.path().filename().string().rfind("rank_", 0) == 0;
}

#endif
