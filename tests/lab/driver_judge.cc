// SPDX-License-Identifier: BSD-3-Clause
// driver_judge.cc - compares what the kernel's driver and what we did with the same events
// in a guest (cases/driver.sh), register by register, by the rules of tests/golden*_test.cc.
//
//	driver_judge PLATFORM DIRECTORY
#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>
#include <set>

#include <unistd.h>

#include "lab/driver_trace.h"
#include "support/data.h"
#include "support/facts.h"
#include "support/golden_ex.h"
#include "support/golden_names.h"

using nlohmann::json;
using namespace lab;

namespace
{

std::string at(const Address &where)
{
	return where.first + " " + golden_hex(where.second);
}

// One result; the first few cases against it are named.
class Result
{
      public:
	explicit Result(const std::string &name) : name(name)
	{
	}
	void expect(bool good, const std::string &where, const std::string &what)
	{
		if (good)
			return;
		if (bad++ < 5)
			std::cout << "not ok " << name << ": " << where << ": " << what << "\n";
	}
	void seen()
	{
		n++;
	}
	~Result()
	{
		if (bad > 5)
			std::cout << "not ok " << name << ": " << bad - 5 << " more\n";
		else if (n == 0)
			std::cout << "not ok " << name << ": nothing was compared\n";
		else if (bad == 0)
			std::cout << "ok " << name << " (" << n << ")\n";
	}

      private:
	const std::string name;
	unsigned n = 0, bad = 0;
};

using Written = std::map<Address, uint64_t>; // the last value

// The values of registers that were written, from one case to the next.
class Held
{
      public:
	void pass(const Accesses &accesses)
	{
		for (const auto &a : accesses)
			if (a.write)
				value[a.where] = a.value;
	}
	// While a case counts.
	Written during(const Accesses &accesses) const
	{
		Written now = value;

		for (const auto &a : accesses)
			if (a.write && (a.phase == "open" || a.phase == "enable"))
				now[a.where] = a.value;
		return now;
	}

