// SPDX-License-Identifier: BSD-3-Clause
// recovery_test.cc - what a recovery does with one register of a journal.
#include <gtest/gtest.h>

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
		unc_journal j = {};

		j.head = r.head();
		j.head.n_saved = 1;
		j.head.n_shown = 1;
		j.saved = &saved;
		j.shown = &shown;
		r.write(control, held);
		r.recover(j);
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

} // namespace
