// SPDX-License-Identifier: BSD-3-Clause
// memory_test.cc - memory that uncored allocates for event sets: each user has a limit, and
// memory is freed when clients disconnect.
#include <cstdio>
#include <string>
#include <vector>

#include "daemon/user.h"

namespace
{

size_t resident_pages()
{
	size_t all = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fscanf(f, "%zu %zu", &all, &resident) != 2)
		resident = 0;
	if (f)
		fclose(f);
	return resident;
}

// Starts a set of n events in 240 boxes each. Returns the code of the answer.
int start_set(int fd, unsigned n)
{
	unc_wire_request q = {};
	unc_wire_reply reply = {};
	std::string names;

	for (unsigned i = 0; i < n; i++)
		names += std::string("UNC_CHA_CLOCKTICKS") + '\0';
	q.version = UNC_WIRE_VERSION;
	q.kind = UNC_WIRE_START;
	q.n = n;
	q.bytes = static_cast<uint32_t>(names.size());
	const std::string all = std::string(reinterpret_cast<char *>(&q), sizeof(q)) + names;
	EXPECT_EQ(static_cast<ssize_t>(all.size()), send(fd, all.data(), all.size(), 0));
	EXPECT_LE(static_cast<ssize_t>(sizeof(reply)), recv(fd, &reply, sizeof(reply), 0));
	return reply.code;
}

TEST(DaemonMemory, IsReturnedToTheSystemWhenClientsHaveLeft)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	GTEST_SKIP() << "sanitizers keep memory that was freed";
#endif
	Served uncored("sim:gnr:time=virtual");
	uncored.server->users.memory = 4000; // no limit, as for root
	const int fd = uncored.dial();

	// the first set allocates memory that is kept, whatever its size
	ASSERT_EQ(0, start_set(fd, 1));
	close(fd);
	const size_t before = resident_pages();
	std::vector<int> clients;
	for (unsigned i = 0; i < 16; i++)
		clients.push_back(uncored.dial());
	for (unsigned i = 0; i < 8; i++)
		for (const int client : clients)
			ASSERT_EQ(0, start_set(client, 8 + 4 * i));
	const size_t most = resident_pages();
	for (const int client : clients)
		close(client);
	ASSERT_LT(before + before / 2, most) << "the set is too small to measure";
	// the heap of a process that has run other tests has gaps
	const size_t rest = before + (most - before) / 8;
	for (unsigned i = 0; i < 1000 && resident_pages() > rest; i++)
		usleep(10000);
	EXPECT_GE(rest, resident_pages()) << "at most " << most << ", before " << before;
}

// A server whose loop is not running.
class DaemonBudget : public testing::Test
{
      protected:
	DaemonBudget()
	{
		uncored.end();
		uncored.server->users.memory = 1;
	}
	// Starts sets of an event in 240 boxes until one is refused. Returns the number of
	// started sets.
	static unsigned fill(User &user)
	{
		unsigned n = 0;

		while (n < MAX_SETS && user.start("UNC_CHA_CLOCKTICKS") == 0)
			n++;
		return n;
	}
	size_t bytes_of(unsigned user) const
	{
		const users &all = uncored.server->users;

		for (size_t i = 0; i < all.n; i++)
			if (all.of[i]->uid == user)
				return all.of[i]->bytes;
		return 0;
	}
	Served uncored{"sim:gnr:time=virtual"};
};

constexpr uid_t kAnna = 70001, kBob = 70002;

TEST_F(DaemonBudget, RefusesTheSetThatIsTooMuchForItsUserByName)
{
	User one(uncored, 0, kAnna), two(uncored, 1, kAnna);
	const unsigned n = fill(one);

	EXPECT_LT(0u, n);
	EXPECT_GT(static_cast<unsigned>(MAX_SETS), n);
	EXPECT_EQ(UNCORE_ENOMEM, one.reply.code);
	EXPECT_EQ(0u, one.text.find("cannot start the event set: the sets of user 70001 "
				    "would use 2 MB of memory in uncored, the limit is 1 MB "
				    "(this set: 240 counters, 1 MB); stop another set"))
		<< one.text;
	EXPECT_EQ(UNCORE_ENOMEM, two.start("UNC_CHA_CLOCKTICKS"))
		<< "the limit is per user, not per client";
	EXPECT_LT(0u, bytes_of(kAnna));
	EXPECT_GE(1000000u, bytes_of(kAnna));
}

// Planning takes time, in which others wait.
TEST_F(DaemonBudget, RefusesALargeSetBeforeItIsPlanned)
{
	User anna(uncored, 0, kAnna);
	std::string five; // for the four counters of a CHA

	for (const char *name :
	     {"UNC_CHA_CLOCKTICKS", "UNC_CHA_TOR_INSERTS:IA_MISS", "UNC_CHA_SF_EVICTION:M_STATE",
	      "UNC_CHA_REQUESTS:READS", "UNC_CHA_REQUESTS:WRITES"})
		five += std::string(name) + '\0';
	EXPECT_EQ(UNCORE_ECONFLICT, anna.start_all(five, 5));
	std::string large;
	for (unsigned i = 0; i < 10; i++)
		large += five;
	EXPECT_EQ(UNCORE_ENOMEM, anna.start_all(large, 50)) << anna.text;
	EXPECT_NE(std::string::npos, anna.text.find("(this set: 12000 counters, ")) << anna.text;
	EXPECT_EQ(0u, bytes_of(kAnna));
}

TEST_F(DaemonBudget, OfOneUserLeavesOthersTheirs)
{
	User anna(uncored, 0, kAnna), bob(uncored, 1, kBob), root(uncored, 2, 0);
	const unsigned n = fill(anna);

	EXPECT_LT(n, fill(bob)) << "counters that anna has already cost less";
	EXPECT_EQ(static_cast<unsigned>(MAX_SETS), fill(root));
}

TEST_F(DaemonBudget, IsReturnedWhenSetsGo)
{
	User anna(uncored, 0, kAnna);
	const unsigned n = fill(anna);

	EXPECT_EQ(0, anna.ask(UNC_WIRE_STOP));
	EXPECT_EQ(0, anna.start("UNC_CHA_CLOCKTICKS")) << anna.text;
	anna.forget();
	EXPECT_EQ(0u, bytes_of(kAnna));
	std::string four;
	for (const char *name : {"UNC_CHA_CLOCKTICKS", "UNC_CHA_TOR_INSERTS:IA_MISS",
				 "UNC_CHA_REQUESTS:READS", "UNC_CHA_REQUESTS:WRITES"})
		four += std::string(name) + '\0';
	EXPECT_EQ(UNCORE_ENOMEM, anna.start_all(four, 4)) << "too large by itself";
	EXPECT_EQ(0u, bytes_of(kAnna));
	EXPECT_EQ(n, fill(anna));
}

TEST_F(DaemonBudget, IncludesMultiplexedEventsAndPages)
{
	User anna(uncored, 0, kAnna), bob(uncored, 1, kBob);

	ASSERT_EQ(0, anna.start("UNC_UPI_CLOCKTICKS"));
	ASSERT_EQ(0, bob.start("UNC_UPI_CLOCKTICKS", 10000));
	EXPECT_LE(bytes_of(kAnna), bytes_of(kBob) + sizeof(unc_wire_page)) << "bob's is shared";
	EXPECT_LE(sizeof(unc_wire_page), bytes_of(kBob));
}

} // namespace
