// SPDX-License-Identifier: BSD-3-Clause
// descriptors_test.cc - programs that run without standard descriptors.
#include "papi/papi_calls.h"

#include <cstdlib>

#include "support/closed.h"
#include "support/mounted.h"

namespace
{

// CLOSED: the descriptors; CLOSED_ROOT: where the machine is mounted.
int count_without_descriptors()
{
	const char *root = std::getenv("CLOSED_ROOT");

	setenv("UNCORE_MACHINE", "native", 1);
	setenv("UNCORE_SYSROOT", root, 1);
	setenv("UNCORE_VERBOSE", "1", 1); // to standard error
	support::close_standard(static_cast<unsigned>(std::atoi(std::getenv("CLOSED"))));
	const support::Printer printer(root);
	papi_init();
	EventSet set({kMemClock, kCacheClock});

	if (PAPI_start(set.id) != PAPI_OK || code_of("UNC_C_NONSENSE") >= 0)
		return 1;
	std::printf("printed\n");
	std::fflush(stdout);
	while (printer.rounds() < 3)
		wait_ms(1);
	long long counts[2];
	const int ret = PAPI_stop(set.id, counts);
	return ret != PAPI_OK ? 2 : printer.saw_register() ? 3 : 0;
}
const Mode without_descriptors("without descriptors", count_without_descriptors);

TEST(Descriptors, OutputToClosedOnesReachesNoRegister)
{
#if defined(__SANITIZE_THREAD__) && defined(__clang__)
	GTEST_SKIP() << "Clang's thread sanitizer aborts at a race for a descriptor";
#endif
	const std::string why = support::cannot_mount();

	if (!why.empty())
		GTEST_SKIP() << why;
	char name[] = "/tmp/uncore-trace-XXXXXX";
	close(mkstemp(name));
	const std::string trace = name;
	const support::Mounted files("sim:snbep:cores=4,time=virtual", trace);
	size_t lines = 0;
	std::vector<std::string> expected;

	for (unsigned closed = 0; closed < 8; closed++) {
		support::writes_since(trace, &lines);
		EXPECT_EQ(0, run_mode("without descriptors", {{"CLOSED", std::to_string(closed)},
							      {"CLOSED_ROOT", files.root}})
				     .status)
			<< closed;
		const auto writes = support::writes_since(trace, &lines);

		if (closed == 0)
			expected = writes;
		EXPECT_LT(10U, writes.size()) << closed;
		EXPECT_EQ(expected, writes) << closed;
	}
	unlink(name);
}

} // namespace
