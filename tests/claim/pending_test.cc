// SPDX-License-Identifier: BSD-3-Clause
// pending_test.cc - writes that fail while a set stops: they are repeated immediately, at the
// next call, at close and at exit, and reported with the register and its value.
#include <cerrno>
#include <memory>

#include <unistd.h>

#include "claim/allocations.h"
#include "support/child.h"
#include "support/interposer.h"
#include "support/multiplexed.h"
#include "support/node.h"
#include "support/sim_machine.h"
#include "support/stop_after.h"

namespace
{

using support::expect_same;
using support::Interposer;
using support::kMillisecond;
using support::Registers;
using support::Set;
using support::SimMachine;

constexpr char kClock[] = "UNC_C_CLOCKTICKS:box=0:pkg=0";
constexpr char kReads[] = "UNC_M_CAS_COUNT:RD";

// Counter 3 of C-Box 0 of package 0, which counts kClock.
constexpr uint32_t kControl = 0xd13;
constexpr uint64_t kOurs = 0x400000;

bool mentions(const std::string &message, const std::string &part)
{
	return message.find(part) != std::string::npos;
}

// A machine on which writes to one register fail.
class Pending : public testing::Test
{
      protected:
	Pending()
	{
		hardware.on_write = [this](const unc_op &op, uint64_t) {
			const bool hit = broken && op.space == UNCORE_MSR && op.package == 0 &&
					 op.address == broken;

			refused += hit;
			return hit ? -EIO : 0;
		};
	}
	// A set that has stopped, but could not restore kControl.
	void leave_it_behind()
	{
		ASSERT_EQ(0, set.start()) << machine.message();
		machine.advance(kMillisecond);
		broken = kControl;
		ASSERT_EQ(UNCORE_EIO, set.stop());
		ASSERT_EQ(kOurs, machine.msr(kControl));
	}

