// SPDX-License-Identifier: BSD-3-Clause
// session_sharing_test.cc - several event sets on the same boxes.
#include "support/sim_machine.h"

namespace
{

using support::expect_near;
using support::expect_same;
using support::kEnable;
using support::kSecond;
using support::Set;
using support::SimMachine;
using support::Truth;

// Box 0 of package 0: one counter, one set of registers to look at.
constexpr char kHere[] = ":box=0:pkg=0";
constexpr uint32_t kControl = 0xd10, kFilter = 0xd14, kBoxControl = 0xd04;
const Truth drd = {"cbox", 0x0135, 0x182u << 23};

std::string here(const std::string &name)
{
	return name + kHere;
}

TEST(SessionSharing, OneCounterServesTheSameEventOfManySets)
{
	SimMachine machine;
	// the event requires counter 0, so it cannot be counted twice
	Set a(machine, {"UNC_C_TOR_OCCUPANCY:ALL"}), b(machine, {"UNC_C_TOR_OCCUPANCY:ALL"}),
		c(machine, {"UNC_C_TOR_OCCUPANCY:ALL"});
	const Truth truth = {"cbox", 0x0836};

	ASSERT_EQ(0, a.start());
	machine.advance();
	ASSERT_EQ(0, b.start()) << machine.message();
	machine.advance();
	ASSERT_EQ(0, c.start());
	machine.advance();
	expect_near(machine.total(truth, 0, 3 * kSecond), a.count());
	expect_near(machine.total(truth, kSecond, 3 * kSecond), b.count());
	expect_near(machine.total(truth, 2 * kSecond, 3 * kSecond), c.count());
	ASSERT_EQ(0, a.stop());
	ASSERT_EQ(0, c.stop());
	machine.advance();
	expect_near(machine.total(truth, kSecond, 4 * kSecond), b.count());
	expect_near(machine.total(truth, 0, 3 * kSecond), a.count());
}

TEST(SessionSharing, TheSameEventTwiceInOneSetIsCountedOnce)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL", "unc_c_tor_occupancy:all"});

	ASSERT_EQ(0, set.start());
	machine.advance();
	EXPECT_EQ(set.counts()[0], set.counts()[1]);
	EXPECT_GT(set.counts()[0], 0);
}

TEST(SessionSharing, ANewSetLeavesTheRunningOneAlone)
{
	SimMachine machine;
	Set a(machine, {here("UNC_C_TOR_INSERTS:OPCODE:OPC_DRD")});
	Set b(machine, {here("UNC_C_LLC_VICTIMS:M_STATE"), here("UNC_C_CLOCKTICKS")});

	ASSERT_EQ(0, a.start());
	machine.advance();
	const support::Registers alone = machine.registers();
	ASSERT_EQ(0, b.start()) << machine.message();
	EXPECT_EQ(0x10000u, machine.msr(kBoxControl)); // neither frozen nor reset
	machine.advance();
	expect_near(machine.gain(drd, 0, 0, 0, 2 * kSecond), a.count());
	expect_near(machine.gain({"cbox", 0x0137}, 0, 0, kSecond, 2 * kSecond), b.counts()[0]);
	expect_near(machine.gain({"cbox", 0}, 0, 0, kSecond, 2 * kSecond), b.counts()[1]);
	ASSERT_EQ(0, b.stop());
	expect_same(alone, machine.registers());
	machine.advance();
	expect_near(machine.gain(drd, 0, 0, 0, 3 * kSecond), a.count());
}

TEST(SessionSharing, StoppingTheFirstSetKeepsTheSecondCounting)
{
	SimMachine machine;
	const auto before = machine.registers();
	Set a(machine, {here("UNC_C_TOR_INSERTS:OPCODE:OPC_DRD")});
	Set b(machine, {here("UNC_C_CLOCKTICKS")});

	ASSERT_EQ(0, a.start());
	ASSERT_EQ(0, b.start());
	machine.advance();
	ASSERT_EQ(0, a.stop());
	machine.advance();
	expect_near(machine.gain({"cbox", 0}, 0, 0, 0, 2 * kSecond), b.count());
	ASSERT_EQ(0, b.stop());
	expect_same(before, machine.registers());
}

