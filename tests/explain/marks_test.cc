// SPDX-License-Identifier: BSD-3-Clause
// marks_test.cc - the regions of a program that is explained: lines that the library writes, and
// what is read from them.
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "support/handle.h"
#include "support/sized.h"
#include "uncore_marker.h"

extern "C" {
#include "base/marks.h"
#include "command/explain/marks.h"
}

namespace
{

struct Taken {
	explicit Taken(std::string text, double end = 100)
	{
		marks_take(&all, &text[0], end);
	}
	~Taken()
	{
		marks_close(&all);
	}
	Taken(const Taken &) = delete;
	Taken &operator=(const Taken &) = delete;

	std::string times(size_t region) const
	{
		const marked_region &r = all.regions[region];
		std::string text = std::string(r.name) + " " + std::to_string(r.calls) + ":";

		for (size_t i = 0; i < r.n; i++)
			text += " " + std::to_string(static_cast<int>(r.times[i].begin)) + "-" +
				std::to_string(static_cast<int>(r.times[i].end));
		return text;
	}
	marks all = {-1, 0, nullptr, 0};
};

TEST(Marks, AreTheTimesInWhichAThreadWasInside)
{
	const Taken taken("1000000000 + a\n2000000000 + b\n3000000000 + a\n4000000000 - a\n"
			  "5000000000 - a\n6000000000 - b\n7000000000 + a\n8000000000 - a\n");

	ASSERT_EQ(2U, taken.all.n);
	EXPECT_EQ("a 3: 1-5 7-8", taken.times(0));
	EXPECT_EQ("b 1: 2-6", taken.times(1));
}

TEST(Marks, OfARegionThatWasNotEndedEndWithTheRun)
{
	const Taken taken("1000000000 + a b\n", 9);

	ASSERT_EQ(1U, taken.all.n);
	EXPECT_EQ("a b 1: 1-9", taken.times(0));
}

TEST(Marks, ThatAreDamagedAreIgnored)
{
	const Taken taken(
		"\n+ a\n1\n1 \n1 + \n1 * a\nx + a\n1 - never\n99999999999999999999999 + big\n1 +a\n");

	for (size_t i = 0; i < taken.all.n; i++)
		EXPECT_LE(taken.all.regions[i].n, 1U);
	EXPECT_EQ(2U, taken.all.n); // "never", which has no begin, and "big"
	EXPECT_EQ(0U, taken.all.regions[0].n);
}

TEST(Marks, OfTooManyRegionsAreLeftOut)
{
	std::string text;

	for (int i = 0; i < 100; i++)
		text += "1 + r" + std::to_string(i) + "\n";
	const Taken taken(text);
	EXPECT_EQ(static_cast<size_t>(REGIONS_MOST), taken.all.n);
	EXPECT_EQ(100U - REGIONS_MOST, taken.all.left_out);
}

// ---- writing ----

class Marked : public testing::Test
{
      protected:
	Marked()
	{
		marks_open(&all);
	}
	~Marked() override
	{
		unsetenv("UNCORE_MARKS");
		marks_close(&all);
	}
	std::string read() const
	{
		std::string text(100000, '\0');
		const ssize_t n = pread(all.file, &text[0], text.size(), 0);

		text.resize(n < 0 ? 0 : static_cast<size_t>(n));
		return text;
	}
	marks all = {};
};

TEST_F(Marked, ThreadsWriteWholeLines)
{
	std::vector<std::thread> threads;
	const int fd = unc_marks_descriptor();

	EXPECT_EQ(all.file, fd);
	for (int t = 0; t < 4; t++)
		threads.emplace_back([fd, t] {
			for (int i = 0; i < 200; i++) {
				unc_mark(fd, true, ("region" + std::to_string(t)).c_str());
				unc_mark(fd, false, ("region" + std::to_string(t)).c_str());
			}
		});
	for (std::thread &thread : threads)
		thread.join();
	marks_read(&all, 1e12);
	ASSERT_EQ(4U, all.n);
	for (size_t i = 0; i < 4; i++) {
		EXPECT_EQ(200U, all.regions[i].calls);
		EXPECT_EQ(200U, all.regions[i].n);
	}
}

// The number of a descriptor that the program has closed may be that of one of its own files.
TEST_F(Marked, NoOtherFileIsWrittenTo)
{
	const int fd = unc_marks_descriptor();
	char name[] = "/tmp/uncore-marks-XXXXXX";
	const int own = mkstemp(name), saved = dup(fd);

	ASSERT_LE(0, dup2(own, fd));
	unc_mark(fd, true, "a");
	EXPECT_EQ(-1, unc_marks_descriptor());
	EXPECT_EQ(0, lseek(own, 0, SEEK_END));
	close(fd);
	unc_mark(fd, true, "a");
	ASSERT_LE(0, dup2(saved, fd));
	close(saved);
	close(own);
	unlink(name);
	for (const char *value : {"", "x", "-1", "0", "1", "2", "99999999999", "1000000"}) {
		setenv("UNCORE_MARKS", value, 1);
		EXPECT_EQ(-1, unc_marks_descriptor()) << value;
	}
	EXPECT_EQ("", read());
}

TEST_F(Marked, MarkersOpenNoMachineAndCountNothing)
{
	uncore_marker *m = nullptr;
	int n = 3, calls = 7;
	double events[3], seconds = 1;

	setenv("UNCORE_MACHINE", "sim:none", 1);
	EXPECT_EQ(1, uncore_marker_init(&m));
	unsetenv("UNCORE_MACHINE");
	EXPECT_EQ(0, uncore_marker_region(m, "solve", UNCORE_MARK_REGISTER));
	EXPECT_EQ(0, uncore_marker_region(m, "solve", UNCORE_MARK_START));
	EXPECT_EQ(0, uncore_marker_region(m, "solve", UNCORE_MARK_STOP));
	EXPECT_EQ(0, uncore_marker_region(m, "solve", UNCORE_MARK_RESET));
	EXPECT_EQ(0, uncore_marker_get(m, "solve", &n, events, &seconds, &calls));
	EXPECT_EQ(0, n);
	EXPECT_EQ(0, calls);
	EXPECT_EQ(0, uncore_marker_switch(m));
	EXPECT_EQ(0, uncore_marker_write(m, "/nonexistent/file"));
	EXPECT_EQ(0, uncore_marker_close(&m));
	EXPECT_EQ(nullptr, m);
	marks_read(&all, 1e12);
	ASSERT_EQ(1U, all.n);
	EXPECT_STREQ("solve", all.regions[0].name);
	EXPECT_EQ(1U, all.regions[0].n);
}

TEST_F(Marked, RegionsOfAProgramThatCountsItselfAreMarkedToo)
{
	auto options = support::sized<uncore_options>();
	unsigned id;

	options.machine = "sim:snbep:packages=1,cores=1,time=virtual";
	const support::Handle h(options);
	support::Set set(h, {"UNC_M_CAS_COUNT:RD"});
	ASSERT_EQ(0, uncore_region(set.set, "own", &id));
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(0, uncore_region_begin(set.set, id));
	EXPECT_EQ(0, uncore_region_end(set.set, id));
	EXPECT_EQ(0, set.stop());
	marks_read(&all, 1e12);
	ASSERT_EQ(1U, all.n);
	EXPECT_STREQ("own", all.regions[0].name);
}

} // namespace
