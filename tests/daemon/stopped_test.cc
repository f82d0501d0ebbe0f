// SPDX-License-Identifier: BSD-3-Clause
// stopped_test.cc - an uncored that does not respond: clients wait for a short time only and
// report the reason.
#include <csignal>

#include <sys/wait.h>

#include "daemon/served.h"

namespace
{

void stop_process(pid_t pid)
{
	int status;

	EXPECT_EQ(0, kill(pid, SIGSTOP));
	EXPECT_EQ(pid, waitpid(pid, &status, WUNTRACED));
}

// uncored in a separate process.
class Apart
{
      public:
	// Starts to serve after this many microseconds; 0: never.
	explicit Apart(useconds_t delay)
	{
		char c = 0;
		int ready[2];

		uncored.end();
		EXPECT_EQ(0, pipe(ready));
		pid = fork();
		if (pid == 0) {
			uncored.server->listener = daemon_listen(uncored.path.c_str(), nullptr,
								 &uncored.server->socket);
			uncored.server->signals = eventfd(0, EFD_CLOEXEC);
			if (write(ready[1], &c, 1) != 1)
				_exit(1);
			while (delay == 0)
				pause();
			usleep(delay);
			serve_as_own();
			_exit(daemon_serve(uncored.server.get()));
		}
		EXPECT_EQ(1, read(ready[0], &c, 1));
		close(ready[0]);
		close(ready[1]);
	}
	~Apart()
	{
		kill(pid, SIGKILL);
		waitpid(pid, nullptr, 0);
		unlink(uncored.path.c_str());
	}
	Apart(const Apart &) = delete;
	Apart &operator=(const Apart &) = delete;

	void stop() const
	{
		stop_process(pid);
	}
	std::string reason() const
	{
		return "uncored at " + uncored.path + " did not answer within 1 s: process " +
		       std::to_string(pid) + " is stopped; continue it (kill -CONT " +
		       std::to_string(pid) + ")";
	}

	Served uncored;
	pid_t pid;

      private:
	// A forked child cannot use its parent's handle to count.
	void serve_as_own()
	{
		auto options = support::sim_options("sim:snbep:time=virtual");

		options.access = "direct";
		uncore_open(&uncored.server->u, &options);
	}
};

TEST(StoppedDaemon, IsReportedToANewClientAfterASecond)
{
	const Apart daemon(0);

	daemon.stop();
	const support::Handle client(daemon.uncored.options());
	EXPECT_EQ(UNCORE_EIO, client.code);
	EXPECT_EQ(daemon.reason(), client.message());
}

TEST(StoppedDaemon, LeavesAutoToTheNextAccessMethod)
{
	const Apart daemon(0);
	auto options = daemon.uncored.options();
	const char *warning = "";
	bool warned = false;

	daemon.stop();
	options.access = "auto";
	const support::Handle client(options);
	// the result depends on the computer
	for (unsigned i = 0; client.code == 0 && uncore_warning(client.u, i, &warning) == 1; i++)
		warned |= warning == daemon.reason() + "; continuing without uncored";
	EXPECT_NE(UNCORE_EIO, client.code);
	EXPECT_EQ(client.code == 0, warned);
	EXPECT_EQ(client.code != 0, client.message().find("; nor by uncored: " + daemon.reason()) !=
					    std::string::npos)
		<< client.message();
}

TEST(StoppedDaemon, IsNotOneThatIsStillStarting)
{
	const Apart daemon(1500000);
	const support::Handle client(daemon.uncored.options());

	EXPECT_EQ(0, client.code) << client.message();
}

// A wait for a socket with a time-out ends when the process is continued (signal(7)).
TEST(StoppedDaemon, IsStillWaitedForByAClientThatWasStoppedItself)
{
	const Apart daemon(1);
	int status;

	const pid_t client = support::fork_clean();
	if (client == 0) {
		const support::Handle h(daemon.uncored.options());
		support::Set set(h, {"UNC_M_CAS_COUNT:RD"});
		const int r = set.start();
		int64_t count;

		raise(SIGSTOP);
		_exit(r == 0 && uncore_set_read(set.set, &count) == 0 ? 0 : 1);
	}
	EXPECT_EQ(client, waitpid(client, &status, WUNTRACED));
	daemon.stop();
	EXPECT_EQ(0, kill(client, SIGCONT));
	usleep(100000);
	stop_process(client);
	EXPECT_EQ(0, kill(client, SIGCONT));
	usleep(100000);
	EXPECT_EQ(0, kill(daemon.pid, SIGCONT));
	EXPECT_EQ(0, support::status_of(client));
}

TEST(StoppedDaemon, IsNotOneThatIsBusy)
{
	const Apart daemon(0);
	const support::Handle client(daemon.uncored.options());

	EXPECT_EQ(UNCORE_EIO, client.code);
	EXPECT_NE(std::string::npos,
		  client.message().find("did not answer within 5 s: it is busy or still starting"));
}

TEST(StoppedDaemon, IsReportedToAConnectedClientAfterASecond)
{
	const Apart daemon(1);
	const support::Handle client(daemon.uncored.options());
	support::Set set(client, {"UNC_M_CAS_COUNT:RD"});

	ASSERT_EQ(0, set.start()) << client.message();
	set.count();
	daemon.stop();
	set.count(UNCORE_EIO);
	const std::string why =
		"uncored at " + daemon.uncored.path + " did not answer within 1 s: process " +
		std::to_string(daemon.pid) +
		" is stopped and this program's counts are lost: continue it (kill -CONT " +
		std::to_string(daemon.pid) + "), then start counting again";
	EXPECT_EQ(why, client.message());
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_EQ(why, client.message());
	EXPECT_EQ(UNCORE_EIO, set.start());
	EXPECT_EQ(daemon.reason(), client.message()) << "a new connection must fail the same way";
}

} // namespace