TEST(SessionSharing, FilterBitsInUseStay)
{
	SimMachine machine;
	Set a(machine, {here("UNC_C_TOR_INSERTS:OPCODE:OPC_DRD")});
	Set b(machine, {here("UNC_C_LLC_LOOKUP:ANY:STATE_M")});

	ASSERT_EQ(0, a.start());
	EXPECT_EQ(drd.filter, machine.msr(kFilter));
	ASSERT_EQ(0, b.start()) << machine.message();
	EXPECT_EQ(drd.filter, machine.msr(kFilter) & 0xff800000);
	EXPECT_NE(0u, machine.msr(kFilter) & 0x7c0000);
	machine.advance();
	ASSERT_EQ(0, b.stop());
	EXPECT_EQ(drd.filter, machine.msr(kFilter) & 0xff800000);
	machine.advance();
	expect_near(machine.gain(drd, 0, 0, 0, 2 * kSecond), a.count());
}

TEST(SessionSharing, ACompanionKeepsItsQueueCounting)
{
	SimMachine machine;
	const auto before = machine.registers();
	Set queue(machine, {here("UNC_C_TOR_OCCUPANCY:ALL")});
	Set threshold(machine, {here("UNC_C_TOR_OCCUPANCY:ALL:t=2")});

	ASSERT_EQ(0, queue.start());
	ASSERT_EQ(0, threshold.start()) << machine.message();
	machine.advance();
	ASSERT_EQ(0, queue.stop());
	EXPECT_EQ(kEnable, machine.msr(kControl) & kEnable);
	machine.advance();
	expect_near(machine.gain({"cbox", 0x02000836}, 0, 0, 0, 2 * kSecond), threshold.count());
	ASSERT_EQ(0, threshold.stop());
	expect_same(before, machine.registers());
}

// ---- conflicts ----

TEST(SessionConflict, WithinASetShowsAtAssign)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_CLOCKTICKS"});

	EXPECT_EQ(UNCORE_ECONFLICT, set.assign({"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
						"UNC_C_TOR_INSERTS:OPCODE:OPC_RFO"}));
	const std::string message = machine.message();
	EXPECT_NE(std::string::npos, message.find("UNC_C_TOR_INSERTS:OPCODE:OPC_DRD")) << message;
	EXPECT_NE(std::string::npos, message.find("UNC_C_TOR_INSERTS:OPCODE:OPC_RFO")) << message;
	EXPECT_NE(std::string::npos, message.find("opc filter of cbo")) << message;
	EXPECT_EQ(0u, machine.writes());
	// the previous list stays
	EXPECT_EQ(1u, set.info().events);
	ASSERT_EQ(0, set.start());
	machine.advance();
	expect_near(machine.total({"cbox", 0}, 0, kSecond), set.count());
}

