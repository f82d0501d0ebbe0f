// SPDX-License-Identifier: BSD-3-Clause
// means_test.cc - a mean that a tool would read as an integer is refused when it is added, with
// the counts to use instead; programs that read doubles add the same means.
#include "papi/hl_region.h"
#include "papi/papi_calls.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <unistd.h>

namespace
{

struct Named {
	const char *variable, *value; // {} in it: the mean
	bool refused;
};

constexpr const char *kMean = "UNCORE_TOR_DRD_LATENCY_NS";

const Named kNamed[] = {
	{"PAPI_EVENTS", "uncore:::{}", true},
	{"PAPI_EVENTS", "uncore:::UNC_M_CLOCKTICKS,uncore:::{}=instant,PAPI_TOT_INS", true},
	{"PAPI_EVENTS", "{}", true},
	{"TAU_METRICS", "TIME,PAPI_NATIVE_uncore:::{}", true},
	{"SCOREP_METRIC_PAPI", "uncore:::{}", true},
	{"SCOREP_METRIC_PAPI_PER_PROCESS", "PAPI_TOT_INS, uncore:::{}", true},
	{"EXTRAE_COUNTERS", "uncore:::UNC_M_CLOCKTICKS,uncore:::{}", true},
	// Not the same event, and not a variable of such a tool.
	{"PAPI_EVENTS", "uncore:::{}:pkg=1", false},
	{"PAPI_EVENTS", "uncore:::UNCORE_TOR_DRD_REQUESTS", false},
	{"TAU_METRICS", "TIME,PAPI_TOT_INS", false},
	{"CALI_PAPI_COUNTERS", "uncore:::{}", false},
	{"SCOREP_METRIC_PAPI_SEP", "uncore:::{}", false},
	{"OTHER_PAPI_EVENTS", "uncore:::{}", false},
};

std::string with_mean(std::string value, const std::string &mean)
{
	const size_t at = value.find("{}");

	return at == std::string::npos ? value : value.replace(at, 2, mean);
}

// Prints the result of adding the event MEAN. The set must be usable afterwards.
int add_mean()
{
	papi_init();
	dup2(STDOUT_FILENO, STDERR_FILENO);
	EventSet set({"UNC_M_CLOCKTICKS"});
	const int result = set.add(getenv("MEAN"));

	set.start();
	const std::vector<long long> counts = set.stop();
	EXPECT_EQ(result == PAPI_OK ? 2u : 1u, counts.size());
	std::printf("added: %d\n", result);
	std::fflush(stdout);
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode add_mean_mode("add mean", add_mean);

std::string added(const std::string &variable, const std::string &value, const std::string &mean)
{
	const Ended ended = run_mode("add mean", {{variable, value}, {"MEAN", mean}});

	EXPECT_EQ(0, ended.status) << ended.output;
	// Without what Google Test prints first.
	return ended.output.substr(std::min({ended.output.find("uncore: "),
					     ended.output.find("added: "), ended.output.size()}));
}

std::string result(int code)
{
	return "added: " + std::to_string(code) + "\n";
}

TEST(Means, AMeanThatAToolOfIntegersNamesIsRefusedWithItsCounts)
{
	const std::string refusal =
		"uncore: cannot count UNCORE_TOR_DRD_LATENCY_NS: it is a double, which tools with ";
	const std::string counts = " read as an integer; count UNCORE_TOR_DRD_OCCUPANCY and "
				   "UNCORE_TOR_DRD_REQUESTS, and divide them (in clocks)\n";

	for (const Named &named : kNamed) {
		const std::string output =
			added(named.variable, with_mean(named.value, kMean), kMean);

		EXPECT_EQ(named.refused ? refusal + named.variable + counts + result(PAPI_ENOSUPP)
					: result(PAPI_OK),
			  output)
			<< named.variable << "=" << named.value;
	}
}

TEST(Means, TheCountsHaveTheQualifiersOfTheMean)
{
	const std::string mean = "UNCORE_TOR_DRD_LATENCY_CLOCKS:pkg=1";

	EXPECT_EQ(
		"uncore: cannot count " + mean +
			": it is a double, which tools with PAPI_EVENTS read as an integer; count "
			"UNCORE_TOR_DRD_OCCUPANCY:pkg=1 and UNCORE_TOR_DRD_REQUESTS:pkg=1, and divide "
			"them\n" +
			result(PAPI_ENOSUPP),
		// Letter case and numbers as the user spells them.
		added("PAPI_EVENTS", "uncore:::uncore_tor_drd_latency_clocks:pkg=0x1", mean));
}

// The counts that the last message on standard error, which is the file, names.
std::vector<std::string> counts_instead(const std::string &file)
{
	static const std::regex two(
		"; count (\\S+?) and (\\S+), and divide them( \\(in clocks\\))?"),
		one("; count (\\S+), and divide it by the time");
	std::ifstream messages(file);
	std::string line, last;
	std::smatch found;

	while (std::getline(messages, line))
		last = line;
	if (std::regex_search(last, found, two))
		return {found[1], found[2]};
	if (std::regex_search(last, found, one))
		return {found[1]};
	ADD_FAILURE() << last;
	return {};
}

int add_to(int set, const std::string &event)
{
	return PAPI_add_named_event(set, ("uncore:::" + event).c_str());
}

// The result of adding the event to the set while a tool of integers names it.
int add_for_tool(int set, int code)
{
	setenv("EXTRAE_COUNTERS", name_of(code).c_str(), 1);
	const int result = PAPI_add_event(set, code);

	setenv("EXTRAE_COUNTERS", "", 1);
	return result;
}

// Every mean of the machine: ratios, frequencies, watts.
int every_mean()
{
	const std::string messages = getenv("MESSAGES");
	unsigned means = 0;

	papi_init();
	EXPECT_NE(nullptr, freopen(messages.c_str(), "w", stderr));
	setlinebuf(stderr);
	for (const int code : listed_events()) {
		PAPI_event_info_t info;
		int set = PAPI_NULL;

		EXPECT_EQ(PAPI_OK, PAPI_get_event_info(code, &info));
		EXPECT_EQ(PAPI_OK, PAPI_create_eventset(&set));
		const bool mean = info.data_type == PAPI_DATATYPE_FP64;

		EXPECT_EQ(mean, add_for_tool(set, code) == PAPI_ENOSUPP) << info.symbol;
		if (mean) {
			EXPECT_EQ(PAPI_OK, PAPI_add_event(set, code)) << info.symbol;
			PAPI_cleanup_eventset(set);
			for (const std::string &count : counts_instead(messages))
				EXPECT_EQ(PAPI_OK, add_to(set, count)) << info.symbol;
		}
		PAPI_cleanup_eventset(set);
		PAPI_destroy_eventset(&set);
		means += mean;
	}
	EXPECT_GT(means, 20u);
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode every_mean_mode("every mean", every_mean);

TEST(Means, EveryMeanIsRefusedToSuchToolsWithCountsThatFitAndNoCountIs)
{
	for (const char *machine : {"sim:snbep", "sim:icx", "sim:spr"}) {
		const std::string messages =
			testing::TempDir() + "papi_means." + std::to_string(getpid());
		const Ended ended = run_mode("every mean",
					     {{"UNCORE_MACHINE", machine}, {"MESSAGES", messages}});

		EXPECT_EQ(0, ended.status) << machine << ": " << ended.output;
		std::filesystem::remove(messages);
	}
}

// ---- PAPI's high-level API ----

int high_level_region()
{
	hl_region(5);
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode high_level_region_mode("high level region", high_level_region);

TEST(Means, TheHighLevelApiLeavesOutTheMeanAndCountsTheRest)
{
	if (!kHasRegions)
		GTEST_SKIP() << "PAPI before 6.0 has no regions";
	namespace fs = std::filesystem;
	std::string directory = fs::temp_directory_path() / "papi_means.XXXXXX", output;

	ASSERT_NE(nullptr, mkdtemp(directory.data())) << directory;
	const Ended ended =
		run_mode("high level region", {{"PAPI_EVENTS", "uncore:::UNCORE_TOR_DRD_LATENCY_NS,"
							       "uncore:::UNCORE_TOR_DRD_OCCUPANCY,"
							       "uncore:::UNCORE_TOR_DRD_REQUESTS"},
					       {"PAPI_OUTPUT_DIRECTORY", directory},
					       {"LSAN_OPTIONS", "detect_leaks=0"}});
	EXPECT_EQ(0, ended.status) << ended.output;
	for (const auto &entry : fs::recursive_directory_iterator(directory))
		if (is_hl_output(entry)) {
			std::stringstream text;

			text << std::ifstream(entry.path()).rdbuf();
			output += text.str();
		}
	EXPECT_NE(std::string::npos, output.find("UNCORE_TOR_DRD_REQUESTS")) << output;
	EXPECT_EQ(std::string::npos, output.find("UNCORE_TOR_DRD_LATENCY_NS")) << output;
	fs::remove_all(directory);
}

} // namespace
