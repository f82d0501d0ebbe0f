/* SPDX-License-Identifier: BSD-3-Clause */
// served.h - runs uncored on a simulated machine in a thread of the test.
#ifndef DAEMON_SERVED_H
#define DAEMON_SERVED_H

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>

#include "set/inside.h"
#include "support/child.h"
#include "support/sim_machine.h"

extern "C" {
#include "daemon/daemon.h"
#include "uncore_inspect.h"
}

class Served
{
      public:
	explicit Served(const std::string &machine = "sim:snbep:time=virtual", bool energy = false)
	    : path(testing::TempDir() + "uncored-" + std::to_string(getpid()) + "-" +
		   testing::UnitTest::GetInstance()->current_test_info()->name())
	{
		auto options = support::sim_options(machine.c_str());

		options.record = 1;
		options.access = "direct";
		EXPECT_EQ(0, uncore_open(&server->u, &options));
		server->policy.energy = energy;
		for (auto &client : server->clients)
			client.fd = client.process = -1;
		server->recording = memfd_create("recording", MFD_CLOEXEC);
		EXPECT_EQ(0, uncore_record(server->u, server->recording, 0));
		Served::begin();
	}
	virtual ~Served()
	{
		end();
		close(server->recording);
		uncore_close(server->u);
		users_free(&server->users);
	}
	Served(const Served &) = delete;
	Served &operator=(const Served &) = delete;

	virtual void begin()
	{
		server->signals = eventfd(0, EFD_CLOEXEC);
		server->listener = daemon_listen(path.c_str(), nullptr, &server->socket);
		ASSERT_LE(0, server->listener);
		thread = std::thread([this] { EXPECT_EQ(0, daemon_serve(server.get())); });
	}
	// The child waits until this process serves again.  Meanwhile no thread allocates memory:
	// the sanitizers' allocators may stay locked in a child.
	pid_t fork()
	{
		int ready[2];
		char c = 0;

		end();
		EXPECT_EQ(0, pipe(ready));
		const pid_t child = support::fork_clean();
		if (child != 0)
			begin();
		close(ready[child == 0]);
		EXPECT_EQ(1, child == 0 ? read(ready[0], &c, 1) : write(ready[1], &c, 1));
		close(ready[child != 0]);
		return child;
	}
	// Ends the daemon like SIGTERM.
	void end()
	{
		const uint64_t one = 1;

		if (thread.joinable()) {
			EXPECT_EQ(8, write(server->signals, &one, sizeof(one)));
			thread.join();
			close(server->signals);
		}
		if (server->listener < 0)
			return;
		close(server->listener);
		server->listener = -1;
		daemon_remove_socket(&server->socket);
	}
	sim *model() const
	{
		return unc_hw_sim(unc_hw_of(server->u));
	}
	uncore_options options() const
	{
		auto o = support::sized<uncore_options>();

		o.access = "daemon";
		o.daemon = path.c_str();
		return o;
	}
	// A connection of a client that does not use the library.
	int dial() const
	{
		sockaddr_un address = {};
		const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

		address.sun_family = AF_UNIX;
		path.copy(address.sun_path, sizeof(address.sun_path) - 1);
		EXPECT_EQ(0, connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof(address)));
		return fd;
	}

	std::string path;
	std::unique_ptr<struct server> server = std::make_unique<struct server>();

      private:
	std::thread thread;
};

// Retries until the daemon has noticed that the previous owners of the counters are gone.
inline int start_when_free(support::Set &set)
{
	int r = UNCORE_ECONFLICT;

	for (unsigned i = 0; i < 2000 && r == UNCORE_ECONFLICT; i++) {
		usleep(1000);
		r = set.start();
	}
	return r;
}

#endif
