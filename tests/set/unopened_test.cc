// SPDX-License-Identifier: BSD-3-Clause
// unopened_test.cc - calls on a handle that uncore_open() could not open return its error and leave
// its message; those that describe what was found have an end. All public functions are called.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/sized.h"
#include "uncore_inspect.h"

namespace
{

using support::sized;

template <typename T> T *fresh()
{
	static T one;

	one = sized<T>();
	return &one;
}

unsigned id;
uint64_t value;
const char *text;
struct uncore_set *set;
struct uncore_plan *plan;
char names[4][UNCORE_NAME_MAX + 1];

using Call = std::function<int(uncore *)>;

// Functions that need an open handle. 0 stands for a NULL or a number that is no code.
const std::map<std::string, Call> kRefused = {
	{"uncore_event", [](uncore *u) { return uncore_event(u, "UNC_M_CLOCKTICKS", &id); }},
	{"uncore_event_info",
	 [](uncore *u) { return uncore_event_info(u, 0, fresh<struct uncore_event_info>()); }},
	{"uncore_set_create", [](uncore *u) { return uncore_set_create(u, &set); }},
	{"uncore_restore", uncore_restore},
	{"uncore_poll_wraps", uncore_poll_wraps},
	{"uncore_register",
	 [](uncore *u) {
		 return uncore_register(u, 0, UNCORE_CONTROL, 0, fresh<uncore_op_info>());
	 }},
	{"uncore_register_value",
	 [](uncore *u) { return uncore_register_value(u, 0, UNCORE_CONTROL, 0, &value); }},
	{"uncore_record_sample", uncore_record_sample},
	{"uncore_simulate_load",
	 [](uncore *u) { return uncore_simulate_load(u, fresh<uncore_load>()); }},
	{"uncore_listed_event", [](uncore *u) { return uncore_listed_event(u, 0, &id); }},
	{"uncore_event_umask", [](uncore *u) { return uncore_event_umask(u, 0, 0, &id); }},
	{"uncore_event_encoding",
	 [](uncore *u) { return uncore_event_encoding(u, 0, fresh<uncore_encoding>()); }},
	{"uncore_decode",
	 [](uncore *u) {
		 bool enabled;

		 return uncore_decode(u, 0, 0, 1, nullptr, 0, names, 4, &enabled);
	 }},
	{"uncore_event_sum", [](uncore *u) { return uncore_event_sum(u, 0, fresh<uncore_sum>()); }},
	{"uncore_event_part",
	 [](uncore *u) { return uncore_event_part(u, "UNC_M_CLOCKTICKS", 0, &id); }},
	{"uncore_event_qualifier",
	 [](uncore *u) { return uncore_event_qualifier(u, 0, 0, fresh<uncore_qualifier_info>()); }},
	{"uncore_erratum",
	 [](uncore *u) { return uncore_erratum(u, 0, fresh<struct uncore_erratum>()); }},
	{"uncore_plan", [](uncore *u) { return uncore_plan(u, &id, 1, nullptr, &plan); }},
	{"uncore_core_event",
	 [](uncore *u) {
		 uint64_t config;
		 return uncore_core_event(u, "skx::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", &config);
	 }},
	{"uncore_device",
	 [](uncore *u) { return uncore_device(u, 0, fresh<struct uncore_device_info>()); }},
	{"uncore_node",
	 [](uncore *u) { return uncore_node(u, 0, fresh<struct uncore_node_info>()); }},
	{"uncore_node_kind",
	 [](uncore *u) {
		 const char *kind, *event;
		 return uncore_node_kind(u, 0, &kind, &event);
	 }},
	{"uncore_nodes_text",
	 [](uncore *u) {
		 char *text;
		 return uncore_nodes_text(u, nullptr, 0, &text);
	 }},
	{"uncore_cost",
	 [](uncore *u) { return uncore_cost(u, &id, 1, fresh<struct uncore_cost>()); }},
	{"uncore_perf_event",
	 [](uncore *u) { return uncore_perf_event(u, 0, 0, fresh<uncore_perf_info>()); }},
	{"uncore_perf_syntax",
	 [](uncore *u) { return uncore_perf_syntax(u, 0, 0, fresh<uncore_perf_info>()); }},
	{"uncore_recover", uncore_recover},
	{"uncore_open_files", uncore_open_files},
	{"uncore_restored",
	 [](uncore *u) { return uncore_restored(u, 0, fresh<uncore_restored_info>()); }},
	{"uncore_owner", [](uncore *u) { return uncore_owner(u, 0, fresh<uncore_owner_info>()); }},
	{"uncore_sharing",
	 [](uncore *u) { return uncore_sharing(u, fresh<uncore_sharing_info>()); }},
	{"uncore_cpu", [](uncore *u) { return uncore_cpu(u, 0, fresh<uncore_cpu_info>()); }},
};

const std::map<std::string, Call> kWithoutCode = {
	{"uncore_event_name", [](uncore *u) { return uncore_event_name(u, 0) != nullptr; }},
	{"uncore_limit_names",
	 [](uncore *u) { return static_cast<int>(uncore_limit_names(u, 1)); }},
};

// Those for such a handle, too.
const std::map<std::string, Call> kDescribing = {
	{"uncore_machine",
	 [](uncore *u) { return uncore_machine(u, fresh<uncore_machine_info>()); }},
	{"uncore_warning", [](uncore *u) { return uncore_warning(u, 1000, &text); }},
	{"uncore_warning_code", [](uncore *u) { return uncore_warning_code(u, 1000); }},
	{"uncore_box", [](uncore *u) { return uncore_box(u, 100000, fresh<uncore_box_info>()); }},
	{"uncore_discovery_table",
	 [](uncore *u) {
		 return uncore_discovery_table(u, 100000, fresh<uncore_discovery_table_info>());
	 }},
	{"uncore_discovered_unit",
	 [](uncore *u) {
		 return uncore_discovered_unit(u, 100000, fresh<uncore_discovered_unit_info>());
	 }},
	{"uncore_msr", [](uncore *u) { return uncore_msr(u, 1000000, fresh<uncore_msr_info>()); }},
};

const std::set<std::string> kOthers = {"uncore_close", "uncore_errmsg", "uncore_record"};

std::string message(uncore *u)
{
	char all[UNCORE_ERRMSG_MAX];

	return uncore_errmsg(u, all, sizeof(all));
}

struct Cause {
	const char *what;
	std::function<void(uncore_options &)> set;
};

const Cause kCauses[] = {
	{"an unknown machine", [](uncore_options &o) { o.machine = "sim:none"; }},
	{"a directory without a machine", [](uncore_options &o) { o.sysroot = "/dev"; }},
	{"a list that does not exist",
	 [](uncore_options &o) {
		 o.machine = "sim:gnr";
		 o.event_files = "/dev/null/list.json";
	 }},
	{"no uncored",
	 [](uncore_options &o) {
		 o.access = "daemon";
		 o.daemon = "/dev/null/socket";
	 }},
	{"an access method that does not exist",
	 [](uncore_options &o) {
		 o.machine = "sim:snbep";
		 o.access = "none";
	 }},
	{"a struct of another size", [](uncore_options &o) { o.size = 1; }},
};

class Unopened : public testing::TestWithParam<Cause>
{
};

TEST_P(Unopened, HandlesReturnTheErrorOfTheirOpening)
{
	auto options = sized<uncore_options>();
	uncore *u = nullptr;

	options.machine = "native";
	GetParam().set(options);
	const int code = uncore_open(&u, &options);
	ASSERT_GT(0, code) << GetParam().what;
	ASSERT_NE(nullptr, u);
	const std::string why = message(u);

	for (const auto &call : kRefused) {
		EXPECT_EQ(code, call.second(u)) << call.first << ": " << GetParam().what;
		EXPECT_EQ(why, message(u)) << call.first;
	}
	EXPECT_EQ(nullptr, set);
	EXPECT_EQ(nullptr, plan);
	for (const auto &call : kWithoutCode)
		EXPECT_EQ(0, call.second(u)) << call.first << ": " << GetParam().what;
	for (const auto &call : kDescribing)
		EXPECT_EQ(0, call.second(u)) << call.first << ": " << GetParam().what;
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	EXPECT_GE(0, uncore_record(u, nowhere, 0)) << GetParam().what;
	close(nowhere);
	uncore_close(u);
}

INSTANTIATE_TEST_SUITE_P(All, Unopened, testing::ValuesIn(kCauses));

TEST(NoHandle, IsReportedAsAShortageOfMemory)
{
	for (const auto &call : kRefused)
		EXPECT_EQ(UNCORE_ENOMEM, call.second(nullptr)) << call.first;
	for (const auto &call : kWithoutCode)
		EXPECT_EQ(0, call.second(nullptr)) << call.first;
	EXPECT_FALSE(message(nullptr).empty());
	uncore_close(nullptr);
}

// No public function that takes a handle is missing above.
TEST(UnopenedHandles, AreTriedWithAllFunctions)
{
	const char *source = getenv("SRC");
	const std::regex function(R"(UNCORE_API [a-z ]+[ *](uncore_[a-z_]+)\(struct uncore \*u\b)");
	std::set<std::string> tried = kOthers, declared;

	if (!source)
		GTEST_SKIP() << "SRC names no directory with the headers";
	for (const auto *all : {&kRefused, &kWithoutCode, &kDescribing})
		for (const auto &call : *all)
			tried.insert(call.first);
	for (const char *header : {"/src/uncore.h", "/src/uncore_inspect.h"}) {
		std::ifstream file(std::string(source) + header);
		std::stringstream all;

		all << file.rdbuf();
		const std::string content = all.str();
		for (std::sregex_iterator i(content.begin(), content.end(), function), end;
		     i != end; ++i)
			declared.insert((*i)[1]);
	}
	EXPECT_EQ(declared, tried);
}

} // namespace
