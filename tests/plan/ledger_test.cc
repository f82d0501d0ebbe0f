// SPDX-License-Identifier: BSD-3-Clause
// ledger_test.cc - the record of previous register values: adding, changing and restoring
// entries, and their order.
#include <gtest/gtest.h>

#include "plan/ledger.h"

namespace
{

constexpr unsigned kGroups = 4;

class Ledger : public testing::Test
{
      protected:
	Ledger()
	{
		EXPECT_TRUE(unc_ledger_make(&l, kGroups));
	}
	~Ledger() override
	{
		unc_ledger_free(&l);
	}
	static unc_op at(uint64_t address, uint64_t mask = 0)
	{
		unc_op op = {};

		op.address = address;
		op.mask = mask;
		return op;
	}
	void add(unsigned group, const unc_op &op, uint64_t value)
	{
		ASSERT_TRUE(unc_ledger_note(&l, group, &op, value, 0));
		unc_ledger_save(&l, group, &op);
	}
	void due(unsigned group, uint64_t bits = UINT64_MAX)
	{
		for (unc_ledger_entry *e = nullptr; (e = unc_ledger_next(&l, group, e));)
			e->due = bits;
	}
	void prune()
	{
		unc_ledger_prune(
			&l, [](void *, const unc_ledger_entry *e) { return e->saved; }, nullptr);
	}
	// "12=1/f" is address 0x12, value 1, mask 0xf. Without a mask it is the whole register.
	std::string back()
	{
		const unc_op *ops;
		const size_t n = unc_ledger_restore(&l, &ops);
		std::string text;

		for (size_t i = 0; i < n; i++) {
			char one[80];

			snprintf(one, sizeof(one), "%llx=%llx", (unsigned long long)ops[i].address,
				 (unsigned long long)ops[i].value);
			text += (i ? " " : "") + std::string(one);
			snprintf(one, sizeof(one), "/%llx", (unsigned long long)ops[i].mask);
			text += ops[i].mask ? one : "";
			EXPECT_EQ(ops[i].mask ? UNCORE_RMW : UNCORE_WRITE, ops[i].kind);
			EXPECT_TRUE(ops[i].saved);
		}
		return text;
	}

