// SPDX-License-Identifier: BSD-3-Clause
// accesses_test.cc - how often a start and a stop access each register.
#include <map>

#include "support/interposer.h"
#include "support/multiplexed.h"
#include "support/sim_machine.h"

namespace
{

using support::Interposer;
using support::Set;
using support::SimMachine;

// C-Box 0 of package 0: manual 327043, table 2-8.
constexpr uint32_t kBoxControl = 0xd04, kControls = 0xd10, kFilter = 0xd14, kCounters = 0xd16;
constexpr unsigned kN = 4;
const std::vector<std::string> kAll = {
	"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=0:pkg=0", "UNC_C_CLOCKTICKS:box=0:pkg=0",
	"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0", "UNC_C_COUNTER0_OCCUPANCY:box=0:pkg=0"};

class Accesses : public testing::Test
{
      protected:
	Accesses()
	{
		hardware.on_read = [this](const unc_op &op, uint64_t *value) {
			reads[op.address]++;
			return hardware.read(op, value);
		};
		hardware.after_write = [this] { n_writes++; };
	}
	void forget()
	{
		reads.clear();
		n_writes = 0;
	}
	void expect_each(uint32_t first, unsigned times)
	{
		for (unsigned i = 0; i < kN; i++)
			EXPECT_EQ(times, reads[first + i]) << std::hex << first + i;
	}

	// Of four runs, that many read their counters at the start; all count right.
	void expect_runs(unsigned reading)
	{
		Set set(machine, kAll);

		for (unsigned run = 0; run < 4; run++) {
			forget();
			ASSERT_EQ(0, set.start());
			expect_each(kCounters, run < reading);
			const double began = machine.now();
			machine.advance(1000000);
			support::expect_near(machine.gain({"cbox", 0}, 0, 0, began, machine.now()),
					     set.counts()[1]);
			EXPECT_EQ(0, set.stop());
		}
	}

