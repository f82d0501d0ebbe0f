// SPDX-License-Identifier: BSD-3-Clause
// hl_caliper_test.cc - the calls of Caliper and HPCToolkit, and PAPI's high-level API.
#include "papi/hl_region.h"
#include "papi/papi_calls.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <nlohmann/json.hpp>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

// Caliper: a set per thread, read + reset per snapshot, everything undone at the
// end of the program: in a forked child that merely calls exit(), too.
struct Caliper {
	int set = PAPI_NULL;
	long long sum = 0;
	double lost = 0;
	Window from{0, 0}, to{0, 0};

	void start(int code)
	{
		EXPECT_EQ(PAPI_OK, PAPI_create_eventset(&set));
		EXPECT_EQ(PAPI_OK, PAPI_add_event(set, code));
		from = during([this] { EXPECT_EQ(PAPI_OK, PAPI_start(set)); });
	}
	void snapshot()
	{
		long long count = -1;

		to = during([&] { EXPECT_TRUE(read_and_reset(set, &count, &lost)); });
		EXPECT_GE(count, 0);
		sum += count;
	}
	// In a forked child, the first stop fails.
	void finish(bool in_child = false)
	{
		long long count = -1;

		if (in_child) {
			EXPECT_EQ(PAPI_ENOINIT, PAPI_stop(set, &count));
		}
		EXPECT_EQ(PAPI_OK, PAPI_stop(set, &count));
		EXPECT_GE(count, 0);
		EXPECT_EQ(PAPI_OK, PAPI_cleanup_eventset(set));
		EXPECT_EQ(PAPI_OK, PAPI_destroy_eventset(&set));
	}
} caliper;

bool is_caliper_child;

void caliper_at_exit()
{
	caliper.finish(is_caliper_child);
	PAPI_shutdown();
	if (testing::Test::HasFailure())
		_exit(1);
}

int caliper_program()
{
	int status = -1;

	papi_init();
	std::atexit(caliper_at_exit);
	const int code = code_of(kMemClock);
	caliper.start(code);
	in_threads(2, [&](unsigned) {
		Caliper own;

		own.start(code);
		for (int i = 0; i < 50; i++)
			own.snapshot();
		expect_count(kMemClock, own.sum, own.from, own.to, own.lost);
		own.finish();
	});
	caliper.snapshot();
	const pid_t child = fork();
	if (child == 0) {
		is_caliper_child = true;
		std::exit(0);
	}
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	for (int i = 0; i < 10; i++)
		caliper.snapshot();
	expect_count(kMemClock, caliper.sum, caliper.from, caliper.to, caliper.lost);
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode caliper_mode("caliper", caliper_program);

TEST(Caliper, SnapshotsInThreadsSurviveAForkedChildThatExits)
{
	// In the child the leak checker misses the threads of the parent.
	const Ended ended = run_mode("caliper", {{"LSAN_OPTIONS", "detect_leaks=0"}});

	EXPECT_EQ(0, ended.status) << ended.output;
}

// HPCToolkit only samples: it gets PAPI's overflow by software in each thread.
std::atomic<int> overflows;

void on_overflow(int, void *, long long, void *)
{
	overflows++;
}

TEST(HpcToolkit, SamplingOfAnEventDeliversSamples)
{
	const WithoutPapi own;
	char name[PAPI_MAX_STR_LEN + 10];
	int code = 0, set = PAPI_NULL;
	long long counts[2] = {-1, -1};

	papi_init();
	EXPECT_EQ(PAPI_OK, PAPI_register_thread());
	ASSERT_EQ(PAPI_OK, PAPI_event_name_to_code("uncore:::UNC_M_CAS_COUNT:RD", &code));
	ASSERT_EQ(PAPI_OK, PAPI_event_code_to_name(code, name));
	EXPECT_STREQ("uncore:::UNC_M_CAS_COUNT:RD", name);
	ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&set));
	ASSERT_EQ(PAPI_OK, PAPI_assign_eventset_component(set, component()));
	ASSERT_EQ(PAPI_OK, PAPI_add_event(set, code));
	overflows = 0;
	ASSERT_EQ(PAPI_OK, PAPI_overflow(set, code, 100000, 0, on_overflow));
	ASSERT_EQ(PAPI_OK, PAPI_start(set));
	for (const double end = now() + 5; overflows < 3 && now() < end;)
		spin_ms(1);
	EXPECT_EQ(PAPI_OK, PAPI_stop(set, counts));
	EXPECT_GE(overflows, 3);
	EXPECT_GT(counts[0], 0);
	EXPECT_EQ(PAPI_OK, PAPI_overflow(set, code, 0, 0, on_overflow));
	EXPECT_EQ(PAPI_OK, PAPI_cleanup_eventset(set));
	EXPECT_EQ(PAPI_OK, PAPI_destroy_eventset(&set));
}

