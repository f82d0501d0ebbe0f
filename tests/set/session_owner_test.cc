// SPDX-License-Identifier: BSD-3-Clause
// session_owner_test.cc - registers are left as they were found, and counters of other users
// are detected.
#include <cstdlib>

#include "support/interposer.h"
#include "support/sim_machine.h"

namespace
{

using support::expect_near;
using support::expect_same;
using support::Interposer;
using support::kEnable;
using support::kSecond;
using support::Set;
using support::SimMachine;

constexpr uint16_t kHa = 0x3c46, kImc1 = 0x3cb1, kQpi0Filter = 0x3c86;

// Events of every box type, including filters.
const std::vector<std::string> everywhere = {
	"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
	"UNC_C_CLOCKTICKS",
	"UNC_U_EVENT_MSG:IPI_RCVD",
	"UNC_U_CLOCKTICKS",
	"UNC_P_FREQ_BAND0_CYCLES:ff=20",
	"UNC_H_ADDR_OPC_MATCH:addr=0x1000:opc=3",
	"UNC_M_CAS_COUNT:RD",
	"UNC_M_CLOCKTICKS",
	"UNC_Q_CTO_COUNT:match=0x1e00:mask=0x1e00",
	"UNC_R2_RING_BL_USED:CW_ANY",
	"UNC_R3_RXR_INSERTS:SNP",
};

// Values that an earlier user left behind: disabled, but not zero.
void leave_traces(SimMachine &machine)
{
	machine.set_msr(0xd14 + 0x40, 0xc1000000);
	machine.set_msr(0xd10 + 0x43, 0x00000136);
	machine.set_msr(0xd04 + 0x40, 0x10100);
	machine.set_msr(0xc34, 0x0c141c24, 1);
	machine.set_config(kHa, 0x40, 0x12345640);
	machine.set_config(kHa, 0xe4, 0x0301);
	machine.set_config(kImc1, 0xf4, 0x10000, 32, 1);
	machine.set_config(kQpi0Filter, 0x228, 0x8000fff8);
	machine.set_config(kQpi0Filter, 0x238, 0x00001ff0, 32, 1);
}

bool mentions(const std::string &message, const std::string &part)
{
	return message.find(part) != std::string::npos;
}

// ---- restoring ----

TEST(SessionRestore, StopPutsEveryRegisterBack)
{
	SimMachine machine;

	leave_traces(machine);
	const auto before = machine.registers();
	Set set(machine, everywhere);
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, set.start()) << machine.message();
		EXPECT_NE(before, machine.registers());
		machine.advance();
		EXPECT_EQ(0, set.stop()) << machine.message();
		expect_same(before, machine.registers());
	}
}

// The reset of a box clears the controls of all of its counters.
TEST(SessionRestore, StopPutsBackTheControlsOfCountersThatItDidNotUse)
{
	SimMachine machine;

	machine.set_msr(0xd10 + 2, 0x0000001d);
	machine.set_config(kImc1, 0xd8, 0x0304);
	const auto before = machine.registers();
	Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_M_CLOCKTICKS"});
	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, set.stop());
	expect_same(before, machine.registers());
}

TEST(SessionRestore, DestroyingARunningSetPutsEveryRegisterBack)
{
	SimMachine machine;

	leave_traces(machine);
	const auto before = machine.registers();
	{
		Set set(machine, everywhere);
		ASSERT_EQ(0, set.start());
	}
	expect_same(before, machine.registers());
}

TEST(SessionRestore, TheLastOfSeveralSetsPutsTheRestBack)
{
	SimMachine machine;

	leave_traces(machine);
	const auto before = machine.registers();
	Set a(machine, everywhere), b(machine, everywhere), c(machine, {"UNC_M_ACT_COUNT"});
	ASSERT_EQ(0, a.start());
	ASSERT_EQ(0, c.start());
	ASSERT_EQ(0, b.start());
	ASSERT_EQ(0, a.stop());
	EXPECT_NE(before, machine.registers());
	ASSERT_EQ(0, b.stop());
	ASSERT_EQ(0, c.stop());
	expect_same(before, machine.registers());
}

