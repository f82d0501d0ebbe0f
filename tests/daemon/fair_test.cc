// SPDX-License-Identifier: BSD-3-Clause
// fair_test.cc - the order in which uncored serves users, in virtual time: each request has a
// cost, by which the clock advances when the request is done.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

extern "C" {
#include "daemon/fair.h"
}

namespace
{

enum { REQUESTS, PAGES };

struct Piece {
	unsigned user, kind;
	int64_t cost;
	int64_t came;
};

// A server and its queue of requests.
class Queue
{
      public:
	void add(unsigned user, int64_t cost, unsigned kind = REQUESTS)
	{
		waiting.push_back({user, kind, cost, now});
	}
	// Serves a request and returns how long it had waited.
	int64_t serve()
	{
		std::vector<int64_t *> flows;

		for (const Piece &p : waiting)
			flows.push_back(&of[{p.user, p.kind}]);
		const size_t i = fair_next(&all, flows.data(), flows.size());
		done = waiting[i];
		waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
		now += done.cost;
		spent[done.user] += done.cost;
		fair_charge(&all, flows[i], done.cost);
		return now - done.cost - done.came;
	}

	std::ptrdiff_t waiting_of(unsigned user) const
	{
		return std::count_if(waiting.begin(), waiting.end(),
				     [&](const Piece &p) { return p.user == user; });
	}

	fair all = {};
	std::map<std::pair<unsigned, unsigned>, int64_t> of; // flows
	std::deque<Piece> waiting;
	Piece done = {};
	std::map<unsigned, int64_t> spent;
	int64_t now = 0;
};

std::vector<unsigned> order(Queue &queue, unsigned n)
{
	std::vector<unsigned> users;

	for (unsigned i = 0; i < n; i++) {
		queue.serve();
		users.push_back(queue.done.user);
	}
	return users;
}

TEST(FairShares, UsersWithEqualPiecesAlternateHoweverManyEachHasWaiting)
{
	Queue q;

	for (int i = 0; i < 6; i++)
		q.add(1, 10);
	for (int i = 0; i < 3; i++)
		q.add(2, 10);
	EXPECT_EQ((std::vector<unsigned>{1, 2, 1, 2, 1, 2, 1, 1, 1}), order(q, 9));
}

TEST(FairShares, AUserWithCostlyPiecesIsServedLessOften)
{
	Queue q;

	for (int i = 0; i < 3; i++)
		q.add(1, 40);
	for (int i = 0; i < 9; i++)
		q.add(2, 10);
	EXPECT_EQ((std::vector<unsigned>{1, 2, 2, 2, 2}), order(q, 5));
}

TEST(FairShares, UsersWithWorkWaitingGetTheSameTime)
{
	Queue q;

	for (int i = 0; i < 5000; i++) {
		for (unsigned user = 1; user <= 5; user++)
			while (q.waiting_of(user) < 2)
				q.add(user, user * user);
		q.serve();
	}
	for (unsigned user = 2; user <= 5; user++)
		EXPECT_NEAR(static_cast<double>(q.spent[1]), static_cast<double>(q.spent[user]),
			    25.0)
			<< user;
}

// The bound in docs/daemon.md: however many requests of five other users are queued, a request
// of a user who asks rarely waits only for the one in progress.
TEST(FairShares, AnOccasionalUserWaitsForOnePieceOnly)
{
	constexpr int64_t kLongest = 1000;
	Queue q;

	for (int i = 0; i < 1000; i++) {
		for (unsigned user = 1; user <= 5; user++)
			while (q.waiting_of(user) < 12)
				q.add(user, user == 5 ? kLongest : 100 * user,
				      static_cast<unsigned>(q.waiting.size()) % 2);
		for (int k = 0; k < 10; k++)
			q.serve();
		q.add(6, 10);
		ASSERT_GE(kLongest, q.serve()) << "round " << i;
		ASSERT_EQ(6u, q.done.user) << "round " << i;
	}
}

TEST(FairShares, IdleTimeIsNotSavedUp)
{
	Queue q;

	for (int i = 0; i < 100; i++)
		q.add(1, 10);
	order(q, 100);
	for (int i = 0; i < 4; i++) {
		q.add(1, 10);
		q.add(2, 10); // has never asked before
	}
	EXPECT_EQ((std::vector<unsigned>{2, 1, 2, 1, 2, 1, 2, 1}), order(q, 8));
}

TEST(FairShares, PagesAndRequestsOfAUserShareItsTime)
{
	Queue q;

	for (int i = 0; i < 3; i++)
		q.add(1, 10, REQUESTS);
	for (int i = 0; i < 3; i++)
		q.add(1, 10, PAGES);
	for (int i = 0; i < 3; i++) {
		q.serve();
		EXPECT_EQ(unsigned{REQUESTS}, q.done.kind);
		q.serve();
		EXPECT_EQ(unsigned{PAGES}, q.done.kind);
	}
}

} // namespace
