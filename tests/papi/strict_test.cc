// SPDX-License-Identifier: BSD-3-Clause
// strict_test.cc - UNCORE_STRICT: programs that only read get errors.
#include "papi/papi_calls.h"

#include <cstdlib>

#include "support/tree.h"

namespace
{

// Registers of a memory channel in the config space of its device (manual 327043, 2.5):
// counters from 0xa0 on, controls from 0xd8 on.
constexpr char kEvent[] = "UNC_M_CAS_COUNT:RD:box=0:pkg=0";
constexpr off_t kCounters = 0xa0, kControls = 0xd8, kEnd = 4096;
constexpr size_t kBytes = 0x60;
constexpr uint64_t kEnabled = 1 << 22;

// A machine that is made of files, whose registers a test can take or take away.
class Channel
{
      public:
	Channel()
	{
		tree.one_package();
		setenv("UNCORE_MACHINE", "native", 1);
		setenv("UNCORE_SYSROOT", tree.root.c_str(), 1);
		papi_init();
	}
	// The registers from the counters on cannot be read; they come back as they were.
	void vanish()
	{
		for (off_t at = 0; at < static_cast<off_t>(kBytes); at += 4)
			before[at / 4] = tree.get(config, kCounters + at, 4);
		tree.resize(config, kCounters);
	}
	void come_back()
	{
		tree.resize(config, kEnd);
		for (off_t at = 0; at < static_cast<off_t>(kBytes); at += 4)
			tree.put(config, kCounters + at, before[at / 4], 4);
	}
	// A new device, with its registers at zero.
	void come_back_new()
	{
		tree.resize(config, kEnd);
	}
	// Another tool's event on the counter that is in use.
	void take()
	{
		for (off_t control = kControls; control < kControls + 16; control += 4)
			if (tree.get(config, control, 4) & kEnabled)
				tree.put(config, control, kEnabled | 0x101, 4);
	}

	support::Tree tree;

      private:
	const std::string config = support::Tree::config_name(0x7f, 16, 0);
	uint64_t before[kBytes / 4] = {};
};

// PAPI's messages in order.
std::string text_of(const std::vector<int> &codes)
{
	std::string all;

	for (const int code : codes)
		all += std::string(all.empty() ? "" : " ") + std::to_string(code);
	return all;
}

int expect(const std::vector<int> &codes, const std::vector<int> &expected)
{
	if (codes == expected)
		return 0;
	printf("%s instead of %s\n", text_of(codes).c_str(), text_of(expected).c_str());
	return 1;
}

struct Counting {
	Counting()
	{
		EXPECT_EQ(PAPI_OK, PAPI_create_eventset(&set));
		EXPECT_EQ(PAPI_OK, PAPI_add_event(set, code_of(kEvent)));
		EXPECT_EQ(PAPI_OK, PAPI_start(set));
	}
	int read()
	{
		return PAPI_read(set, &count);
	}
	int stop()
	{
		return PAPI_stop(set, &count);
	}
	int clean()
	{
		const int ret = PAPI_cleanup_eventset(set);

		return ret == PAPI_OK ? PAPI_destroy_eventset(&set) : ret;
	}

	int set = PAPI_NULL;
	long long count = 0;
};

int reads_that_fail()
{
	Channel channel;
	Counting c;
	std::vector<int> codes = {c.read()};

	channel.vanish();
	codes.insert(codes.end(), {c.read(), c.read(), c.read()});
	channel.come_back();
	codes.insert(codes.end(), {c.read()});
	channel.vanish();
	codes.insert(codes.end(), {c.read(), c.read()});
	channel.come_back();
	codes.insert(codes.end(), {c.read(), c.stop(), c.clean()});
	return std::getenv("UNCORE_STRICT")
		       ? expect(codes, {0, PAPI_ESYS, 0, 0, 0, PAPI_ESYS, 0, 0, 0, 0})
		       : expect(codes, {0, 0, 0, 0, 0, 0, 0, 0, PAPI_ESYS, PAPI_EISRUN});
}
const Mode fail("reads that fail", reads_that_fail);

int a_counter_taken()
{
	Channel channel;
	Counting c;
	std::vector<int> codes = {c.read()};

	channel.take();
	codes.insert(codes.end(), {c.read(), c.read(), c.stop()});
	if (codes.back() != PAPI_OK)
		codes.push_back(c.stop());
	codes.push_back(c.clean());
	return std::getenv("UNCORE_STRICT") ? expect(codes, {0, PAPI_ECLOST, 0, 0, 0})
					    : expect(codes, {0, 0, 0, PAPI_ECLOST, 0, 0});
}
const Mode taken("a counter taken", a_counter_taken);

// An error that no read has reported is returned by the stop, as without the setting.
int taken_unseen()
{
	Channel channel;
	Counting c;

	channel.take();
	const std::vector<int> codes = {c.stop(), c.stop(), c.clean()};
	return expect(codes, {PAPI_ECLOST, 0, 0});
}
const Mode unseen("taken unseen", taken_unseen);

// However broken: it can be stopped, with a few calls, and cleaned up.
int stopped_in_any_case()
{
	Channel channel;
	int bad = 0;

	for (const bool read_first : {false, true}) {
		Counting c;
		int calls = 1;

		channel.vanish();
		if (read_first)
			c.read();
		while (c.stop() != PAPI_OK && calls < 5)
			calls++;
		bad |= calls > 3 || c.clean() != PAPI_OK;
		channel.come_back_new();
	}
	return bad;
}
const Mode any_case("stopped in any case", stopped_in_any_case);

void run(const std::string &mode)
{
	for (const char *strict : {"1", ""}) {
		const Ended ended =
			*strict ? run_mode(mode, {{"UNCORE_STRICT", strict}}) : run_mode(mode);

		EXPECT_EQ(0, ended.status) << mode << ", strict: " << strict << "\n"
					   << ended.output;
	}
}

TEST(Strict, AReadThatFailsIsReportedOnceForEachFailure)
{
	run("reads that fail");
}

TEST(Strict, AStolenCounterIsReportedOnceByAReadAndNotAgain)
{
	run("a counter taken");
}

TEST(Strict, FailuresThatNoReadHasSeenAreReportedByTheStop)
{
	run("taken unseen");
}

TEST(Strict, AnEventSetCanBeStoppedAndCleanedUpInAnyCase)
{
	run("stopped in any case");
}

} // namespace
