// SPDX-License-Identifier: BSD-3-Clause
// recovery_test.cc - what a recovery does with the registers of a journal.
#include <algorithm>

#include <gtest/gtest.h>

#include "claim/allocations.h"
#include "machine/machine.h"
#include "plan/plan.h"
#include "set/inside.h"
#include "support/recovery.h"

namespace
{

constexpr uint64_t kBefore = 0x111, kOwners = 0x400136, kAnothers = 0x400137;

// The first control of a C-Box of Sandy Bridge-EP, whose owner wrote one event to it.
class OneRegister : public testing::Test
{
      protected:
	OneRegister() : r("sim:snbep:packages=1,cores=2,time=virtual")
	{
		control.space = UNCORE_MSR;
		control.width = 64;
		control.address = 0xd10;
		saved.place = unc_place_of(&r.machine()->topo, &control);
		saved.before = kBefore;
		saved.n_shown = 1;
		shown = {UINT64_MAX, kOwners};
	}
	uint64_t recovered(uint64_t held)
	{
		r.write(control, held);
		r.recover({saved}, {shown});
		return r.read(control);
	}

	support::Recovery r;
	unc_op control = {};
	unc_saved saved = {};
	unc_shown shown = {};
};

TEST_F(OneRegister, ThatHoldsTheOwnersValueIsRestored)
{
	EXPECT_EQ(kBefore, recovered(kOwners));
	EXPECT_FALSE(r.remains);
}

TEST_F(OneRegister, ThatWasResetIsRestored)
{
	EXPECT_EQ(kBefore, recovered(0));
	EXPECT_FALSE(r.remains);
}

TEST_F(OneRegister, ThatAnotherToolHasWrittenIsLeft)
{
	EXPECT_EQ(kAnothers, recovered(kAnothers));
	EXPECT_TRUE(r.written.empty());
	EXPECT_FALSE(r.remains);
}

TEST_F(OneRegister, ThatCannotBeReadStaysInTheJournal)
{
	r.read_error = -EIO;
	EXPECT_EQ(kOwners, recovered(kOwners));
	EXPECT_TRUE(r.remains);
	r.read_error = 0;
	EXPECT_EQ(kBefore, recovered(kOwners));
	EXPECT_FALSE(r.remains);
}

// Registers of the first C-Box of Ivy Bridge-EP, and what a journal says of them.
class Registers : public testing::Test
{
      protected:
	Registers() : r("sim:ivbep:packages=2,cores=2,time=virtual")
	{
	}
	static unc_op msr(uint32_t address, uint16_t package = 0)
	{
		unc_op op = {};

		op.space = UNCORE_MSR;
		op.width = 64;
		op.package = package;
		op.address = address;
		return op;
	}
	// A register that held `before`; owners: what its owner wrote, 0 if it does not read back.
	void add(const unc_op &op, uint64_t before, uint64_t owners, uint64_t held)
	{
		unc_saved one = {};

		one.place = unc_place_of(&r.machine()->topo, &op);
		one.before = before;
		one.shown = static_cast<uint32_t>(shown.size());
		one.n_shown = owners != 0;
		if (owners)
			shown.push_back({UINT64_MAX, owners});
		saved.push_back(one);
		r.write(op, held);
	}
	void recover()
	{
		r.recover(saved, shown);
	}
	bool wrote(uint32_t address) const
	{
		return std::any_of(r.written.begin(), r.written.end(),
				   [&](const unc_op &op) { return op.address == address; });
	}

