// SPDX-License-Identifier: BSD-3-Clause
// frozen_test.cc - another user freezes a box or a package while a set is running: its counts
// are refused, on all platforms and for all box types, and the freeze is not undone.
#include <functional>
#include <map>
#include <set>

#include "plan/complete.h"
#include "support/every_event.h"
#include "support/interposer.h"
#include "support/multiplexed.h"
#include "support/plan.h"
#include "support/sim_machine.h"
#include "support/sized.h"
#include "support/stop_after.h"

namespace
{

using support::Handle;
using support::Interposer;
using support::kMillisecond;
using support::Multiplexed;
using support::Set;
using support::SimMachine;

bool mentions(const std::string &message, const std::string &part)
{
	return message.find(part) != std::string::npos;
}

// ---- all box types ----

// How the box control of a platform freezes the box: docs/hardware/README.md.
enum class Freeze { kBit8, kBit0, kEnableBits };

struct Platform {
	const char *name;
	Freeze freeze;
	std::set<std::string> without; // types without a box control
	uint64_t package_running;      // value of the package's register, if readable
	uint64_t package_frozen;
};

void PrintTo(const Platform &p, std::ostream *out)
{
	*out << p.name;
}

const std::set<std::string> kUbox = {"ubo"};
constexpr uint64_t kEnAll = 1u << 28;

const Platform platforms[] = {
	{"nhmex", Freeze::kEnableBits, {}, kEnAll, 0},
	{"wsmex", Freeze::kEnableBits, {}, kEnAll, 0},
	{"snbep", Freeze::kBit8, kUbox, 0, 0},
	{"ivbep", Freeze::kBit8, kUbox, 0, 0},
	{"hswep", Freeze::kBit8, kUbox, 0, 0},
	{"bdx", Freeze::kBit8, kUbox, 0, 0},
	{"skx", Freeze::kBit8, kUbox, 0, 0},
	{"knl", Freeze::kBit8, kUbox, 0, 0},
	{"icx", Freeze::kBit8, kUbox, 0, 0},
	{"spr", Freeze::kBit0, {}, 0, 1},
	{"emr", Freeze::kBit0, {}, 0, 1},
};

std::vector<Platform> with_a_package_register()
{
	std::vector<Platform> found;

	for (const Platform &p : platforms)
		if (p.package_running != p.package_frozen)
			found.push_back(p);
	return found;
}

uint64_t access(const Handle &machine, unc_op op, uint8_t kind, uint64_t value = 0)
{
	uint64_t out = 0;

	op.kind = kind;
	op.value = value;
	op.mask = 0;
	EXPECT_EQ(0, unc_run_op(unc_hw_of(machine.u), &op, &out));
	return out;
}

// The first event of each box type that has controls.
std::map<std::string, std::string> one_of_each_kind(const Handle &machine)
{
	std::map<std::string, std::string> events;

	for (const unsigned id : support::listed(machine)) {
		struct uncore_plan *plan = nullptr;

		if (uncore_plan(machine.u, &id, 1, nullptr, &plan) == 0 && plan->feasible &&
		    plan->setup.n > 0 && plan->setup.op[0].space != UNCORE_CPU)
			events.insert({support::assignment(plan, 0).kind,
				       uncore_event_name(machine.u, id)});
		uncore_plan_free(plan);
	}
	return events;
}

// The control of the first box in which an event is counted.
bool box_control(const Handle &machine, const std::string &event, unc_op *op)
{
	const unsigned id = machine.event(event);
	struct uncore_plan *plan = nullptr;
	auto box = support::sized<uncore_box_info>();
	bool found = false;

	EXPECT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
	const uncore_assignment_info at = support::assignment(plan, 0);
	for (unsigned i = 0; uncore_box(machine.u, i, &box) == 1 && !found; i++)
		found = std::string(box.kind) == at.kind && box.index == at.box &&
			box.package == at.package &&
			support::register_op(machine.u, i, UNCORE_UNIT_CONTROL, 0, op);
	uncore_plan_free(plan);
	return found;
}

uint64_t frozen(Freeze how, uint64_t value)
{
	switch (how) {
	case Freeze::kBit8:
		return value | 1u << 8;
	case Freeze::kBit0:
		return value | 1;
	default:
		return 0;
	}
}

class Frozen : public testing::TestWithParam<Platform>
{
      protected:
	// After `freeze` the counts must be refused, and `control` must not be written.
	// A control with a bit for each counter is written by bits.
	void expect_reported(const std::string &event, const unc_op &control, uint64_t value,
			     bool by_bits = false)
	{
		const uint64_t before = access(machine, control, UNCORE_READ);
		Set set(machine, {event});

		SCOPED_TRACE(event);
		ASSERT_EQ(0, set.start()) << machine.message();
		sim_advance(sim, kMillisecond);
		EXPECT_NE(value, access(machine, control, UNCORE_READ));
		access(machine, control, UNCORE_WRITE, value);
		sim_advance(sim, kMillisecond);
		{
			Interposer hardware(machine);

			hardware.on_write = [&control, by_bits](const unc_op &op, uint64_t) {
				EXPECT_FALSE(!by_bits && op.space == control.space &&
					     op.unit == control.unit &&
					     op.package == control.package &&
					     op.address == control.address);
				return 0;
			};
			EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
		}
		EXPECT_TRUE(mentions(machine.message(), "another tool froze")) << machine.message();
		EXPECT_EQ(value, access(machine, control, UNCORE_READ));
		access(machine, control, UNCORE_WRITE, before);
		EXPECT_EQ(0, set.start()) << machine.message();
		sim_advance(sim, kMillisecond);
		EXPECT_EQ(0, set.stop()) << machine.message();
	}

