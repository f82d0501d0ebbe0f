// SPDX-License-Identifier: BSD-3-Clause
// stopped_test.cc - an uncored that does not answer: new clients do not wait long, and learn why.
#include <csignal>

#include <sys/wait.h>

#include "daemon/served.h"

namespace
{

// uncored in a process of its own.
class Apart
{
      public:
	// It serves after so many us; 0: never.
	explicit Apart(useconds_t delay)
	{
		char c = 0;
		int ready[2];

		there.end();
		EXPECT_EQ(0, pipe(ready));
		pid = fork();
		if (pid == 0) {
			there.server->listener =
				daemon_listen(there.path.c_str(), nullptr, &there.server->socket);
			there.server->signals = eventfd(0, EFD_CLOEXEC);
			if (write(ready[1], &c, 1) != 1)
				_exit(1);
			while (delay == 0)
				pause();
			usleep(delay);
			_exit(daemon_serve(there.server.get()));
		}
		EXPECT_EQ(1, read(ready[0], &c, 1));
		close(ready[0]);
		close(ready[1]);
	}
	~Apart()
	{
		kill(pid, SIGKILL);
		waitpid(pid, nullptr, 0);
		unlink(there.path.c_str());
	}
	Apart(const Apart &) = delete;
	Apart &operator=(const Apart &) = delete;

	void stop() const
	{
		int status;

		EXPECT_EQ(0, kill(pid, SIGSTOP));
		EXPECT_EQ(pid, waitpid(pid, &status, WUNTRACED));
	}
	std::string reason() const
	{
		return "uncored at " + there.path + " did not answer within 1 s: process " +
		       std::to_string(pid) + " is stopped; continue it (kill -CONT " +
		       std::to_string(pid) + ")";
	}

	Served there;
	pid_t pid;
};

TEST(StoppedDaemon, IsReportedToANewClientAfterASecond)
{
	const Apart daemon(0);

	daemon.stop();
	const support::Handle client(daemon.there.options());
	EXPECT_EQ(UNCORE_EIO, client.code);
	EXPECT_EQ(daemon.reason(), client.message());
}

TEST(StoppedDaemon, LeavesAutoToTheNextAccessMethod)
{
	const Apart daemon(0);
	auto options = daemon.there.options();
	const char *warning = "";
	bool warned = false;

	daemon.stop();
	options.access = "auto";
	const support::Handle client(options);
	// what comes of it depends on the computer
	for (unsigned i = 0; client.code == 0 && uncore_warning(client.u, i, &warning) == 1; i++)
		warned |= warning == daemon.reason() + "; counting without it";
	EXPECT_NE(UNCORE_EIO, client.code);
	EXPECT_EQ(client.code == 0, warned);
	EXPECT_EQ(client.code != 0, client.message().find("; nor by uncored: " + daemon.reason()) !=
					    std::string::npos)
		<< client.message();
}

TEST(StoppedDaemon, IsNotOneThatIsStillStarting)
{
	const Apart daemon(1500000);
	const support::Handle client(daemon.there.options());

	EXPECT_EQ(0, client.code) << client.message();
}

TEST(StoppedDaemon, IsNotOneThatIsBusy)
{
	const Apart daemon(0);
	const support::Handle client(daemon.there.options());

	EXPECT_EQ(UNCORE_EIO, client.code);
	EXPECT_NE(std::string::npos,
		  client.message().find("did not answer within 5 s: it is busy or still starting"));
}

} // namespace
