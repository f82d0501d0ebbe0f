// SPDX-License-Identifier: BSD-3-Clause
// access_log_test.cc - the accesses of starts, stops and switches on every simulated machine, as
// numbers and a hash for each: tests/claim/access_log was recorded before the way of a claim was
// taken apart.  A change that means to change accesses records it again, and says why: see
// docs/testing.md.
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "claim/journal.h"
#include "support/interposer.h"
#include "support/machines.h"
#include "support/multiplexed.h"
#include "support/node.h"
#include "support/party.h"
#include "support/plan.h"
#include "support/rivals.h"
#include "support/source.h"
#include "support/stop_after.h"

namespace
{

using support::Handle;
using support::Interposer;
using support::Set;

class Hash
{
      public:
	void add(uint64_t value)
	{
		for (unsigned i = 0; i < 8; i++)
			state = (state ^ (value >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
	}
	uint64_t state = UINT64_C(0xcbf29ce484222325);
};

// The accesses since the last phase.  Values that are read depend on the time that has passed.
class Log
{
      public:
	Log(const Handle &handle, const std::string &machine) : hardware(handle), machine(machine)
	{
		hardware.on_read = [this](const unc_op &op, uint64_t *value) {
			note(op, 0, false);
			const int r = on_read ? on_read(op, value) : hardware.read(op, value);
			return r;
		};
		hardware.on_write = [this](const unc_op &op, uint64_t value) {
			note(op, value, true);
			return on_write ? on_write(op) : 0;
		};
	}
	void phase(const std::string &name, int code)
	{
		std::ostringstream line;

		line << reads << ' ' << writes << ' ' << std::hex << hash.state << std::dec << ' '
		     << code;
		lines[machine + ' ' + scenario + ' ' + name] = line.str();
		reads = writes = 0;
		hash = {};
	}
	// A start, or a stop.
	void start(Set &set, const std::string &name = "start")
	{
		phase(name, set.start());
	}
	void stop(Set &set, const std::string &name = "stop")
	{
		phase(name, set.stop());
	}

	std::function<int(const unc_op &op, uint64_t *value)> on_read;
	std::function<int(const unc_op &op)> on_write;
	Interposer hardware;
	std::string scenario;
	std::map<std::string, std::string> lines; // by machine, scenario and phase

      private:
	void note(const unc_op &op, uint64_t value, bool write)
	{
		for (const uint64_t part :
		     {static_cast<uint64_t>(write), static_cast<uint64_t>(op.space),
		      static_cast<uint64_t>(op.width), static_cast<uint64_t>(op.package),
		      static_cast<uint64_t>(op.space == UNCORE_PCI ? op.unit : 0), op.address,
		      value})
			hash.add(part);
		(write ? writes : reads)++;
	}

	const std::string machine;
	unsigned reads = 0, writes = 0;
	Hash hash;
};

std::map<std::string, std::string> recorded(const std::string &machine)
{
	std::ifstream file(support::source_path("tests/claim/access_log"));
	std::map<std::string, std::string> lines;
	std::string of, scenario, phase, rest;

	EXPECT_TRUE(file.good());
	while (file >> of >> scenario >> phase && std::getline(file >> std::ws, rest))
		if (of == machine)
			lines[of + ' ' + scenario + ' ' + phase] = rest;
	return lines;
}

// ACCESS_LOG=FILE in the environment: appends to that file instead.
void compare(const std::string &machine, const std::map<std::string, std::string> &lines)
{
	if (const char *file = getenv("ACCESS_LOG")) {
		std::ofstream out(file, std::ios::app);

		for (const auto &[key, line] : lines)
			out << key << ' ' << line << '\n';
		return;
	}
	const auto expected = recorded(machine);

	EXPECT_EQ(expected.size(), lines.size());
	for (const auto &[key, line] : lines) {
		const auto found = expected.find(key);

		EXPECT_EQ(found == expected.end() ? "nothing" : found->second, line)
			<< key << ": reads, writes, hash, code";
	}
}

// ---- in this process ----

class AccessLog : public testing::TestWithParam<std::string>
{
      protected:
	AccessLog()
	    : h(support::sim_options(support::machine_with(GetParam(), "time=virtual").c_str())),
	      log(h, GetParam())
	{
		EXPECT_EQ(0, h.code) << h.message();
	}
	void pass() const
	{
		sim_advance(unc_hw_sim(log.hardware.behind()), 1000000);
	}
	void run(const std::string &scenario, Set &set)
	{
		log.scenario = scenario;
		log.start(set);
		pass();
		set.counts();
		log.phase("read", 0);
		log.stop(set);
	}
	void run(const std::string &scenario, const std::vector<std::string> &names)
	{
		Set set(h, names);

		run(scenario, set);
	}
	// A part of the events, by their names, so that new events do not change the choice.
	std::vector<std::string> sample(unsigned of) const
	{
		std::vector<std::string> chosen;

		for (const std::string &name : support::listed_names(h)) {
			Hash hash;

			for (const char c : name)
				hash.add(static_cast<unsigned char>(c));
			if ((hash.state >> 32) % of == 0)
				chosen.push_back(name);
		}
		return chosen;
	}
	// The registers of all boxes of one kind.
	std::vector<unc_op> all(enum uncore_register which) const
	{
		std::vector<unc_op> ops;
		unc_op op;

		for (unsigned i = 0; i < h.machine().boxes; i++)
			for (unsigned n = 0; n < 16; n++)
				if (support::register_op(h.u, i, which, n, &op))
					ops.push_back(op);
		return ops;
	}

	void lists()
	{
		run("box", {clock + ":pkg=0"});
		run("boxes", {reads, clock});
		run("again", {reads, clock});
		run("cores",
		    {"ix86arch::INSTRUCTION_RETIRED:cpu=1", "ix86arch::UNHALTED_CORE_CYCLES"});
		for (const std::string &name : sample(24))
			run(name, {name});
	}
	void sharing()
	{
		Set first(h, {clock}), second(h, {clock, reads});

		log.scenario = "sharing";
		log.start(first, "1-first");
		log.start(second, "2-second");
		log.stop(first, "3-first-ends");
		log.start(first, "4-first-again");
		log.stop(second, "5-second-ends");
		log.stop(first, "6-first-ends");
	}
	void windows()
	{
		support::Multiplexed set(h, support::rivals(h));

		log.scenario = "windows";
		log.start(set);
		for (unsigned i = 0; i < 3; i++) {
			pass();
			log.phase("window-" + std::to_string(i), set.window());
		}
		log.stop(set);
	}
	void stops_by_itself()
	{
		const std::string any = GetParam() == "dmr" ? clock : support::listed_names(h)[0];
		support::stop_after::StopAfterSet set(h, {any + ":box=0:pkg=0"});

		EXPECT_EQ(0, set.stop_after(1000000)) << h.message();
		run("stops", set);
	}
	// Another tool has enabled all counters, or does while the set counts.
	void other_tools()
	{
		const std::vector<unc_op> controls = all(UNCORE_CONTROL);
		Set set(h, {clock + ":pkg=0"});
		const auto enabled = [&](const unc_op &op, uint64_t *value) {
			const int r = log.hardware.read(op, value);

			for (const unc_op &control : controls)
				if (control.space == op.space && control.address == op.address &&
				    control.unit == op.unit)
					*value |= 0x400001;
			return r;
		};
		log.scenario = "others";
		log.on_read = enabled;
		log.start(set, "1-refused");
		log.on_read = nullptr;
		log.start(set, "2-start");
		log.on_read = enabled;
		log.stop(set, "3-stolen");
		log.on_read = nullptr;
		log.start(set, "4-start");
		log.stop(set, "5-stop");
	}
	void filters_that_do_not_show()
	{
		const std::vector<unc_op> filters = all(UNCORE_FILTER);

		log.on_read = [&](const unc_op &op, uint64_t *value) {
			const int r = log.hardware.read(op, value);

			for (const unc_op &filter : filters)
				if (filter.space == op.space && filter.address == op.address &&
				    filter.unit == op.unit)
					*value = 0;
			return r;
		};
		for (const std::string &name : sample(48))
			run("filters:" + name, {name});
		log.on_read = nullptr;
	}
	// The first writes of a stop fail, for longer than they are tried.
	void failed_restores()
	{
		Set set(h, {reads, clock, "ix86arch::INSTRUCTION_RETIRED:cpu=0"});
		unsigned failing = 0;

		log.on_write = [&](const unc_op &) { return failing && failing-- ? -EIO : 0; };
		log.scenario = "failing";
		for (const unsigned n : {1u, 12u, 100u}) {
			const std::string name = std::to_string(n);

			log.start(set, name + "-1-start");
			failing = n;
			log.stop(set, name + "-2-stop");
			failing = 0;
			log.start(set, name + "-3-start");
			log.stop(set, name + "-4-stop");
		}
		log.on_write = nullptr;
	}

	const Handle h;
	Log log;
	const std::string clock = support::event_on(GetParam(), "UNCORE_CLOCKTICKS");
	const std::string reads = support::event_on(GetParam(), "UNCORE_MEM_READ_BYTES");
};

TEST_P(AccessLog, IsAsRecorded)
{
	lists();
	sharing();
	windows();
	stops_by_itself();
	other_tools();
	filters_that_do_not_show();
	failed_restores();
	compare(GetParam(), log.lines);
}

std::vector<std::string> all_machines()
{
	const std::vector<const char *> machines = support::machines_and_variants();

	return {machines.begin(), machines.end()};
}

INSTANTIATE_TEST_SUITE_P(OfEachPlatform, AccessLog, testing::ValuesIn(all_machines()),
			 [](const auto &info) { return support::machine_label(info.param); });

// ---- with other processes ----

struct Machine {
	const char *name, *filtered; // an event with a filter
};

std::ostream &operator<<(std::ostream &out, const Machine &machine)
{
	return out << machine.name;
}

class AccessLogOfFiles : public testing::TestWithParam<Machine>
{
};

std::vector<support::Known> known(const char *event)
{
	return {{event, "", 0, 0, 0, 0}};
}

// The entries of all journals, in any order, without the times.
std::string entries(const support::Node &node)
{
	std::multiset<std::string> rows;
	unsigned n_shown = 0;

	for (const std::string &name : node.files.journals()) {
		const std::string bytes = node.files.text("run/uncore/" + name);
		unc_journal j;

		EXPECT_EQ(UNC_JOURNAL_GOOD, unc_journal_decode(bytes.data(), bytes.size(), &j));
		for (uint32_t i = 0; i < j.head.n_saved; i++) {
			const unc_saved &e = j.saved[i];
			std::multiset<std::pair<uint64_t, uint64_t>> shown;
			std::ostringstream row;

			for (uint32_t k = 0; k < e.n_shown; k++)
				shown.insert(
					{j.shown[e.shown + k].mask, j.shown[e.shown + k].value});
			row << std::hex << unsigned(e.place.space) << ' ' << unsigned(e.place.width)
			    << ' ' << e.place.where << ' ' << e.place.package << ' '
			    << e.place.address << ' ' << e.flags << ' ' << e.group << ' ' << e.bits
			    << ' ' << e.before;
			for (const auto &[mask, value] : shown)
				row << ' ' << mask << '=' << value;
			rows.insert(row.str());
			n_shown += e.n_shown;
		}
		unc_journal_free(&j);
	}
	std::ostringstream text;
	Hash hash;
	for (const std::string &row : rows)
		for (const char c : row)
			hash.add(static_cast<unsigned char>(c));
	text << rows.size() << ' ' << n_shown << ' ' << std::hex << hash.state;
	return text.str();
}

TEST_P(AccessLogOfFiles, IsAsRecorded)
{
	NEEDS_FUSE();
	const std::string machine = std::string(GetParam().name) + "-files";
	const support::Node node(std::string(GetParam().name) + ":packages=2,cores=2");
	const Handle h(node.files.options());
	Log log(h, machine);
	const std::string clock = "UNCORE_CLOCKTICKS:pkg=0";
	Set set(h, {clock, "UNCORE_MEM_READ_BYTES:pkg=1", GetParam().filtered});
	const auto phase = [&](const char *name, bool starts) {
		log.phase(name, starts ? set.start() : set.stop());
		log.lines[machine + ' ' + log.scenario + ' ' + name + "-journal"] = entries(node);
	};

	log.scenario = "alone";
	phase("start", true);
	phase("stop", false);
	log.scenario = "neighbour";
	{
		support::ProcessParty other(node, known("UNCORE_MEM_READ_BYTES"), false);

		EXPECT_EQ(0, other.start()) << other.message;
		phase("1-start", true);
		phase("2-stop", false);
		phase("3-start", true);
		EXPECT_EQ(0, other.stop()) << other.message;
		phase("4-last", false);
	}
	log.scenario = "killed";
	{
		support::ProcessParty other(node, known(GetParam().filtered), false);

		EXPECT_EQ(0, other.start()) << other.message;
		other.kill();
		phase("1-recovers", true);
		phase("2-stop", false);
	}
	log.scenario = "windows";
	{
		support::Multiplexed turns(h, support::rivals(h));

		log.phase("1-start", turns.start());
		log.lines[machine + " windows 1-start-journal"] = entries(node);
		for (unsigned i = 0; i < 3; i++) {
			const std::string name = "2-window-" + std::to_string(i);

			node.pass();
			log.phase(name, turns.window());
			log.lines[machine + " windows " + name + "-journal"] = entries(node);
		}
		log.phase("3-stop", turns.stop());
		log.lines[machine + " windows 3-stop-journal"] = entries(node);
	}
	node.expect_clean();
	compare(machine, log.lines);
}

INSTANTIATE_TEST_SUITE_P(
	OfPlatforms, AccessLogOfFiles,
	testing::Values(Machine{"nhmex", "UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0"},
			Machine{"snbep", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"},
			Machine{"skx", "skx_unc_cha::RAW:config=0x3435:config1=0x40433"},
			Machine{"icx", "UNC_CHA_TOR_INSERTS:IA_MISS_DRD"},
			Machine{"spr", "spr_unc_cha::RAW:config=0x10135:config1=8"}),
	[](const auto &info) { return std::string(info.param.name); });

} // namespace
