// SPDX-License-Identifier: BSD-3-Clause
// marks_test.cc - the regions of a program that is explained: lines that the library writes, and
// what is read from them.
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
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
	marks all = {-1, 0, nullptr, 0, 0, nullptr, false, false};
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
	// The lines after the first one.
	std::string read() const
	{
		std::string text(100000, '\0');
		const ssize_t n = pread(all.file, &text[0], text.size(), 0);

		text.resize(n < 0 ? 0 : static_cast<size_t>(n));
		return text.substr(text.find('\n') + 1);
	}
	static unc_marks found()
	{
		unc_marks m;

		unc_marks_find(&m);
		return m;
	}
	marks all = {};
};

TEST_F(Marked, ThreadsWriteWholeLines)
{
	std::vector<std::thread> threads;
	const unc_marks m = found();

	EXPECT_EQ(all.file, m.fd);
	for (int t = 0; t < 4; t++)
		threads.emplace_back([&m, t] {
			for (int i = 0; i < 200; i++) {
				unc_mark(&m, true, ("region" + std::to_string(t)).c_str());
				unc_mark(&m, false, ("region" + std::to_string(t)).c_str());
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

// The number of a descriptor that the program has closed may be that of one of its own files: on a
// disk, in memory, with the same first line, or a pipe.
TEST_F(Marked, NoOtherFileIsWrittenTo)
{
	const unc_marks m = found();
	const std::string value = getenv("UNCORE_MARKS");
	char name[] = "/tmp/uncore-marks-XXXXXX";
	int ends[2];
	ASSERT_EQ(0, pipe(ends));
	const int saved = dup(m.fd);
	const int files[] = {mkstemp(name), memfd_create("uncore-marks", MFD_ALLOW_SEALING),
			     memfd_create("uncore-marks", 0)};

	unlink(name);
	ASSERT_LT(0, dprintf(files[2], "%s%s\n", UNC_MARKS_HEAD, m.key));
	for (const int own : files) {
		const off_t before = lseek(own, 0, SEEK_END);

		ASSERT_LE(0, dup2(own, m.fd));
		unc_mark(&m, true, "a");
		EXPECT_EQ(before, lseek(own, 0, SEEK_END));
		EXPECT_EQ(-1, found().fd);
	}
	ASSERT_LE(0, dup2(ends[1], m.fd));
	ASSERT_EQ(0, fcntl(ends[0], F_SETFL, O_NONBLOCK));
	unc_mark(&m, true, "a");
	char byte;
	EXPECT_EQ(-1, ::read(ends[0], &byte, 1));
	close(m.fd);
	unc_mark(&m, true, "a");
	EXPECT_EQ(-1, found().fd);
	EXPECT_EQ("", [&] {
		dup2(saved, m.fd);
		return read();
	}());
	EXPECT_EQ(m.fd, found().fd);
	for (const int fd : {saved, files[0], files[1], files[2], ends[0], ends[1]})
		close(fd);
}

TEST_F(Marked, OnlyTheWholeNameOfTheFileIsBelieved)
{
	const std::string value = getenv("UNCORE_MARKS");
	const std::string fd = std::to_string(all.file), key = value.substr(value.rfind(':') + 1);
	std::string other = value;

	other.back() = other.back() == '0' ? '1' : '0';
	for (const std::string &wrong :
	     {std::string(), std::string("x"), std::string("-1"), fd, fd + ":", fd + ":1:2:" + key,
	      "0" + value.substr(fd.size()), "2" + value.substr(fd.size()), other, value + "0",
	      value.substr(0, value.size() - 1), std::string("99999999999") + value,
	      value.substr(0, value.rfind(':'))}) {
		setenv("UNCORE_MARKS", wrong.c_str(), 1);
		EXPECT_EQ(-1, found().fd) << wrong;
	}
	setenv("UNCORE_MARKS", value.c_str(), 1);
	EXPECT_EQ(all.file, found().fd);
}

TEST_F(Marked, ANameIsPartOfOneLineAndWholeCharacters)
{
	const unc_marks m = found();
	std::string name;

	unc_mark(&m, true, "two\nlines");
	for (int i = 0; i < 100; i++)
		name += "\u00e4"; // two bytes each
	unc_mark(&m, true, ("x" + name).c_str());
	marks_read(&all, 1e12);
	ASSERT_EQ(2U, all.n);
	EXPECT_STREQ("two lines", all.regions[0].name);
	EXPECT_EQ("x" + name.substr(0, 126), all.regions[1].name);
	EXPECT_EQ(nullptr, marks_problem(&all));
}

// ---- a program that changes the file ----

TEST_F(Marked, AFileOfATerabyteHasTheRegionsBeforeIt)
{
	const unc_marks m = found();

	unc_mark(&m, true, "early");
	unc_mark(&m, false, "early");
	ASSERT_EQ(0, ftruncate(all.file, static_cast<off_t>(1) << 40));
	unc_mark(&m, true, "late");
	marks_read(&all, 1e12);
	ASSERT_EQ(1U, all.n);
	EXPECT_STREQ("early", all.regions[0].name);
	EXPECT_TRUE(all.damaged);
	EXPECT_NE(nullptr, marks_problem(&all));
}

TEST_F(Marked, AHoleIsDamage)
{
	const unc_marks m = found();

	unc_mark(&m, true, "early");
	ASSERT_EQ(0, ftruncate(all.file, 4096));
	unc_mark(&m, true, "late");
	marks_read(&all, 1e12);
	EXPECT_EQ(1U, all.n);
	EXPECT_TRUE(all.damaged);
}

TEST_F(Marked, AShorterFileIsDamaged)
{
	const unc_marks m = found();

	unc_mark(&m, true, "early");
	ASSERT_EQ(0, ftruncate(all.file, 7));
	unc_mark(&m, true, "late");
	marks_read(&all, 1e12);
	EXPECT_EQ(0U, all.n);
	EXPECT_TRUE(all.damaged);
	EXPECT_EQ(7, lseek(all.file, 0, SEEK_END));
}

TEST_F(Marked, AFullFileIsNotWrittenTo)
{
	const unc_marks m = found();
	const std::string line = "1000000000 + a\n2000000000 - a\n";
	std::string text;

	while (text.size() < 1U << 20)
		text += line;
	while (lseek(all.file, 0, SEEK_END) + static_cast<off_t>(text.size()) <= all.most)
		ASSERT_EQ(static_cast<ssize_t>(text.size()),
			  write(all.file, text.data(), text.size()));
	while (lseek(all.file, 0, SEEK_END) + UNC_MARKS_LINE <= all.most)
		ASSERT_LT(0, write(all.file, line.data(), line.size()));
	const off_t before = lseek(all.file, 0, SEEK_END);
	unc_mark(&m, true, "late");
	EXPECT_EQ(before, lseek(all.file, 0, SEEK_END));
	marks_read(&all, 1e12);
	ASSERT_EQ(1U, all.n);
	EXPECT_FALSE(all.damaged);
	EXPECT_TRUE(all.full);
	EXPECT_NE(nullptr, marks_problem(&all));
}

// SIGXFSZ would end the program.
TEST_F(Marked, TheLimitOfTheProcessForFilesIsKept)
{
	const unc_marks m = found();
	rlimit before;

	ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &before));
	const rlimit low = {UNC_MARKS_LINE, before.rlim_max};
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &low));
	unc_mark(&m, true, "a");
	marks small;
	marks_open(&small);
	EXPECT_EQ(UNC_MARKS_LINE, small.most);
	marks_close(&small);
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &before));
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