TEST(SessionConflict, OfAnAdditionalEventLeavesTheOthers)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_CLOCKTICKS"});

	ASSERT_EQ(0, set.assign({"UNC_C_CLOCKTICKS", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"}));
	for (int i = 0; i < 2; i++)
		EXPECT_EQ(UNCORE_ECONFLICT,
			  set.assign({"UNC_C_CLOCKTICKS", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
				      "UNC_M_CLOCKTICKS", "UNC_C_TOR_INSERTS:OPCODE:OPC_RFO"}));
	ASSERT_EQ(0, set.assign({"UNC_C_CLOCKTICKS", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
				 "UNC_M_CLOCKTICKS"}));
	ASSERT_EQ(0, set.start());
	machine.advance();
	expect_near(machine.total({"cbox", 0}, 0, kSecond), set.counts()[0]);
	expect_near(machine.total({"imc", 0}, 0, kSecond), set.counts()[2]);
}

// The counter that was planned for the first event is in use by now.
TEST(SessionConflict, AnAdditionalEventIsPlannedAroundOtherSets)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_LLC_VICTIMS:M_STATE"});
	Set other(machine, {"UNC_C_LLC_VICTIMS:E_STATE"});

	ASSERT_EQ(0, other.start());
	ASSERT_EQ(0, set.assign({"UNC_C_LLC_VICTIMS:M_STATE", "UNC_C_CLOCKTICKS"}));
	ASSERT_EQ(0, set.start()) << machine.message();
	machine.advance();
	expect_near(machine.total({"cbox", 0x0137}, 0, kSecond), set.counts()[0]);
	expect_near(machine.total({"cbox", 0}, 0, kSecond), set.counts()[1]);
}

TEST(SessionConflict, WithARunningSetShowsAtAssign)
{
	SimMachine machine;
	Set a(machine, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"}), b(machine);

	ASSERT_EQ(0, a.start());
	EXPECT_EQ(UNCORE_ECONFLICT, b.assign({"UNC_C_TOR_INSERTS:OPCODE:OPC_RFO"}));
	EXPECT_NE(std::string::npos, machine.message().find("already counting"))
		<< machine.message();
	ASSERT_EQ(0, a.stop());
	EXPECT_EQ(0, b.assign({"UNC_C_TOR_INSERTS:OPCODE:OPC_RFO"})) << machine.message();
}

TEST(SessionConflict, ASetStartedInBetweenConflictsAtStart)
{
	SimMachine machine;
	Set a(machine, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"});
	Set b(machine, {"UNC_C_TOR_INSERTS:OPCODE:OPC_RFO", "UNC_M_CLOCKTICKS"});

	ASSERT_EQ(0, a.start());
	const auto before = machine.registers();
	const uint64_t writes = machine.writes();
	EXPECT_EQ(UNCORE_ECONFLICT, b.start());
	expect_same(before, machine.registers());
	EXPECT_EQ(writes, machine.writes());
	machine.advance();
	expect_near(machine.total(drd, 0, kSecond), a.count());
	ASSERT_EQ(0, a.stop());
	ASSERT_EQ(0, b.start()) << machine.message();
	machine.advance();
	expect_near(machine.total({"cbox", 0x0135, 0x180u << 23}, 0, kSecond), b.counts()[0]);
}

TEST(SessionConflict, ASetAssignedWithAnotherIsPlannedAgainWithoutIt)
{
	SimMachine machine;
	// while a runs, only one of two counters is free for b
	Set a(machine, {here("UNC_C_TXR_ADS_USED")});
	Set b(machine);

	ASSERT_EQ(0, a.start());
	ASSERT_EQ(0, b.assign({here("UNC_C_LLC_VICTIMS:M_STATE")}));
	ASSERT_EQ(0, a.stop());
	ASSERT_EQ(0, b.start());
	machine.advance();
	expect_near(machine.gain({"cbox", 0x0137}, 0, 0, 0, kSecond), b.count());
}

TEST(SessionConflict, MoreEventsThanCountersAreRefused)
{
	SimMachine machine;
	Set set(machine);

	EXPECT_EQ(UNCORE_ECONFLICT,
		  set.assign({"UNC_M_ACT_COUNT", "UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:WR",
			      "UNC_M_PRE_COUNT:PAGE_MISS", "UNC_M_RPQ_INSERTS"}));
	EXPECT_NE(std::string::npos, machine.message().find("imc has 4 counters"))
		<< machine.message();
	EXPECT_EQ(0, set.assign({"UNC_M_ACT_COUNT", "UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:WR",
				 "UNC_M_PRE_COUNT:PAGE_MISS", "UNC_M_CLOCKTICKS"}))
		<< machine.message();
}

} // namespace