	std::string spec = std::string("sim:") + GetParam().name + ":time=virtual";
	Handle machine{support::sim_options(spec.c_str())};
	struct sim *sim = unc_hw_sim(unc_hw_of(machine.u));
};

TEST_P(Frozen, ABoxIsReported)
{
	for (const auto &[kind, event] : one_of_each_kind(machine)) {
		unc_op control;
		const bool has = box_control(machine, event, &control);

		EXPECT_EQ(has, GetParam().without.count(kind) == 0) << kind;
		if (!has)
			continue;
		// the bits of a running box
		Set set(machine, {event});
		ASSERT_EQ(0, set.start()) << machine.message();
		const uint64_t running = access(machine, control, UNCORE_READ);
		ASSERT_EQ(0, set.stop()) << machine.message();
		expect_reported(event, control, frozen(GetParam().freeze, running),
				GetParam().freeze == Freeze::kEnableBits);
	}
}

// The package's register is there and can be read.
class FrozenPackage : public Frozen
{
};

TEST_P(FrozenPackage, IsReportedIfItsRegisterShowsIt)
{
	const Platform &p = GetParam();
	struct uncore_plan *plan = nullptr;
	unc_op control = {};

	const std::string event = one_of_each_kind(machine).begin()->second;
	const unsigned id = machine.event(event);
	ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
	control = plan->start.op[0]; // freezes the first package
	uncore_plan_free(plan);
	expect_reported(event, control, p.package_frozen);
}

INSTANTIATE_TEST_SUITE_P(Platforms, Frozen, testing::ValuesIn(platforms));
INSTANTIATE_TEST_SUITE_P(Platforms, FrozenPackage, testing::ValuesIn(with_a_package_register()));

// ---- states that are not a freeze, and freezes that cannot be detected ----

constexpr char kClock[] = "UNC_C_CLOCKTICKS:box=0:pkg=0";
constexpr uint32_t kBox = 0xd04;

TEST(NotFrozen, WhenItWasLiftedAgainBefore)
{
	SimMachine machine;
	Set set(machine, {kClock});

	ASSERT_EQ(0, set.start());
	machine.advance(kMillisecond);
	machine.set_msr(kBox, 0x10100);
	machine.advance(kMillisecond);
	machine.set_msr(kBox, 0x10000);
	EXPECT_EQ(0, set.stop()) << machine.message();
}

// perf freezes a box while it writes the box's registers.
TEST(NotFrozen, WhenASecondLookDoesNotShowIt)
{
	SimMachine machine;
	int looks = 0;
	Set set(machine, {kClock});

	ASSERT_EQ(0, set.start());
	Interposer hardware(machine);
	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = hardware.read(op, value);

		if (op.address == kBox && looks++ == 0)
			*value |= 0x100;
		return r;
	};
	EXPECT_EQ(0, set.stop()) << machine.message();
	EXPECT_EQ(3, looks) << "two before the stop, and one after the register is restored";
}

