// SPDX-License-Identifier: BSD-3-Clause
// program_order_test.cc - the writes of a run match the program printed by `uncore plan`,
// operation by operation and in the same order.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "plan/complete.h"
#include "plan/compose.h"
#include "support/every_event.h"
#include "support/interposer.h"
#include "support/machines.h"
#include "support/multiplexed.h"
#include "support/plan.h"
#include "support/rivals.h"

namespace
{

// "0 msr 0xd04": package, space and address. Different units of a package have different names.
std::string place(const unc_op &op)
{
	char text[96];

	snprintf(text, sizeof(text), "%u:%u:%u:%#llx", op.package, op.space, op.unit,
		 static_cast<unsigned long long>(op.address));
	return text;
}

// Values that are not part of the program were read before.
struct Write {
	std::string where;
	bool known;
	uint64_t value, mask;
	bool may_lack; // the next window may find the box as it needs it
};

void append(std::vector<Write> *writes, const unc_op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].kind != UNCORE_READ)
			writes->push_back({place(ops[i]), !ops[i].saved, ops[i].value,
					   ops[i].mask ? ops[i].mask : UINT64_MAX, false});
}

// The part of the set-up that a window may leave out: the reset of a box that the last window has
// frozen, by the control that is written again to start the box, and what the last window wrote.
void mark_known(std::vector<Write> *setup, const std::vector<Write> &start,
		const std::vector<Write> &last)
{
	const auto writes = [](const Write &write) {
		return [&write](const Write &other) { return other.where == write.where; };
	};

	for (Write &write : *setup) {
		const auto before = std::find_if(last.rbegin(), last.rend(), writes(write));

		write.may_lack = std::any_of(start.begin(), start.end(), writes(write)) ||
				 (before != last.rend() && before->value == write.value);
	}
}

// Events. The first one stops the others after `until` occurrences, if that is not 0.
struct Events {
	std::vector<std::string> names;
	uint64_t stop_after;
};

std::vector<Write> planned(const support::Handle &h, const Events &events)
{
	const std::vector<unsigned> ids = h.events(events.names);
	const uncore_stop_after stop_after = {sizeof(stop_after), 0, events.stop_after};
	std::vector<Write> writes;
	struct uncore_plan *plan = nullptr;

	if (events.stop_after) {
		EXPECT_EQ(0, support::plan_stop_after(h.u, ids.data(), ids.size(), &stop_after, 0,
						      &plan))
			<< h.message();
	} else {
		EXPECT_EQ(0, uncore_plan(h.u, ids.data(), ids.size(), nullptr, &plan))
			<< h.message();
	}
	if (!plan)
		return writes;
	EXPECT_TRUE(plan->feasible) << plan->layout.reason;
	append(&writes, plan->setup.op, plan->setup.n);
	append(&writes, plan->start.op, plan->start.n);
	append(&writes, plan->stop.op, plan->stop.n);
	append(&writes, plan->restore.op, plan->restore.n);
	uncore_plan_free(plan);
	return writes;
}

// The parts of an event's program that a window executes.
struct Parts {
	std::vector<Write> setup, start, end, restore;
};

Parts parts_of(const support::Handle &h, const std::string &name)
{
	const std::vector<unsigned> ids = h.events({name});
	struct uncore_plan *plan = nullptr;
	Parts parts;

	EXPECT_EQ(0, uncore_plan(h.u, ids.data(), 1, nullptr, &plan)) << h.message();
	if (!plan)
		return parts;
	append(&parts.setup, plan->setup.op, plan->setup.n);
	append(&parts.start, plan->start.op, plan->start.n);
	append(&parts.end, plan->stop.op, plan->stop.n);
	append(&parts.restore, plan->restore.op, plan->restore.n);
	uncore_plan_free(plan);
	return parts;
}

bool same(const Write &plan, const Write &run)
{
	return plan.where == run.where &&
	       (!plan.known || (plan.value & plan.mask) == (run.value & plan.mask));
}

