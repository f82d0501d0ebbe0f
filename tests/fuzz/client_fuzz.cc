// SPDX-License-Identifier: BSD-3-Clause
// client_fuzz.cc - requests of three clients of uncored in any order: each gets one answer, counts
// are of the events that were asked for, and when all have gone nothing counts.
//
// A line of an input is a message: which client ('0' to '2'), what ('s' start, 'o' start as an
// owner, 't' start in turns, 'p' start until the first event has counted 1000, 'r' read, 'w'
// windows, 'c' check, 'x' missed wraps, 'l' check whether it has stopped, 'g' resume, 'e' stop, 'h'
// hello, 'k' list clients, 'z' stop all of a process, 'a' being the first client's, 'm' the rest is
// the message, 'q' it hangs up, 'a' a millisecond passes and pages are filled, 'y' a policy: rights
// of the first two clients' user as small letters, those of the third one's as capitals), and for
// what: names with a ';' between them, or the number of a set as one letter ('a' is 1).  'n' starts
// in any way: before a blank, which may be missing, there are 'o', 't', 'p' as above, 'c' with
// codes, right ones unless a '!' is before the name, 'g' in groups, which are the first letters of
// names ('a' is 1), and 'f' with a page.
#include <array>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "hw/pmon.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/sized.h"

extern "C" {
#include "daemon/answer.h"
#include "uncore_inspect.h"
}

namespace
{

using fuzz::demand;

constexpr unsigned kClients = 3, kLines = 60;
constexpr uid_t kUsers[kClients] = {1000, 1000, 1001};
// Of names that were made up: then one user has none left, and the other one soon.
constexpr unsigned kNames = NAMES_OF_USER + NAMES_OF_USER / 2;

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
		users_free(&s->users);
	}
	Server(const Server &) = delete;
	Server &operator=(const Server &) = delete;

	bool is_full() const
	{
		return uncore_limit_names(s->u, MAX_NAMES) > kNames;
	}
	void allow(const std::string &rights) const
	{
		policy &p = s->policy;

		p.listed = true;
		p.n = 2;
		for (unsigned i = 0; i < p.n; i++)
			p.rules[i] = {false, kUsers[i + 1], 0};
		for (const char c : rights)
			for (unsigned i = 0; i < 4; i++)
				for (unsigned user = 0; user < p.n; user++)
					if (c == (user ? "CSKE" : "cske")[i])
						p.rules[user].may |= 1u << i;
		daemon_apply_policy(s.get());
	}
	void fill_pages() const
	{
		page_due due[kClients * MAX_SETS];

		s->due = 0;
		for (auto &client : s->clients)
			for (auto &set : client.sets)
				set.due = 0;
		const size_t n = daemon_find_due(s.get(), 0, due, std::size(due));
		for (size_t i = 0; i < n; i++)
			daemon_page_fill(s.get(), due[i].set, 0);
	}
};

class Peer
{
      public:
	Peer(Server &server, unsigned number)
	    : uncored(server), c(server.s->clients[number]), place(number)
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
		daemon_forget(uncored.s.get(), &c);
		c.user->clients--;
		close(c.fd);
		close(fd);
		c.fd = -1;
	}
	void connect()
	{
		int ends[2];

		demand(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "socket");
		fd = ends[0];
		c = {}; // sets are numbered from 1 on in each input
		c.process = -1;
		c.fd = ends[1];
		c.user = users_find(&uncored.s->users, kUsers[place]);
		c.user->clients++;
		c.pid = static_cast<pid_t>(place + 1);
		c.may = policy_of(&uncored.s->policy, c.fd, kUsers[place]);
		sets.clear();
	}
	void send_message(const std::string &message)
	{
		if (send(fd, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			return;
		if (daemon_answer(uncored.s.get(), &c)) {
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
		const client_set *set = a.set ? daemon_find_set(&c, a.set) : nullptr;

		demand(a.code < 0 || (c.may & UNC_MAY_COUNT) || !is_counting(q),
		       "counts of who may count nothing");
		demand(!set || !set->energy || (c.may & UNC_MAY_ENERGY), "energy");
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
			demand(a.rounds == 1 || q.interval_us, "multiplexing without a request");
			sets[a.set] = {q.n, q.interval_us != 0, q.stops != 0};
		}
		if (q.kind == UNC_WIRE_STOP)
			sets.erase(q.set);
	}

	static bool is_counting(const unc_wire_request &q)
	{
		return q.kind >= UNC_WIRE_START && q.kind <= UNC_WIRE_STOP;
	}

	Server &uncored;
	client &c;
	unsigned place;
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
		{'n', UNC_WIRE_START},   {'s', UNC_WIRE_START},       {'o', UNC_WIRE_START},
		{'t', UNC_WIRE_START},   {'p', UNC_WIRE_START},       {'r', UNC_WIRE_READ},
		{'w', UNC_WIRE_TIMES},   {'c', UNC_WIRE_CHECK},       {'x', UNC_WIRE_MISSED},
		{'l', UNC_WIRE_WAIT},    {'g', UNC_WIRE_REARM},       {'e', UNC_WIRE_STOP},
		{'k', UNC_WIRE_CLIENTS}, {'z', UNC_WIRE_STOP_CLIENT}, {'m', UNC_WIRE_GROUP},
		{'d', UNC_WIRE_UNGROUP},
	};
	const auto found = kinds.find(what);

	return found == kinds.end() ? UNC_WIRE_HELLO : found->second;
}