TEST(SessionRestore, AStartThatFailsHalfWayChangesNothing)
{
	unsigned last = 1;

	for (unsigned fail = 1; fail <= last + 1; fail++) {
		SimMachine machine;

		leave_traces(machine);
		const auto before = machine.registers();
		Interposer hardware(machine);
		unsigned n = 0;
		Set set(machine, everywhere);

		hardware.on_write = [&](const unc_op &, uint64_t) {
			return ++n == fail ? -EIO : 0;
		};
		const int r = set.start();
		if (r == 0) {
			EXPECT_LT(n, fail);
			EXPECT_GT(fail, 50u);
			return;
		}
		EXPECT_EQ(UNCORE_EIO, r) << "write " << fail;
		expect_same(before, machine.registers());
		last = n;
		// the failure must not prevent the next attempt
		EXPECT_EQ(0, set.start()) << "write " << fail << ": " << machine.message();
		EXPECT_EQ(0, set.stop());
		expect_same(before, machine.registers());
	}
}

TEST(SessionRestore, AStartThatFailsLeavesARunningSetAlone)
{
	SimMachine machine;
	Interposer hardware(machine);
	unsigned n = 0;
	Set a(machine, {"UNC_M_CAS_COUNT:RD"}), b(machine, {"UNC_M_ACT_COUNT", "UNC_M_CLOCKTICKS"});

	ASSERT_EQ(0, a.start());
	const auto before = machine.registers();
	hardware.on_write = [&](const unc_op &, uint64_t) { return ++n == 13 ? -EIO : 0; };
	EXPECT_EQ(UNCORE_EIO, b.start());
	expect_same(before, machine.registers());
	machine.advance();
	expect_near(machine.total({"imc", 0x0304}, 0, kSecond), a.count());
}

// ---- counters enabled by another user ----

TEST(SessionBusy, NamesBoxAndCounterAndChangesNothing)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL"});

	machine.set_msr(0xd10 + 0x60, 0x0135 | kEnable, 1);
	const auto before = machine.registers();
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_TRUE(mentions(machine.message(), "cbo3 of package 1: counter 0"))
		<< machine.message();
	EXPECT_TRUE(mentions(machine.message(), "UNCORE_FORCE")) << machine.message();
	expect_same(before, machine.registers());
}

TEST(SessionBusy, ConcernsFixedCounters)
{
	SimMachine machine;
	Set imc(machine, {"UNC_M_CLOCKTICKS"}), ubo(machine, {"UNC_U_CLOCKTICKS"});

	machine.set_config(kImc1, 0xf0, kEnable);
	EXPECT_EQ(UNCORE_EBUSY, imc.start());
	EXPECT_TRUE(mentions(machine.message(), "imc1 of package 0: fixed counter"))
		<< machine.message();
	machine.set_msr(0xc08, kEnable, 1);
	EXPECT_EQ(UNCORE_EBUSY, ubo.start());
	EXPECT_TRUE(mentions(machine.message(), "ubo0 of package 1: fixed counter"))
		<< machine.message();
}

// The reset of a box clears all of its counters, including those of other users.
TEST(SessionBusy, ConcernsAllCountersOfABoxThatWillBeReset)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL"});

	machine.set_msr(0xd10 + 0x60 + 2, 0x001d | kEnable, 1); // not a counter of the set
	const auto before = machine.registers();
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_TRUE(mentions(machine.message(), "cbo3 of package 1: counter 2"))
		<< machine.message();
	expect_same(before, machine.registers());
}

TEST(SessionBusy, ConcernsTheFixedCounterOfABoxThatWillBeReset)
{
	SimMachine machine;
	Set set(machine, {"UNC_M_CAS_COUNT:RD"});

	machine.set_config(kImc1, 0xf0, kEnable);
	const auto before = machine.registers();
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	expect_same(before, machine.registers());
}

TEST(SessionBusy, EndsWithTheOther)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL"});

	machine.set_msr(0xd10, 0x0135 | kEnable);
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	machine.set_msr(0xd10, 0x0135);
	EXPECT_EQ(0, set.start()) << machine.message();
}