	SimMachine machine;
	Interposer hardware{machine};
	std::map<uint64_t, unsigned> reads;
	unsigned n_writes = 0;
};

TEST_F(Accesses, AStartReadsEachRegisterOnce)
{
	Set set(machine, kAll);

	ASSERT_EQ(0, set.start()) << machine.message();
	expect_each(kControls, 1);
	expect_each(kCounters, 1);
	EXPECT_EQ(1u, reads[kFilter] - 1); // again after it is written
	// reset, filter, controls, run
	EXPECT_EQ(3 + kN, n_writes);
	EXPECT_EQ(0, set.stop());
}

TEST_F(Accesses, ACounterThatAResetHasClearedIsNotReadAtLaterStarts)
{
	expect_runs(2);
}

TEST_F(Accesses, WhatABoxHasShownIsNotAskedOfOthersOfItsType)
{
	constexpr uint32_t kNext = 0x20; // from a C-Box to the next one
	const std::string name = "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=";
	Set first(machine, {name + "0:pkg=0"}), second(machine, {name + "1:pkg=0"});

	ASSERT_EQ(0, first.start());
	EXPECT_EQ(0, first.stop());
	forget();
	ASSERT_EQ(0, second.start());
	EXPECT_EQ(1u, reads[kBoxControl + kNext]); // for other users, before the first write
	EXPECT_EQ(1u, reads[kFilter + kNext]);
	// but one counter may be broken
	EXPECT_EQ(1u, reads[kCounters + kNext] + reads[kCounters + kNext + 1]);
	EXPECT_EQ(0, second.stop());
}

// Opcodes 0x182, 0x180 and 0x181.
TEST_F(Accesses, AFilterIsReadAgainForBitsThatHaveNotBeenShown)
{
	const std::vector<std::string> opcodes = {"OPC_DRD", "OPC_RFO", "OPC_CRD"};

	for (const unsigned times : {2u, 1u})
		for (const std::string &opcode : opcodes) {
			Set set(machine, {"UNC_C_TOR_INSERTS:OPCODE:" + opcode + ":box=0:pkg=0"});

			forget();
			ASSERT_EQ(0, set.start()) << machine.message();
			EXPECT_EQ(times, reads[kFilter]) << opcode;
			EXPECT_EQ(0, set.stop());
		}
}

TEST_F(Accesses, ACounterThatAResetDoesNotClearIsReadAtEachStart)
{
	hardware.on_value = [](const unc_op &op, uint64_t value) {
		return op.address == kBoxControl ? value & ~UINT64_C(2) : value;
	};
	expect_runs(4);
}

// All need counter 0.  A window reads its count, and what another tool may have changed; the next
// one finds the box frozen.
TEST_F(Accesses, AWindowNeitherResetsNorChecksTheBoxOfTheLastOne)
{
	constexpr unsigned kStep = 1000000;
	std::map<uint64_t, std::vector<uint64_t>> written;
	support::Multiplexed set(machine, {"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0",
					   "UNC_C_RXR_OCCUPANCY:IRQ:box=0:pkg=0"});

	ASSERT_EQ(0, set.start()) << machine.message();
	const auto window = [&] {
		machine.advance(kStep);
		set.window();
	};
	for (int i = 0; i < 4; i++)
		window();
	hardware.on_write = [&](const unc_op &op, uint64_t value) {
		written[op.address].push_back(value);
		return 0;
	};
	forget();
	window();
	EXPECT_EQ((std::vector<uint64_t>{0x10100, 0x10000}), written[kBoxControl]) << "freeze, run";
	EXPECT_EQ(1u, written[kControls].size());
	EXPECT_EQ(1u, reads[kBoxControl]);
	EXPECT_EQ(1u, reads[kControls]);
	EXPECT_EQ(1u, reads[kCounters]);
	EXPECT_EQ(0u, reads[kControls + 1] + reads[kControls + 2] + reads[kControls + 3]);
	EXPECT_EQ(0u, reads[kFilter]);
	EXPECT_EQ(0, set.stop());
	hardware.on_write = nullptr;
}

// Both rounds with a filter have the same one.
TEST_F(Accesses, AWindowWritesWhatDiffersFromTheLastOne)
{
	std::vector<uint64_t> controls, filters;
	support::Multiplexed set(machine, {"UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD:box=0:pkg=0",
					   "UNC_C_TOR_OCCUPANCY:MISS_OPCODE:OPC_DRD:box=0:pkg=0",
					   "UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0"});

	ASSERT_EQ(3u, set.rounds());
	ASSERT_EQ(0, set.start()) << machine.message();
	hardware.on_write = [&](const unc_op &op, uint64_t value) {
		if (op.address == kControls)
			controls.push_back(value);
		if (op.address == kFilter)
			filters.push_back(value);
		return 0;
	};
	for (int i = 0; i < 6; i++) {
		machine.advance(1000000);
		set.window();
	}
	EXPECT_EQ(6u, controls.size());
	EXPECT_EQ(4u, filters.size());
	EXPECT_EQ(0, set.stop());
	hardware.on_write = nullptr;
}

// Between windows, registers that the next one does not use stay as they are.
TEST_F(Accesses, TheEndRestoresRegistersOfAllWindowsInABoxThatCountsOn)
{
	constexpr uint64_t kBefore = 0x2a; // not enabled
	const std::string on_box = ":box=0:pkg=0";

	for (unsigned i = 0; i < kN; i++)
		machine.set_msr(kControls + i, kBefore);
	Set other(machine, {"UNC_C_CLOCKTICKS" + on_box});
	ASSERT_EQ(0, other.start()) << machine.message();
	// on counters 0 and 1, and with another filter on counter 0
	support::Multiplexed set(machine, {"UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD" + on_box,
					   "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD" + on_box,
					   "UNC_C_TOR_OCCUPANCY:OPCODE:OPC_RFO" + on_box});
	ASSERT_EQ(2u, set.rounds());
	for (int stops_after : {1, 2}) {
		ASSERT_EQ(0, set.start()) << machine.message();
		for (int i = 0; i < stops_after; i++) {
			machine.advance(1000000);
			set.window();
		}
		EXPECT_EQ(0, set.stop()) << machine.message();
		unsigned enabled = 0;
		for (unsigned i = 0; i < kN; i++)
			enabled += machine.msr(kControls + i) != kBefore;
		EXPECT_EQ(1u, enabled) << "that of the other set";
	}
	EXPECT_EQ(0, other.stop());
	for (unsigned i = 0; i < kN; i++)
		EXPECT_EQ(kBefore, machine.msr(kControls + i));
}

// A filter that is not one of those written at each start could change what other events count.
TEST_F(Accesses, AFilterIsRestoredBeforeAWindowThatDoesNotUseIt)
{
	constexpr uint32_t kOpcodeMatch = 0x48; // of a home agent, in config space
	const std::string match = "UNC_H_ADDR_OPC_MATCH:FILT:box=0:pkg=0:opc=";
	std::vector<std::string> names = {match + "1", match + "2"};
	unsigned with_filter = 0, without = 0;
	uint64_t filter = 0;

	// 12 events fill the four counters in three rounds
	for (const char *more :
	     {"CLOCKTICKS", "IMC_WRITES:FULL", "REQUESTS:READS", "REQUESTS:WRITES",
	      "TRACKER_INSERTS:ALL", "TAD_REQUESTS_G0:REGION0", "IMC_RETRY", "DIRECTORY_LOOKUP:SNP",
	      "CONFLICT_CYCLES:CONFLICT", "DIRECT2CORE_COUNT"})
		names.push_back("UNC_H_" + std::string(more) + ":box=0:pkg=0");
	support::Multiplexed set(machine, names);
	hardware.on_write = [&](const unc_op &op, uint64_t value) {
		if (op.space == UNCORE_PCI && op.address == kOpcodeMatch)
			filter = value;
		return 0;
	};
	ASSERT_EQ(3u, set.rounds());
	ASSERT_EQ(0, set.start()) << machine.message();
	for (int i = 0; i < 6; i++) {
		machine.advance(1000000);
		set.window();
		(filter ? with_filter : without)++;
	}
	EXPECT_EQ(4u, with_filter);
	EXPECT_EQ(2u, without);
	EXPECT_EQ(0, set.stop());
	hardware.on_write = nullptr;
}

// Counts between two windows are no part of the second one.
TEST_F(Accesses, ACounterThatAFreezeDoesNotStopIsReadAtTheStartOfEachWindow)
{
	support::Multiplexed set(machine, {"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0",
					   "UNC_C_RXR_OCCUPANCY:IRQ:box=0:pkg=0"});

	hardware.on_value = [](const unc_op &op, uint64_t value) {
		return op.address == kBoxControl ? value & ~UINT64_C(0x100) : value;
	};
	hardware.after_write = [this] { machine.advance(100); };
	ASSERT_EQ(0, set.start()) << machine.message();
	for (int i = 0; i < 4; i++) {
		forget();
		machine.advance(1000000);
		set.window();
		EXPECT_EQ(2u, reads[kCounters]) << "window " << i;
	}
	EXPECT_EQ(0, set.stop());
}

// Before it is restored, and once afterwards to see that the write had an effect.
TEST_F(Accesses, AStopReadsEachRegisterOnceBeforeAndAfter)
{
	Set set(machine, kAll);

	ASSERT_EQ(0, set.start());
	forget();
	EXPECT_EQ(0, set.stop());
	expect_each(kControls, 2);
	expect_each(kCounters, 1);
	EXPECT_EQ(2u, reads[kFilter]);
	EXPECT_EQ(2u, reads[kBoxControl]);
	// freeze, controls, filter, box control
	EXPECT_EQ(3 + kN, n_writes);
}

// Counts of the other set, up to then, are not part of this one.
TEST_F(Accesses, AStartReadsACounterThatRunsAsLateAsPossible)
{
	Set first(machine, {kAll[1]}), second(machine, {kAll[1]});

	ASSERT_EQ(0, first.start());
	forget();
	ASSERT_EQ(0, second.start());
	EXPECT_EQ(0u, n_writes);
	unsigned n = 0;
	for (unsigned i = 0; i < kN; i++)
		n += reads[kCounters + i];
	EXPECT_EQ(2u, n);
	EXPECT_EQ(0, second.stop());
	EXPECT_EQ(0, first.stop());
}

} // namespace
