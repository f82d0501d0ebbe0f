// SPDX-License-Identifier: BSD-3-Clause
// exports_test.cc - the exporter's events and its output: names, formats, limits, exact
// numbers, what cannot be counted.
#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "command/exporter/answer.h"
#include "command/exporter/listen.h"
#include "command/exporter/metrics_text.h"
#include "command/exporter/names.h"
}
#include <unistd.h>

#include "set/inside.h"
#include "support/machines.h"
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::sim_options;
using support::SimMachine;

struct Exports {
	struct exports *e = nullptr;
	std::string messages;
	int code;

	explicit Exports(Handle &handle, std::vector<const char *> events = {},
			 const char *groups = nullptr, unsigned max_series = 0,
			 std::chrono::microseconds window = std::chrono::milliseconds(10))
	{
		exports_options options = {};

		options.events = events.data();
		options.n_events = events.size();
		options.groups = groups;
		options.max_series = max_series;
		options.window_us = window.count();
		options.listener.report = [](void *context, const char *text) {
			*static_cast<std::string *>(context) += std::string(text) + "\n";
		};
		options.listener.context = &messages;
		code = exports_open(&e, handle.u, &options);
	}
	~Exports()
	{
		exports_close(e);
	}
	std::string text(text_format format = TEXT_OPENMETRICS) const
	{
		size_t length;
		char *text = metrics_text(e, format, &length);
		std::string copy(text, length);

		free(text);
		return copy;
	}
};

// Samples by name and labels, after a look at the rules of the format.
std::map<std::string, std::string> samples_of(const std::string &text, bool open)
{
	std::map<std::string, std::string> samples;
	std::set<std::string> families;
	std::istringstream lines(text);
	std::string line, family, type;
	bool ended = false;

	while (std::getline(lines, line)) {
		std::istringstream words(line);
		std::string hash, what, name;

		EXPECT_FALSE(ended) << "behind the end: " << line;
		if (line == "# EOF") {
			ended = true;
			continue;
		}
		words >> hash >> what >> name;
		if (hash == "#" && what == "HELP") {
			EXPECT_TRUE(families.insert(name).second) << name << " comes twice";
			family = name;
		} else if (hash == "#") {
			EXPECT_EQ(name, family) << line;
			if (what == "TYPE")
				words >> type;
			else
				EXPECT_EQ(what, "UNIT") << line;
		} else {
			const size_t value = line.rfind(' ');
			const std::string key = line.substr(0, value);
			const std::string bare = key.substr(0, key.find('{'));

			EXPECT_EQ(bare, !open               ? family
					: type == "counter" ? family + "_total"
					: type == "info"    ? family + "_info"
							    : family)
				<< line;
			EXPECT_TRUE(samples.emplace(key, line.substr(value + 1)).second) << key;
		}
	}
	EXPECT_EQ(ended, open);
	return samples;
}

// Samples of C-Boxes, none of which is 0.
unsigned occupancies(const std::string &text)
{
	unsigned n = 0;

	for (auto &s : samples_of(text, true)) {
		if (s.first.find("uncore_c_") != 0)
			continue;
		EXPECT_NE("0", s.second) << s.first;
		n++;
	}
	return n;
}

// Until each multiplexed event had a window, in real time.
void read_all(const Exports &x)
{
	for (int i = 0; i < 2000 && samples_of(x.text(), true).size() < exports_samples(x.e); i++) {
		usleep(10000);
		exports_read(x.e);
	}
}

// ---- names ----