	SimMachine machine;
	const Registers before = machine.registers();
	Interposer hardware{machine};
	Set set{machine, {kClock}};
	uint32_t broken = 0;
	unsigned refused = 0;
};

TEST_F(Pending, EachAccessOfAStopMayFailOnceAndTwice)
{
	for (const unsigned times : {1u, 2u})
		for (unsigned n = 0;; n++) {
			Set several(machine,
				    {kClock, "UNC_M_CAS_COUNT:RD:box=0:pkg=0", "UNC_U_CLOCKTICKS",
				     "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=1:pkg=1"});
			Interposer failing(machine);
			unsigned access = 0;
			const auto fails = [&] {
				const unsigned now = access++;

				return now >= n && now < n + times;
			};

			ASSERT_EQ(0, several.start()) << machine.message();
			machine.advance(kMillisecond);
			failing.on_write = [&](const unc_op &, uint64_t) {
				return fails() ? -EIO : 0;
			};
			failing.on_read = [&](const unc_op &op, uint64_t *value) {
				return fails() ? -EIO : failing.read(op, value);
			};
			EXPECT_EQ(0, several.stop()) << n << ": " << machine.message();
			failing.on_write = nullptr;
			failing.on_read = nullptr;
			EXPECT_GT(several.counts()[0], 0);
			expect_same(before, machine.registers());
			if (access <= n || HasFailure())
				break;
			ASSERT_LT(n, 5000u);
		}
}

TEST_F(Pending, IsReportedWithTheRegisterAndItsValue)
{
	leave_it_behind();
	EXPECT_TRUE(mentions(machine.message(), "package 0, register 0xd13: cannot restore 0, the "
						"register holds 0x400000: "))
		<< machine.message();
	EXPECT_TRUE(mentions(machine.message(), "Input/output error")) << machine.message();
	EXPECT_GT(set.count(), 0) << "the counts are those of the whole run";
	EXPECT_EQ(UNCORE_EIO, uncore_restore(machine.u));
	EXPECT_TRUE(mentions(machine.message(), "register 0xd13: cannot restore 0, the "))
		<< machine.message();
}

TEST_F(Pending, IsRestoredByTheNextCall)
{
	const std::function<void()> calls[] = {
		[&] { EXPECT_EQ(0, set.start()) << machine.message(); },
		[&] { EXPECT_EQ(0, set.stop()) << machine.message(); },
		[&] { EXPECT_EQ(0, set.assign({kReads})); },
		[&] { Set another(machine, {kReads}); },
		[&] { EXPECT_EQ(0, uncore_restore(machine.u)) << machine.message(); },
	};

	for (const auto &call : calls) {
		ASSERT_EQ(0, set.assign({kClock}));
		leave_it_behind();
		broken = 0;
		call();
		EXPECT_EQ(0, set.stop());
		expect_same(before, machine.registers());
		EXPECT_EQ(0, uncore_restore(machine.u));
		if (HasFailure())
			return;
	}
}

TEST_F(Pending, IsRestoredAtClose)
{
	leave_it_behind();
	broken = 0;
	uncore_set_destroy(set.set);
	uncore_set_create(machine.u, &set.set);
	expect_same(before, machine.registers());
}

// After uncore_close() only the recorded writes can be checked.
TEST(PendingClose, WritesTheRegisterOnceMore)
{
	SimMachine machine;
	Interposer hardware(machine);
	bool broken = false;
	uint64_t last = 1;
	auto set = std::make_unique<Set>(machine, std::vector<std::string>{kClock});

	hardware.on_write = [&](const unc_op &op, uint64_t value) {
		if (op.address == kControl && !broken)
			last = value;
		return op.address == kControl && broken ? -EIO : 0;
	};
	ASSERT_EQ(0, set->start());
	broken = true;
	EXPECT_EQ(UNCORE_EIO, set->stop());
	set.reset();
	EXPECT_EQ(kOurs, last);
	broken = false;
	machine.close();
	EXPECT_EQ(0u, last);
}

TEST_F(Pending, ASetThatNeedsTheRegisterIsRefusedWithTheReason)
{
	Set same_box(machine, {"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0"});
	Set other_box(machine, {"UNC_C_CLOCKTICKS:box=1:pkg=0", kReads});

	leave_it_behind();
	for (Set *refused_set : {&set, &same_box}) {
		EXPECT_EQ(UNCORE_EIO, refused_set->start());
		EXPECT_TRUE(mentions(machine.message(), "register 0xd13: cannot restore"))
			<< machine.message();
	}
	EXPECT_EQ(0, other_box.start()) << machine.message();
	EXPECT_EQ(0, other_box.stop()) << machine.message();
	broken = 0;
	EXPECT_EQ(0, same_box.start()) << machine.message();
	EXPECT_EQ(0, same_box.stop());
	expect_same(before, machine.registers());
}

TEST_F(Pending, ARegisterTakenMeanwhileIsNotRestored)
{
	leave_it_behind();
	machine.set_msr(kControl, 0x400136);
	broken = 0;
	EXPECT_EQ(0, uncore_restore(machine.u)) << machine.message();
	EXPECT_EQ(0x400136u, machine.msr(kControl));
	EXPECT_EQ(UNCORE_EBUSY, set.start());
}

TEST_F(Pending, IsDroppedInAForkedChild)
{
	leave_it_behind();
	broken = 0;
	const unsigned writes = hardware.writes;
	EXPECT_EQ(0, support::in_child([&] {
			  const int code = uncore_restore(machine.u);

			  set.stop();
			  machine.close();
			  return code == UNCORE_EFORK && hardware.writes == writes ? 0 : 1;
		  }));
	EXPECT_EQ(0, uncore_restore(machine.u));
	expect_same(before, machine.registers());
}

// Exit handlers run in reverse order: this one runs after the library's.
struct AtExit {
	SimMachine *machine;
	Interposer *hardware;
	Set *set;
	Registers before;
} at_exit;

void look_at_exit()
{
	_exit(at_exit.machine->registers() == at_exit.before ? 0 : 1);
}

TEST(PendingExit, IsRestoredAtExit)
{
	EXPECT_EQ(0, support::in_child_that_exits([] {
			  bool *broken = new bool(true);

			  atexit(look_at_exit);
			  at_exit.machine = new SimMachine;
			  at_exit.before = at_exit.machine->registers();
			  at_exit.hardware = new Interposer(*at_exit.machine);
			  at_exit.set = new Set(*at_exit.machine, {kClock});
			  if (at_exit.set->start() != 0)
				  _exit(2);
			  at_exit.hardware->on_write = [broken](const unc_op &op, uint64_t) {
				  return op.address == kControl && *broken ? -EIO : 0;
			  };
			  if (at_exit.set->stop() != UNCORE_EIO)
				  _exit(3);
			  *broken = false;
			  return 4; // look_at_exit() sets the final status
		  }));
}

// Registers are restored in any order; those that still fail remain.
TEST_F(Pending, TheOthersAreRestoredWhileOneFails)
{
	Set all(machine, {"UNC_C_CLOCKTICKS:pkg=0"});
	unsigned first = 0;
	bool fails = true;

	hardware.on_write = [&](const unc_op &op, uint64_t value) {
		const bool control = op.space == UNCORE_MSR && (op.address & ~0xe0u) == 0xd13;
		const bool hit = control && value == 0 && (fails || op.address == first);

		first = hit && !first ? static_cast<unsigned>(op.address) : first;
		return hit ? -EIO : 0;
	};
	ASSERT_EQ(0, all.start()) << machine.message();
	machine.advance(kMillisecond);
	EXPECT_EQ(UNCORE_EIO, all.stop());
	ASSERT_NE(0u, first);
	fails = false;
	EXPECT_EQ(UNCORE_EIO, uncore_restore(machine.u));
	for (uint32_t control = kControl; control < kControl + 8 * 0x20; control += 0x20)
		EXPECT_EQ(control == first ? kOurs : 0u, machine.msr(control)) << control;
	first = 0;
	EXPECT_EQ(0, uncore_restore(machine.u)) << machine.message();
	expect_same(before, machine.registers());
}

// Without memory it is reported, but not retried.
TEST_F(Pending, IsReportedWithoutMemory)
{
	ASSERT_EQ(0, set.start()) << machine.message();
	machine.advance(kMillisecond);
	for (unsigned n = 0;; n++) {
		broken = kControl;
		support::allocations = {true, false, n, 0};
		EXPECT_NE(0, set.stop()) << n;
		const bool over = support::allocations.over();
		support::allocations = {};
		broken = 0;
		EXPECT_EQ(0, uncore_restore(machine.u)) << machine.message();
		machine.set_msr(kControl, 0);
		expect_same(before, machine.registers());
		if (!over || HasFailure())
			break;
		ASSERT_EQ(0, set.start()) << n << ": " << machine.message();
	}
}

// ---- other registers ----

// A failed freeze has no effect once the box control has been restored.
TEST_F(Pending, AFreezeThatFailsIsOvertakenByTheRestore)
{
	hardware.on_write = [](const unc_op &op, uint64_t value) {
		return op.address == 0xd04 && value == 0x10100 ? -EIO : 0;
	};
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_EQ(0, uncore_restore(machine.u)) << machine.message();
	expect_same(before, machine.registers());
}

// In shared registers only the set's own bits and the package's enable bit are restored.
TEST(PendingBits, OfAPackageAreRestored)
{
	const support::stop_after::Machine machine("nhmex");
	Interposer hardware(machine);
	bool broken = false;
	Set set(machine, {"UNC_M_DRAM_CMD:box=0:pkg=0"});
	const uint64_t before = machine.msr(0xc00);

	hardware.on_write = [&](const unc_op &op, uint64_t) {
		return op.address == 0xc00 && broken ? -EIO : 0;
	};
	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_NE(before, machine.msr(0xc00));
	broken = true;
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_NE(before, machine.msr(0xc00));
	EXPECT_EQ(UNCORE_EIO, set.start());
	broken = false;
	EXPECT_EQ(0, uncore_restore(machine.u)) << machine.message();
	EXPECT_EQ(before, machine.msr(0xc00));
	EXPECT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0, set.stop()) << machine.message();
}

