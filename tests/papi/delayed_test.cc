// SPDX-License-Identifier: BSD-3-Clause
//
// delayed_test.cc - PAPI_library_init() opens no machine; the first use of its events does.
#include <papi.h>

#include <cstdio>
#include <cstdlib>

#include "papi_calls.h"

namespace
{

const char *const kBytes = "uncore:::UNCORE_MEM_READ_BYTES";

const PAPI_component_info_t *info()
{
	return PAPI_get_component_info(component());
}

bool is_delayed()
{
	return info()->disabled == kDelayed && info()->disabled_reason[0] &&
	       info()->num_native_events > 0 && !info()->pmu_names[0];
}

bool counts()
{
	int set = PAPI_NULL;
	long long bytes = 0;

	return PAPI_create_eventset(&set) == PAPI_OK &&
	       PAPI_add_named_event(set, kBytes) == PAPI_OK && PAPI_start(set) == PAPI_OK &&
	       (wait_ms(2), PAPI_stop(set, &bytes) == PAPI_OK) && bytes > 0 &&
	       PAPI_cleanup_eventset(set) == PAPI_OK && PAPI_destroy_eventset(&set) == PAPI_OK &&
	       info()->disabled == 0 && !info()->disabled_reason[0] && info()->pmu_names[0];
}

int missing_machine()
{
	setenv("UNCORE_MACHINE", "file:/nowhere/machine.json", 1);
	papi_init();
	if (!is_delayed())
		return 1;
	int code;
	if (PAPI_event_name_to_code("uncore:::UNC_M_CAS_COUNT:RD", &code) == PAPI_OK)
		return 2;
	std::printf("%s\n", info()->disabled_reason);
	return info()->disabled && !is_delayed() ? 0 : 3;
}
const Mode missing_machine_mode("missing machine", missing_machine);

TEST(Delayed, AMachineThatCannotBeOpenedIsReportedWhenItsEventsAreUsed)
{
	const Ended ended = run_mode("missing machine");

	EXPECT_EQ(0, ended.status) << ended.output;
	EXPECT_NE(std::string::npos, ended.output.find("/nowhere/machine.json")) << ended.output;
}

int unused()
{
	for (int i = 0; i < 3; i++) {
		papi_init();
		if (!is_delayed())
			return 1;
		PAPI_shutdown();
	}
	papi_init();
	if (!counts())
		return 2;
	PAPI_shutdown();
	papi_init();
	if (!is_delayed())
		return 3;
	return counts() ? 0 : 4;
}
const Mode unused_mode("unused", unused);

TEST(Delayed, PapiCanBeInitializedAgainWhetherItWasUsedOrNot)
{
	EXPECT_EQ(0, run_mode("unused").status);
}

// A name that is another component's must not open the machine.
int others()
{
	int code;

	papi_init();
	PAPI_event_name_to_code("perf::INSTRUCTIONS", &code);
	PAPI_event_name_to_code("PAPI_TOT_CYC", &code);
	PAPI_event_name_to_code("nothing_like_it", &code);
	return is_delayed() ? 0 : 1;
}
const Mode others_mode("others", others);

TEST(Delayed, NamesOfOthersOpenNothing)
{
	EXPECT_EQ(0, run_mode("others").status);
}

// Intel's experimental events are listed only if the user asks for them.
int experimental()
{
	setenv("UNCORE_MACHINE", "sim:skx", 1);
	papi_init();
	const std::vector<int> few = listed_events();

	PAPI_shutdown();
	setenv("UNCORE_LIST_ALL", "1", 1);
	papi_init();
	const size_t all = listed_events().size();

	std::printf("%zu, %zu\n", few.size(), all);
	return few.size() > 100 && all > few.size() + 100 ? 0 : 1;
}
const Mode experimental_mode("experimental", experimental);

TEST(Delayed, ExperimentalEventsAreListedOnRequest)
{
	const Ended ended = run_mode("experimental");

	EXPECT_EQ(0, ended.status) << ended.output;
}

int child_of_unused()
{
	papi_init();
	const Ended child = in_child([] {
		papi_init();
		return counts() ? 0 : 1;
	});

	return child.status ? child.status : counts() ? 0 : 2;
}
const Mode child_of_unused_mode("child of unused", child_of_unused);

TEST(Delayed, AChildOfAProcessThatHasNotCountedCanCount)
{
	EXPECT_EQ(0, run_mode("child of unused").status);
}

} // namespace