void expect_taken_and_given_back(SimMachine &machine)
{
	Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_M_CLOCKTICKS"});

	machine.set_msr(0xd10 + 0x60, 0x0135 | kEnable, 1);
	machine.set_config(kImc1, 0xf0, kEnable);
	const auto before = machine.registers();
	const uint64_t since = machine.now();
	ASSERT_EQ(0, set.start()) << machine.message();
	machine.advance();
	expect_near(machine.total({"cbox", 0x0836}, since, machine.now()), set.counts()[0]);
	EXPECT_EQ(0, set.stop());
	expect_same(before, machine.registers());
}

TEST(SessionForce, TakesACounterAndGivesItBack)
{
	SimMachine machine("", 1);

	expect_taken_and_given_back(machine);
}

TEST(SessionForce, ComesFromTheEnvironment)
{
	setenv("UNCORE_FORCE", "1", 1);
	{
		SimMachine machine;
		expect_taken_and_given_back(machine);
	}
	setenv("UNCORE_FORCE", "0", 1);
	SimMachine machine;
	unsetenv("UNCORE_FORCE");
	Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL"});
	machine.set_msr(0xd10, kEnable);
	EXPECT_EQ(UNCORE_EBUSY, set.start());
}

TEST(SessionForce, RestoresWhatTheResetOfTheBoxCleared)
{
	SimMachine machine("", 1);
	Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL"});

	machine.set_msr(0xd10 + 2, 0x001d | kEnable);
	const auto before = machine.registers();
	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, set.stop());
	expect_same(before, machine.registers());
}

// ---- counters taken by another user while running ----

TEST(SessionStolen, ShowsAtStop)
{
	SimMachine machine;
	const auto before = machine.registers();
	Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL"});

	ASSERT_EQ(0, set.start());
	machine.set_msr(0xd10 + 0x60, 0x0135 | kEnable, 1);
	machine.advance();
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
	EXPECT_TRUE(mentions(machine.message(), "package 1")) << machine.message();
	EXPECT_TRUE(mentions(machine.message(), "0xd70")) << machine.message();
	// the other user's values stay, and its counter keeps running
	EXPECT_EQ(0x0135 | kEnable, machine.msr(0xd70, 1));
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	machine.set_msr(0xd10 + 0x60, 0, 1);
	expect_same(before, machine.registers());
	// the set has stopped, and can be started again
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0, set.stop());
	expect_same(before, machine.registers());
}

// Linux overwrites the filter that all counters of a box share, without checking for other
// users.
TEST(SessionStolen, ConcernsAFilter)
{
	SimMachine machine;
	const auto before = machine.registers();
	Set set(machine, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"});

	ASSERT_EQ(0, set.start());
	machine.set_msr(0xd14 + 0x20, UINT64_C(0x180) << 23, 1);
	machine.advance();
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
	EXPECT_TRUE(mentions(machine.message(), "package 1, register 0xd34 held 0xc0000000 "
						"instead of 0xc1000000"))
		<< machine.message();
	EXPECT_EQ(UINT64_C(0x180) << 23, machine.msr(0xd34, 1));
	machine.set_msr(0xd34, 0, 1);
	expect_same(before, machine.registers());
}

TEST(SessionStolen, DoesNotConcernFilterBitsThatTheEventsLeaveAlone)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "UNC_P_CLOCKTICKS"});

	ASSERT_EQ(0, set.start());
	machine.set_msr(0xd14 + 0x20, UINT64_C(0x182) << 23 | 0x1f << 18, 1);
	machine.set_msr(0xc34, 0x0c, 1);
	machine.advance();
	EXPECT_EQ(0, set.stop()) << machine.message();
}

TEST(SessionStolen, ConcernsADisabledFixedCounter)
{
	SimMachine machine;
	Set set(machine, {"UNC_M_CLOCKTICKS"});

	ASSERT_EQ(0, set.start());
	machine.set_config(kImc1, 0xf0, 0);
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
}

} // namespace
