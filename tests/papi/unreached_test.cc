// SPDX-License-Identifier: BSD-3-Clause
// unreached_test.cc - PAPI events that would lack a box that could not be reached.
#include "papi/papi_calls.h"

#include <cstdlib>

#include <unistd.h>

#include "support/tree.h"

namespace
{

// LOST_ROOT: the machine; LOST_PARTIAL: UNCORE_PARTIAL.  Prints which of these can be added,
// and why not, to standard output.
int add_events()
{
	setenv("UNCORE_MACHINE", "native", 1);
	setenv("UNCORE_SYSROOT", std::getenv("LOST_ROOT"), 1);
	setenv("UNCORE_PARTIAL", std::getenv("LOST_PARTIAL"), 1);
	setenv("UNCORE_VERBOSE", "1", 1);
	dup2(STDOUT_FILENO, STDERR_FILENO);
	papi_init();
	int set = PAPI_NULL;

	if (PAPI_create_eventset(&set) != PAPI_OK)
		return 1;
	for (const char *name : {"UNC_M_CAS_COUNT:RD", "UNCORE_MEM_READ_BYTES",
				 "UNC_M_CAS_COUNT:RD:box=1", "UNC_H_CLOCKTICKS"}) {
		const int r = PAPI_add_named_event(set, ("uncore:::" + std::string(name)).c_str());

		std::printf("%s %s\n", name, r == PAPI_OK ? "added" : "refused");
		std::fflush(stdout);
	}
	return 0;
}
const Mode add_events_mode("add events", add_events);

TEST(Unreached, SumsAndMetricsAreRefusedWithTheSentence)
{
	support::Tree tree;

	tree.one_package();
	tree.resize(support::Tree::config_name(0x7f, 16, 4), 64);
	const Ended refused =
		run_mode("add events", {{"LOST_ROOT", tree.root}, {"LOST_PARTIAL", "0"}});
	const Ended partial =
		run_mode("add events", {{"LOST_ROOT", tree.root}, {"LOST_PARTIAL", "1"}});

	EXPECT_EQ(0, refused.status);
	for (const char *part :
	     {"uncore: UNC_M_CAS_COUNT would miss boxes: imc2 of package 0 cannot be reached: ",
	      "uncore: UNCORE_MEM_READ_BYTES: ", "UNC_M_CAS_COUNT:RD refused\n",
	      "UNCORE_MEM_READ_BYTES refused\n", "UNC_M_CAS_COUNT:RD:box=1 added\n",
	      "UNC_H_CLOCKTICKS added\n"})
		EXPECT_NE(refused.output.npos, refused.output.find(part)) << part << "\n"
									  << refused.output;
	EXPECT_EQ(0, partial.status);
	for (const char *part :
	     {"imc2 of package 0 cannot be reached, so sums over imc do not include them",
	      "UNC_M_CAS_COUNT:RD added\n", "UNCORE_MEM_READ_BYTES added\n"})
		EXPECT_NE(partial.output.npos, partial.output.find(part)) << part << "\n"
									  << partial.output;
}

} // namespace
