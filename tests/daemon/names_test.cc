// SPDX-License-Identifier: BSD-3-Clause
// names_test.cc - names of events that uncored keeps: who asks for many has used up his own, and
// nobody else's.
#include "daemon/user.h"

namespace
{

constexpr uid_t kAnna = 1000, kHostile = 1001;

// Events by number: threshold, umask and event code of a C-Box.
uint32_t control(unsigned i)
{
	return (i & 255) << 24 | (i >> 8 & 255) << 8 | (i >> 16) << 4 | 9;
}

std::string raw(unsigned i)
{
	return "snbep_unc_cbo::RAW:config=" + std::to_string(control(i));
}

struct NamesOfUsers : testing::Test {
	NamesOfUsers()
	{
		served.end();
	}
	// As many as a user may have, from that one on, by requests whose last name is none.
	void use_up(User &user, unsigned first)
	{
		for (unsigned i = first; i < first + NAMES_OF_USER; i += 512) {
			std::string names;

			for (unsigned k = i; k < i + 512; k++)
				names += raw(k) + '\0';
			user.start_all(names + "no_event" + '\0', 513);
		}
	}
	unsigned kept()
	{
		return uncore_limit_names(served.server->u, MAX_NAMES);
	}

	Served served;
};

TEST_F(NamesOfUsers, OneWhoHasUsedUpHisLeavesOthersTheirs)
{
	User anna(served, 0, kAnna), hostile(served, 1, kHostile), another(served, 2, kHostile);

	use_up(hostile, 0);
	EXPECT_EQ(UNCORE_ENOEVENT, hostile.reply.code) << hostile.text;
	EXPECT_EQ(UNCORE_ENOMEM, hostile.start("UNC_C_CLOCKTICKS:box=5"));
	EXPECT_EQ("uncored keeps 4096 names of events for one user, and there are so many: count "
		  "events that have been counted before, or have it started again (user 1001)",
		  hostile.text);
	EXPECT_EQ(UNCORE_ENOMEM, another.start("UNC_C_CLOCKTICKS:box=6")) << "of all his clients";
	EXPECT_EQ(0, hostile.start("UNC_C_CLOCKTICKS")) << "listed ones are nobody's";
	EXPECT_EQ(0, hostile.start(raw(3))) << "nor are his own new any more";
	hostile.forget();
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS:box=5")) << anna.text;
	EXPECT_EQ(0, hostile.start("UNC_C_CLOCKTICKS:box=5")) << "nor those of others";
	EXPECT_EQ(0, anna.start(raw(8000))) << anna.text;
}

TEST_F(NamesOfUsers, AreBoundedForAllTogether)
{
	User root(served, 0, 0), anna(served, 1, kAnna);

	for (unsigned i = 0; i < MAX_NAMES / NAMES_OF_USER - 1; i++) {
		User hostile(served, 2, kHostile + i);

		use_up(hostile, i * NAMES_OF_USER);
	}
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS:box=5")) << anna.text;
	use_up(root, 100000); // one is anna's
	EXPECT_EQ(UNCORE_ENOMEM, root.start(raw(200000)));
	EXPECT_NE(std::string::npos, root.text.find("65536 names of events for all users together"))
		<< root.text;
	EXPECT_EQ(UNCORE_ENOMEM, anna.start("UNC_C_CLOCKTICKS:box=6"));
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS:box=5")) << anna.text;
	EXPECT_EQ(static_cast<unsigned>(MAX_NAMES), kept());
}

TEST_F(NamesOfUsers, ThatAreRefusedForOtherReasonsCountAsWell)
{
	User hostile(served, 0, kHostile);
	const unsigned before = kept();

	EXPECT_EQ(UNCORE_EINVAL, hostile.start("UNCORE_MEM_READ_BYTES:pkg=1"));
	EXPECT_EQ(UNCORE_EACCESS, hostile.start("UNC_RAPL_ENERGY_PKG:pkg=1"));
	EXPECT_LT(before + 1, kept());
	ASSERT_EQ(1u, served.server->users.n);
	EXPECT_EQ(kept() - before, served.server->users.of[0].names);
}

} // namespace