TEST(ExporterNames, ComeApart)
{
	event_name n;

	take_name_apart(&n, "UNC_M_CAS_COUNT:RD:box=3:pkg=1");
	EXPECT_STREQ(n.base, "UNC_M_CAS_COUNT:RD");
	EXPECT_STREQ(n.box, "3");
	EXPECT_STREQ(n.package, "1");
	take_name_apart(&n, "ix86arch::INSTRUCTION_RETIRED:cpu=12");
	EXPECT_STREQ(n.base, "ix86arch::INSTRUCTION_RETIRED");
	EXPECT_STREQ(n.cpu, "12");
	EXPECT_STREQ(n.package, "");
	take_name_apart(&n, "skx_unc_cha::RAW:config=0x1:t=5:pkg=0");
	EXPECT_STREQ(n.base, "skx_unc_cha::RAW:config=0x1:t=5");
	take_name_apart(&n, "");
	EXPECT_STREQ(n.base, "");
	take_name_apart(&n, std::string(4000, 'A').c_str());
	EXPECT_LT(strlen(n.base), sizeof(n.base));
	take_name_apart(&n, (":::pkg=" + std::string(4000, '1') + ":box=").c_str());
	EXPECT_LT(strlen(n.package), sizeof(n.package));
	EXPECT_TRUE(name_has_package("UNC_C_CLOCKTICKS:pkg=1"));
	EXPECT_TRUE(name_has_package("UNC_C_CLOCKTICKS:PKG=*"));
	EXPECT_FALSE(name_has_package("UNC_C_CLOCKTICKS:box=1"));
}

TEST(ExporterNames, BecomeFamilies)
{
	char family[NAME_TEXT];

	EXPECT_STREQ(family_of_event(family, "UNC_M_CAS_COUNT:RD"), "uncore_m_cas_count_rd");
	EXPECT_STREQ(family_of_event(family, "UNCORE_LLC_MISSES"), "uncore_llc_misses");
	EXPECT_STREQ(family_of_event(family, "skx_unc_cha::RAW:config=0x1"),
		     "uncore_skx_unc_cha_raw_config_0x1");
	EXPECT_STREQ(family_of_event(family, "UNC_X_TOTAL"), "uncore_x");
	EXPECT_STREQ(family_of_event(family, ""), "uncore");
	EXPECT_STREQ(family_of_event(family, ":::"), "uncore");
	EXPECT_LT(strlen(family_of_event(family, std::string(4000, 'A').c_str())), NAME_TEXT);
}

TEST(ExporterNames, AreEscapedInLabels)
{
	event_name n;
	char *labels;

	take_name_apart(&n, "A:pkg=0:box=1");
	labels = labels_of(&n, "event", "a\"b\\c\nd");
	EXPECT_STREQ(labels, "event=\"a\\\"b\\\\c\\nd\",package=\"0\",box=\"1\"");
	free(labels);
}

// The metrics of a window, and how many rows of the table name it.
size_t rows_of_window(const struct metric_group *group, uint8_t window, bool otherwise,
		      const struct metric_row *rows[METRIC_GROUP_MAX])
{
	size_t n = 0;

	for (unsigned i = 0; metric_row(i); i++) {
		const struct metric_row *row = metric_row(i);
		const struct metric_window &w = otherwise ? row->otherwise : row->exported;

		n += w.window == window && group - metric_group(0) == w.group;
	}
	EXPECT_EQ(n, metric_window_rows(group, window, otherwise, rows)) << group->name;
	return n;
}

TEST(ExporterNames, OfMetricsAreOfSomeFamilyEach)
{
	std::set<std::string> names, metrics;

	for (unsigned i = 0; exported_group(i); i++)
		for (uint8_t window = 1; window <= GROUP_WINDOWS; window++)
			for (bool otherwise : {false, true}) {
				const struct metric_row *rows[METRIC_GROUP_MAX];
				const size_t n =
					rows_of_window(exported_group(i), window, otherwise, rows);

				for (size_t k = 0; k < n; k++) {
					struct family f;

					ASSERT_TRUE(family_of_metric(rows[k]->name, &f))
						<< rows[k]->name;
					const std::string name = f.name;

					EXPECT_TRUE(!f.unit ||
						    name.substr(name.rfind('_') + 1) == f.unit)
						<< name;
					names.insert(name);
					metrics.insert(rows[k]->name);
				}
			}
	EXPECT_GT(names.size(), 30u);
	for (unsigned i = 0; metric_row(i); i++) {
		struct family f;

		EXPECT_EQ(family_of_row(metric_row(i), &f), metrics.count(metric_row(i)->name) == 1)
			<< metric_row(i)->name;
	}
}

TEST(ExporterNames, OfEventsAreOfNoFamily)
{
	struct family f;

	EXPECT_FALSE(family_of_metric("UNC_M_CAS_COUNT:RD", &f));
}