std::string bytes_of(const void *from, size_t size)
{
	return std::string(static_cast<const char *>(from), size);
}

std::vector<std::string> split(const std::string &text)
{
	std::vector<std::string> all(1);

	for (const char c : text)
		if (c == ';')
			all.emplace_back();
		else
			all.back() += c;
	return all;
}

// As the client's own machine has it, which is the daemon's.
uint64_t code_of(struct uncore *u, const std::string &name)
{
	auto is = support::sized<uncore_encoding>();
	unsigned id;

	uncore_limit_names(u, 1); // names that were not used stay unknown
	if (uncore_event(u, name.c_str(), &id) < 0 || uncore_event_encoding(u, id, &is) < 0)
		return 0;
	return is.code;
}

std::string start_of(struct uncore *u, unc_wire_request q, const std::string &how,
		     const std::string &list)
{
	const auto has = [&how](char what) { return how.find(what) != std::string::npos; };
	std::string codes, groups, names, stops;
	unc_wire_stop stop = {};

	q.flags = (has('o') ? UNC_WIRE_OWNER : 0) | (has('c') ? UNC_WIRE_CODES : 0) |
		  (has('g') ? UNC_WIRE_GROUPS : 0);
	q.interval_us = has('t') ? UNCORE_MULTIPLEX_US : 0;
	q.stops = has('p');
	q.refresh_us = has('f') ? UNCORE_REFRESH_MIN_US : 0;
	stop.count = 1000;
	if (has('p'))
		stops = bytes_of(&stop, sizeof(stop));
	for (std::string name : split(list)) {
		const bool wrong = has('c') && name[0] == '!';
		const uint32_t group = static_cast<unsigned char>(name[wrong]) - 'a' + 1u;

		if (has('g') || wrong)
			name.erase(0, static_cast<size_t>(has('g')) + wrong);
		if (has('c') && (!has('o') || q.n % 2 == 0)) {
			const uint64_t code = code_of(u, name) + wrong;

			codes += bytes_of(&code, sizeof(code));
		}
		if (has('g') && (!has('o') || q.n % 2 == 0))
			groups += bytes_of(&group, sizeof(group));
		names += name + '\0';
		q.n++;
	}
	q.n /= has('o') ? 2 : 1;
	names.insert(0, stops + codes.substr(0, q.n * sizeof(uint64_t)) +
				groups.substr(0, q.n * sizeof(uint32_t)));
	q.bytes = static_cast<uint32_t>(names.size());
	return bytes_of(&q, sizeof(q)) + names;
}

std::string message_of(struct uncore *u, char what, const std::string &rest)
{
	unc_wire_request q = {};
	const size_t blank = what == 'n' ? rest.find(' ') : std::string::npos;

	q.version = UNC_WIRE_VERSION;
	q.kind = static_cast<uint16_t>(kind_of(what));
	if (blank != std::string::npos)
		return start_of(u, q, rest.substr(0, blank), rest.substr(blank + 1));
	if (q.kind == UNC_WIRE_START)
		return start_of(u, q, std::string(1, what), rest);
	q.set = rest.empty() ? 0 : static_cast<unsigned char>(rest[0]) - 'a' + 1u;
	q.n = q.kind == UNC_WIRE_STOP_CLIENT ? q.set : 0;
	return bytes_of(&q, sizeof(q));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static auto server = std::make_unique<Server>();
	std::istringstream lines(std::string(reinterpret_cast<const char *>(data), size));
	std::array<std::unique_ptr<Peer>, kClients> peers;
	std::string line;

	if (server->is_full()) {
		server.reset();
		server = std::make_unique<Server>();
	}
	server->allow("cskC");
	for (unsigned i = 0; i < kClients; i++)
		peers[i] = std::make_unique<Peer>(*server, i);
	for (unsigned i = 0; i < kLines && std::getline(lines, line); i++) {
		Peer &peer =
			*peers[line.empty() ? 0 : static_cast<unsigned char>(line[0]) % kClients];
		const char what = line.size() > 1 ? line[1] : 'h';
		const std::string rest = line.size() > 2 ? line.substr(2) : "";

		if (what == 'a') {
			sim_advance(unc_hw_sim(unc_hw_of(server->s->u)), 1000000);
			server->fill_pages();
		} else if (what == 'y') {
			server->allow(rest);
		} else if (what == 'q') {
			peer.hang_up();
			peer.connect();
		} else {
			peer.send_message(what == 'm' ? rest
						      : message_of(server->s->u, what, rest));
		}
	}
	for (auto &peer : peers)
		peer.reset();
	demand(starting_bits(server->s->u) == server->idle, "something is left to count");
	return 0;
}