      private:
	Written value;
};

// The results of both for one case.
struct Case {
	const json &golden, &perf, &ours;
	const Accesses &theirs, &mine;
	const Written held; // by all registers while we count
	std::string name() const
	{
		return golden["case"];
	}
	bool accepted() const
	{
		return perf["ok"];
	}
	std::string outcome() const
	{
		return ours["outcome"];
	}
	bool both_count() const
	{
		return accepted() && outcome() == "fits";
	}
	// Equal events share a counter here, which is not the driver's question.
	bool equal_events(const std::string &platform) const
	{
		std::set<std::string> different;

		for (const json &event : golden["events"])
			different.insert(golden_name(platform, name(), event) +
					 event["cpu"].dump());
		return different.size() < golden["events"].size();
	}
	// The counter that the driver read for an event.
	Address counter(size_t event) const
	{
		for (const auto &a : theirs)
			if (a.phase == "read" + std::to_string(event) && !a.write)
				return a.where;
		return {"", 0};
	}
};

Written written(const Accesses &accesses)
{
	Written all;

	for (const auto &a : accesses)
		if (a.write && a.phase == "enable")
			all[a.where] = a.value;
	return all;
}

std::set<Address> read_of(const Accesses &accesses)
{
	std::set<Address> all;

	for (const auto &a : accesses)
		if (!a.write && a.phase == "read")
			all.insert(a.where);
	return all;
}

/* The registers of one counter. */
struct Counter {
	uint32_t control, count;
};

struct Rules {
	// All counters of the box that an event is for.
	std::function<std::vector<Counter>(const json &event)> counters;
	std::function<void(const Case &, Written &theirs, Written &mine, Result &)> rest;
};

const Counter *by_count(const std::vector<Counter> &all, uint32_t count)
{
	for (const Counter &c : all)
		if (c.count == count)
			return &c;
	return nullptr;
}

// The PCU's events of the four frequency bands are one event: either side may take another
// band's, with the frequency moved in the filter.
uint64_t without_band(const json &event, uint64_t control)
{
	const unsigned code = control & 0xff;
	const bool band = event["pmu"] == "uncore_pcu" && code >= 0xb && code <= 0xe;

	return band ? (control & ~UINT64_C(0xff)) | 0xb : control;
}

// Of every event: the driver's control value is on a counter of ours, which we read.
void compare_controls(const Rules &rules, const Case &c, Written &theirs, Written &mine,
		      Result &result)
{
	const auto read = read_of(c.mine);

	for (size_t i = 0; i < c.golden["events"].size(); i++) {
		const std::string where = c.name() + " event " + std::to_string(i);
		const json &event = c.golden["events"][i];
		const auto counters = rules.counters(event);
		const Address count = c.counter(i);
		const Counter *theirs_at = by_count(counters, count.second);

		if (theirs_at == nullptr || !theirs.count({count.first, theirs_at->control})) {
			result.expect(false, where, "the driver does not count it");
			continue;
		}
		const uint64_t value = theirs[{count.first, theirs_at->control}];
		bool found = false;
		for (const Counter &o : counters) {
			const Address control = {count.first, o.control};

			found = mine.count(control) &&
				without_band(event, mine[control]) == without_band(event, value) &&
				read.count({count.first, o.count});
			if (found) {
				mine.erase(control);
				break;
			}
		}
		result.expect(found, where, "no counter of ours has " + golden_hex(value));
		theirs.erase({count.first, theirs_at->control});
	}
}

/* ---- Sandy Bridge-EP and later ---- */

// Holds a package from start to stop, docs/reference/differences.md.
bool is_global(const std::string &platform, const Address &where)
{
	const uint32_t msr = where.second;

	if (where.first.find("package") != 0)
		return false;
	return platform == "ivbep" ? msr == 0xc00 : platform != "snbep" && msr == 0x700;
}

std::vector<Counter> counters_of(const golden::Platform &platform, const json &event)
{
	const GoldenPmu pmu(event["pmu"]);
	const auto &r = support::facts::kind(platform.name, pmu.kind);
	const uint32_t away = r.away(pmu.box < 0 ? 0 : pmu.box);
	std::vector<Counter> all;

	for (unsigned i = 0; i < (pmu.kind == "ubo" || pmu.kind == "irp" ? 2u : 4u); i++)
		all.push_back({r.control_of(i) + away, r.counter_of(i) + away});
	if (r.fixed_counter)
		all.push_back({r.fixed_control, r.fixed_counter});
	return all;
}

uint64_t filters(const golden::Platform &platform, const Written &all)
{
	uint64_t value = 0;

	for (const auto &[where, bits] : all)
		if (const golden::Filter *f = golden::filter_at(platform, where.second))
			value |= bits << f->shift;
	return value;
}

Written only_filters(const golden::Platform &platform, const Written &all)
{
	Written found;

	for (const auto &w : all)
		if (golden::filter_at(platform, w.first.second))
			found.insert(w);
	return found;
}

// A value that another tool has left in a filter that acts on every event of the boxes in use is
// our filter, if we do not write it.
void add_left_over(const golden::Platform &platform, const Case &c, Written &mine)
{
	for (const json &event : c.golden["events"]) {
		const GoldenPmu pmu(event["pmu"]);
		const int cpu = event["cpu"];
		const std::string package =
			"package" +
			std::to_string(cpu < 0 ? 0 : cpu / static_cast<int>(platform.cores));

		for (const golden::Filter &f : platform.filters) {
			const uint32_t box = pmu.box < 0 ? 0 : static_cast<uint32_t>(pmu.box);
			const Address where = {package, f.first + f.stride * box};
			const auto held = c.held.find(where);

			if (pmu.kind == f.kind && f.always && box < f.n && held != c.held.end())
				mine.insert(*held);
		}
	}
}

// The driver keeps bits of earlier events in a filter: only the case's own are compared.  Ours
// are all compared.
void compare_filters(const golden::Platform &platform, const Case &c, const Written &theirs,
		     const Written &mine, Result &result)
{
	const golden::FilterDifference *d = golden::listed_filter(platform, c.name());
	Written owned = only_filters(platform, theirs);

	for (auto &[where, value] : owned)
		value &= golden::owned_bits(platform, c.golden, where.second);
	if (d) {
		const uint64_t ours = filters(platform, mine), driver = filters(platform, owned);

		result.expect(driver == d->driver, c.name(),
			      "driver " + golden_hex(driver) + ", not as listed any more");
		result.expect(ours == d->ours, c.name(), "filter " + golden_hex(ours));
		return;
	}
	for (const auto &[where, value] : owned)
		result.expect(value == (mine.count(where) ? mine.at(where) : 0), c.name(),
			      "the driver has " + golden_hex(value) + " in filter " + at(where));
	for (const auto &[where, value] : only_filters(platform, mine))
		result.expect(value == 0 || owned.count(where), c.name(),
			      "only we have " + golden_hex(value) + " in filter " + at(where));
}

// Controls aside: what else we write, the driver writes, too.
void compare_rest(const golden::Platform &platform, const Case &c, Written &theirs, Written &mine,
		  Result &result)
{
	if (c.golden.contains("filter_owned")) {
		Written in_effect = mine;

		add_left_over(platform, c, in_effect);
		compare_filters(platform, c, theirs, in_effect, result);
	}
	for (const auto &[where, value] : mine)
		result.expect(golden::filter_at(platform, where.second) || theirs.count(where) ||
				      is_global(platform.name, where),
			      c.name(), "only we write " + at(where));
}

/* ---- Nehalem-EX and Westmere-EX ---- */

std::vector<Counter> counters_of_ex(const json &event)
{
	const golden_ex::Pmu pmu(event["pmu"]);
	std::vector<Counter> all;

	for (unsigned i = 0; i < 8; i++)
		all.push_back({pmu.control(i), pmu.control(i) + 1});
	if (pmu.registers().fixed_bit)
		all.push_back({0x395, 0x394});
	return all;
}

bool is_box_control(uint32_t msr)
{
	golden_ex::Pmu pmu("uncore_");

	for (const auto &[kind, r] : golden_ex::kRegisters)
		for (pmu.kind = kind, pmu.box = 0; pmu.box < r.n; pmu.box++)
			if (msr == pmu.box_ctl())
				return true;
	return false;
}

// Box controls: bits of the driver's. All others are equal, as neither leaves one out.
void compare_rest_ex(const Case &c, Written &theirs, Written &mine, Result &result)
{
	for (const auto &[where, value] : mine) {
		const bool both = theirs.count(where);

		if (where.second == 0xc00)
			continue; // starts and stops the package; the driver leaves it running
		result.expect(both, c.name(), "only we write " + at(where));
		if (both)
			result.expect(is_box_control(where.second) ? (value & ~theirs[where]) == 0
								   : value == theirs[where],
				      c.name(), at(where) + " has " + golden_hex(value));
	}
	for (const auto &[where, value] : theirs)
		result.expect(mine.count(where) || is_box_control(where.second), c.name(),
			      "only the driver writes " + at(where));
}

Rules rules_of(const std::string &name)
{
	const golden::Platform *p = golden::find_platform(name);

	if (golden_is_ex(name))
		return {counters_of_ex, compare_rest_ex};
	if (p)
		return {[p](const json &event) { return counters_of(*p, event); },
			[p](const Case &c, Written &theirs, Written &mine, Result &result) {
				compare_rest(*p, c, theirs, mine, result);
			}};
	throw std::runtime_error("no platform " + name);
}

/* ---- feasibility ---- */

struct Expected {
	bool accepted;
	std::string outcome;
};

// As listed, or both the same; "either" way of refusing.
Expected expected_of(const std::string &platform, const Case &c)
{
	static const char *const outcomes[] = {"fits", "no room", "refused"};

	if (golden_is_ex(platform)) {
		if (const auto *d = golden_ex::listed(c.name()))
			return {d->driver, d->ours ? "fits" : ""};
	} else if (const auto *d = golden::listed(*golden::find_platform(platform), c.name())) {
		return {d->driver_accepts, outcomes[d->ours]};
	}
	return {c.accepted(), c.accepted() ? "fits" : ""};
}

// Rules of the driver that we do not share, docs/reference/differences.md, seen in random groups.
struct Excuse {
	std::set<std::string> platforms;
	const char *kind;
	std::set<uint64_t> codes; // of an event in the group, under mask
	uint64_t mask;
	bool driver_accepts; // and we do not; or the other way round
};

const std::vector<Excuse> kExcuses = {
	// counts nothing without a state; the driver leaves the filter alone
	{{"hswep", "bdx"}, "uncore_cbox_", {0x4334}, 0xffff, true},
	{{"skx"}, "uncore_cha_", {0x4334}, 0xffff, true},
	// with tid_en the driver claims all filter fields
	{{"skx"}, "uncore_cha_", {0x80000}, 0x80000, false},
};

bool excused(const std::string &platform, const Case &c)
{
	if (c.name().find("random/") != 0 || c.outcome() != (c.accepted() ? "no room" : "fits"))
		return false;
	for (const Excuse &excuse : kExcuses)
		for (const json &event : c.golden["events"])
			if (excuse.platforms.count(platform) &&
			    excuse.driver_accepts == c.accepted() &&
			    std::string(event["pmu"]).find(excuse.kind) == 0 &&
			    excuse.codes.count(golden_number(event["config"]) & excuse.mask))
				return true;
	return false;
}

void compare_answers(const std::string &platform, const Case &c, Result &result)
{
	const Expected expected = expected_of(platform, c);
	const bool same =
		expected.outcome.empty() ? c.outcome() != "fits" : c.outcome() == expected.outcome;
	const std::string why = c.ours.value("why", "");

	if (c.equal_events(platform) || excused(platform, c))
		return;
	result.seen();
	result.expect(c.accepted() == expected.accepted, c.name(),
		      std::string("the driver ") + (c.accepted() ? "accepts" : "refuses") + " it");
	result.expect(same && c.outcome() != "failed", c.name(),
		      "ours: " + c.outcome() + " " + why + ", driver " + c.perf["errno"].dump());
}

bool compares_registers(const std::string &platform, const Case &c)
{
	return c.both_count() && !c.equal_events(platform);
}

void compare_registers(const std::string &platform, const Rules &rules, const Case &c,
		       Result &result)
{
	Written theirs = written(c.theirs), mine = written(c.mine);

	if (!compares_registers(platform, c))
		return;
	result.seen();
	compare_controls(rules, c, theirs, mine, result);
	rules.rest(c, theirs, mine, result);
}

// These guests have no registers in memory.
bool in_memory(const std::string &platform, const json &c)
{
	for (const json &event : c["events"])
		if (platform == "icx" && std::string(event["pmu"]).find("uncore_imc_") == 0)
			return true;
	return false;
}

void judge(const std::string &platform, const std::string &directory, const std::string &set,
	   const std::vector<json> &golden, bool has_filters)
{
	const std::string start = directory + "/" + set;
	const auto perf = read_lines(start + ".perf"), ours = read_lines(start + ".ours");
	Trace trace(start + ".trace");
	const Rules rules = rules_of(platform);
	Held held; // all of the driver's cases come first
	Result answers(set + ": groups that fit"), registers(set + ": registers");
	std::optional<Result> filters; // that they were among the registers

	if (has_filters)
		filters.emplace(set + ": filters");
	if (perf.size() != golden.size() || ours.size() != golden.size()) {
		std::cout << "not ok " << set << ": not all cases were run\n";
		return;
	}
	for (size_t i = 0; i < golden.size(); i++)
		held.pass(trace.of(i, "perf"));
	for (size_t i = 0; i < golden.size(); i++) {
		const Case c = {golden[i],
				perf[i],
				ours[i],
				trace.of(i, "perf"),
				trace.of(i, "ours"),
				held.during(trace.of(i, "ours"))};

		held.pass(c.mine);
		if (in_memory(platform, golden[i]))
			continue;
		compare_answers(platform, c, answers);
		compare_registers(platform, rules, c, registers);
		if (filters && c.golden.contains("filter_owned") && compares_registers(platform, c))
			filters->seen();
	}
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 3)
		return std::cerr << "usage: driver_judge PLATFORM DIRECTORY\n", 2;
	const std::string platform = argv[1], directory = argv[2];

	// Accesses to boxes in config space cannot be traced: docs/lab.md.
	const bool with_msrs = access((directory + "/golden.perf").c_str(), F_OK) == 0;

	// The recordings of Ice Lake-X do not tell whose filter bits are whose.
	if (with_msrs)
		judge(platform, directory, "golden",
		      support::data_lines("golden/" + platform + ".jsonl.gz"),
		      !golden_is_ex(platform) && platform != "icx");
	judge(platform, directory, "random", read_lines(directory + "/random.jsonl"),
	      with_msrs && !golden_is_ex(platform));
	return 0;
}