std::vector<Write> carried_out(const support::Handle &h, const Events &events)
{
	const uncore_stop_after stop_after = {sizeof(stop_after), 0, events.stop_after};
	support::Interposer registers(h);
	std::vector<Write> writes;

	registers.on_write = [&](const unc_op &op, uint64_t value) {
		writes.push_back({place(op), true, value, UINT64_MAX, false});
		return 0;
	};
	support::Set set(h, events.names);
	if (events.stop_after) {
		EXPECT_EQ(0, uncore_set_stop_after(set.set, &stop_after, 1, 0)) << h.message();
	}
	EXPECT_EQ(0, set.start()) << h.message();
	EXPECT_EQ(0, set.stop()) << h.message();
	return writes;
}

class Program : public testing::TestWithParam<std::string>
{
      protected:
	Program()
	    : h(support::sim_options(support::machine_with(GetParam(), "time=virtual").c_str()))
	{
		EXPECT_EQ(0, h.code) << h.message();
	}
	void expect_run_as_planned(const std::vector<std::string> &names,
				   uint64_t stop_after = 0) const
	{
		const Events events = {names, stop_after};
		const std::vector<Write> plan = planned(h, events), run = carried_out(h, events);

		for (size_t i = 0; i < std::min(plan.size(), run.size()); i++) {
			ASSERT_EQ(plan[i].where, run[i].where) << "write " << i;
			if (plan[i].known) {
				ASSERT_EQ(plan[i].value & plan[i].mask, run[i].value & plan[i].mask)
					<< "write " << i << " to " << plan[i].where;
			}
		}
		EXPECT_EQ(plan.size(), run.size());
	}

	const support::Handle h;
	const std::string clock = support::event_on(GetParam(), "UNCORE_CLOCKTICKS");
	const std::string reads = support::event_on(GetParam(), "UNCORE_MEM_READ_BYTES");
};

TEST_P(Program, OfSomeOfTheListedEvents)
{
	const std::vector<std::string> names = support::listed_names(h);

	for (size_t i = 0; i < names.size() && !HasFailure(); i += 9) {
		SCOPED_TRACE(names[i]);
		expect_run_as_planned({names[i]});
	}
}

TEST_P(Program, OfOneBox)
{
	expect_run_as_planned({clock + ":pkg=0"});
}

TEST_P(Program, OfAllBoxesOfAKind)
{
	expect_run_as_planned({reads});
}

TEST_P(Program, OfSeveralKinds)
{
	expect_run_as_planned({reads, clock, "ix86arch::INSTRUCTION_RETIRED:cpu=1",
			       "ix86arch::UNHALTED_CORE_CYCLES"});
}

// By hardware if supported, else by polling.
TEST_P(Program, OfASetThatStopsByItself)
{
	const std::string any = GetParam() == "dmr" ? clock : support::listed_names(h)[0];

	expect_run_as_planned({any + ":box=0:pkg=0", "ix86arch::INSTRUCTION_RETIRED:cpu=0"},
			      1000000);
}

// The counters of the second set are already running.
TEST_P(Program, OfASharedEventIsThatOfTheFirstSet)
{
	support::Set first(h, {clock});

	ASSERT_EQ(0, first.start()) << h.message();
	EXPECT_TRUE(carried_out(h, {{clock}, 0}).empty());
	EXPECT_EQ(0, first.stop()) << h.message();
}

// "UNC_C" of "snbep::UNC_C_TOR_INSERTS:ALL": events of one kind of box.
std::string unit_of(const std::string &name)
{
	const size_t at = name.find("UNC_");

	return at == std::string::npos ? "" : name.substr(0, name.find('_', at + 4));
}

// The values of the registers that a set writes, but not those of CPUs.
std::vector<uint64_t> values_of(support::Interposer *registers, const std::vector<unc_op> &places)
{
	std::vector<uint64_t> values;

	for (const unc_op &op : places) {
		uint64_t value = 0;

		EXPECT_EQ(0, registers->read(op, &value));
		values.push_back(value);
	}
	return values;
}