	support::Recovery r;
	std::vector<unc_saved> saved;
	std::vector<unc_shown> shown;
};

constexpr uint32_t kBoxControl = 0xd04, kControl = 0xd10, kOtherControl = 0xd11, kFilter = 0xd14,
		   kGlobalControl = 0xc00;

TEST_F(Registers, OfAPackageThatIsNotLockedStayInTheJournal)
{
	add(msr(kControl, 0), kBefore, kOwners, kOwners);
	add(msr(kControl, 1), kBefore, kOwners, kOwners);
	r.locked[1] = 0;
	recover();
	EXPECT_EQ(kBefore, r.read(msr(kControl, 0)));
	EXPECT_EQ(kOwners, r.read(msr(kControl, 1)));
	EXPECT_TRUE(r.remains);
	r.locked[1] = 1;
	recover();
	EXPECT_EQ(kBefore, r.read(msr(kControl, 1)));
	EXPECT_FALSE(r.remains);
}

TEST_F(Registers, BoxControlIsRestoredUnlessAnotherToolUsesTheBox)
{
	add(msr(kBoxControl), 0, 0x10100, 0x10100);
	recover();
	EXPECT_EQ(0u, r.read(msr(kBoxControl)));
	r.write(msr(kBoxControl), 0x10100);
	r.write(msr(kOtherControl), kAnothers);
	recover();
	EXPECT_EQ(0x10100u, r.read(msr(kBoxControl)));
	EXPECT_TRUE(r.written.empty());
}

TEST_F(Registers, ThatDoNotReadBackAreLeftWithAChangedOneOfTheGroup)
{
	add(msr(kControl), kBefore, kOwners, kOwners);
	add(msr(kFilter), 0x5, 0, 0x7);
	recover();
	EXPECT_EQ(0x5u, r.read(msr(kFilter)));
	r.write(msr(kControl), kAnothers);
	r.write(msr(kFilter), 0x7);
	recover();
	EXPECT_EQ(kAnothers, r.read(msr(kControl)));
	EXPECT_EQ(0x7u, r.read(msr(kFilter)));
}

TEST_F(Registers, AreRestoredFromTheLastChangeToTheFirst)
{
	add(msr(kControl), kBefore, kOwners, kOwners);
	add(msr(kControl), 0x222, kOwners, kOwners);
	recover();
	EXPECT_EQ(kBefore, r.read(msr(kControl)));
}

TEST_F(Registers, MoreThanAMachineCanHaveAreNotRestored)
{
	size_t most = 0;

	for (size_t i = 0; i < r.map()->n; i++)
		most += r.map()->reg[i].space == UNCORE_CPU ? 16 * r.machine()->topo.n_cpus : 16;
	for (size_t i = 0; i <= most; i++)
		add(msr(kControl), kBefore, kOwners, kOwners);
	recover();
	EXPECT_EQ(kOwners, r.read(msr(kControl)));
	EXPECT_TRUE(r.written.empty());
	EXPECT_FALSE(r.remains);
}

// Either nothing changes and the journal stays, or all is done, packages unfrozen included.
TEST_F(Registers, AreAllRestoredOrNoneIfMemoryIsShort)
{
	unsigned at = 0, failed = 0;
	bool over = false;

	add(msr(kControl), kBefore, kOwners, kOwners);
	r.around = [&](bool before) {
		over = !before && !support::allocations.over();
		support::allocations = {before, false, at, 0};
	};
	for (; !over && at < 1000; at++) {
		r.write(msr(kControl), kOwners);
		recover();
		if (over)
			break;
		EXPECT_NE(r.code == 1, r.remains) << at;
		EXPECT_EQ(r.code == 1 ? kBefore : kOwners, r.read(msr(kControl))) << at;
		EXPECT_EQ(r.code == 1, wrote(kGlobalControl)) << at;
		failed += r.code != 1;
	}
	EXPECT_GT(failed, 3u);
	EXPECT_LT(at, 1000u);
}

// A machine of eight packages has more registers than a few hundred: all controls and counters at
// once.
TEST(ManyRegisters, AreAllRestored)
{
	support::Recovery r("sim:gnr:time=virtual,cores=64,packages=8");
	const unc_machine *m = r.machine();
	std::vector<unc_saved> saved;

	for (unsigned box = 0; box < m->n_boxes; box++)
		for (const enum uncore_register which :
		     {UNCORE_UNIT_CONTROL, UNCORE_CONTROL, UNCORE_COUNTER})
			for (unsigned i = 0; i < 4; i++) {
				unc_saved one = {};
				unc_op op;

				// mappings have no numbers of their own here
				if (m->boxes[box].absent || m->boxes[box].type->arch ||
				    !unc_register_op(m, &m->boxes[box], which, i, &op) ||
				    op.space == UNCORE_MMIO || !unc_pmon_find(r.map(), &op))
					continue;
				one.place = unc_place_of(&m->topo, &op);
				one.flags = which == UNCORE_COUNTER ? UNC_SAVED_CLEARED : 0;
				saved.push_back(one);
			}
	EXPECT_LT(10000u, saved.size());
	r.recover(saved);
	EXPECT_EQ(1, r.code);
	EXPECT_FALSE(r.remains);
}

} // namespace
