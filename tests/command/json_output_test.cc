// SPDX-License-Identifier: BSD-3-Clause
// json_output_test.cc - every command that prints a table prints it with --json, too, as lines of
// JSON without a number that JSON does not have.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <json-c/json.h>

#include "daemon/served.h"

namespace
{

using Status = int;

struct Call {
	std::string arguments; // with --json
	std::set<Status> statuses = {0};
	bool may_be_empty = false; // lists that have no entry here
};

// Of each command, its tables.  Those without: exporter serves metrics, record writes a file, and
// sim mounts a machine.  clients needs uncored.
const std::map<std::string, std::vector<Call>> kTables = {
	{"allowlist", {{"allowlist --json --core --until"}}},
	{"ceilings", {{"ceilings --json --nodes --machine sim:skx:packages=1,cores=4,clusters=2"}}},
	{"decode", {{"decode --json", {0}, true}}},
	{"doctor", {{"doctor --json", {0, 1}}}},
	{"explain", {{"explain --json -d 100ms"}}},
	{"list", {{"list --json"}, {"list --json --metrics"}, {"list --json --errata", {0}, true}}},
	{"memory", {{"memory --json -d 50ms"}}},
	{"plan",
	 {{"plan --json UNCORE_MEM_READ_BYTES"},
	  {"plan --json UNC_M_CAS_COUNT:RD:box=99", {2}, true},
	  {"plan --json --multiplex UNC_CHA_CLOCKTICKS UNCORE_LLC_MISSES UNCORE_LLC_LOOKUPS"}}},
	{"queue", {{"queue --json -d 500ms --longest 2 UNC_CHA_TOR_OCCUPANCY:IA_MISS"}}},
	{"restore", {{"restore --json", {0}, true}}},
	{"selftest", {{"selftest --json pcu", {0, 4}}}},
	{"show", {{"show --json"}, {"show --json --core"}, {"show --json --devices"}}},
	{"slices", {{"slices --json --machine sim:snbep:packages=1,cores=2"}}},
	{"stat",
	 {{"stat --json -d 50ms -M memory"},
	  {"stat --json -i 20ms -d 50ms -e UNC_M_CAS_COUNT:RD --per-box"},
	  {"stat --json -r 2 -o /dev/stdout true"},
	  {"stat --json -d 1ms -M memory"}}},
	{"top", {{"top --json --once -i 50ms"}}},
	{"who", {{"who --json -n 1 -I 50ms", {0, 3}, true}}},
};
const std::set<std::string> kWithoutTable = {"clients", "exporter", "record", "sim"};

std::string output_of(const std::string &command, Status *status)
{
	FILE *pipe = popen(command.c_str(), "r");
	std::array<char, 4096> part;
	std::string all;
	size_t n;

	while (pipe && (n = fread(part.data(), 1, part.size(), pipe)) > 0)
		all.append(part.data(), n);
	const int ended = pipe ? pclose(pipe) : -1;
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
	return all;
}

// json-c reads NaN and Infinity, which are not JSON.
bool has_numbers_of_json(json_object *o)
{
	if (json_object_is_type(o, json_type_double))
		return std::isfinite(json_object_get_double(o));
	if (json_object_is_type(o, json_type_array))
		for (size_t i = 0; i < json_object_array_length(o); i++)
			if (!has_numbers_of_json(json_object_array_get_idx(o, i)))
				return false;
	if (json_object_is_type(o, json_type_object)) {
		const json_object_iterator end = json_object_iter_end(o);

		for (auto i = json_object_iter_begin(o); !json_object_iter_equal(&i, &end);
		     json_object_iter_next(&i))
			if (!has_numbers_of_json(json_object_iter_peek_value(&i)))
				return false;
	}
	return true;
}

// Whether a line is one object, and nothing else.
bool is_json(const std::string &line)
{
	json_tokener *reader = json_tokener_new();

	json_tokener_set_flags(reader, JSON_TOKENER_STRICT);
	json_object *o =
		json_tokener_parse_ex(reader, line.c_str(), static_cast<int>(line.size()) + 1);
	const bool good = o && json_tokener_get_error(reader) == json_tokener_success &&
			  json_object_is_type(o, json_type_object) && has_numbers_of_json(o);

	json_object_put(o);
	json_tokener_free(reader);
	return good;
}

size_t expect_json(const std::string &text)
{
	std::istringstream lines(text);
	std::string line;
	size_t n = 0;

	for (; std::getline(lines, line); n++)
		EXPECT_TRUE(is_json(line)) << line;
	return n;
}

TEST(JsonReader, RefusesWhatIsNoJson)
{
	EXPECT_TRUE(is_json("{\"a\":[1,2.5,null,{\"b\":\"c\"}]}"));
	for (const char *text : {"", "text", "{\"a\":1} {}", "{\"a\":NaN}",
				 "{\"a\":[{\"b\":Infinity}]}", "{\"a\":1,}", "[1]"})
		EXPECT_FALSE(is_json(text)) << text;
}

// Files of the commands go to a directory of the test.
class JsonOutput : public testing::Test
{
      protected:
	JsonOutput()
	{
		EXPECT_NE(nullptr, mkdtemp(home.data()));
	}
	~JsonOutput() override
	{
		EXPECT_EQ(0, system(("rm -rf '" + home + "'").c_str()));
	}
	std::string run(const std::string &arguments, Status *status,
			const std::string &variables = "") const
	{
		return output_of("cd '" + home + "' && env -i PATH=\"$PATH\" HOME='" + home +
					 "' XDG_CACHE_HOME='" + home + "' UNCORE_RUN='" + home +
					 "' UNCORE_MACHINE=" + kMachine + " " + variables + " '" +
					 tool + "' " + arguments + " 2>/dev/null",
				 status);
	}
	static constexpr char kMachine[] = "sim:skx:packages=2,cores=4";
	std::string home = testing::TempDir() + "uncore-json-XXXXXX";
	const std::string tool =
		std::string(getenv("BUILD") ? getenv("BUILD") : "build") + "/uncore";
};

TEST_F(JsonOutput, OfEachCommandWithATableIsValid)
{
	Status status = 0;
	std::istringstream help(run("help -a", &status));
	std::string line;
	size_t n = 0;

	while (std::getline(help, line)) {
		if (line.rfind("  uncore ", 0) != 0)
			continue;
		const std::string name = line.substr(9, line.find(' ', 9) - 9);

		n++;
		if (kWithoutTable.count(name))
			continue;
		ASSERT_TRUE(kTables.count(name))
			<< name << ": a command that this test does not know";
		for (const Call &call : kTables.at(name)) {
			const std::string text = run(call.arguments, &status);

			EXPECT_TRUE(call.statuses.count(status))
				<< call.arguments << ": " << status;
			EXPECT_TRUE(expect_json(text) > 0 || call.may_be_empty) << call.arguments;
		}
	}
	EXPECT_EQ(kTables.size() + kWithoutTable.size(), n);
}

TEST_F(JsonOutput, OfClientsIsValid)
{
	Served served;
	support::Handle machine(served.options());
	support::Set set(machine, {"UNC_M_CAS_COUNT:RD"});
	Status status = 0;

	ASSERT_EQ(0, set.start());
	const std::string text =
		run("clients --json", &status, "UNCORE_DAEMON='" + served.path + "'");
	EXPECT_EQ(0, status);
	EXPECT_EQ(1u, expect_json(text)) << text;
}

} // namespace