// The bits that read back are learnt at the start, in up to two looks.
class LooksAtTheStart : public testing::Test
{
      protected:
	// The box control reads as frozen that often after it was released.
	void start_with(int frozen_reads)
	{
		Interposer hardware(machine);
		bool runs = false;

		hardware.on_write = [&](const unc_op &op, uint64_t value) {
			runs |= op.address == kBox && value == 0x10000;
			return 0;
		};
		hardware.on_read = [&](const unc_op &op, uint64_t *value) {
			const int r = hardware.read(op, value);

			if (op.address == kBox && runs && frozen_reads-- > 0)
				*value |= 0x100;
			return r;
		};
		ASSERT_EQ(0, set.start()) << machine.message();
		machine.advance(kMillisecond);
	}
	int stop_frozen()
	{
		machine.set_msr(kBox, 0x10100);
		return set.stop();
	}

	SimMachine machine;
	Set set{machine, {kClock}};
};

TEST_F(LooksAtTheStart, OneThatFallsIntoAFreezeIsRepeated)
{
	start_with(1);
	EXPECT_EQ(UNCORE_ESTOLEN, stop_frozen());
}

TEST_F(LooksAtTheStart, ABitThatBothDoNotShowProvesNothing)
{
	start_with(2);
	EXPECT_EQ(0, stop_frozen()) << machine.message();
}

// According to the manual the bits are write-only: a machine may return 0 or any other value.
TEST(NotFrozen, ByBitsThatDoNotReadBack)
{
	for (const uint64_t shown : {UINT64_C(0), UINT64_C(0x100), UINT64_C(0x10100)}) {
		SimMachine machine;
		Interposer hardware(machine);
		Set set(machine, {kClock});

		hardware.on_read = [&](const unc_op &op, uint64_t *value) {
			const int r = hardware.read(op, value);

			if (op.address == kBox)
				*value = shown;
			return r;
		};
		for (int run = 0; run < 2; run++) {
			ASSERT_EQ(0, set.start()) << machine.message();
			machine.advance(kMillisecond);
			EXPECT_EQ(0, set.stop()) << machine.message();
		}
	}
}

// ---- owner of the freeze ----

TEST(FrozenBox, IsNotWrittenAnyMore)
{
	SimMachine machine;
	std::vector<uint32_t> written;
	Set set(machine, {kClock});

	ASSERT_EQ(0, set.start());
	machine.set_msr(kBox, 0x10100);
	{
		Interposer hardware(machine);

		hardware.on_write = [&](const unc_op &op, uint64_t) {
			written.push_back(static_cast<uint32_t>(op.address));
			return 0;
		};
		EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
	}
	EXPECT_TRUE(mentions(machine.message(), "cbo0 of package 0: box control 0xd04 held 0x100"))
		<< machine.message();
	EXPECT_FALSE(written.empty());
	for (const uint32_t address : written)
		EXPECT_NE(kBox, address);
	EXPECT_EQ(0x10100u, machine.msr(kBox));
}