// A set that joins another one in its boxes changes none of its controls, and leaves all of its
// registers as they were.  Each pair is of one kind of box.
TEST_P(Program, OfASecondSetLeavesTheRegistersOfTheFirst)
{
	const std::vector<std::string> names = support::listed_names(h);
	std::set<std::string> controls, units;
	support::Interposer registers(h);
	std::vector<unc_op> written;
	unsigned joined = 0;
	unc_op op;

	for (unsigned i = 0; i < h.machine().boxes; i++)
		for (unsigned n = 0; n < 24; n++)
			if (support::register_op(h.u, i, UNCORE_CONTROL, n, &op))
				controls.insert(place(op));
	registers.on_write = [&](const unc_op &write, uint64_t) {
		if (write.space != UNCORE_CPU)
			written.push_back(write);
		return 0;
	};
	for (size_t i = 0; i + 1 < names.size() && !HasFailure(); i++) {
		if (unit_of(names[i]).empty() || unit_of(names[i]) != unit_of(names[i + 1]) ||
		    !units.insert(unit_of(names[i])).second)
			continue;
		SCOPED_TRACE(names[i] + " and " + names[i + 1]);
		support::Set first(h, {names[i]}), second(h, {names[i + 1]});
		written.clear();
		ASSERT_EQ(0, first.start()) << h.message();
		const std::vector<unc_op> of_first = written;
		std::set<std::string> own;
		for (const unc_op &write : of_first)
			if (controls.count(place(write)))
				own.insert(place(write));
		const std::vector<uint64_t> before = values_of(&registers, of_first);
		written.clear();
		if (second.start() == 0) {
			EXPECT_EQ(0, second.stop()) << h.message();
			for (const unc_op &write : written)
				EXPECT_EQ(0u, own.count(place(write))) << place(write);
			EXPECT_EQ(before, values_of(&registers, of_first));
			joined += !written.empty();
		}
		EXPECT_EQ(0, first.stop()) << h.message();
	}
	// Diamond Rapids has no such events yet
	EXPECT_EQ(GetParam() != "dmr", joined > 0);
}

bool is_among(const unc_op &op, const unc_ops &ops)
{
	for (size_t i = 0; i < ops.n; i++)
		if (unc_same_register(&op, &ops.op[i]))
			return true;
	return false;
}

// The value of a register that is restored must not be one that is cleared at the end.
TEST_P(Program, SavesNoRegisterThatItClears)
{
	const std::vector<std::string> names = support::listed_names(h);
	std::set<std::string> units;
	unsigned cleared = 0;

	for (const std::string &name : names) {
		if (unit_of(name).empty() || !units.insert(unit_of(name)).second)
			continue;
		SCOPED_TRACE(name);
		struct uncore_plan *plan = nullptr;
		unc_samples samples = {};
		char reason[256];
		unsigned id;

		// the numbers of some boxes do not begin at 0
		if (uncore_event(h.u, (name + ":box=0:pkg=0").c_str(), &id) < 0)
			continue;
		ASSERT_EQ(0, uncore_plan(h.u, &id, 1, nullptr, &plan)) << h.message();
		samples.n = 1;
		samples.at[0].n = 1000;
		if (unc_samples_assign(&samples, &plan->layout, plan->machine, plan->counted.names,
				       reason, sizeof(reason)) == 0) {
			unc_program program = {};
			unc_claims alone = {};
			unc_claimed *claimed = unc_claimed_make(&plan->layout, nullptr, &alone.n);

			alone.machine = plan->machine;
			alone.claimed = claimed;
			alone.samples = &samples;
			EXPECT_TRUE(unc_program_enter(&program, &alone));
			const unc_ops &save = program.phase[UNC_SAVE];
			for (size_t i = 0; i < save.n; i++)
				if (unc_op_is_saved(&save.op[i])) {
					EXPECT_FALSE(is_among(save.op[i], program.phase[UNC_CLEAR]))
						<< place(save.op[i]);
					EXPECT_FALSE(is_among(save.op[i], program.phase[UNC_LOAD]))
						<< place(save.op[i]);
				}
			cleared += program.phase[UNC_CLEAR].n + program.phase[UNC_LOAD].n > 0;
			unc_program_free(&program);
			free(claimed);
		}
		uncore_plan_free(plan);
	}
	// the counters of these are polled, and Diamond Rapids has no such events yet
	const bool polled = GetParam().rfind("snbep", 0) == 0 || GetParam().rfind("knl", 0) == 0 ||
			    GetParam() == "dmr";
	EXPECT_EQ(!polled, cleared > 0);
}

