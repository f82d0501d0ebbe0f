// SPDX-License-Identifier: BSD-3-Clause
// users_test.cc - the table of users of uncored: a new user takes the place of one who owes
// nothing, and only of such a one.
#include <functional>
#include <vector>

#include "daemon/user.h"

namespace
{

constexpr uid_t kAnna = 70001, kBob = 70002;
constexpr int64_t kSecond = 1000000000;

struct Table : testing::Test {
	~Table() override
	{
		users_free(&all);
	}
	users all = {};
};

TEST_F(Table, HasAUserOnce)
{
	user *const anna = users_find(&all, kAnna);

	anna->clients = 1;
	user *const bob = users_find(&all, kBob);
	bob->clients = 1;
	EXPECT_NE(anna, bob);
	EXPECT_EQ(anna, users_find(&all, kAnna));
	EXPECT_EQ(bob, users_find(&all, kBob));
	EXPECT_EQ(2u, all.n);
}

TEST_F(Table, GivesThePlaceOfAUserWhoOwesNothingToANewOne)
{
	all.loop.now = all.planner.now = 100;
	user *const anna = users_find(&all, kAnna);
	anna->flow[WORK_REQUESTS] = anna->flow[WORK_PLANS] = 100;
	anna->starts.full_at = limits_now();
	EXPECT_EQ(anna, users_find(&all, kBob));
	EXPECT_EQ(kBob, anna->uid);
	EXPECT_EQ(0, anna->flow[WORK_REQUESTS]) << "without the history of the old one";
	EXPECT_EQ(0, anna->starts.full_at);
}

TEST_F(Table, KeepsAUserWhoOwesSomething)
{
	const std::vector<std::function<void(user &)>> debts = {
		[](user &u) { u.clients = 1; },
		[](user &u) { u.drops = 1; },
		[](user &u) { u.groups = 1; },
		[](user &u) { u.names = 1; },
		[](user &u) { u.bytes = 1; },
		[](user &u) { u.starts.full_at = limits_now() + 1000 * kSecond; },
		[](user &u) { u.flow[WORK_REQUESTS] = 101; },
		[](user &u) { u.flow[WORK_PAGES] = 101; },
		[](user &u) { u.flow[WORK_PLANS] = 201; },
		[](user &u) { u.flow[WORK_PLANNED_PAGES] = 201; },
	};

	all.loop.now = 100;
	all.planner.now = 200;
	for (size_t i = 0; i < debts.size(); i++)
		debts[i](*users_find(&all, static_cast<uid_t>(i)));
	users_find(&all, kAnna);
	EXPECT_EQ(debts.size() + 1, all.n);
	for (size_t i = 0; i < debts.size(); i++)
		EXPECT_EQ(i, all.of[i]->uid);
}

// More users than places at the start; each keeps its account when the table grows.
TEST_F(Table, GrowsWithTheUsersWhoOweSomething)
{
	for (uid_t uid = 0; uid < 1000; uid++)
		users_find(&all, uid)->names = uid + 1;
	for (uid_t uid = 0; uid < 1000; uid++)
		ASSERT_EQ(uid + 1, users_find(&all, uid)->names);
	EXPECT_EQ(1000u, all.n);
}

// All that uncored keeps of a user who connects, counts, and disconnects.
TEST(UsersOfUncored, OweNothingAfterTheirLastSet)
{
	Served uncored;

	uncored.end();
	for (uid_t uid = kAnna; uid < kAnna + 20; uid++) {
		const user *place = nullptr;
		{
			User someone(uncored, 0, uid);

			EXPECT_EQ(0, someone.start("UNC_C_CLOCKTICKS")) << someone.text;
			ASSERT_EQ(1u, uncored.server->users.n);
			place = uncored.server->users.of[0];
			EXPECT_EQ(uid, place->uid);
			EXPECT_LT(0u, place->bytes);
		}
		EXPECT_EQ(0u, place->bytes);
		uncored.server->users.of[0]->starts = {}; // as if a few milliseconds had passed
	}
}

// Through the loop and the planner, which destroys the sets of clients that have disconnected.
TEST(UsersOfUncored, AreLeftByTheirClientsAndSets)
{
	Served uncored;
	{
		support::Handle machine(uncored.options());
		support::Set set(machine, {"UNC_M_CAS_COUNT:RD"});

		ASSERT_EQ(0, set.start());
	}
	uncored.end();
	ASSERT_EQ(1u, uncored.server->users.n);
	const user &self = *uncored.server->users.of[0];
	EXPECT_EQ(getuid(), self.uid);
	EXPECT_EQ(0u, self.clients);
	EXPECT_EQ(0u, self.drops);
	EXPECT_EQ(0u, self.bytes);
	EXPECT_LT(0, self.flow[WORK_REQUESTS]);
	EXPECT_LT(0, self.flow[WORK_PLANS]);
}

} // namespace