// Windows of multiplexed events keep the package unfrozen. The value to restore is that of the
// first start, not what the register holds at one that fails, nor 0.
class PendingPackage : public testing::TestWithParam<uint64_t>
{
};

TEST_P(PendingPackage, ThatWindowsKeepOpenIsRestored)
{
	NEEDS_FUSE();
	support::Node node("nhmex:cores=2,packages=1");
	Interposer hardware(node.handle);
	bool broken = false;
	unc_hw *hw = unc_hw_of(node.handle.u);
	unc_op global = {};

	global.kind = UNCORE_WRITE;
	global.space = UNCORE_MSR;
	global.width = 64;
	global.address = 0xc00;
	ASSERT_EQ(0, hw->ops->write(hw, &global, GetParam()));
	node.before = node.controls.values();
	support::Multiplexed set(node.handle, {"UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0:box=0",
					       "UNC_B_ADDR_IN_MATCH:match=0x80:mask=0x80:box=0"});

	hardware.on_write = [&](const unc_op &op, uint64_t) {
		return op.space == UNCORE_MSR && op.address == 0xc00 && broken ? -EIO : 0;
	};
	ASSERT_EQ(0, set.start()) << node.handle.message();
	broken = true;
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_EQ(UNCORE_EIO, set.start());
	EXPECT_NE(std::string::npos, node.handle.message().find("cannot restore"))
		<< node.handle.message();
	broken = false;
	EXPECT_EQ(0, uncore_restore(node.handle.u)) << node.handle.message();
	node.expect_clean();
}

