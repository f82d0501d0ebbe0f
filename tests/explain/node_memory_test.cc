// SPDX-License-Identifier: BSD-3-Clause
// node_memory_test.cc - the traffic of `uncore ceilings --nodes` is on the node that it is meant
// for.  The lab runs it in a guest with several nodes (tests/lab/cases/nodes.sh).
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include <numaif.h>
#include <unistd.h>

#include "command/load/inside.h"

namespace
{

TEST(NodeMemory, AllPagesAreOnTheNode)
{
	const long page = sysconf(_SC_PAGESIZE);
	FILE *online = fopen("/sys/devices/system/node/has_memory", "re");
	unsigned first = 0, last = 0, tried = 0;

	if (!online)
		GTEST_SKIP() << "this kernel has no NUMA nodes";
	const int n = fscanf(online, "%u-%u", &first, &last);
	fclose(online);
	last = n < 2 ? first : last;
	for (unsigned node = first; node <= last; node++) {
		const load_wanted wanted = {
			LOAD_READ, LOAD_ANYWHERE, LOAD_ANYWHERE, node + 1, 16 << 20, 0, {}};
		char why[256] = "";
		load *l = load_new(&wanted, why, sizeof(why));

		if (!l) {
			GTEST_LOG_(INFO) << "not tried: node " << node << ": " << why;
			continue;
		}
		std::vector<void *> pages;
		for (size_t at = 0; at < wanted.bytes; at += static_cast<size_t>(page))
			pages.push_back(static_cast<char *>(l->memory) + at);
		std::vector<int> status(pages.size(), -1);
		if (move_pages(0, pages.size(), pages.data(), nullptr, status.data(), 0) == 0) {
			tried++;
			for (const int on : status)
				ASSERT_EQ(static_cast<int>(node), on);
		}
		load_free(l);
	}
	GTEST_LOG_(INFO) << "pages on " << tried << " nodes";
	if (!tried)
		GTEST_SKIP() << "no node's memory can be bound here";
}

} // namespace