// ---- formats ----

TEST(ExporterFormat, IsWhatAcceptPrefers)
{
	EXPECT_EQ(format_for(nullptr), TEXT_PROMETHEUS);
	EXPECT_EQ(format_for("*/*"), TEXT_PROMETHEUS);
	EXPECT_EQ(format_for("application/openmetrics-text"), TEXT_OPENMETRICS);
	// Prometheus 2.42, and 3 with protobuf
	EXPECT_EQ(format_for("application/openmetrics-text;version=1.0.0,"
			     "application/openmetrics-text;version=0.0.1;q=0.75,"
			     "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
		  TEXT_OPENMETRICS);
	EXPECT_EQ(format_for("application/vnd.google.protobuf;proto=io.prometheus.client."
			     "MetricFamily;encoding=delimited;q=0.6,application/openmetrics-text;"
			     "version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=1.0.0;"
			     "q=0.3,*/*;q=0.2"),
		  TEXT_OPENMETRICS);
	EXPECT_EQ(format_for("text/plain, application/openmetrics-text;q=0.5"), TEXT_PROMETHEUS);
	EXPECT_EQ(format_for("application/openmetrics-text; version=\"1.0.0\" ; q=0.5"),
		  TEXT_OPENMETRICS);
	EXPECT_EQ(format_for("application/openmetrics-text;q=0"), TEXT_PROMETHEUS);
	EXPECT_EQ(format_for("application/openmetrics-text;version=2.0.0"), TEXT_PROMETHEUS);
	EXPECT_EQ(format_for("application/openmetrics-textual"), TEXT_PROMETHEUS);
	for (const char *odd : {"", ",", ";;;", ",,,;q=", "q=1", " , ;q=nan", "a;q=1e999"})
		EXPECT_EQ(format_for(odd), TEXT_PROMETHEUS) << odd;
}

TEST(ExporterAnswers, FollowPathAndMethod)
{
	SimMachine machine;
	Exports x(machine);
	const struct {
		const char *method, *path;
		unsigned status;
	} requests[] = {
		{"GET", "/metrics", 200}, {"HEAD", "/metrics", 200}, {"GET", "/influx", 200},
		{"POST", "/influx", 405}, {"GET", "/", 200},         {"POST", "/metrics", 405},
		{"DELETE", "/", 405},     {"GET", "/metrics/", 404}, {"GET", "/../etc/passwd", 404},
		{"GET", "", 404},         {"PUT", "/x", 404}};

	for (auto &r : requests) {
		answer a = answer_to(x.e, r.method, r.path, "text/plain");

		EXPECT_EQ(a.status, r.status) << r.method << " " << r.path;
		EXPECT_EQ(strlen(a.text), a.length);
		free(a.text);
	}
}

// ---- what is counted ----

TEST(Exporter, CountsWhatASetCounts)
{
	SimMachine machine;
	Exports x(machine);
	uncore_set *set;
	unsigned id;
	int64_t bytes;

	ASSERT_EQ(x.code, 0) << x.messages;
	EXPECT_EQ(exports_start(x.e), x.e->n_parts) << x.messages;
	ASSERT_EQ(uncore_event(machine.u, "UNCORE_MEM_READ_BYTES:pkg=1", &id), 0);
	ASSERT_EQ(uncore_set_create(machine.u, &set), 0);
	ASSERT_EQ(uncore_set_assign(set, &id, 1), 0);
	ASSERT_EQ(uncore_set_start(set), 0) << machine.message();
	machine.advance();
	exports_read(x.e);
	uncore_set_read(set, &bytes);
	for (auto format : {TEXT_OPENMETRICS, TEXT_PROMETHEUS}) {
		auto samples = samples_of(x.text(format), format == TEXT_OPENMETRICS);

		EXPECT_GT(bytes, 0);
		EXPECT_EQ(samples["uncore_memory_read_bytes_total{package=\"1\"}"],
			  std::to_string(bytes));
		EXPECT_EQ(samples["uncore_counted_ratio{group=\"memory\",package=\"1\"}"], "1");
	}
	uncore_set_destroy(set);
}

// Each C-Box has one counter for occupancies, so the second event waits for its first window.
TEST(Exporter, LeavesOutWhatWasNotCountedYet)
{
	Handle machine(sim_options("sim:snbep"));
	bool late = true; // a busy computer reads after the first window

	for (std::chrono::milliseconds window(100); late && window.count() < 10000; window *= 2) {
		Exports x(machine,
			  {"UNC_C_TOR_OCCUPANCY:ALL:pkg=0", "UNC_C_RXR_OCCUPANCY:IRQ:pkg=0"},
			  nullptr, 0, window);
		const auto began = std::chrono::steady_clock::now();

		ASSERT_EQ(x.code, 0);
		EXPECT_EQ(exports_start(x.e), x.e->n_parts) << x.messages;
		exports_read(x.e);
		late = std::chrono::steady_clock::now() - began > window;
		if (late)
			continue;
		EXPECT_GT(2u, occupancies(x.text()));
		read_all(x);
		EXPECT_EQ(2u, occupancies(x.text()));
		EXPECT_EQ(samples_of(x.text(), true).size(), exports_samples(x.e));
	}
	EXPECT_FALSE(late);
}

TEST(Exporter, IsOfAllMachines)
{
	for (const char *spec : support::and_variants(support::machines_with_events())) {
		Handle handle(sim_options(("sim:" + std::string(spec)).c_str()));
		Exports x(handle);

		ASSERT_EQ(x.code, 0) << spec;
		EXPECT_EQ(exports_start(x.e), x.e->n_parts) << spec << ": " << x.messages;
		EXPECT_LE(exports_samples(x.e), unsigned(SERIES_MAX)) << spec;
		exports_read(x.e);
		EXPECT_GE(samples_of(x.text(), true).size(), 20u) << spec;
		EXPECT_EQ(x.messages, "") << spec;
	}
}

// A package of two dies has two U-Boxes, and no clock has the sum of their frequencies.
TEST(Exporter, ClockOfAPackageIsTheMeanOfItsDies)
{
	Handle handle(sim_options("sim:skx:dies=2,time=virtual"));
	Exports x(handle, {}, "latency");
	uncore_set *set;
	const auto ids =
		handle.events({"UNC_U_CLOCKTICKS:pkg=1:box=0", "UNC_U_CLOCKTICKS:pkg=1:box=1"});
	int64_t dies[2];

	ASSERT_EQ(x.code, 0) << x.messages;
	ASSERT_EQ(uncore_set_create(handle.u, &set), 0);
	ASSERT_EQ(uncore_set_assign(set, ids.data(), ids.size()), 0);
	ASSERT_EQ(uncore_set_start(set), 0) << handle.message();
	exports_start(x.e);
	sim_advance(unc_hw_sim(unc_hw_of(handle.u)), support::kSecond);
	exports_read(x.e);
	ASSERT_EQ(uncore_set_read(set, dies), 0);
	EXPECT_GT(dies[0], 1000000000);
	EXPECT_NEAR(
		std::stod(samples_of(x.text(), true)["uncore_clock_cycles_total{package=\"1\"}"]),
		static_cast<double>(dies[0] + dies[1]) / 2, 10);
	uncore_set_destroy(set);
}

TEST(Exporter, GivesRegistersBack)
{
	SimMachine machine;
	const auto before = machine.registers();

	{
		Exports x(machine);

		exports_start(x.e);
		EXPECT_NE(machine.registers(), before);
	}
	EXPECT_EQ(machine.registers(), before);
}

// The same values as in the other formats, for the same reading.
TEST(Exporter, WritesTheLineProtocolOfInfluxDB)
{
	SimMachine machine;
	Exports x(machine, {"UNC_M_CAS_COUNT:RD:box=1"});
	std::set<std::string> times;
	size_t length, n = 0;

	ASSERT_EQ(0, x.code) << x.messages;
	exports_start(x.e);
	machine.advance();
	exports_read(x.e);
	const auto samples = samples_of(x.text(), true);
	char *text = influx_text(x.e, &length);
	std::istringstream lines(std::string(text, length));

	free(text);
	for (std::string line; std::getline(lines, line);) {
		std::istringstream words(line);
		std::string series, field, when, more;

		ASSERT_TRUE(words >> series >> field >> when) << line;
		EXPECT_FALSE(words >> more) << line;
		EXPECT_EQ(0u, field.find("value=")) << line;
		times.insert(when);
		EXPECT_NE(series.npos, series.find(",hostname=")) << line;
		EXPECT_NE(series.npos, series.find(",simulated=true")) << line;
		EXPECT_NE(series.npos, series.find(",type=socket,type-id=")) << line;
		if (series.find("uncore_memory_read_bytes,") == 0) {
			const std::string package = series.substr(series.rfind('=') + 1);

			n++;
			EXPECT_EQ("value=" +
					  samples.at("uncore_memory_read_bytes_total{package=\"" +
						     package + "\"}") +
					  "i",
				  field);
		}
		// an integer would be another type of the same field when the count is whole
		if (series.find("_joules,") != series.npos) {
			EXPECT_NE('i', field.back()) << line;
		}
	}
	EXPECT_EQ(1u, times.size());
	EXPECT_EQ(machine.machine().packages, n);
}

// Values that a double cannot represent must be exact here.
TEST(Exporter, WritesExactNumbers)
{
	SimMachine machine;
	Exports x(machine, {}, "memory,energy");

	ASSERT_EQ(x.code, 0);
	exports_start(x.e);
	exports_read(x.e);
	for (size_t i = 0; i < x.e->n_series; i++)
		x.e->series[i].value = INT64_C(9007199254740993);
	auto samples = samples_of(x.text(), true);
	EXPECT_EQ(samples["uncore_memory_read_bytes_total{package=\"0\"}"], "9007199254740993");
	EXPECT_EQ(samples["uncore_package_energy_joules_total{package=\"0\"}"],
		  "9007199254.740993");
	EXPECT_NE(x.text().find("# UNIT uncore_package_energy_joules joules\n"), std::string::npos);
	x.e->series[0].value = INT64_MAX;
	EXPECT_EQ(samples_of(x.text(), true)["uncore_memory_read_bytes_total{package=\"0\"}"],
		  "9223372036854775807");
}

// ---- events by name ----

TEST(Exporter, TakesBoxesApart)
{
	SimMachine machine;
	Exports x(machine, {"UNC_M_CAS_COUNT:RD:box=*", "UNC_C_CLOCKTICKS", "UNCORE_LLC_MISSES"},
		  "none");

	ASSERT_EQ(x.code, 0) << x.messages;
	EXPECT_EQ(exports_start(x.e), 6u) << x.messages;
	machine.advance();
	exports_read(x.e);
	auto samples = samples_of(x.text(), true);
	const char *cas = "uncore_m_cas_count_rd_total{event=\"UNC_M_CAS_COUNT:RD\",";

	for (const char *package : {"0", "1"})
		for (const char *box : {"0", "1", "2", "3"})
			EXPECT_NE(samples[std::string(cas) + "package=\"" + package + "\",box=\"" +
					  box + "\"}"],
				  "");
	EXPECT_NE(samples["uncore_c_clockticks_total{event=\"UNC_C_CLOCKTICKS\",package=\"0\"}"],
		  "");
	EXPECT_NE(samples["uncore_llc_misses_total{package=\"1\"}"], "");
}

// Two series with the same labels are refused by Prometheus, with all the others.
TEST(Exporter, KeepsEventsOfOneNameApart)
{
	Handle machine(sim_options("sim:snbep"));
	Exports x(machine,
		  {"UNC_M_CAS_COUNT:RD:box=0", "UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:RD:box=0-1",
		   "unc_m_cas_count:rd:pkg=0", "ix86arch::INSTRUCTION_RETIRED",
		   "ix86arch::INSTRUCTION_RETIRED:cpu=3"});

	ASSERT_EQ(x.code, 0) << x.messages;
	exports_start(x.e);
	read_all(x);
	EXPECT_EQ(samples_of(x.text(), true).size(), exports_samples(x.e)) << x.messages;
	EXPECT_EQ(
		samples_of(x.text(), true)
			.count("uncore_counted_ratio{group=\"UNC_M_CAS_COUNT:RD:box=0-1\",package=\"1\"}"),
		1u);
}

TEST(Exporter, TakesAnEventOnce)
{
	SimMachine machine;
	Exports once(machine), twice(machine, {"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_READ_BYTES"});

	ASSERT_EQ(twice.code, 0);
	EXPECT_EQ(twice.e->n_series, once.e->n_series);
	EXPECT_EQ(twice.e->n_parts, once.e->n_parts);
}

TEST(Exporter, RefusesMeansAndInvalidNames)
{
	SimMachine machine;
	Exports mean(machine, {"UNCORE_FREQUENCY"}), none(machine, {"UNC_C_CLOCKTICKSS"}),
		group(machine, {}, "memory,lattency");

	EXPECT_EQ(mean.code, 1);
	EXPECT_NE(mean.messages.find("a mean has no sum"), std::string::npos) << mean.messages;
	EXPECT_EQ(none.code, UNCORE_ENOEVENT);
	EXPECT_EQ(group.code, 1);
	EXPECT_NE(group.messages.find("unknown group \"lattency\""), std::string::npos);
}

// ---- limits ----

TEST(Exporter, LeavesOutWhatIsTooMuch)
{
	Handle handle(sim_options("sim:gnr:packages=2,cores=128"));
	Exports x(handle, {"UNC_CHA_CLOCKTICKS:box=*", "UNC_M_CLOCKTICKS"}),
		few(handle, {}, nullptr, 20);

	ASSERT_EQ(x.code, 0);
	EXPECT_LE(exports_samples(x.e), unsigned(SERIES_MAX));
	EXPECT_NE(x.messages.find("UNC_CHA_CLOCKTICKS:box=* is omitted"), std::string::npos)
		<< x.messages;
	EXPECT_EQ(x.messages.find("UNC_M_CLOCKTICKS is omitted"), std::string::npos) << x.messages;
	EXPECT_LE(exports_samples(few.e), 20u);
	EXPECT_GT(few.e->n_series, 0u);
	EXPECT_NE(few.messages.find("power is omitted"), std::string::npos) << few.messages;
}

// The metrics and these events do not fit into one set: both are counted anyway.
TEST(Exporter, CountsManyBoxesTogetherWithMetrics)
{
	Handle handle(sim_options("sim:gnr:packages=2,cores=128"));
	Exports x(handle, {"UNC_CHA_CLOCKTICKS:box=*", "gnr_unc_cha::RAW:config=0x135:box=*"},
		  "memory,power", 1000);

	ASSERT_EQ(x.code, 0);
	EXPECT_EQ(exports_start(x.e), x.e->n_parts) << x.messages;
	exports_read(x.e);
	EXPECT_EQ(samples_of(x.text(), true).size(), exports_samples(x.e));
	EXPECT_GT(exports_samples(x.e), 512u);
}

// ---- counts that continue ----

TEST(Exporter, NeverGoesBackwards)
{
	SimMachine machine;
	Exports x(machine);
	std::map<std::string, double> before;

	ASSERT_EQ(x.code, 0);
	exports_start(x.e);
	for (int i = 0; i < 20; i++) {
		machine.advance(support::kMillisecond);
		exports_read(x.e);
		for (auto &s : samples_of(x.text(), true)) {
			const double value = std::stod(s.second);

			if (s.first.find("_total") == std::string::npos)
				continue;
			EXPECT_GE(value, before[s.first]) << s.first;
			before[s.first] = value;
		}
	}
	EXPECT_GT(before["uncore_memory_read_bytes_total{package=\"0\"}"], 0);
}

// ---- the socket ----

TEST(ExporterListens, AtAddressesOnly)
{
	for (const char *no_place : {"", "x", "127.0.0.1", "127.0.0.1:", ":70000", "::1:80"})
		EXPECT_FALSE(listen_is_place(no_place)) << no_place;
	for (const char *place : {":80", "127.0.0.1:0", "[::1]:65535", "a.name:19836"})
		EXPECT_TRUE(listen_is_place(place)) << place;
	for (const char *bad : {"", "x", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", ":70000", "::1",
				"::1:80", "[::1", "1.2.3.4.5:80", "127.0.0.1:-1"}) {
		char *text;

		EXPECT_EQ(listen_at(bad, &text), -1) << bad;
		EXPECT_GT(strlen(text), 10u) << bad;
		free(text);
	}
	char *name, *again;
	const int s = listen_at("127.0.0.1:0", &name);

	ASSERT_GE(s, 0) << name;
	EXPECT_EQ(listen_at(name, &again), -1);
	EXPECT_NE(std::string(again).find("in use"), std::string::npos) << again;
	close(s);
	free(name);
	free(again);
}

// The functions of a network interface share a port, and another one has a port alone.
// Boxes 2, 3, 6 and 7 of package 0 by perf's table.
TEST(Exports, SeriesOfANodeAreLabelledWithIt)
{
	Handle handle(sim_options("sim:spr:packages=2,clusters=2"));
	Exports x(handle,
		  {"UNC_M_CAS_COUNT:RD:node=1", "UNC_M_CAS_COUNT:WR:box=4",
		   "UNCORE_MEM_READ_BYTES:node=3", "UNC_M_CLOCKTICKS"},
		  "none");

	ASSERT_EQ(0, x.code) << handle.message();
	ASSERT_LT(0u, exports_start(x.e)) << x.messages;
	read_all(x);
	const auto samples = samples_of(x.text(), true);
	for (const char *name :
	     {"uncore_m_cas_count_rd_total{event=\"UNC_M_CAS_COUNT:RD\",package=\"0\",node=\"1\"}",
	      "uncore_m_cas_count_wr_total{event=\"UNC_M_CAS_COUNT:WR\",package=\"1\",box=\"4\","
	      "node=\"2\"}",
	      "uncore_memory_read_bytes_total{package=\"1\",node=\"3\"}",
	      "uncore_m_clockticks_total{event=\"UNC_M_CLOCKTICKS\",package=\"0\"}"})
		EXPECT_EQ(1u, samples.count(name)) << name << "\n" << x.text();
}

TEST(Exports, SeriesOfAPortAreLabelledWithItsDevices)
{
	Handle handle(sim_options("sim:skx:devices=1"));
	ASSERT_EQ(0, handle.code) << handle.message();
	Exports e(handle,
		  {"UNC_IIO_DATA_REQ_OF_CPU:MEM_READ:dev=eth13",
		   "UNC_IIO_DATA_REQ_OF_CPU:MEM_READ:dev=mlx5_26", "UNC_M_CAS_COUNT:RD:box=0"},
		  "none");

	ASSERT_EQ(0, e.code) << handle.message();
	ASSERT_EQ(4u, e.e->n_series);
	EXPECT_NE(nullptr, strstr(e.e->series[0].labels, "device=\"eth13, eth14, eth15\""))
		<< e.e->series[0].labels;
	EXPECT_NE(nullptr, strstr(e.e->series[1].labels, "device=\"mlx5_26\""))
		<< e.e->series[1].labels;
	for (size_t i = 2; i < 4; i++)
		EXPECT_EQ(nullptr, strstr(e.e->series[i].labels, "device"))
			<< e.e->series[i].labels;
}

// The ports of a metric are a family, and have different labels.
TEST(Exports, PortsOfAMetricAreOneFamily)
{
	Handle handle(sim_options("sim:skx:devices=1"));
	ASSERT_EQ(0, handle.code) << handle.message();
	Exports e(handle,
		  {"UNCORE_PCIE_READ_BYTES:dev=eth13", "UNCORE_PCIE_READ_BYTES:dev=mlx5_10"},
		  "none");

	ASSERT_EQ(0, e.code) << handle.message();
	ASSERT_EQ(2u, e.e->n_series);
	EXPECT_EQ(1u, e.e->n_families);
	EXPECT_STREQ("uncore_iio_read_bytes", e.e->families[0].family.name);
	EXPECT_STREQ("event=\"UNCORE_IIO_READ_BYTES\",package=\"1\",box=\"1\",part=\"3\","
		     "device=\"eth13, eth14, eth15\"",
		     e.e->series[0].labels);
	EXPECT_STREQ("event=\"UNCORE_IIO_READ_BYTES\",package=\"1\",box=\"1\",part=\"1\","
		     "device=\"mlx5_10\"",
		     e.e->series[1].labels);
}

} // namespace
