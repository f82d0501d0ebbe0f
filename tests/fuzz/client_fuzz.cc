// SPDX-License-Identifier: BSD-3-Clause
// client_fuzz.cc - what three clients of uncored send, in any order: each answer is one, counts are
// of the events that were asked for, and when all have gone nothing counts.
//
// A line of an input is a message: which client ('0' to '2'), what ('s' start, 'o' start as an
// owner, 't' start in turns, 'p' start until the first event has counted 1000, 'r' read, 'w'
// windows, 'c' check, 'x' missed wraps, 'l' look whether it stands, 'g' go on, 'e' stop, 'h' hello,
// 'k' list clients, 'z' stop all of a process, which is 1 for all three,
// 'm' the rest is the message, 'q' it hangs up, 'a' a millisecond passes), and for what: names with
// a ';' between them, or the number of a set as one letter ('a' is 1).
#include <array>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "regs/pmon.h"
#include "session/inside.h"
#include "sim/sim.h"
#include "support/sized.h"

extern "C" {
#include "daemon/daemon.h"
#include "uncore_inspect.h"
}

namespace
{

using fuzz::demand;

constexpr unsigned kClients = 3, kLines = 60;

std::vector<uint64_t> starting_bits(struct uncore *u)
{
	unc_hw *hw = unc_hw_of(u);
	std::vector<uint64_t> all;

	for (size_t i = 0; i < hw->pmon->n; i++) {
		const unc_pmon_register &reg = hw->pmon->reg[i];
		unc_op op = {};
		uint64_t value = 0;

		op.space = reg.space;
		op.width = reg.width;
		op.address = reg.address;
		(reg.space == UNCORE_MSR ? op.package : op.unit) = reg.unit;
		if (reg.starts && unc_read_register(hw, &op, &value) == 0)
			all.push_back(value & reg.starts);
	}
	return all;
}

struct Server {
	std::unique_ptr<server> s = std::make_unique<server>();
	std::vector<uint64_t> idle;

	Server()
	{
		auto options = support::sized<uncore_options>();

		options.machine = "sim:snbep:packages=1,cores=2,time=virtual";
		options.access = "direct";
		options.journal = "none";
		options.record = 1;
		options.wrap_poller = -1;
		demand(uncore_open(&s->u, &options) == 0, "no machine");
		for (auto &client : s->clients)
			client.fd = client.process = -1;
		s->recording = memfd_create("recording", MFD_CLOEXEC);
		demand(uncore_record(s->u, s->recording, 0) == 0, "no recording");
		idle = starting_bits(s->u);
	}
	~Server()
	{
		close(s->recording);
		uncore_close(s->u);
		names_free(&s->names);
	}
	Server(const Server &) = delete;
	Server &operator=(const Server &) = delete;
};

class Peer
{
      public:
	Peer(Server &server, unsigned number) : there(server), c(server.s->clients[number])
	{
		connect();
	}
	~Peer()
	{
		hang_up();
	}
	Peer(const Peer &) = delete;
	Peer &operator=(const Peer &) = delete;

