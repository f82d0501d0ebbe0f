// SPDX-License-Identifier: BSD-3-Clause
// names_test.cc - names of events that uncored keeps: who asks for many has used up his own, and
// nobody else's.
#include <cstring>

#include "daemon/served.h"

namespace
{

constexpr uid_t kAnna = 1000, kHostile = 1001;

// Events by number: threshold, umask and event code of a C-Box.
uint32_t control(unsigned i)
{
	return (i & 255) << 24 | (i >> 8 & 255) << 8 | (i >> 16) << 4 | 9;
}

// A client of any user, whose requests the test has answered.
class Client
{
      public:
	Client(const Served &there, uid_t user) : server(there.server.get())
	{
		int ends[2];

		EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends));
		fd = ends[0];
		c.fd = ends[1];
		c.user = user;
		c.may = UNC_MAY_COUNT;
	}
	~Client()
	{
		daemon_forget(server, &c);
		close(fd);
		close(c.fd);
	}
	Client(const Client &) = delete;
	Client &operator=(const Client &) = delete;

	// Events of so many names, from that one on, and another one.
	int start(unsigned first, unsigned n, const std::string &last = "")
	{
		std::string names;

		for (unsigned i = first; i < first + n; i++)
			names += "snbep_unc_cbo::RAW:config=" + std::to_string(control(i)) + '\0';
		return last.empty() ? ask(names, n) : ask(names + last + '\0', n + 1);
	}
	int start(const std::string &name)
	{
		return ask(name + '\0', 1);
	}

	std::string text;

      private:
	int ask(const std::string &names, unsigned n)
	{
		unc_wire_request q = {};
		char bytes[65536] = {};
		unc_wire_reply reply = {};

		q.version = UNC_WIRE_VERSION;
		q.kind = UNC_WIRE_START;
		q.n = n;
		q.bytes = static_cast<uint32_t>(names.size());
		const std::string all =
			std::string(reinterpret_cast<char *>(&q), sizeof(q)) + names;
		EXPECT_EQ(static_cast<ssize_t>(all.size()), send(fd, all.data(), all.size(), 0));
		EXPECT_TRUE(daemon_answer(server, &c));
		EXPECT_LE(static_cast<ssize_t>(sizeof(reply)), recv(fd, bytes, sizeof(bytes), 0));
		memcpy(&reply, bytes, sizeof(reply));
		text = reply.code < 0 ? bytes + sizeof(reply) : "";
		if (reply.code >= 0)
			daemon_forget(server, &c);
		return reply.code;
	}

	struct server *server;
	client c = {};
	int fd = -1;
};

struct NamesOfUsers : testing::Test {
	NamesOfUsers()
	{
		served.end();
	}
	// All that a user may have, by requests whose last name is none.
	void use_up(uid_t user, unsigned first)
	{
		Client client(served, user);

		for (unsigned i = 0; i < NAMES_OF_USER; i += 512)
			EXPECT_EQ(UNCORE_ENOEVENT, client.start(first + i, 512, "no_event"))
				<< client.text;
	}

	Served served;
};

TEST_F(NamesOfUsers, OneWhoHasUsedUpHisLeavesOthersTheirs)
{
	Client anna(served, kAnna), hostile(served, kHostile), another(served, kHostile);

	use_up(kHostile, 0);
	EXPECT_EQ(UNCORE_ENOMEM, hostile.start("UNC_C_CLOCKTICKS:box=5"));
	EXPECT_EQ("uncored keeps 4096 names of events for one user, and there are so many: count "
		  "events that have been counted before, or have it started again (user 1001)",
		  hostile.text);
	EXPECT_EQ(UNCORE_ENOMEM, another.start("UNC_C_CLOCKTICKS:box=6")) << "of all his clients";
	EXPECT_EQ(0, hostile.start("UNC_C_CLOCKTICKS")) << "listed ones are nobody's";
	EXPECT_EQ(0, hostile.start(3, 1)) << "nor are his own new any more";
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS:box=5")) << anna.text;
	EXPECT_EQ(0, hostile.start("UNC_C_CLOCKTICKS:box=5")) << "nor those of others";
	EXPECT_EQ(0, anna.start(8000, 1)) << anna.text;
}

TEST_F(NamesOfUsers, AreBoundedForAllTogether)
{
	Client root(served, 0), anna(served, kAnna);

	for (unsigned i = 0; i < MAX_NAMES / NAMES_OF_USER - 1; i++)
		use_up(kHostile + i, i * NAMES_OF_USER);
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS:box=5")) << anna.text;
	for (unsigned i = 0; i < NAMES_OF_USER; i += 512) // one is anna's
		root.start(100000 + i, 512, "no_event");
	EXPECT_EQ(UNCORE_ENOMEM, root.start(200000, 1));
	EXPECT_NE(std::string::npos, root.text.find("65536 names of events for all users together"))
		<< root.text;
	EXPECT_EQ(UNCORE_ENOMEM, anna.start("UNC_C_CLOCKTICKS:box=6"));
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS:box=5")) << anna.text;
	EXPECT_EQ(static_cast<unsigned>(MAX_NAMES),
		  uncore_limit_names(served.server->u, MAX_NAMES));
}

TEST_F(NamesOfUsers, ThatAreRefusedForOtherReasonsCountAsWell)
{
	Client hostile(served, kHostile);
	const unsigned before = uncore_limit_names(served.server->u, MAX_NAMES);

	EXPECT_EQ(UNCORE_EINVAL, hostile.start("UNCORE_MEM_READ_BYTES:pkg=1"));
	EXPECT_EQ(UNCORE_EACCESS, hostile.start("UNC_RAPL_ENERGY_PKG:pkg=1"));
	const unsigned after = uncore_limit_names(served.server->u, MAX_NAMES);
	EXPECT_LT(before + 1, after);
	ASSERT_EQ(1u, served.server->names.n);
	EXPECT_EQ(after - before, served.server->names.of[0].kept);
}

} // namespace
