// SPDX-License-Identifier: BSD-3-Clause
// journal_entries_test.cc - journals that version 0.2 wrote (tests/claim/journals-0.2) are read,
// and recovered to the same registers.
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "hw/pmon.h"
#include "machine/machine.h"
#include "support/recovery.h"
#include "support/source.h"

namespace
{

using Bytes = std::vector<unsigned char>;

Bytes contents(const std::string &name)
{
	std::ifstream file(support::source_path("tests/claim/journals-0.2/" + name),
			   std::ios::binary);

	EXPECT_TRUE(file.good()) << name;
	return {std::istreambuf_iterator<char>(file), {}};
}

class Journal02 : public testing::TestWithParam<const char *>
{
      protected:
	Journal02() : bytes(contents(GetParam()))
	{
		EXPECT_EQ(UNC_JOURNAL_GOOD,
			  unc_journal_decode(bytes.data(), bytes.size(), &journal));
		EXPECT_STREQ("0.2", journal.head.version);
	}
	~Journal02() override
	{
		unc_journal_free(&journal);
	}
	// The process that wrote it ran on another computer.
	void move_here(const support::Recovery &r)
	{
		const unc_journal_head here = r.head();

		EXPECT_STREQ(here.machine, journal.head.machine);
		journal.head.pid = here.pid;
		memcpy(journal.head.boot, here.boot, sizeof(here.boot));
	}
	bool find(const support::Recovery &r, const unc_saved &entry, unc_op *op) const
	{
		return unc_place_op(&r.machine()->topo, r.map(), &entry.place, op);
	}
	static uint64_t bits(const unc_saved &entry)
	{
		return entry.bits ? entry.bits : UINT64_MAX;
	}

	const Bytes bytes;
	unc_journal journal = {};
};

// One package: mappings of a simulated machine in this process have no numbers of their own, so the
// package of a register in memory is unknown.  As its owner left them: each register has the last of
// the listed values, with which it counts.
TEST_P(Journal02, IsRecovered)
{
	support::Recovery r("sim:" + std::string(GetParam()) + ":packages=1,cores=2,time=virtual");
	unsigned shown = 0;
	unc_op op;

	move_here(r);
	ASSERT_LT(10u, journal.head.n_saved);
	for (uint32_t i = 0; i < journal.head.n_saved; i++) {
		const unc_saved &entry = journal.saved[i];

		ASSERT_TRUE(find(r, entry, &op)) << i;
		if (!entry.n_shown)
			continue;
		const unc_shown &value = journal.shown[entry.shown + entry.n_shown - 1];
		r.write(op, (r.read(op) & ~value.mask) | value.value);
		shown++;
	}
	EXPECT_LT(5u, shown);
	EXPECT_FALSE(r.stopped());
	r.recover(journal);
	EXPECT_TRUE(r.stopped());
	EXPECT_FALSE(r.remains);
	for (uint32_t i = 0; i < journal.head.n_saved; i++) {
		const unc_saved &entry = journal.saved[i];

		// a bit that clears others reads as 0
		if (find(r, entry, &op) && entry.n_shown) {
			EXPECT_EQ(entry.before & bits(entry), r.read(op) & bits(entry))
				<< std::hex << op.address;
		}
	}
}

INSTANTIATE_TEST_SUITE_P(OfPlatforms, Journal02, testing::Values("nhmex", "snbep", "icx", "spr"),
			 [](const auto &info) { return std::string(info.param); });

} // namespace
