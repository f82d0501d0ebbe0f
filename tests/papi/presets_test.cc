// SPDX-License-Identifier: BSD-3-Clause
// presets_test.cc - presets after PAPI was initialized again; PAPI 7.2 and later have presets of
// components, and errors that src/build/papi_corrections.sh corrects in the libpapi of this build.
#include "papi/papi_calls.h"

namespace
{

#ifdef PAPI_MAX_uncore_PRESETS

void expect_presets()
{
	const int codes[] = {PAPI_UNCORE_MEM_READ_BYTES, PAPI_UNCORE_MEM_BYTES,
			     PAPI_UNCORE_LLC_MISSES};
	long long count = 0;
	int set = PAPI_NULL, code = 0;

	for (int preset : codes) {
		ASSERT_EQ(PAPI_OK, PAPI_event_name_to_code(name_of(preset).c_str(), &code));
		EXPECT_EQ(preset, code) << name_of(preset);
	}
	ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&set));
	EXPECT_EQ(PAPI_OK, PAPI_add_named_event(set, "PAPI_UNCORE_LLC_MISSES"));
	EXPECT_EQ(PAPI_OK, PAPI_add_named_event(set, "PAPI_UNCORE_MEM_BYTES"));
	EXPECT_EQ(PAPI_OK, PAPI_remove_event(set, PAPI_UNCORE_LLC_MISSES));
	EXPECT_EQ(1, PAPI_num_events(set));
	EXPECT_EQ(PAPI_OK, PAPI_start(set));
	wait_ms(5);
	EXPECT_EQ(PAPI_OK, PAPI_stop(set, &count));
	EXPECT_GT(count, 0);
	EXPECT_EQ(PAPI_OK, PAPI_cleanup_eventset(set));
	EXPECT_EQ(PAPI_OK, PAPI_destroy_eventset(&set));
}

#else

void expect_presets()
{
	int code;

	EXPECT_NE(PAPI_OK, PAPI_event_name_to_code("PAPI_UNCORE_MEM_BYTES", &code));
}

#endif

// Names that look like presets, or have a qualifier that the preset lacks.
void expect_no_others()
{
	int code = 0;

	EXPECT_NE(PAPI_OK, PAPI_event_name_to_code("PAPI_UNKNOWN", &code));
	EXPECT_NE(PAPI_OK, PAPI_event_name_to_code("PAPI_UNCORE_MEM_BYTES:pkg=0", &code));
	EXPECT_NE(PAPI_OK, PAPI_event_name_to_code("PAPI_TOT_CYC:nothing=1", &code));
}

int again()
{
	for (int i = 0; i < 3; i++) {
		papi_init();
		expect_presets();
		expect_no_others();
		PAPI_shutdown();
	}
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode again_mode("presets again", again);

TEST(Presets, AreTheSameAfterShutdown)
{
	const Ended ended = run_mode("presets again");

	EXPECT_EQ(0, ended.status) << ended.output;
}

// The child's PAPI begins with the numbers of the parent's.
int forked()
{
	papi_init();
	expect_presets();
	const Ended child = in_child([] {
		papi_init();
		expect_presets();
		PAPI_shutdown();
		return testing::Test::HasFailure() ? 1 : 0;
	});

	EXPECT_EQ(0, child.status) << child.output;
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode forked_mode("presets of a child", forked);

TEST(Presets, AreTheSameInAChildThatInitializesPapi)
{
	const Ended ended = run_mode("presets of a child");

	EXPECT_EQ(0, ended.status) << ended.output;
}

} // namespace
