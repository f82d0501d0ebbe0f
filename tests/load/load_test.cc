// SPDX-License-Identifier: BSD-3-Clause
// load_test.cc - loads move the number of lines that they report, in the requested memory.
#include <sched.h>

#include <cstring>
#include <set>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "command/load/inside.h"
}

namespace
{

constexpr size_t kBytes = size_t{1} << 20, kLines = kBytes / LOAD_LINE;

load_wanted wanted(load_kind kind)
{
	load_wanted w = {};

	w.kind = kind;
	w.cpu = w.memory_cpu = LOAD_ANYWHERE;
	w.bytes = kBytes;
	w.hops = 1000;
	return w;
}

load_moved run(load_kind kind)
{
	const load_wanted w = wanted(kind);
	load_moved moved = {};
	char why[256] = "";
	load *l = load_new(&w, why, sizeof(why));

	EXPECT_NE(nullptr, l) << why;
	if (l) {
		EXPECT_TRUE(load_run(l, &moved, why, sizeof(why))) << why;
		EXPECT_TRUE(load_flush(l, why, sizeof(why))) << why;
	}
	load_free(l);
	return moved;
}

TEST(Load, MovesItsLines)
{
	EXPECT_EQ(kLines, run(LOAD_READ).reads);
	EXPECT_EQ(0U, run(LOAD_READ).writes);
	EXPECT_EQ(0U, run(LOAD_WRITE).reads);
	EXPECT_EQ(kLines, run(LOAD_WRITE).writes);
	EXPECT_EQ(kLines / 2, run(LOAD_COPY).reads);
	EXPECT_EQ(kLines / 2, run(LOAD_COPY).writes);
	EXPECT_EQ(kLines / 3 * 2, run(LOAD_TRIAD).reads);
	EXPECT_EQ(kLines / 3, run(LOAD_TRIAD).writes);
	EXPECT_EQ(1000U, run(LOAD_CHASE).reads);
	EXPECT_LT(0U, run(LOAD_CHASE).ns);
}

struct alignas(LOAD_LINE) Line {
	unsigned char bytes[LOAD_LINE];
};

TEST(Load, WritesAndCopiesEachByte)
{
	std::vector<Line> lines(128);

	load_write(lines.data(), 64 * LOAD_LINE);
	load_copy(lines.data() + 64, lines.data(), 64 * LOAD_LINE);
	for (const Line &line : lines)
		for (const unsigned char byte : line.bytes)
			ASSERT_EQ(0x5a, byte);
}

TEST(Load, AChaseComesToEachLineOnce)
{
	std::vector<Line> lines(1000);
	std::set<void *> seen;
	void *at = lines.data();

	load_thread_lines(lines.data(), lines.size() * LOAD_LINE);
	for (size_t i = 0; i < lines.size(); i++) {
		seen.insert(at);
		at = load_chase(at, 1);
	}
	EXPECT_EQ(lines.size(), seen.size());
	EXPECT_EQ(lines.data(), at);
}

TEST(Load, RunsInItsPlaceAndComesBack)
{
	cpu_set_t before, after;
	load_wanted w = wanted(LOAD_READ);
	load_moved moved;
	char why[256] = "";

	ASSERT_EQ(0, sched_getaffinity(0, sizeof(before), &before));
	w.cpu = sched_getcpu();
	load *l = load_new(&w, why, sizeof(why));
	ASSERT_NE(nullptr, l) << why;
	EXPECT_TRUE(load_run(l, &moved, why, sizeof(why))) << why;
	load_free(l);
	ASSERT_EQ(0, sched_getaffinity(0, sizeof(after), &after));
	EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(Load, AMissingCpuIsReported)
{
	load_wanted w = wanted(LOAD_READ);
	char why[256] = "";

	w.cpu = CPU_SETSIZE - 1;
	EXPECT_EQ(nullptr, load_new(&w, why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "cannot run on CPU 1023")) << why;
	w.cpu = LOAD_ANYWHERE;
	w.memory_cpu = CPU_SETSIZE - 1;
	EXPECT_EQ(nullptr, load_new(&w, why, sizeof(why)));
	EXPECT_TRUE(strstr(why, "CPU 1023") || strstr(why, "without libnuma")) << why;
}

TEST(Load, MemoryOfANode)
{
	load_wanted w = wanted(LOAD_WRITE);
	load_moved moved;
	char why[256] = "";

	w.memory_cpu = sched_getcpu();
	load *l = load_new(&w, why, sizeof(why));
	if (!l)
		GTEST_SKIP() << why;
	EXPECT_TRUE(load_run(l, &moved, why, sizeof(why))) << why;
	EXPECT_EQ(kLines, moved.writes);
	load_free(l);
}

TEST(Load, TriadComputesEachElement)
{
	std::vector<double> a(64), b(64, 2), c(64, 5);

	load_triad(a.data(), b.data(), c.data(), a.size() * sizeof(double));
	for (const double value : a)
		EXPECT_EQ(17, value);
}

TEST(Load, ReadsALineAgain)
{
	const load_wanted w = wanted(LOAD_READ);
	load_moved moved = {};
	char why[256] = "";
	load *l = load_new(&w, why, sizeof(why));

	ASSERT_NE(nullptr, l) << why;
	EXPECT_TRUE(load_run_line(l, kBytes - LOAD_LINE, 100, &moved, why, sizeof(why))) << why;
	EXPECT_EQ(100u, moved.reads);
	EXPECT_LT(0u, moved.ns);
	load_free(l);
}

// Physical addresses are hidden from other users than root, and memory need not be contiguous.
TEST(Load, ABlockIsContiguousOrTheReasonIsGiven)
{
	load_wanted w = wanted(LOAD_READ);
	char why[256] = "";
	size_t offset = 1;
	uint64_t address = 1;

	w.bytes = size_t{16} << 20;
	load *l = load_new(&w, why, sizeof(why));
	ASSERT_NE(nullptr, l) << why;
	if (load_find_block(l, kBytes, &offset, &address, why, sizeof(why))) {
		EXPECT_EQ(0u, address % kBytes);
		EXPECT_EQ(0u, offset % 4096);
		EXPECT_LE(offset, w.bytes - kBytes);
	} else {
		EXPECT_TRUE(strstr(why, "physical addresses are hidden") ||
			    strstr(why, "no contiguous physical memory") || strstr(why, "pagemap"))
			<< why;
	}
	EXPECT_FALSE(load_find_block(l, size_t{1} << 30, &offset, &address, why, sizeof(why)));
	load_free(l);
}

TEST(Load, SeveralRunTogether)
{
	load_member members[3] = {};
	char why[256] = "";

	for (load_member &m : members)
		m.wanted = wanted(LOAD_READ);
	members[0].wanted.kind = LOAD_CHASE;
	ASSERT_TRUE(load_run_together(members, 3, 0.05, why, sizeof(why))) << why;
	EXPECT_EQ(0u, members[0].moved.reads % 1000);
	for (const load_member &m : members) {
		EXPECT_LE(kLines / 100, m.moved.reads);
		EXPECT_LE(20000000u, m.moved.ns); // its loops only
	}
	members[1].wanted.cpu = CPU_SETSIZE - 1;
	EXPECT_FALSE(load_run_together(members, 3, 0.05, why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "cannot run on CPU 1023")) << why;
}

} // namespace