	void hang_up()
	{
		daemon_forget(there.s.get(), &c);
		close(c.fd);
		close(fd);
		c.fd = -1;
	}
	void connect()
	{
		int ends[2];

		demand(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "socket");
		fd = ends[0];
		c.fd = ends[1];
		c.user = 1000;
		c.pid = 1;
		c.may = UNC_MAY_COUNT | UNC_MAY_SEE | UNC_MAY_STOP;
		sets.clear();
	}
	void send_message(const std::string &message)
	{
		if (send(fd, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			return;
		if (daemon_answer(there.s.get(), &c)) {
			take_answer(message);
		} else {
			hang_up();
			connect();
		}
	}

      private:
	void take_answer(const std::string &message)
	{
		std::vector<char> bytes(1 << 17);
		unc_wire_request q = {};
		unc_wire_reply a = {};
		iovec part = {bytes.data(), bytes.size()};
		alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
		msghdr m = {};

		m.msg_iov = &part;
		m.msg_iovlen = 1;
		m.msg_control = control;
		m.msg_controllen = sizeof(control);
		const ssize_t n = recvmsg(fd, &m, MSG_DONTWAIT);
		demand(n >= 0, "no answer");
		close_file(&m);
		message.copy(reinterpret_cast<char *>(&q), sizeof(q));
		demand(static_cast<size_t>(n) >= sizeof(a), "half an answer");
		memcpy(&a, bytes.data(), sizeof(a));
		const char *body = bytes.data() + sizeof(a);
		demand(a.version == UNC_WIRE_VERSION && a.kind == q.kind, "another answer");
		check(q, a, body, static_cast<size_t>(n) - sizeof(a));
	}
	static void close_file(msghdr *m)
	{
		int file;

		if (const cmsghdr *head = CMSG_FIRSTHDR(m)) {
			memcpy(&file, CMSG_DATA(head), sizeof(file));
			close(file);
		}
	}
	// Behind the head, before the sentence of an error.
	size_t expected(const unc_wire_request &q, const unc_wire_reply &a)
	{
		const Started &set = sets[q.set];
		const bool good = a.code >= 0;
		const bool counts = a.n > 0 && (q.kind == UNC_WIRE_READ || q.kind == UNC_WIRE_STOP);
		size_t size = counts ? a.n * sizeof(int64_t) : 0;

		if (counts || (q.kind == UNC_WIRE_TIMES && good))
			demand(a.n == set.n, "counts of other events");
		if (q.kind == UNC_WIRE_TIMES && good)
			size += a.n * sizeof(unc_wire_window);
		if (q.kind == UNC_WIRE_CLIENTS && a.code == 1)
			size += sizeof(unc_wire_client);
		if (q.kind == UNC_WIRE_MISSED && good)
			size += sizeof(unc_wire_missed);
		if ((q.kind == UNC_WIRE_START && good && q.stops) ||
		    (q.kind == UNC_WIRE_WAIT && good))
			size += sizeof(unc_wire_samples);
		if (q.kind == UNC_WIRE_STOP && counts)
			size += (set.turns ? a.n * sizeof(unc_wire_window) : 0) +
				sizeof(unc_wire_missed) +
				(set.stops ? sizeof(unc_wire_samples) : 0);
		return size;
	}
	void check(const unc_wire_request &q, const unc_wire_reply &a, const char *body,
		   size_t size)
	{
		const size_t text = expected(q, a);

		demand(size >= text, "less than there is");
		for (size_t i = 0; q.kind == UNC_WIRE_READ && i < text; i += sizeof(int64_t)) {
			int64_t count;

			memcpy(&count, body + i, sizeof(count));
			demand(count >= 0, "a count below 0");
		}
		if (a.code < 0) {
			demand(size > text && body[size - 1] == 0, "no text");
			demand(fuzz::is_sentence(body + text), "no sentence", body + text);
			demand(a.code != UNCORE_EIO, "an access failed", body + text);
		} else if (q.kind == UNC_WIRE_START) {
			demand(a.rounds == 1 || q.interval_us, "turns that nobody asked for");
			sets[a.set] = {q.n, q.interval_us != 0, q.stops != 0};
		}
		if (q.kind == UNC_WIRE_STOP)
			sets.erase(q.set);
	}

	Server &there;
	client &c;
	int fd = -1;
	struct Started {
		size_t n = 0;
		bool turns = false, stops = false;
	};
	std::map<uint32_t, Started> sets;
};

unc_wire_kind kind_of(char what)
{
	static const std::map<char, unc_wire_kind> kinds = {
		{'s', UNC_WIRE_START},       {'o', UNC_WIRE_START},  {'t', UNC_WIRE_START},
		{'p', UNC_WIRE_START},       {'r', UNC_WIRE_READ},   {'w', UNC_WIRE_TIMES},
		{'c', UNC_WIRE_CHECK},       {'x', UNC_WIRE_MISSED}, {'l', UNC_WIRE_WAIT},
		{'g', UNC_WIRE_REARM},       {'e', UNC_WIRE_STOP},   {'k', UNC_WIRE_CLIENTS},
		{'z', UNC_WIRE_STOP_CLIENT},
	};
	const auto found = kinds.find(what);

	return found == kinds.end() ? UNC_WIRE_HELLO : found->second;
}

std::string bytes_of(const void *from, size_t size)
{
	return std::string(static_cast<const char *>(from), size);
}

std::string message_of(char what, std::string rest)
{
	unc_wire_request q = {};
	unc_wire_stop stop = {};

	q.version = UNC_WIRE_VERSION;
	q.kind = static_cast<uint16_t>(kind_of(what));
	if (q.kind != UNC_WIRE_START) {
		q.set = rest.empty() ? 0 : static_cast<unsigned char>(rest[0]) - 'a' + 1u;
		q.n = q.kind == UNC_WIRE_STOP_CLIENT ? q.set : 0;
		return bytes_of(&q, sizeof(q));
	}
	q.flags = what == 'o' ? UNC_WIRE_OWNER : 0;
	q.interval_us = what == 't' ? UNCORE_MULTIPLEX_US : 0;
	q.stops = what == 'p';
	stop.count = 1000;
	rest += ';';
	for (char &c : rest)
		if (c == ';') {
			c = '\0';
			q.n++;
		}
	if (what == 'o')
		q.n /= 2;
	if (q.stops)
		rest.insert(0, bytes_of(&stop, sizeof(stop)));
	q.bytes = static_cast<uint32_t>(rest.size());
	return bytes_of(&q, sizeof(q)) + rest;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Server server;
	std::istringstream lines(std::string(reinterpret_cast<const char *>(data), size));
	std::array<std::unique_ptr<Peer>, kClients> peers;
	std::string line;

	for (unsigned i = 0; i < kClients; i++)
		peers[i] = std::make_unique<Peer>(server, i);
	for (unsigned i = 0; i < kLines && std::getline(lines, line); i++) {
		Peer &peer =
			*peers[line.empty() ? 0 : static_cast<unsigned char>(line[0]) % kClients];
		const char what = line.size() > 1 ? line[1] : 'h';
		const std::string rest = line.size() > 2 ? line.substr(2) : "";

		if (what == 'a') {
			sim_advance(unc_hw_sim(unc_hw_of(server.s->u)), 1000000);
		} else if (what == 'q') {
			peer.hang_up();
			peer.connect();
		} else {
			peer.send_message(what == 'm' ? rest : message_of(what, rest));
		}
	}
	for (auto &peer : peers)
		peer.reset();
	demand(starting_bits(server.s->u) == server.idle, "something is left to count");
	return 0;
}
