// SPDX-License-Identifier: BSD-3-Clause
// names_test.cc - event names that uncored stores: a user who requests many uses up only the
// user's own limit. Names that a job of the user counts, and pages that end with their set.
#include "daemon/user.h"

namespace
{

constexpr char kReads[] = "UNC_M_CAS_COUNT:RD";
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
	// Requests as many names as a user may have, beginning with that number. The last name
	// of each request is invalid.
	void use_up(User &user, unsigned first)
	{
		for (unsigned i = first; i < first + NAMES_OF_USER; i += 512) {
			std::string names;

			for (unsigned k = i; k < i + 512; k++)
				names += raw(k) + '\0';
			user.start_all(names + "no_event" + '\0', 513);
		}
	}
	unsigned interned()
	{
		return uncore_limit_names(served.server->u, MAX_NAMES);
	}

	Served served;
};

TEST_F(NamesOfUsers, AUserAtTheLimitLeavesOthersTheirs)
{
	User anna(served, 0, kAnna), hostile(served, 1, kHostile), another(served, 2, kHostile);

	use_up(hostile, 0);
	EXPECT_EQ(UNCORE_ENOEVENT, hostile.reply.code) << hostile.text;
	EXPECT_EQ(UNCORE_ENOMEM, hostile.start("UNC_C_CLOCKTICKS:box=5"));
	EXPECT_EQ("uncored has reached its limit of 4096 event names for one user: count events "
		  "that were counted before, or restart uncored (user 1001)",
		  hostile.text);
	EXPECT_EQ(UNCORE_ENOMEM, another.start("UNC_C_CLOCKTICKS:box=6")) << "one limit per user";
	EXPECT_EQ(0, hostile.start("UNC_C_CLOCKTICKS")) << "listed names are free";
	EXPECT_EQ(0, hostile.start(raw(3))) << "names that the user already has are free";
	hostile.forget();
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS:box=5")) << anna.text;
	EXPECT_EQ(0, hostile.start("UNC_C_CLOCKTICKS:box=5")) << "names of other users are free";
	EXPECT_EQ(0, anna.start(raw(8000))) << anna.text;
}

TEST_F(NamesOfUsers, OfRootAreOnlyLimitedWithAllOthers)
{
	User root(served, 0, 0);

	use_up(root, 0);
	EXPECT_EQ(UNCORE_ENOEVENT, root.reply.code) << root.text;
	EXPECT_EQ(0, root.start(raw(8000))) << root.text;
}

TEST_F(NamesOfUsers, AreBoundedForAllTogether)
{
	User root(served, 0, 0), anna(served, 1, kAnna);

	for (unsigned i = 0; i < MAX_NAMES / NAMES_OF_USER - 1; i++) {
		User hostile(served, 2, kHostile + i);

		use_up(hostile, i * NAMES_OF_USER);
	}
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS:box=5")) << anna.text;
	use_up(root, 100000); // one name was already stored for anna
	EXPECT_EQ(UNCORE_ENOMEM, root.start(raw(200000)));
	EXPECT_NE(std::string::npos, root.text.find("65536 event names for all users together"))
		<< root.text;
	EXPECT_EQ(UNCORE_ENOMEM, anna.start("UNC_C_CLOCKTICKS:box=6"));
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS:box=5")) << anna.text;
	EXPECT_EQ(static_cast<unsigned>(MAX_NAMES), interned());
}

TEST_F(NamesOfUsers, ThatAreRefusedForOtherReasonsCountAsWell)
{
	User hostile(served, 0, kHostile);
	const unsigned before = interned();

	EXPECT_EQ(UNCORE_EINVAL, hostile.start("UNCORE_MEM_READ_BYTES:pkg=1"));
	EXPECT_EQ(UNCORE_EACCESS, hostile.start("UNC_RAPL_ENERGY_PKG:pkg=1"));
	EXPECT_LT(before + 1, interned());
	ASSERT_EQ(1u, served.server->users.n);
	EXPECT_EQ(interned() - before, served.server->users.of[0]->names);
}

// UNCORE_SHARE=owner: the events of a job are those of the processes of one user.
struct EventsOfJobs : NamesOfUsers {
	User anna{served, 0, kAnna}, annas{served, 1, kAnna}, other{served, 2, kHostile};
};

TEST_F(EventsOfJobs, AreCountedForEachUser)
{
	EXPECT_EQ(0, anna.start_of_job(kReads)) << anna.text;
	EXPECT_EQ(1, annas.start_of_job(kReads)) << annas.text;
	EXPECT_EQ(0, other.start_of_job(kReads)) << other.text;
}

TEST_F(EventsOfJobs, AreCountedByAllSetsOfAProcess)
{
	EXPECT_EQ(0, anna.start_of_job(kReads)) << anna.text;
	EXPECT_EQ(0, anna.start_of_job(kReads)) << anna.text;
}

struct PagesOfSets : NamesOfUsers {
	User anna{served, 0, kAnna};
};

// uncored wakes up for the pages of sets that run, and for no others.
TEST_F(PagesOfSets, EndWithTheirSet)
{
	EXPECT_EQ(-1, daemon_next_page(served.server.get(), 0));
	ASSERT_EQ(0, anna.start(kReads, UNCORE_REFRESH_MIN_US)) << anna.text;
	EXPECT_LE(0, daemon_next_page(served.server.get(), 0));
	EXPECT_EQ(0, anna.ask(UNC_WIRE_STOP)) << anna.text;
	EXPECT_EQ(-1, daemon_next_page(served.server.get(), 0));
	ASSERT_EQ(0, anna.start(kReads, UNCORE_REFRESH_MIN_US)) << anna.text;
	anna.forget();
	EXPECT_EQ(-1, daemon_next_page(served.server.get(), 0));
}

} // namespace
