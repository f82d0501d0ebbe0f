// SPDX-License-Identifier: BSD-3-Clause
// memory_test.cc - what uncored takes for event sets is given back when their clients have left.
#include <cstdio>
#include <string>
#include <vector>

#include "daemon/served.h"

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

// A set of n events in 240 boxes each; the answer's code.
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
	Served there("sim:gnr:time=virtual");
	const int fd = there.dial();

	// what the first set of all takes, whatever its size, stays
	ASSERT_EQ(0, start_set(fd, 1));
	close(fd);
	const size_t before = resident_pages();
	std::vector<int> clients;
	for (unsigned i = 0; i < 16; i++)
		clients.push_back(there.dial());
	for (unsigned i = 0; i < 8; i++)
		for (const int client : clients)
			ASSERT_EQ(0, start_set(client, 8 + 4 * i));
	const size_t most = resident_pages();
	for (const int client : clients)
		close(client);
	ASSERT_LT(before + before / 2, most) << "the set is too small to see";
	for (unsigned i = 0; i < 1000 && resident_pages() > before + before / 5; i++)
		usleep(10000);
	EXPECT_GE(before + before / 5, resident_pages());
}

} // namespace
