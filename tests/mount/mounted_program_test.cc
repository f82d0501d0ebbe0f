// SPDX-License-Identifier: BSD-3-Clause
// mounted_program_test.cc - each simulated machine mounted as files: the writes in its trace are
// the programs that `uncore plan` shows, operation by operation, in their order and width.
#include <algorithm>
#include <cinttypes>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "plan/complete.h"
#include "support/every_event.h"
#include "support/machines.h"
#include "support/mounted.h"
#include "support/multiplexed.h"
#include "support/plan.h"
#include "support/rivals.h"

namespace
{

// As the trace has it, without the CPU that an MSR is reached by: "msr pkg0 0xd04 64".
std::string location(const support::Handle &h, const unc_op &op)
{
	const struct unc_pci *pci = unc_machine_of(h.u)->topo.pci;
	char text[64];

	if (op.space == UNCORE_PCI)
		snprintf(text, sizeof(text), "pci %04x:%02x:%02x.%x %#" PRIx64 " %u",
			 pci[op.unit].segment, pci[op.unit].bus, pci[op.unit].devfn >> 3,
			 pci[op.unit].devfn & 7U, op.address, op.width);
	else
		snprintf(text, sizeof(text), "%s pkg%u %#" PRIx64 " %u",
			 op.space == UNCORE_MSR ? "msr" : "mem", op.package, op.address, op.width);
	return text;
}

// Config space has no accesses of 64 bits.  The enable bit is in the low half, which comes last.
std::vector<unc_op> accesses(const unc_op &op)
{
	unc_op low = op, high = op;

	if (op.space != UNCORE_PCI || op.width != 64)
		return {op};
	low.width = high.width = 32;
	low.value &= UINT32_MAX;
	low.mask &= UINT32_MAX;
	high.address += 4;
	high.value >>= 32;
	high.mask >>= 32;
	return {high, low};
}

// An event of each kind of box that has controls, in the first such box of package 0.
std::vector<std::string> one_of_each_kind(const support::Handle &h)
{
	std::map<std::string, std::string> first;
	std::vector<std::string> names;

	for (unsigned id : support::listed(h)) {
		auto info = support::sized<struct uncore_event_info>();

		if (uncore_event_info(h.u, id, &info) == 0 && !info.real && !info.formula[0])
			first.emplace(info.kind, uncore_event_name(h.u, id));
	}
	for (const auto &[kind, name] : first)
		for (const uncore_box_info &box : h.boxes(kind))
			if (!box.absent && box.package == 0) {
				names.push_back(name + ":box=" + std::to_string(box.index) +
						":pkg=0");
				break;
			}
	return names;
}

struct Write {
	std::string location;
	uint64_t value, mask; // mask: the bits of the value that the program defines
	bool may_lack;        // the next window may keep the old value, or the box frozen
};

class MountedProgram : public testing::TestWithParam<const char *>
{
      protected:
	void open(const support::Mounted &files)
	{
		// Where others may count, windows freeze no package: others_test.cc.
		auto alone = files.options();

		alone.journal = "none";
		h = std::make_unique<support::Handle>(alone);
		ASSERT_EQ(0, h->code) << h->message();
	}
	void plan(const unc_op *ops, size_t n, bool may_lack = false)
	{
		for (size_t i = 0; i < n; i++)
			if (ops[i].kind != UNCORE_READ)
				for (const unc_op &op : accesses(ops[i]))
					program.push_back({location(*h, op), op.value,
							   ops[i].saved  ? 0
							   : ops[i].mask ? op.mask
									 : UINT64_MAX,
							   may_lack});
	}
	void plan_begin(const struct uncore_plan *p)
	{
		plan(p->setup.op, p->setup.n);
		plan(p->start.op, p->start.n);
	}
	// Without the reset of a box control that is written once more to start the box, and
	// without values that the last window wrote.
	void plan_next_begin(const struct uncore_plan *p, const struct uncore_plan *last)
	{
		for (size_t i = 0; i < p->setup.n; i++) {
			const unc_op &op = p->setup.op[i];
			const auto is_same = [&](const unc_op &other) {
				return unc_same_register(&op, &other);
			};
			const auto is_held = [&](const unc_op &other) {
				return is_same(other) && other.value == op.value;
			};

			plan(&op, 1,
			     std::any_of(p->start.op, p->start.op + p->start.n, is_same) ||
				     std::any_of(last->setup.op, last->setup.op + last->setup.n,
						 is_held));
		}
		plan(p->start.op, p->start.n);
	}
	void plan_end(const struct uncore_plan *p)
	{
		plan(p->stop.op, p->stop.n);
		plan(p->restore.op, p->restore.n);
	}
	struct uncore_plan *plan_of(const std::vector<std::string> &names, uint64_t stop_after = 0)
	{
		const std::vector<unsigned> ids = h->events(names);
		const uncore_stop_after first = {sizeof(first), 0, stop_after};
		struct uncore_plan *p = nullptr;
		const int r = stop_after ? support::plan_stop_after(h->u, ids.data(), ids.size(),
								    &first, 0, &p)
					 : uncore_plan(h->u, ids.data(), ids.size(), nullptr, &p);