// Off, and enabled by another tool: 323535 table 2-1.
INSTANTIATE_TEST_SUITE_P(Values, PendingPackage, testing::Values(0, UINT64_C(1) << 28));

// Registers of all rounds are in the journal from the start on, until no round needs them.
TEST(PendingBits, OfAStartWhoseFirstWindowFailsAreRestored)
{
	NEEDS_FUSE();
	support::Node node("snbep:cores=2,packages=1");
	Interposer hardware(node.handle);
	bool broken = true;
	support::Multiplexed set(node.handle,
				 {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ"});

	hardware.on_write = [&](const unc_op &op, uint64_t) {
		return op.address == 0xd10 && broken ? -EIO : 0;
	};
	EXPECT_EQ(UNCORE_EIO, set.start());
	broken = false;
	EXPECT_EQ(0, uncore_restore(node.handle.u)) << node.handle.message();
	node.expect_clean();
	ASSERT_EQ(0, set.start()) << node.handle.message();
	EXPECT_EQ(0, set.stop()) << node.handle.message();
	node.expect_clean();
}

TEST(PendingBits, OfARoundAreRestored)
{
	SimMachine machine;
	const Registers before = machine.registers();
	bool broken = true;
	support::Multiplexed set(machine, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ",
					   "UNC_P_FREQ_BAND0_CYCLES:ff=20"});
	Interposer hardware(machine);

	hardware.on_write = [&](const unc_op &op, uint64_t value) {
		return broken && op.address == 0xd10 && value == 0 ? -EIO : 0;
	};
	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(3, kMillisecond);
	EXPECT_NE(0, set.stop());
	broken = false;
	EXPECT_EQ(0, uncore_restore(machine.u)) << machine.message();
	expect_same(before, machine.registers());
}

// The status of a package is cleared for each of two counters: the second write makes up for the
// first. Another one would clear bits that came later.
TEST(PendingBits, OfAStatusAreNotWrittenAgainAfterALaterWrite)
{
	constexpr uint32_t kStatus = 0x701;
	const support::stop_after::Machine machine("skx");
	Interposer hardware(machine);
	support::stop_after::StopAfterSet set(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=0",
							"UNC_C_LLC_LOOKUP:DATA_READ:box=0:pkg=0"});
	auto both = support::sized<uncore_stop_after>(2);
	unsigned writes = 0, failing = 0;

	hardware.on_write = [&](const unc_op &op, uint64_t) {
		writes += op.address == kStatus;
		return op.address == kStatus && writes <= failing ? -EIO : 0;
	};
	for (unsigned i = 0; i < 2; i++) {
		both[i].count = UINT64_C(1) << 40;
		both[i].event = i;
	}
	ASSERT_EQ(0, uncore_set_stop_after(set.set, both.data(), 2, 0)) << machine.message();
	ASSERT_EQ(0, set.start()) << machine.message();
	writes = 0;
	failing = 3;
	EXPECT_EQ(0, set.stop()) << machine.message();
	ASSERT_EQ(0, set.start()) << machine.message();
	writes = 0;
	failing = 4;
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_LT(failing, writes);
	writes = failing = 0;
	EXPECT_EQ(0, uncore_restore(machine.u)) << machine.message();
	EXPECT_EQ(0u, writes);
}

} // namespace
