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
	return {kind, LOAD_ANYWHERE, LOAD_ANYWHERE, kBytes, 1000};
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

} // namespace