		EXPECT_EQ(0, r) << h->message();
		return p;
	}
	// A set of its own, and another one that shares all of its counters.
	void count(const std::vector<std::string> &names, uint64_t stop_after = 0)
	{
		struct uncore_plan *p = plan_of(names, stop_after);
		const uncore_stop_after first = {sizeof(first), 0, stop_after};
		support::Set set(*h, names), other(*h, names);

		ASSERT_NE(nullptr, p);

		if (stop_after) {
			EXPECT_EQ(0, uncore_set_stop_after(set.set, &first, 1, 0));
		}
		EXPECT_EQ(0, set.start()) << h->message();
		if (!stop_after) {
			EXPECT_EQ(0, other.start()) << h->message();
			EXPECT_EQ(0, other.stop()) << h->message();
		}
		EXPECT_EQ(0, set.stop()) << h->message();
		plan_begin(p);
		plan_end(p);
		uncore_plan_free(p);
	}
	void count_in_windows(const support::Mounted &files, const std::vector<std::string> &names)
	{
		struct uncore_plan *p[] = {plan_of({names[0]}), plan_of({names[1]})};
		support::Multiplexed set(*h, names);

		EXPECT_EQ(0, set.start()) << h->message();
		files.advance(1000);
		if (set.times()[0].running_ns == 0)
			std::swap(p[0], p[1]);
		plan_begin(p[0]);
		for (unsigned i = 0; i < 3; i++) {
			set.window();
			plan(p[i % 2]->stop.op, p[i % 2]->stop.n);
			plan_next_begin(p[(i + 1) % 2], p[i % 2]);
			plan(p[i % 2]->restore.op, p[i % 2]->restore.n, true);
		}
		EXPECT_EQ(0, set.stop()) << h->message();
		plan_end(p[1]);
		uncore_plan_free(p[0]);
		uncore_plan_free(p[1]);
	}
	// Where in the program a trace can be: more than one place behind what may lack.
	void skip(size_t end)
	{
		for (size_t i = 0; i < end; i++)
			if (reached.count(i) && program[i].may_lack)
				reached.insert(i + 1);
	}
	void follow(const std::string &at, uint64_t value)
	{
		std::set<size_t> behind;

		skip(program.size());
		for (size_t i : reached)
			if (i < program.size() && program[i].location == at &&
			    ((program[i].value ^ value) & program[i].mask) == 0)
				behind.insert(i + 1);
		reached = behind;
	}
	void expect(const std::string &trace)
	{
		std::ifstream in(trace);
		size_t n = 0;

		reached = {0};
		for (std::string line; std::getline(in, line);) {
			std::string time, call, pid, operation, space, where, address, bits, value;

			std::istringstream(line) >> time >> call >> pid >> operation >> space >>
				where >> address >> bits >> value;
			if (operation != "write")
				continue;
			const std::string at =
				space + " " +
				where.substr(0, space == "msr" ? where.find('/') : where.npos) +
				" " + address + " " + bits;
			follow(at, std::stoull(value, nullptr, 16));
			ASSERT_FALSE(reached.empty()) << "write " << n << ": " << line;
			n++;
		}
		skip(program.size());
		EXPECT_EQ(1u, reached.count(program.size()));
	}

	std::unique_ptr<support::Handle> h;
	std::vector<Write> program;
	std::set<size_t> reached; // writes of it that have been carried out
};

TEST_P(MountedProgram, IsWhatTheTraceHas)
{
	const std::string why = support::cannot_mount(), machine = GetParam();
	char trace[] = "/tmp/uncore-trace-XXXXXX";

	if (!why.empty())
		GTEST_SKIP() << why;
	close(mkstemp(trace));
	{
		support::Mounted files(support::machine_with(machine, "cores=4,time=virtual"),
				       trace);

		ASSERT_NO_FATAL_FAILURE(open(files));
		const std::string clock = support::event_on(machine, "UNCORE_CLOCKTICKS");
		const std::string any = machine == "dmr" ? clock : support::listed_names(*h)[0];
		count({clock + ":pkg=0"});
		count({support::event_on(machine, "UNCORE_MEM_READ_BYTES"), clock});
		count({any + ":box=0:pkg=0"}, 1000000);
		for (const std::string &name : one_of_each_kind(*h))
			count({name});
		const std::vector<std::string> names = support::rivals(*h);
		ASSERT_EQ(2u, names.size()) << "no two events exclude each other";
		count_in_windows(files, names);
		h.reset();
		files.end();
	}
	EXPECT_LT(20u, program.size());
	expect(trace);
	unlink(trace);
}

INSTANTIATE_TEST_SUITE_P(OfEach, MountedProgram,
			 testing::ValuesIn(support::machines_and_variants()),
			 [](const auto &info) { return support::machine_label(info.param); });

} // namespace