// The writes of a run since the last call.
class Trace
{
      public:
	explicit Trace(const support::Handle &h) : registers(h)
	{
		registers.on_write = [this](const unc_op &op, uint64_t value) {
			writes.push_back({place(op), true, value, UINT64_MAX, false});
			return 0;
		};
	}
	// The writes of the plan must come next, in order.
	void expect(const std::vector<Write> &plan, const char *what)
	{
		for (const Write &write : plan) {
			ASSERT_LT(next, writes.size()) << what;
			if (write.may_lack && !same(write, writes[next]))
				continue;
			ASSERT_TRUE(same(write, writes[next]))
				<< what << ": write " << next << " goes to " << writes[next].where
				<< ", the plan's to " << write.where;
			next++;
		}
	}
	// Some of the plan's writes must come next, in order, and no others.
	void expect_rest(const std::vector<Write> &plan, const char *what)
	{
		for (size_t i = 0; i < plan.size() && next < writes.size(); i++)
			next += same(plan[i], writes[next]);
		EXPECT_EQ(writes.size(), next) << what;
	}

      private:
	support::Interposer registers;
	std::vector<Write> writes;
	size_t next = 0;
};

// A window ends like the program of its event, and the next one begins like that of the other
// event. Registers that the next window does not use are restored afterwards.
TEST_P(Program, OfMultiplexedEventsIsThatOfEachInItsWindow)
{
	const std::vector<std::string> names = support::rivals(h);

	ASSERT_EQ(2u, names.size()) << "no two events of " << GetParam() << " exclude each other";
	SCOPED_TRACE(names[0] + " and " + names[1]);
	Parts of[] = {parts_of(h, names[0]), parts_of(h, names[1])};
	support::Multiplexed set(h, names);
	ASSERT_EQ(2u, set.rounds());
	struct sim *const sim = unc_hw_sim(unc_hw_of(h.u));
	Trace trace(h);

	ASSERT_EQ(0, set.start()) << h.message();
	sim_advance(sim, 1000);
	if (set.times()[0].running_ns == 0)
		std::swap(of[0], of[1]);
	trace.expect(of[0].setup, "the first window's set-up");
	trace.expect(of[0].start, "the first window's begin");
	mark_known(&of[1].setup, of[1].start, of[0].setup);
	mark_known(&of[0].setup, of[0].start, of[1].setup);
	for (unsigned i = 0; i < 4 && !HasFatalFailure(); i++) {
		set.window();
		trace.expect(of[i % 2].end, "a window's end");
		trace.expect(of[(i + 1) % 2].setup, "the next one's set-up");
		trace.expect(of[(i + 1) % 2].start, "the next one's begin");
		trace.expect_rest(of[i % 2].restore, "what the next one does not use");
	}
	ASSERT_EQ(0, set.stop()) << h.message();
	trace.expect(of[0].end, "the last window's end");
	trace.expect(of[0].restore, "the end");
	trace.expect_rest({}, "behind the end");
}

std::vector<std::string> all_machines()
{
	const std::vector<const char *> machines = support::machines_and_variants();

	return {machines.begin(), machines.end()};
}

INSTANTIATE_TEST_SUITE_P(OfEachPlatform, Program, testing::ValuesIn(all_machines()),
			 [](const auto &info) { return support::machine_label(info.param); });

} // namespace
