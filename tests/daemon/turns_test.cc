// SPDX-License-Identifier: BSD-3-Clause
// turns_test.cc - in which order uncored answers users: one of them has as many clients as it may
// have, each with a request waiting, and another user's request is answered after at most one of
// those. The order does not depend on how long anything takes.
#include <poll.h>

#include "daemon/user.h"

extern "C" {
#include "daemon/planner.h"
}

namespace
{

const unsigned kClients = 60; // of the user with many
const char kEvent[] = "UNC_C_CLOCKTICKS";
const int64_t kHour = 3600000000000;

// A server whose loop is not running.
class Turns : public testing::Test
{
      protected:
	Turns()
	{
		uncored.end();
		for (unsigned i = 0; i < kClients; i++)
			many.push_back(std::make_unique<User>(uncored, i, 70001));
		bob = std::make_unique<User>(uncored, kClients, 70002);
		s->n_places = kClients + 1;
		for (auto &one : many)
			one->note_times();
		bob->note_times();
	}
	~Turns() override
	{
		if (s->planner)
			planner_free(s);
		many.clear();
		bob.reset();
	}
	void start_all(int64_t shortest)
	{
		for (auto &one : many)
			ASSERT_EQ(0, one->start(kEvent)) << one->text;
		ASSERT_EQ(0, bob->start(kEvent)) << bob->text;
		for (unsigned i = 0; i <= kClients; i++)
			s->clients[i].sets[0].shortest = shortest;
	}
	// Lets the planner work until bob has his answer. Returns how many of the others' requests
	// were answered before.
	unsigned before_bob()
	{
		int64_t bobs = 0;
		unsigned n = 0;

		EXPECT_EQ(nullptr, planner_next(s));
		while (!(bobs = bob->answered()) && !HasFailure()) {
			pollfd done = {s->planner->done, POLLIN, 0};

			EXPECT_EQ(1, poll(&done, 1, 600000));
			EXPECT_EQ(nullptr, planner_next(s));
		}
		EXPECT_EQ(0, bob->reply.code);
		for (auto &one : many) {
			const int64_t sent = one->answered();

			n += sent && sent < bobs;
		}
		return n;
	}

	Served uncored;
	struct server *s = uncored.server.get();
	std::vector<std::unique_ptr<User>> many;
	std::unique_ptr<User> bob;
};

TEST_F(Turns, OfStartsAreThoseOfUsersNotOfClients)
{
	s->planner = planner_new();
	for (auto &one : many)
		one->start_only(kEvent);
	bob->start_only(kEvent);
	EXPECT_GE(1u, before_bob());
}

TEST_F(Turns, OfStopsAreThoseOfUsersNotOfClients)
{
	ASSERT_EQ(0, bob->start(kEvent)) << bob->text;
	s->planner = planner_new();
	for (auto &one : many)
		one->start_only(kEvent);
	bob->send_only(UNC_WIRE_STOP);
	EXPECT_GE(1u, before_bob());
}

TEST_F(Turns, OfSlowReadsAreThoseOfUsersNotOfClients)
{
	start_all(kHour);
	s->planner = planner_new();
	for (auto &one : many)
		one->send_only(UNC_WIRE_READ);
	bob->send_only(UNC_WIRE_READ);
	EXPECT_GE(1u, before_bob());
}

TEST_F(Turns, OfReadsAreThoseOfUsersNotOfClients)
{
	start_all(1); // answered by the loop
	for (auto &one : many)
		one->leave(UNC_WIRE_READ);
	bob->leave(UNC_WIRE_READ);
	uncored.begin();

	const int64_t bobs = bob->answered(0);
	unsigned before = 0;
	for (auto &one : many)
		before += one->answered(0) < bobs;
	EXPECT_GE(1u, before);
	uncored.end();
}

} // namespace
