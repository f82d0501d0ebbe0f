// SPDX-License-Identifier: BSD-3-Clause
// user.h - a client of any user, connected to a server whose loop is not running. Requests are
// answered immediately.
#ifndef DAEMON_USER_H
#define DAEMON_USER_H

#include <array>
#include <cstring>
#include <string>

#include "daemon/served.h"

class User
{
      public:
	User(const Served &uncored, unsigned place, uid_t user)
	    : User(uncored, place, user, new_pair())
	{
	}
	// `pair` is a pair of sockets, made by a process with the credentials of the user.
	User(const Served &uncored, unsigned place, uid_t user, const std::array<int, 2> &pair)
	    : server(uncored.server.get()), c(server->clients[place]), fd(pair[0])
	{
		c.fd = pair[1];
		c.user = users_find(&server->users, user);
		c.user->clients++;
		c.pid = static_cast<pid_t>(100 + place);
		c.may = policy_of(&server->policy, c.fd, user);
	}
	~User()
	{
		forget();
		if (c.user) // the loop has not disconnected it
			c.user->clients--;
		close(fd);
		close(c.fd);
		c.fd = -1;
	}
	User(const User &) = delete;
	User &operator=(const User &) = delete;

	// Names are terminated by NUL. Returns an error, or 0.
	int start_all(const std::string &names, unsigned n, uint32_t refresh_us = 0)
	{
		unc_wire_request q = request(UNC_WIRE_START);

		q.n = n;
		q.bytes = static_cast<uint32_t>(names.size());
		q.refresh_us = refresh_us;
		return ask(q, names);
	}
	int start(const std::string &name, uint32_t refresh_us = 0)
	{
		return start_all(name + '\0', 1, refresh_us);
	}
	// As a process of a job with UNCORE_SHARE=owner. Returns how many events another process
	// counts, or an error.
	int start_of_job(const std::string &name)
	{
		const std::string names = name + '\0' + name + '\0';
		unc_wire_request q = request(UNC_WIRE_START);
		int r;

		q.n = 1;
		q.flags = UNC_WIRE_OWNER;
		q.bytes = static_cast<uint32_t>(names.size());
		r = ask(q, names);
		return r < 0 ? r : static_cast<int>(reply.n);
	}
	// Sends a request for the set that was started last.
	int ask(unc_wire_kind kind)
	{
		unc_wire_request q = request(kind);

		q.set = set;
		return ask(q, "");
	}
	// Sends a request without waiting for the answer.
	void send_only(unc_wire_kind kind)
	{
		unc_wire_request q = request(kind);

		q.set = set;
		deliver(q, "");
	}
	void start_only(const std::string &name)
	{
		unc_wire_request q = request(UNC_WIRE_START);

		q.n = 1;
		q.bytes = static_cast<uint32_t>(name.size() + 1);
		deliver(q, name + '\0');
	}
	// Leaves a request in the socket, for a loop that runs later.
	void leave(unc_wire_kind kind)
	{
		unc_wire_request q = request(kind);

		q.set = set;
		EXPECT_EQ(static_cast<ssize_t>(sizeof(q)), send(fd, &q, sizeof(q), 0));
	}
	// Has the kernel note when each answer is sent.
	void note_times()
	{
		const int on = 1;

		EXPECT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)));
	}
	// Takes an answer and returns when it was sent, in ns; 0: not yet.
	int64_t answered(int flags = MSG_DONTWAIT)
	{
		char bytes[4096];
		alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec))];
		iovec part = {bytes, sizeof(bytes)};
		msghdr message = {};
		timespec t = {};

		message.msg_iov = &part;
		message.msg_iovlen = 1;
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		if (recvmsg(fd, &message, flags) < static_cast<ssize_t>(sizeof(reply)))
			return 0;
		memcpy(&reply, bytes, sizeof(reply));
		const cmsghdr *const found = CMSG_FIRSTHDR(&message);
		EXPECT_TRUE(found && found->cmsg_type == SCM_TIMESTAMPNS);
		if (found)
			memcpy(&t, CMSG_DATA(found), sizeof(t));
		return static_cast<int64_t>(t.tv_sec) * 1000000000 + t.tv_nsec;
	}
	int stop_client(pid_t pid)
	{
		unc_wire_request q = request(UNC_WIRE_STOP_CLIENT);

		q.n = static_cast<uint32_t>(pid);
		return ask(q, "");
	}
	// A monitoring group, made or removed.
	int group(unc_wire_kind kind, const std::string &name)
	{
		const std::string more(name.c_str(), name.size() + 1);
		unc_wire_request q = request(kind);

		q.bytes = static_cast<uint32_t>(more.size());
		return ask(q, more);
	}
	// Whether the list of clients has this one.
	bool sees(pid_t pid)
	{
		unc_wire_request q = request(UNC_WIRE_CLIENTS);
		unc_wire_client one;

		for (; ask(q, "") == 1; q.n = reply.n) {
			EXPECT_LE(sizeof(one), body.size());
			memcpy(&one, body.data(), sizeof(one));
			if (one.pid == pid)
				return true;
		}
		return false;
	}
	static std::array<int, 2> new_pair()
	{
		std::array<int, 2> ends;

		EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()));
		return ends;
	}
	pid_t pid() const
	{
		return c.pid;
	}
	void forget()
	{
		daemon_forget(server, &c);
		free(c.held); // a request that the planner has not begun
		c.held = nullptr;
	}

	unc_wire_reply reply = {};
	std::string text; // error message
	std::string body; // of the reply

      private:
	static unc_wire_request request(unc_wire_kind kind)
	{
		unc_wire_request q = {};

		q.version = UNC_WIRE_VERSION;
		q.kind = static_cast<uint16_t>(kind);
		return q;
	}
	void deliver(const unc_wire_request &q, const std::string &more)
	{
		const std::string all =
			std::string(reinterpret_cast<const char *>(&q), sizeof(q)) + more;

		EXPECT_EQ(static_cast<ssize_t>(all.size()), send(fd, all.data(), all.size(), 0));
		EXPECT_TRUE(daemon_answer(server, &c));
	}
	int ask(const unc_wire_request &q, const std::string &more)
	{
		char bytes[65536] = {};

		deliver(q, more);
		const ssize_t n = recv(fd, bytes, sizeof(bytes) - 1, 0);
		EXPECT_LE(static_cast<ssize_t>(sizeof(reply)), n);
		memcpy(&reply, bytes, sizeof(reply));
		body.assign(bytes + sizeof(reply), static_cast<size_t>(n) - sizeof(reply));
		const size_t counts = reply.n * sizeof(int64_t);
		const bool has_counts = q.kind == UNC_WIRE_STOP && reply.n;
		text = reply.code < 0 ? bytes + sizeof(reply) +
						(has_counts ? counts + sizeof(unc_wire_missed) : 0)
				      : "";
		if (q.kind == UNC_WIRE_START && reply.code >= 0)
			set = reply.set;
		return reply.code;
	}

	struct server *server;
	client &c;
	int fd;
	uint32_t set = 0;
};

#endif
