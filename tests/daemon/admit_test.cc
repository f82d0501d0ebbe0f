// SPDX-License-Identifier: BSD-3-Clause
// admit_test.cc - a client that connects is admitted or receives a message with the reason for
// its refusal.
#include <cerrno>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "daemon/served.h"
#include "support/root_of_namespace.h"

namespace
{

constexpr uid_t kUser = 4321;

// A server that only acts on request.
class Idle : public Served
{
      public:
	Idle()
	{
		end();
		server->spare = -1;
		server->listener = daemon_listen(path.c_str(), nullptr, &server->socket);
		EXPECT_LE(0, server->listener);
		EXPECT_EQ(0, chmod(path.c_str(), 0666));
	}
	~Idle() override
	{
		end();
		for (client &c : server->clients)
			for (const int fd : {c.fd, c.process})
				if (fd >= 0)
					close(fd);
		if (server->spare >= 0)
			close(server->spare);
	}
	// Opens permanent connections of a user.
	void fill(unsigned n, uid_t user)
	{
		for (unsigned i = 0; i < n; i++) {
			client &c = server->clients[server->n_places++];

			c.fd = eventfd(0, EFD_CLOEXEC);
			c.user = users_find(&server->users, user);
			c.user->clients++;
		}
	}
	// For clients of any user.
	void begin() override
	{
		Served::begin();
		EXPECT_EQ(0, chmod(path.c_str(), 0666));
	}
};

// The message of uncore_open() for a user; "" if it succeeds.
std::string opened_by(Idle &uncored, uid_t user)
{
	char text[1024] = "";
	int ends[2], status;

	EXPECT_EQ(0, pipe(ends));
	const pid_t child = uncored.fork();
	if (child == 0) {
		if (geteuid() == 0 && setuid(user) != 0)
			_exit(1);
		const support::Handle h(uncored.options());
		const std::string is = h.code == 0 ? "" : h.message();

		_exit(write(ends[1], is.c_str(), is.size() + 1) > 0 ? 0 : 1);
	}
	EXPECT_LT(0, read(ends[0], text, sizeof(text) - 1));
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	close(ends[0]);
	close(ends[1]);
	return text;
}

TEST(Admission, RefusesAUserWithTooManyConnections)
{
	Idle uncored;
	const uid_t user = geteuid() == 0 ? kUser : geteuid();

	uncored.fill(MAX_OF_USER - 1, user);
	EXPECT_EQ("", opened_by(uncored, user)) << "one place is left";
	uncored.end();
	uncored.fill(MAX_OF_USER, user);
	EXPECT_NE(std::string::npos,
		  opened_by(uncored, user).find("all 64 connections of one user are in use"));
}

TEST(Admission, ReservesPlacesForRoot)
{
	NEEDS_OTHER_USERS();
	Idle uncored;

	for (unsigned i = 0; i < MAX_CLIENTS - ROOT_PLACES; i += 60)
		uncored.fill(60, kUser + 1 + i);
	EXPECT_NE(std::string::npos,
		  opened_by(uncored, kUser).find("all connections for users other than root"));
	EXPECT_EQ("", opened_by(uncored, 0));
}

TEST(Admission, RefusesTheChildOfAProcessThatEndedBefore)
{
	Idle uncored;
	int status, until_end[2];
	char c;

	ASSERT_EQ(0, pipe(until_end));
	const pid_t parent = fork();
	if (parent == 0) {
		uncored.dial();
		close(until_end[1]);
		_exit(fork() == 0 && read(until_end[0], &c, 1) != 0);
	}
	ASSERT_EQ(parent, waitpid(parent, &status, 0));
	ASSERT_EQ(0, status);
	daemon_admit(uncored.server.get());
	EXPECT_EQ(0u, uncored.server->n_places);
	close(until_end[0]);
	close(until_end[1]);
}

// Uses up all file descriptors, up to the limit.
class Full
{
      public:
	Full()
	{
		EXPECT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
		rlimit less = before;

		taken.push_back(eventfd(0, EFD_CLOEXEC));
		less.rlim_cur = static_cast<rlim_t>(taken[0]) + 64;
		EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &less));
		for (int fd; (fd = dup(taken[0])) >= 0;)
			taken.push_back(fd);
		EXPECT_EQ(EMFILE, errno);
	}
	~Full()
	{
		for (const int fd : taken)
			close(fd);
		EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
	}
	Full(const Full &) = delete;
	Full &operator=(const Full &) = delete;

      private:
	rlimit before = {};
	std::vector<int> taken;
};

TEST(Admission, WithoutDescriptorsRefusesWithASentence)
{
	Idle uncored;
	const int fd = uncored.dial();
	struct {
		unc_wire_reply head;
		char text[UNCORE_ERRMSG_MAX];
	} is = {};

	daemon_keep_spare(uncored.server.get());
	{
		const Full full;

		daemon_admit(uncored.server.get());
	}
	ASSERT_LT(static_cast<ssize_t>(sizeof(is.head)), recv(fd, &is, sizeof(is), MSG_DONTWAIT));
	EXPECT_EQ(UNC_WIRE_HELLO, is.head.kind);
	EXPECT_EQ(UNCORE_EBUSY, is.head.code);
	EXPECT_NE(std::string::npos, std::string(is.text).find("Too many open files")) << is.text;
	EXPECT_EQ(0, daemon_deaf(uncored.server.get(), limits_now()));
	EXPECT_LE(0, uncored.server->spare) << "reserved for the next client";
	close(fd);
}

// Otherwise poll() would return immediately, again and again.
TEST(Admission, WithoutDescriptorsAndWithoutASpareOnePauses)
{
	Idle uncored;
	const int fd = uncored.dial();
	const int64_t before = limits_now();

	{
		const Full full;

		daemon_admit(uncored.server.get());
	}
	EXPECT_LT(0, daemon_deaf(uncored.server.get(), before));
	EXPECT_EQ(0, daemon_deaf(uncored.server.get(), limits_now() + 1000000000));
	EXPECT_EQ(0u, uncored.server->n_places);
	daemon_admit(uncored.server.get());
	EXPECT_EQ(1u, uncored.server->n_places) << "the client must be admitted now";
	EXPECT_LE(0, uncored.server->spare);
	close(fd);
}

} // namespace
