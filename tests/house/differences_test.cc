// SPDX-License-Identifier: BSD-3-Clause
// differences_test.cc - the tables of docs/reference/differences.md, where our sources
// disagree event by event: the document's last column is what the library does.
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "backend/kernel/perf.h"
#include "support/simulated.h"
#include "support/source.h"

namespace
{

using Row = std::vector<std::string>;

const std::map<std::string, const char *> kMachines = {
	{"SNB-EP", "snbep"}, {"IVT", "ivbep"}, {"HSX", "hswep"}, {"BDX", "bdx"}, {"SKX", "skx"},
	{"ICX", "icx"},      {"SPR", "spr"},   {"EMR", "emr"},   {"GNR", "gnr"}, {"SRF", "srf"},
};

std::vector<std::string> words(const std::string &text)
{
	std::istringstream in(text);
	std::vector<std::string> all;

	for (std::string word; in >> word;)
		all.push_back(word);
	return all;
}

Row cells(const std::string &line)
{
	std::istringstream in(line.substr(1));
	Row row;

	for (std::string cell; std::getline(in, cell, '|');) {
		const size_t first = cell.find_first_not_of(' ');

		row.push_back(first == std::string::npos
				      ? ""
				      : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
	}
	return row;
}

// The rows of the table below a heading, without its head.
void append_table(std::vector<Row> &rows, const std::string &heading)
{
	std::ifstream in(support::source_path("docs/reference/differences.md"));
	unsigned n = 0;
	bool here = false;

	for (std::string line; std::getline(in, line);) {
		if (line[0] == '#')
			here = line == "## " + heading;
		if (here && line[0] == '|' && n++ >= 2)
			rows.push_back(cells(line));
	}
	if (n < 3)
		throw std::runtime_error("no table " + heading);
}

// "Counters" or "Codes": those of all sources, and those that LIKWID alone has otherwise.
std::vector<Row> tables(const std::string &what)
{
	std::vector<Row> rows;

	append_table(rows, what + ", event by event");
	append_table(rows, what + " where LIKWID alone differs");
	return rows;
}

std::string lower(std::string text)
{
	for (char &c : text)
		c = static_cast<char>(tolower(c));
	return text;
}

// "0 1", "0-3"
uint32_t counters(const std::string &text)
{
	uint32_t mask = 0;

	for (const std::string &word : words(text)) {
		const size_t dash = word.find('-');
		const int first = std::stoi(word);
		const int last =
			dash == std::string::npos ? first : std::stoi(word.substr(dash + 1));

		for (int i = first; i <= last; i++)
			mask |= 1u << i;
	}
	return mask;
}

// "0x38", "0x38+x", "0x38+ext"
uint64_t code(const std::string &text)
{
	return std::stoull(text, nullptr, 16) | (text.find('+') == text.npos ? 0 : 1u << 21);
}

// "0x03 0x06-0x08"
std::vector<uint64_t> codes(const std::string &text)
{
	std::vector<uint64_t> all;

	for (const std::string &word : words(text)) {
		const size_t dash = word.find('-');
		const uint64_t first = code(word.substr(0, dash));
		const uint64_t last = dash == word.npos ? first : code(word.substr(dash + 1));

		for (uint64_t event = first; event <= last; event++)
			all.push_back(event);
	}
	return all;
}

// "code:umask ext extension"; own: the code behind ".."
uint64_t control(const std::string &text, uint64_t own)
{
	const size_t colon = text.find(':'), ext = text.find(" ext ");
	const uint64_t event = text.compare(0, 2, "..") == 0 ? own : code(text.substr(0, colon));
	const uint64_t high =
		ext == std::string::npos ? 0 : std::stoull(text.substr(ext + 5), nullptr, 16);

	return event | std::stoull(text.substr(colon + 1), nullptr, 16) << 8 | high << 32;
}

// One machine of each platform, opened when it is first needed.
class Machines
{
      public:
	Simulated &operator[](const std::string &platform)
	{
		std::unique_ptr<Simulated> &machine = machines[platform];

		if (!machine)
			machine.reset(new Simulated((std::string("sim:") + kMachines.at(platform) +
						     ":packages=1,time=virtual")
							    .c_str()));
		return *machine;
	}

      private:
	std::map<std::string, std::unique_ptr<Simulated>> machines;
};

// The counters that the box's rules and the rows of its own table leave.
uint32_t allowed(const struct unc_box_type *type, uint64_t event)
{
	const uint64_t mask = 0x2000ff;
	uint32_t left;
	bool low;

	left = unc_allowed_counters(type, event, &low);
	for (const struct unc_row *row = type->rows; row && *row->name; row++)
		if (!row->umask && (row->bits & mask) == event && row->counters)
			left &= row->counters;
	return left;
}

TEST(Differences, CountersAreThoseOfTheTable)
{
	Machines machines;
	unsigned n = 0;

	for (const Row &row : tables("Counters")) {
		for (const std::string &platform : words(row[0])) {
			const struct unc_box_type *type = machines[platform].type(lower(row[1]));

			for (const uint64_t event : codes(row[2])) {
				EXPECT_EQ(counters(row.back()), allowed(type, event))
					<< platform << " " << row[1] << std::hex << " " << event;
				n++;
			}
		}
	}
	EXPECT_LT(400u, n);
}

// Through the kernel's driver an event is refused that it may put on a counter that we do not take;
// but for boxes that are refused anyway, or have one counter here.
TEST(Differences, EventsThatTheDriverMisplacesAreThoseOfTheTable)
{
	std::map<std::string, std::set<uint64_t>> wrong;
	Machines machines;
	std::vector<Row> rows;

	append_table(rows, "Counters, event by event");
	for (const Row &row : rows)
		for (const std::string &platform : words(row[0]))
			if (row[6] != "-" && (counters(row[6]) & ~counters(row.back())) &&
			    row[1] != "IRP" &&
			    machines[platform].type(lower(row[1]))->n_counters > 1)
				for (const uint64_t event : codes(row[2]))
					wrong[platform + " " + lower(row[1])].insert(event);
	EXPECT_EQ(13U, wrong.size());
	for (const auto &[platform, name] : kMachines)
		for (auto t = machines[platform].machine.types; *t; t++)
			for (uint64_t event = 0; event < 0x100; event++)
				EXPECT_EQ(wrong[platform + " " + (*t)->name].count(event),
					  unc_perf_misplaced(&machines[platform].machine, *t, event)
						  ? 1U
						  : 0U)
					<< platform << " " << (*t)->name << std::hex << " "
					<< event;
}

// "TARGET nf=1"
std::string parts(const std::string &text)
{
	std::string all;

	for (const std::string &word : words(text))
		all += ":" + word;
	return all;
}

// UNC_M_RD_CAS_RANK* stands for the ranks 0 to 7.
std::vector<std::string> expand(const std::string &name)
{
	std::vector<std::string> all;

	if (name.back() != '*')
		return {name};
	for (int i = 0; i < 8; i++)
		all.push_back(name.substr(0, name.size() - 1) + std::to_string(i));
	return all;
}

// The events of a row with its umask.
std::vector<std::string> names(const Row &row)
{
	std::vector<std::string> all;

	for (const std::string &word : words(row[2]))
		for (const std::string &event : expand(word))
			all.push_back(row[3] == "-" ? event : event + parts(row[3]));
	return all;
}

TEST(Differences, CodesAreThoseOfTheTable)
{
	Machines machines;
	unsigned n = 0;

	for (const Row &row : tables("Codes"))
		for (const std::string &platform : words(row[0]))
			for (const std::string &name : names(row)) {
				const struct unc_event *ev = machines[platform].event(name);

				EXPECT_NE(nullptr, ev) << platform << " " << name;
				if (!ev)
					continue;
				EXPECT_EQ(lower(row[1]), ev->type->name) << name;
				EXPECT_EQ(control(row.back(), ev->control & 0x2000ff), ev->control)
					<< platform << " " << name << std::hex << " is "
					<< ev->control;
				n++;
			}
	EXPECT_LT(100u, n);
}

} // namespace
