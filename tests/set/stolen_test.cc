// SPDX-License-Identifier: BSD-3-Clause
// stolen_test.cc - changes by another user to the controls and filters of all platforms are
// detected when a set stops, and are not undone.
#include "plan/complete.h"
#include "set/inside.h"
#include "support/handle.h"
#include "support/plan.h"

namespace
{

using support::Handle;
using support::Set;

struct Filtered {
	const char *machine, *event;
	unsigned checks; // control and filter registers
};

const Filtered filtered[] = {
	{"snbep", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=0:pkg=1", 2},
	{"snbep", "UNC_P_FREQ_BAND0_CYCLES:ff=20:pkg=1", 2},
	{"snbep", "UNC_H_ADDR_OPC_MATCH:addr=0x1000:opc=3:pkg=1", 4},
	{"snbep", "UNC_Q_CTO_COUNT:match=0x1e00:mask=0x1e00:box=0:pkg=1", 5},
	{"ivbep", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=0:pkg=1", 2},
	{"hswep", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=0:pkg=1", 2},
	{"bdx", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=0:pkg=1", 2},
	{"skx", "UNC_C_LLC_LOOKUP:box=0:pkg=1", 2},
	{"knl", "UNC_H_TOR_INSERTS:box=0", 2},
	{"icx", "icx_unc_cha::RAW:config=0x80035:config1=3:box=0:pkg=1", 2},
	{"spr", "spr_unc_cha::RAW:config=0x10035:config1=3:box=0:pkg=1", 2},
	{"nhmex", "UNC_M_DRAM_CMD:box=0:pkg=1", 6},
	{"wsmex", "UNC_R_NEW_PACKETS_RECV:box=0:pkg=1", 2},
};

uncore_options options(const std::string &machine)
{
	static std::string spec;
	auto o = support::sized<uncore_options>();

	spec = "sim:" + machine + ":time=virtual";
	o.machine = spec.c_str();
	return o;
}

uint64_t run(const Handle &machine, unc_op op, uint8_t kind, uint64_t value = 0)
{
	uint64_t out = 0;

	op.kind = kind;
	op.value = value;
	op.mask = 0;
	EXPECT_EQ(0, unc_run_op(unc_hw_of(machine.u), &op, &out));
	return out;
}

// The reads at the end of a plan's stop that compare a value. frozen_test.cc covers those at
// its beginning, of boxes and packages.
std::vector<unc_op> checks_of(const Handle &machine, const std::string &event)
{
	const unsigned id = machine.event(event);
	std::vector<unc_op> checks;
	struct uncore_plan *plan = nullptr;

	EXPECT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
	for (size_t i = 0; i < plan->stop.n; i++)
		if (plan->stop.op[i].kind != UNCORE_READ)
			checks.clear();
		else if (plan->stop.op[i].mask)
			checks.push_back(plan->stop.op[i]);
	uncore_plan_free(plan);
	return checks;
}

// Writes a different value: toggles the first bit under the mask that can be changed.
uint64_t take(const Handle &machine, const unc_op &op)
{
	const uint64_t ours = run(machine, op, UNCORE_READ);

	for (uint64_t bit = 1; bit; bit <<= 1) {
		if (!(op.mask & bit))
			continue;
		run(machine, op, UNCORE_WRITE, ours ^ bit);
		if (run(machine, op, UNCORE_READ) == (ours ^ bit))
			return ours ^ bit;
	}
	ADD_FAILURE() << "no bit can be changed";
	return ours;
}

class Stolen : public testing::TestWithParam<Filtered>
{
};

TEST_P(Stolen, ARegisterThatTheSetNeeds)
{
	SCOPED_TRACE(GetParam().event);
	Handle machine(options(GetParam().machine));
	const auto checks = checks_of(machine, GetParam().event);

	EXPECT_EQ(GetParam().checks, checks.size());
	for (const unc_op &op : checks) {
		const uint64_t before = run(machine, op, UNCORE_READ);
		Set set(machine, {GetParam().event});

		ASSERT_EQ(0, set.start()) << machine.message();
		const uint64_t theirs = take(machine, op);
		EXPECT_EQ(UNCORE_ESTOLEN, set.stop()) << std::hex << op.address;
		EXPECT_EQ(theirs, run(machine, op, UNCORE_READ)) << std::hex << op.address;
		run(machine, op, UNCORE_WRITE, before);
	}
	Set set(machine, {GetParam().event});
	EXPECT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0, set.stop()) << machine.message();
}

INSTANTIATE_TEST_SUITE_P(Platforms, Stolen, testing::ValuesIn(filtered));

// Bits 1:0 of a port's MATCH do not exist and read as 0, which is not a change by another user.
TEST(NotStolen, ByBitsThatDoNotExist)
{
	Handle machine(options("snbep"));
	Set set(machine, {"UNC_Q_CTO_COUNT:match=0x1e03:mask=0x1e03:box=0:pkg=1"});

	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0, set.stop()) << machine.message();
}

} // namespace