TEST(FrozenBox, SpoilsAllSetsThatCountInIt)
{
	SimMachine machine;
	const auto before = machine.registers();
	Set first(machine, {kClock}), same(machine, {kClock}),
		neighbour(machine, {"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0"}),
		other_package(machine, {"UNC_C_CLOCKTICKS:box=1:pkg=0"});

	for (Set *set : {&first, &same, &neighbour, &other_package})
		ASSERT_EQ(0, set->start()) << machine.message();
	machine.set_msr(kBox, 0x10100);
	machine.advance(kMillisecond);
	EXPECT_EQ(UNCORE_ESTOLEN, same.stop());
	EXPECT_EQ(UNCORE_ESTOLEN, first.stop());
	EXPECT_EQ(0, other_package.stop()) << machine.message();
	machine.set_msr(kBox, 0x10000); // unfrozen too late for the others only
	EXPECT_EQ(0, neighbour.stop()) << machine.message();
	support::expect_same(before, machine.registers());
}

// A set that is added to a frozen box counts nothing there.
TEST(FrozenBox, IsReportedToASetThatBeganAfterwards)
{
	SimMachine machine;
	Set first(machine, {kClock}), late(machine, {"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0"});

	ASSERT_EQ(0, first.start());
	machine.set_msr(kBox, 0x10100);
	ASSERT_EQ(0, late.start());
	machine.advance(kMillisecond);
	EXPECT_EQ(UNCORE_ESTOLEN, late.stop());
	EXPECT_EQ(UNCORE_ESTOLEN, first.stop());
}

// ---- multiplexed sets, and sets that stop automatically ----

TEST(FrozenBox, IsReportedByAMultiplexedSet)
{
	SimMachine machine;
	Multiplexed set(machine, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ"});

	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(3, kMillisecond);
	machine.set_msr(kBox, 0x10100);
	set.windows(3, kMillisecond);
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
	EXPECT_TRUE(mentions(machine.message(), "0xd04")) << machine.message();
}

using support::stop_after::Machine;
using support::stop_after::StopAfterSet;

struct Stopping {
	const char *platform, *event;
	uint64_t n;
	uint32_t control;
	uint64_t frozen;
};

void PrintTo(const Stopping &s, std::ostream *out)
{
	*out << s.platform;
}

class FrozenStopAfter : public testing::TestWithParam<Stopping>
{
      protected:
	Machine machine{GetParam().platform};
	StopAfterSet set{machine, {GetParam().event}};
};

TEST_P(FrozenStopAfter, TheFreezeOfItsOwnOverflowIsNotReported)
{
	for (const bool waited : {false, true}) {
		ASSERT_EQ(0, set.stop_after(GetParam().n)) << machine.message();
		ASSERT_EQ(0, set.start()) << machine.message();
		machine.pass(support::stop_after::kSecond);
		if (waited) {
			EXPECT_EQ(1, set.wait());
		}
		EXPECT_EQ(0, set.stop()) << machine.message();
		EXPECT_GE(set.count(), static_cast<int64_t>(GetParam().n));
	}
}

TEST_P(FrozenStopAfter, AFreezeBeforeItsOverflowIs)
{
	const uint64_t never = UINT64_C(1) << 40;

	ASSERT_EQ(0, set.stop_after(never)) << machine.message();
	ASSERT_EQ(0, set.start()) << machine.message();
	machine.pass(kMillisecond);
	machine.set_msr(GetParam().control, GetParam().frozen);
	machine.pass(kMillisecond);
	EXPECT_EQ(0, set.wait());
	EXPECT_EQ(UNCORE_ESTOLEN, set.again());
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop()) << machine.message();
	EXPECT_EQ(GetParam().frozen, machine.msr(GetParam().control));
}

INSTANTIATE_TEST_SUITE_P(
	Platforms, FrozenStopAfter,
	testing::Values(Stopping{"spr", "UNC_CHA_CLOCKTICKS:box=0:pkg=0", 100000, 0x2ff0, 1},
			Stopping{"ivbep", "UNC_C_CLOCKTICKS:box=0:pkg=0", 100000, 0xd04, 0x30100},
			Stopping{"skx", "UNC_C_CLOCKTICKS:box=0:pkg=0", 100000, 0xe00, 0x30100},
			Stopping{"snbep", "UNC_C_CLOCKTICKS:box=0:pkg=0", 100000, 0xd04, 0x10100}));

} // namespace
