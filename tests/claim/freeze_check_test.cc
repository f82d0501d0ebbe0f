// SPDX-License-Identifier: BSD-3-Clause
// freeze_check_test.cc - uncore_set_check() detects a counter that another process has taken while
// counting, and the messages of reads that failed.
#include <cerrno>

#include "support/interposer.h"
#include "support/multiplexed.h"
#include "support/sim_machine.h"

namespace
{

using support::Interposer;
using support::Multiplexed;
using support::Set;
using support::SimMachine;

// One control (0xd10 to 0xd13) and the filter (0xd14) of a C-Box; manual 327043, table 2-8.
constexpr char kFiltered[] = "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=0:pkg=0";
constexpr uint32_t kFilter = 0xd14;

uint32_t control_in_use(SimMachine &machine)
{
	for (uint32_t address = 0xd10; address < 0xd14; address++)
		if (machine.msr(address) & 1u << 22)
			return address;
	ADD_FAILURE() << "no counter is enabled";
	return 0;
}

class FreezeCheck : public testing::Test
{
      protected:
	int check()
	{
		return uncore_set_check(set.set);
	}
	void put(uint32_t address, uint64_t value)
	{
		machine.set_msr(address, value);
	}

	SimMachine machine;
	Set set{machine, {kFiltered}};
};

TEST_F(FreezeCheck, ASetThatHasItsCountersIsRight)
{
	EXPECT_EQ(0, check()); // not running yet
	ASSERT_EQ(0, set.start());
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, check());
	Set other(machine, {"UNC_C_TOR_INSERTS:NID_OPCODE:OPC_DRD:nf=1:box=0:pkg=0"});
	EXPECT_EQ(0, check());
	Set counting(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});
	ASSERT_EQ(0, counting.start());
	EXPECT_EQ(0, check());
	EXPECT_EQ(0, counting.stop());
	EXPECT_EQ(0, check());
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0, check());
}

TEST_F(FreezeCheck, AStolenControlIsReportedOnce)
{
	ASSERT_EQ(0, set.start());
	const uint32_t control = control_in_use(machine);
	const uint64_t ours = machine.msr(control);

	ASSERT_EQ(0, check());
	put(control, 0x400101);
	EXPECT_EQ(UNCORE_ESTOLEN, check());
	char address[24];
	snprintf(address, sizeof(address), "register 0x%x held", control);
	EXPECT_NE(std::string::npos, machine.message().find(address)) << machine.message();
	EXPECT_NE(std::string::npos, machine.message().find("another tool")) << machine.message();
	EXPECT_EQ(0, check());
	// restored and taken again
	put(control, ours);
	EXPECT_EQ(0, check());
	put(control, 0x400101);
	EXPECT_EQ(UNCORE_ESTOLEN, check());
	EXPECT_EQ(0, check());
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
}

TEST_F(FreezeCheck, AFilterIsLookedAtToo)
{
	ASSERT_EQ(0, set.start());
	const uint64_t ours = machine.msr(kFilter);

	put(kFilter, 0);
	EXPECT_EQ(UNCORE_ESTOLEN, check());
	// a second one is reported in addition to the first
	put(control_in_use(machine), 0x400101);
	EXPECT_EQ(UNCORE_ESTOLEN, check());
	EXPECT_EQ(0, check());
	put(kFilter, ours);
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
}

TEST_F(FreezeCheck, EachRunBeginsAnew)
{
	for (int run = 0; run < 3; run++) {
		ASSERT_EQ(0, set.start()) << machine.message();
		const uint32_t control = control_in_use(machine);

		EXPECT_EQ(0, check());
		put(control, 0x400101);
		EXPECT_EQ(UNCORE_ESTOLEN, check()) << run;
		EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
		put(control, 0);
	}
}

TEST_F(FreezeCheck, AFailedReadIsReportedOnce)
{
	Interposer hardware{machine};
	bool broken = false;

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		return broken && op.address == kFilter ? -EIO : hardware.read(op, value);
	};
	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, check());
	broken = true;
	EXPECT_EQ(UNCORE_EIO, check());
	EXPECT_NE(std::string::npos, machine.message().find("0xd14")) << machine.message();
	EXPECT_EQ(0, check());
	broken = false;
	EXPECT_EQ(0, check());
	EXPECT_EQ(0, set.stop()) << machine.message();
}

TEST_F(FreezeCheck, LookingWritesNothing)
{
	ASSERT_EQ(0, set.start());
	Interposer hardware{machine};

	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, check());
	EXPECT_EQ(0u, hardware.writes);
	EXPECT_EQ(6u, hardware.reads);
}