// ---- the high-level API ----

constexpr unsigned kHlThreads = 3;

void region()
{
	hl_region(20);
}

int high_level()
{
	std::thread threads[kHlThreads - 1];

	region();
	for (auto &thread : threads)
		thread = std::thread(region);
	for (auto &thread : threads)
		thread.join();
	return testing::Test::HasFailure() ? 1 : 0; // it writes its file at exit
}
const Mode high_level_mode("high level", high_level);

TEST(HighLevelApi, ThreadsShareEventsAndTheOutputIsWritten)
{
	if (!kHasRegions)
		GTEST_SKIP() << "PAPI before 6.0 has no regions";
	namespace fs = std::filesystem;
	std::string directory = fs::temp_directory_path() / "papi_calls.XXXXXX";

	ASSERT_NE(nullptr, mkdtemp(directory.data())) << directory;
	const Ended ended =
		run_mode("high level",
			 {{"PAPI_EVENTS", "uncore:::UNC_M_CLOCKTICKS,uncore:::UNC_M_CAS_COUNT:RD,"
					  "uncore:::UNC_M_CAS_COUNT:RD:pkg=0,"
					  "uncore:::UNCORE_CORES_IN_C0_CYCLES,"
					  "uncore:::UNCORE_PCU_CYCLES"},
			  {"PAPI_OUTPUT_DIRECTORY", directory},
			  {"LSAN_OPTIONS", "detect_leaks=0"}});
	EXPECT_EQ(0, ended.status) << ended.output;

	std::vector<nlohmann::json> files;
	for (const auto &entry : fs::recursive_directory_iterator(directory))
		if (is_hl_output(entry)) {
			std::ifstream file(entry.path());

			files.push_back(nlohmann::json::parse(file));
		}
	ASSERT_EQ(1u, files.size());
	unsigned regions = 0;
	for (const auto &thread : files[0].at("threads"))
		for (const auto &entry : thread.at("regions")) {
			// In 6.0 a region is the value of its name.
			const auto &r = entry.contains("work") ? entry.at("work") : entry;
			const auto value = [&](const char *name) {
				const auto &v = r.at(name);

				return v.is_string() ? std::stod(v.get<std::string>())
						     : v.get<double>();
			};
			const double clock = value("uncore:::UNC_M_CLOCKTICKS");
			const double reads = value("uncore:::UNC_M_CAS_COUNT:RD");
			const double reads0 = value("uncore:::UNC_M_CAS_COUNT:RD:pkg=0");

			// At least the 20 ms of the region, and no overflowing nonsense.
			EXPECT_GE(clock, rate(kMemClock) * 0.019);
			EXPECT_LE(clock, rate(kMemClock) * 10);
			EXPECT_GE(reads, rate(kReads) * 0.019);
			EXPECT_NEAR(rate(kReads) / rate(kMemClock), reads / clock,
				    rate(kReads) / rate(kMemClock) * 0.2);
			EXPECT_GT(reads0, 0);
			EXPECT_LT(reads0, reads);
			// Eight cores of each package, as the model has them in C0, in counters
			// that are read one after the other.  A mean would be the difference of two
			// doubles' bits.
			const double cores = value("uncore:::UNCORE_CORES_IN_C0_CYCLES") /
					     value("uncore:::UNCORE_PCU_CYCLES");
			const double model = 8 * (0.6133 + 0.5822) / 2;
			EXPECT_NEAR(model, cores, model * 0.2);
			regions++;
		}
	EXPECT_EQ(kHlThreads, regions) << files[0].dump(1);
	fs::remove_all(directory);
}

} // namespace