	unc_ledger l;
};

TEST_F(Ledger, RestoresTheLatestChangeFirstAcrossGroups)
{
	add(0, at(0x10), 1);
	add(2, at(0x20), 2);
	add(0, at(0x11), 3);
	due(0);
	due(2);
	EXPECT_EQ("11=3 20=2 10=1", back());
	EXPECT_EQ("", back());
}

TEST_F(Ledger, RestoresOnlyWhatIsDue)
{
	add(0, at(0x10), 1);
	add(1, at(0x20), 2);
	due(1);
	EXPECT_EQ("20=2", back());
	due(0);
	EXPECT_EQ("10=1", back());
}

TEST_F(Ledger, TheFirstValueOfARegisterStays)
{
	add(0, at(0x10, 0xf), 0x35);
	add(0, at(0x10, 0xff), 0xa1);
	due(0);
	EXPECT_EQ("10=a5/ff", back());
}

TEST_F(Ledger, BitsThatAreAddedChangeTheJournal)
{
	add(0, at(0x10, 0x0f), 0);
	l.changed = false;
	add(0, at(0x10, 0x0f), 0);
	EXPECT_FALSE(l.changed);
	add(0, at(0x10, 0xf0), 0);
	EXPECT_TRUE(l.changed);
}

TEST_F(Ledger, BitsOfASharedRegisterAreRestoredOneByOne)
{
	add(0, at(0x10, 0xff), 0x35);
	due(0, 0x0f);
	EXPECT_EQ("10=5/f", back());
	due(0);
	EXPECT_EQ("10=30/f0", back());
	EXPECT_EQ(nullptr, unc_ledger_next(&l, 0, nullptr));
}

TEST_F(Ledger, BitsThatWereRestoredAreReadAgain)
{
	add(0, at(0x10, 0xff), 0x35);
	due(0, 0x0f);
	back();
	add(0, at(0x10, 0x0f), 0x0a);
	due(0);
	EXPECT_EQ("10=3a/ff", back());
}

TEST_F(Ledger, BitsThatAreTakenAreNotRestored)
{
	const unc_op part = at(0x10, 0xf0), whole = at(0x20), unknown = at(0x30);

	add(3, at(0x10, 0xff), 0x35);
	add(3, whole, 7);
	EXPECT_EQ(0x30u, unc_ledger_take(&l, 3, &part));
	EXPECT_EQ(7u, unc_ledger_take(&l, 3, &whole));
	EXPECT_EQ(0u, unc_ledger_take(&l, 3, &unknown));
	due(3);
	EXPECT_EQ("10=5/f", back());
}

TEST_F(Ledger, AForgottenGroupIsNotRestored)
{
	add(0, at(0x10), 1);
	add(1, at(0x20), 2);
	unc_ledger_forget(&l, 0);
	due(0);
	due(1);
	EXPECT_EQ("20=2", back());
}

// Multiplexed sets start and stop for hours.
TEST_F(Ledger, RestoredEntriesTakeNoRoom)
{
	for (unsigned i = 0; i < 1000; i++) {
		add(i % kGroups, at(i), i);
		if (i % 100) {
			due(i % kGroups);
			back();
		}
		prune();
	}
	EXPECT_LE(l.room, 64u);
}

// In windows of multiplexed events the journal keeps what is saved again and again.
TEST_F(Ledger, NotesThatTheJournalKeepsTakeRoomOnce)
{
	for (unsigned i = 0; i < 1000; i++) {
		add(0, at(i % 3), i);
		due(0);
		back();
	}
	EXPECT_LE(l.room, 64u);
	prune();
	EXPECT_EQ(0u, l.n);
}

TEST_F(Ledger, WhatIsOnlyNotedIsNotRestored)
{
	const unc_op op = at(0x10);

	ASSERT_TRUE(unc_ledger_note(&l, 0, &op, 1, 0));
	EXPECT_EQ(nullptr, unc_ledger_find(&l, 0, &op));
	EXPECT_TRUE(unc_ledger_has(&l, &op));
	due(0);
	EXPECT_EQ("", back());
	unc_ledger_save(&l, 0, &op);
	due(0);
	EXPECT_EQ("10=1", back());
}

// A round changes a register after those that it has saved meanwhile.
TEST_F(Ledger, ANoteThatIsSavedLaterIsALaterChange)
{
	const unc_op op = at(0x10);

	ASSERT_TRUE(unc_ledger_note(&l, 0, &op, 1, 0));
	add(0, at(0x20), 2);
	add(0, op, 3);
	due(0);
	EXPECT_EQ("10=3 20=2", back());
}

TEST_F(Ledger, PruningLeavesTheBitsThatAreNeeded)
{
	add(0, at(0x10, 0xff), 0x35);
	add(0, at(0x20), 7);
	due(0, 0x0f);
	back();
	l.changed = false;
	prune();
	EXPECT_TRUE(l.changed);
	ASSERT_EQ(1u, l.n);
	EXPECT_EQ(0xf0u, l.at[0].op.mask);
	EXPECT_EQ(0x30u, l.at[0].before);
}

TEST_F(Ledger, ARegisterShowsEachValueOnce)
{
	const unc_op a = at(0x10);
	unc_op shows = at(0x10, 0xff);

	ASSERT_TRUE(unc_ledger_note(&l, 0, &a, 1, 0));
	for (uint64_t value : {1, 2, 1, 0x102}) {
		shows.value = value;
		EXPECT_TRUE(unc_ledger_show(&l, 0, &shows));
	}
	EXPECT_EQ(2u, l.at[0].n_shown);
	unc_ledger_unshow(&l, 0, &shows);
	EXPECT_EQ(0u, l.at[0].n_shown);
}

TEST_F(Ledger, ALoadedCounterHasAnEntryOfItsOwn)
{
	const unc_op op = at(0x10);

	add(0, op, 5);
	ASSERT_TRUE(unc_ledger_note(&l, 0, &op, 0, UNC_SAVED_CLEARED));
	EXPECT_EQ(2u, l.n);
	due(0);
	EXPECT_EQ("10=5", back());
}

TEST_F(Ledger, RegistersOfOtherGroupsHaveTheirOwnEntries)
{
	add(0, at(0x10), 1);
	add(1, at(0x10), 2);
	due(0);
	EXPECT_EQ("10=1", back());
	due(1);
	EXPECT_EQ("10=2", back());
}

} // namespace