TEST_F(FreezeCheck, OfAMultiplexedSetTheFirstFailureOfARunIsReported)
{
	Multiplexed turns(machine, {"UNC_C_RXR_OCCUPANCY:IRQ:box=1:pkg=0",
				    "UNC_C_TOR_OCCUPANCY:ALL:box=1:pkg=0"});

	ASSERT_EQ(2u, turns.rounds());
	ASSERT_EQ(0, turns.start());
	turns.windows(3, 1000000);
	EXPECT_EQ(0, uncore_set_check(turns.set));
	put(0xd30, 0x400101); // counter 0 of C-Box 1
	turns.windows(1, 1000000);
	EXPECT_EQ(UNCORE_ESTOLEN, uncore_set_check(turns.set));
	EXPECT_NE(std::string::npos, machine.message().find("0xd30")) << machine.message();
	EXPECT_EQ(0, uncore_set_check(turns.set));
	EXPECT_EQ(UNCORE_ESTOLEN, turns.stop());
}

// The next window must not take the box for frozen and saved, as it is after a good one: both
// events have the same control, so that it would not be written again.
TEST_F(FreezeCheck, AWindowWhoseControlWasClearedIsTheOnlyOneWithoutCounts)
{
	Multiplexed turns(machine, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=1:pkg=0",
				    "UNC_C_TOR_INSERTS:OPCODE:OPC_CRD:box=1:pkg=0"});
	const uint32_t controls[] = {0xd30, 0xd31, 0xd32, 0xd33};

	ASSERT_EQ(2u, turns.rounds());
	ASSERT_EQ(0, turns.start());
	for (const uint32_t control : controls)
		put(control, 0);
	turns.windows(1, 1000000);
	for (int i = 0; i < 4; i++) {
		const int64_t before = turns.times()[1 - i % 2].count;

		machine.advance(1000000);
		EXPECT_LT(before, turns.times()[1 - i % 2].count) << i;
		turns.window();
	}
	EXPECT_EQ(UNCORE_ESTOLEN, turns.stop());
}

// ---- messages of failed reads ----

class FailedRead : public testing::Test
{
      protected:
	FailedRead()
	{
		hardware.on_read = [this](const unc_op &op, uint64_t *value) {
			return op.address == broken ? -EIO : hardware.read(op, value);
		};
	}

	// Reads while this counter is broken. Returns false if the read succeeds, else checks
	// that the message has its address.
	bool is_named(Set &set, uint64_t counter)
	{
		std::vector<int64_t> counts(2);
		char address[20];

		broken = counter;
		if (uncore_set_read(set.set, counts.data()) == 0)
			return false;
		snprintf(address, sizeof(address), "0x%llx",
			 static_cast<unsigned long long>(counter));
		EXPECT_NE(std::string::npos, machine.message().find(address)) << machine.message();
		return true;
	}

	SimMachine machine;
	Interposer hardware{machine};
	uint64_t broken = 0;
};

TEST_F(FailedRead, NamesTheRegister)
{
	Set set(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=0", "UNC_C_CLOCKTICKS:box=1:pkg=0"});

	ASSERT_EQ(0, set.start());
	for (uint64_t counter = 0xd36; counter <= 0xd39; counter++) { // of C-Box 1
		if (!is_named(set, counter))
			continue;
		broken = 0;
		EXPECT_EQ(0, set.stop());
		return;
	}
	FAIL() << "no counter of C-Box 1 was read";
}

TEST_F(FailedRead, OfSeveralInOneAccessNamesTheRightOne)
{
	// Adjacent registers in the config space of the home agent: 0xa0, 0xa8, 0xb0, 0xb8.
	Set set(machine, {"UNC_H_CLOCKTICKS:pkg=0", "UNC_H_REQUESTS:READS:pkg=0"});

	ASSERT_EQ(0, set.start());
	unsigned named = 0;
	for (const uint64_t counter : {0xa0, 0xa8, 0xb0, 0xb8})
		named += is_named(set, counter);
	EXPECT_EQ(2u, named);
	broken = 0;
	EXPECT_EQ(0, set.stop());
}

TEST_F(FailedRead, DoesNotHideALaterSentence)
{
	Set set(machine, {"UNC_H_CLOCKTICKS:pkg=0"});
	std::vector<int64_t> counts(1);
	unsigned id;

	ASSERT_EQ(0, set.start());
	for (const uint64_t counter : {0xa0, 0xa8, 0xb0, 0xb8}) {
		broken = counter;
		uncore_set_read(set.set, counts.data());
	}
	broken = 0;
	EXPECT_EQ(UNCORE_ENOEVENT, uncore_event(machine.u, "UNC_NONSENSE", &id));
	EXPECT_NE(std::string::npos, machine.message().find("UNC_NONSENSE")) << machine.message();
	EXPECT_EQ(0, set.stop());
}

} // namespace
