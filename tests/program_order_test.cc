// SPDX-License-Identifier: BSD-3-Clause
// program_order_test.cc - what a run writes is the program that `uncore plan` shows, operation
// by operation, in its order.
#include <algorithm>

#include "support/every_event.h"
#include "support/interposer.h"

namespace
{

// "0 msr 0xd04": package, space and address; units of one package are told apart, too.
std::string place(const uncore_op &op)
{
	char text[96];

	snprintf(text, sizeof(text), "%u:%u:%u:%#llx", op.package, op.space, op.unit,
		 static_cast<unsigned long long>(op.address));
	return text;
}

// A value that the program does not tell is one that was read before.
struct Write {
	std::string where;
	bool known;
	uint64_t value, mask;
};

void append(std::vector<Write> *writes, const uncore_op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].kind != UNCORE_READ)
			writes->push_back({place(ops[i]), !ops[i].saved, ops[i].value,
					   ops[i].mask ? ops[i].mask : UINT64_MAX});
}

// Events, the first of which stops the others after `until` occurrences, if that is not 0.
struct Events {
	std::vector<std::string> names;
	uint64_t stop_after;
};

std::vector<Write> planned(const support::Handle &h, const Events &events)
{
	const std::vector<unsigned> ids = h.events(events.names);
	const uncore_stop_after stop_after = {0, events.stop_after};
	std::vector<Write> writes;
	struct uncore_plan *plan = nullptr;

	if (events.stop_after) {
		EXPECT_EQ(0, uncore_plan_stop_after(h.u, ids.data(), ids.size(), &stop_after, 1, 0,
						    &plan))
			<< h.message();
	} else {
		EXPECT_EQ(0, uncore_plan(h.u, ids.data(), ids.size(), &plan)) << h.message();
	}
	if (!plan)
		return writes;
	EXPECT_TRUE(plan->feasible) << plan->reason;
	append(&writes, plan->setup, plan->n_setup);
	append(&writes, plan->start, plan->n_start);
	append(&writes, plan->stop, plan->n_stop);
	append(&writes, plan->restore, plan->n_restore);
	uncore_plan_free(plan);
	return writes;
}

std::vector<Write> carried_out(const support::Handle &h, const Events &events)
{
	const uncore_stop_after stop_after = {0, events.stop_after};
	support::Interposer registers(h);
	std::vector<Write> writes;

	registers.on_write = [&](const uncore_op &op, uint64_t value) {
		writes.push_back({place(op), true, value, UINT64_MAX});
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
	Program() : h(support::sim_options(("sim:" + GetParam() + ":time=virtual").c_str()))
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
	expect_run_as_planned({"UNCORE_CLOCKTICKS:pkg=0"});
}

TEST_P(Program, OfAllBoxesOfAKind)
{
	expect_run_as_planned({"UNCORE_MEM_READ_BYTES"});
}

TEST_P(Program, OfSeveralKinds)
{
	expect_run_as_planned({"UNCORE_MEM_READ_BYTES", "UNCORE_CLOCKTICKS",
			       "ix86arch::INSTRUCTION_RETIRED:cpu=1",
			       "ix86arch::UNHALTED_CORE_CYCLES"});
}

// By hardware where it can, else by polling.
TEST_P(Program, OfASetThatStopsByItself)
{
	const std::string any = support::listed_names(h)[0];

	expect_run_as_planned({any + ":box=0:pkg=0", "ix86arch::INSTRUCTION_RETIRED:cpu=0"},
			      1000000);
}

// The second one finds its counters running.
TEST_P(Program, OfASharedEventIsThatOfTheFirstSet)
{
	support::Set first(h, {"UNCORE_CLOCKTICKS"});

	ASSERT_EQ(0, first.start()) << h.message();
	EXPECT_TRUE(carried_out(h, {{"UNCORE_CLOCKTICKS"}, 0}).empty());
	EXPECT_EQ(0, first.stop()) << h.message();
}

INSTANTIATE_TEST_SUITE_P(OfEachPlatform, Program,
			 testing::Values("nhmex", "wsmex", "snbep", "ivbep", "hswep", "bdx", "skx",
					 "icx", "knl", "spr", "emr", "gnr", "srf"),
			 [](const auto &info) { return info.param; });

} // namespace
