// SPDX-License-Identifier: BSD-3-Clause
// nodes_test.cc - node= in the names that PAPI is given.
#include "papi/papi_calls.h"

#include <cstdlib>

namespace
{

long long count_of(const std::vector<std::string> &names, std::vector<long long> *counts)
{
	int set = PAPI_NULL, code;

	counts->assign(names.size(), 0);
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
	    PAPI_create_eventset(&set) != PAPI_OK)
		return -1;
	for (const std::string &name : names)
		if ((code = PAPI_add_named_event(set, ("uncore:::" + name).c_str())) != PAPI_OK) {
			printf("%s: %s\n", name.c_str(), PAPI_strerror(code));
			return -1;
		}
	if (PAPI_start(set) != PAPI_OK)
		return -1;
	wait_ms(20);
	return PAPI_stop(set, counts->data()) == PAPI_OK ? 0 : -1;
}

// Channels 2, 3, 6 and 7 of package 0 serve node 1 by perf's table.
int count_clusters()
{
	std::vector<long long> n;

	setenv("UNCORE_MACHINE", "sim:spr:packages=2,cores=8,clusters=2", 1);
	if (count_of({"UNC_M_CAS_COUNT:RD:node=1", "UNC_M_CAS_COUNT:RD:box=2:pkg=0",
		      "UNC_M_CAS_COUNT:RD:box=3:pkg=0", "UNC_M_CAS_COUNT:RD:box=6:pkg=0",
		      "UNC_M_CAS_COUNT:RD:box=7:pkg=0", "UNCORE_MEM_READ_BYTES:node=1",
		      "UNC_CHA_TOR_INSERTS:IA_MISS:node=1", "UNC_CHA_TOR_INSERTS:IA_MISS:pkg=0"},
		     &n) < 0)
		return 1;
	printf("%s\n", name_of(code_of("UNC_M_CAS_COUNT:RD:node=1")).c_str());
	if (n[0] <= 0 || n[0] != n[1] + n[2] + n[3] + n[4] || n[5] != 64 * n[0])
		return 2;
	return n[6] > 0 && n[6] < n[7] ? 0 : 3;
}

const Mode clusters_mode("clusters", count_clusters);

TEST(Nodes, AreCountedByTheirBoxes)
{
	const Ended ended = run_mode("clusters");

	EXPECT_EQ(0, ended.status) << ended.output;
	EXPECT_NE(std::string::npos,
		  ended.output.find("uncore:::UNC_M_CAS_COUNT:RD:box=2_3.6_7:pkg=0\n"))
		<< ended.output;
}

TEST(Nodes, ThatDoNotExistAreRefused)
{
	EventSet set;

	EXPECT_EQ(PAPI_OK, set.add("UNC_M_CAS_COUNT:RD:node=1")); // all of package 1
	EXPECT_EQ("uncore:::UNC_M_CAS_COUNT:RD:pkg=1",
		  name_of(code_of("UNC_M_CAS_COUNT:RD:node=1")));
	EXPECT_EQ(PAPI_EATTR, set.add("UNC_M_CAS_COUNT:RD:node=2"));
}

} // namespace
