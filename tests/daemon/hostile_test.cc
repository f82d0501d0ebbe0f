// SPDX-License-Identifier: BSD-3-Clause
// hostile_test.cc - clients that violate the protocol (wire.h) are answered or disconnected,
// without affecting other clients.
#include <poll.h>

#include <cstddef>
#include <cstring>
#include <random>

#include "daemon/served.h"

namespace
{

constexpr char kReads[] = "UNC_M_CAS_COUNT:RD";

struct Answer {
	unc_wire_reply head = {};
	std::string text;
	bool dropped = false;
};

class Stranger
{
      public:
	explicit Stranger(const Served &uncored) : fd(uncored.dial())
	{
	}
	~Stranger()
	{
		close(fd);
	}
	Stranger(const Stranger &) = delete;
	Stranger &operator=(const Stranger &) = delete;

	Answer ask(const std::string &message) const
	{
		EXPECT_EQ(static_cast<ssize_t>(message.size()),
			  send(fd, message.data(), message.size(), MSG_NOSIGNAL));
		return answer();
	}
	Answer answer() const
	{
		char bytes[65536];
		Answer a;
		const ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

		a.dropped = n <= 0;
		if (n >= static_cast<ssize_t>(sizeof(a.head))) {
			memcpy(&a.head, bytes, sizeof(a.head));
			a.text.assign(bytes + sizeof(a.head),
				      static_cast<size_t>(n) - sizeof(a.head));
		}
		return a;
	}

	int fd;
};

std::string request(unsigned kind, const std::string &names = "", uint32_t n = 0, uint32_t set = 0)
{
	unc_wire_request q = {};

	q.version = UNC_WIRE_VERSION;
	q.kind = static_cast<uint16_t>(kind);
	q.set = set;
	q.n = n;
	q.bytes = static_cast<uint32_t>(names.size());
	return std::string(reinterpret_cast<char *>(&q), sizeof(q)) + names;
}

std::string names(const std::string &name)
{
	return name + '\0';
}

std::string with(std::string message, size_t at, uint32_t value)
{
	memcpy(&message[at], &value, sizeof(value));
	return message;
}

void expect_served(const Served &uncored)
{
	support::Handle client(uncored.options());
	support::Set set(client, {kReads});

	ASSERT_EQ(0, client.code) << client.message();
	EXPECT_EQ(0, set.start()) << client.message();
	EXPECT_EQ(0, set.stop());
}

TEST(HostileClient, WithAnInvalidMessageIsDropped)
{
	Served uncored;
	std::string bytes = request(UNC_WIRE_HELLO), flags = bytes;

	bytes[offsetof(unc_wire_request, bytes)] = 1;
	flags[offsetof(unc_wire_request, flags)] = 64;
	for (const std::string &message :
	     {std::string("x"), bytes, flags, request(99), request(UNC_WIRE_HELLO) + "x",
	      request(UNC_WIRE_START, names(kReads), 1) + "more", std::string(80000, 'a'),
	      request(UNC_WIRE_START, std::string(70000, 'a'), 1)}) {
		const Stranger stranger(uncored);

		EXPECT_TRUE(stranger.ask(message).dropped) << message.size();
	}
	expect_served(uncored);
}

TEST(HostileClient, OfAnotherVersionGetsTheVersionOfTheDaemon)
{
	Served uncored;
	const Stranger stranger(uncored);
	std::string old = request(UNC_WIRE_HELLO).substr(0, 8);

	old[offsetof(unc_wire_request, version)] = 9;
	const Answer a = stranger.ask(old);
	EXPECT_FALSE(a.dropped);
	EXPECT_EQ(UNC_WIRE_VERSION, a.head.version);
	EXPECT_TRUE(stranger.answer().dropped);
	old[offsetof(unc_wire_request, version)] = 0; // found by client_fuzz: no answer
	EXPECT_FALSE(Stranger(uncored).ask(old).dropped);
}

TEST(HostileClient, GetsTheReason)
{
	Served uncored;
	const Stranger stranger(uncored);
	std::string other = request(UNC_WIRE_START, std::string(8, 'x') + names(kReads), 1);
	std::string stops = request(UNC_WIRE_START, names(kReads), 1);
	const struct {
		std::string message;
		int code;
		const char *why;
	} wrong[] = {
		{with(other, offsetof(unc_wire_request, flags), UNC_WIRE_CODES), UNCORE_ENOEVENT,
		 "encode it differently"},
		{with(stops, offsetof(unc_wire_request, flags), UNC_WIRE_GROUPS), UNCORE_ENOEVENT,
		 ""},
		{with(stops, offsetof(unc_wire_request, stops), 99), UNCORE_EINVAL,
		 "the maximum is 8"},
		{with(stops, offsetof(unc_wire_request, stops), 2), UNCORE_EINVAL, "fewer names"},
		{with(stops, offsetof(unc_wire_request, interval_us), 1), UNCORE_EINVAL,
		 "interval of 1 us"},
		{request(UNC_WIRE_TIMES, "", 0, 7), UNCORE_EINVAL, "unknown event set"},
		{request(UNC_WIRE_START), UNCORE_ECONFLICT, "allows 1 to 1024 per set"},
		{request(UNC_WIRE_START, names(kReads), 5000), UNCORE_ECONFLICT, "1 to 1024"},
		{request(UNC_WIRE_START, names(kReads), 2), UNCORE_EINVAL, "fewer names"},
		{request(UNC_WIRE_START, std::string(60000, 'a'), 1), UNCORE_EINVAL, ""},
		{request(UNC_WIRE_START, "UNC_\x1b[31m", 1), UNCORE_EINVAL, ""},
		{request(UNC_WIRE_START, names("UNC_M_CAS_COUNTS"), 1), UNCORE_ENOEVENT,
		 "did you mean UNC_M_CAS_COUNT?"},
		{request(UNC_WIRE_START, names("UNCORE_MEM_READ_BYTES"), 1), UNCORE_EINVAL,
		 "does not count metrics"},
		{request(UNC_WIRE_READ, "", 0, 7), UNCORE_EINVAL, "unknown event set"},
		{request(UNC_WIRE_STOP, "", 0, 0), UNCORE_EINVAL, "unknown event set"},
		{request(UNC_WIRE_CHECK, "", 0, UINT32_MAX), UNCORE_EINVAL, "unknown event set"},
	};

	for (const auto &w : wrong) {
		const Answer a = stranger.ask(w.message);

		ASSERT_FALSE(a.dropped) << w.why;
		EXPECT_EQ(w.code, a.head.code) << a.text;
		EXPECT_NE(std::string::npos, a.text.find(w.why)) << a.text;
		EXPECT_EQ(std::string::npos, a.text.find('\x1b'));
	}
	EXPECT_EQ(0u, sim_writes(uncored.model()));
}

TEST(HostileClient, HasNoSetOfOthers)
{
	Served uncored;
	const Stranger one(uncored), two(uncored);
	const Answer mine = one.ask(request(UNC_WIRE_START, names(kReads), 1));

	ASSERT_EQ(0, mine.head.code) << mine.text;
	EXPECT_EQ(UNCORE_EINVAL, two.ask(request(UNC_WIRE_STOP, "", 0, mine.head.set)).head.code);
	EXPECT_EQ(0, one.ask(request(UNC_WIRE_READ, "", 0, mine.head.set)).head.code);
}

TEST(HostileClient, HasSixteenSets)
{
	Served uncored;
	const Stranger stranger(uncored);

	for (unsigned i = 0; i < MAX_SETS; i++)
		ASSERT_EQ(0, stranger.ask(request(UNC_WIRE_START, names(kReads), 1)).head.code);
	const Answer a = stranger.ask(request(UNC_WIRE_START, names(kReads), 1));
	EXPECT_EQ(UNCORE_ECONFLICT, a.head.code);
	EXPECT_NE(std::string::npos, a.text.find("uncored allows 16 per program"));
	EXPECT_EQ(0, stranger.ask(request(UNC_WIRE_STOP, "", 0, 3)).head.code);
	EXPECT_EQ(0, stranger.ask(request(UNC_WIRE_START, names(kReads), 1)).head.code);
	expect_served(uncored);
}

// Answers queue up until the socket buffer is full.
TEST(HostileClient, ThatDoesNotReadIsDropped)
{
	Served uncored;
	const Stranger stranger(uncored);
	const std::string hello = request(UNC_WIRE_READ, "", 0, 1);
	pollfd end = {stranger.fd, 0, 0};
	int n = 0;

	while (n < 100000 &&
	       send(stranger.fd, hello.data(), hello.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
		n++;
	for (int i = 0; i < 2000 && !(end.revents & POLLHUP); i++)
		poll(&end, 1, 1);
	expect_served(uncored);
}

TEST(HostileClient, ConnectionsBeyondTheLimitEnd)
{
	Served uncored;
	std::vector<std::unique_ptr<Stranger>> many;

	for (unsigned i = 0; i < MAX_CLIENTS; i++)
		many.push_back(std::make_unique<Stranger>(uncored));
	// root may use all places, any other user only some of them
	if (geteuid() == 0) {
		EXPECT_EQ(0, many.back()->ask(request(UNC_WIRE_HELLO)).head.code);
	} else {
		EXPECT_EQ(UNCORE_EBUSY, many.back()->answer().head.code);
	}
	const Stranger more(uncored);
	EXPECT_EQ(UNCORE_EBUSY, more.answer().head.code);
	EXPECT_TRUE(more.answer().dropped);
	many.clear();
	for (unsigned i = 0; i < 100; i++)
		usleep(1000);
	expect_served(uncored);
}

TEST(HostileClient, OfRandomBytesChangesNoRegister)
{
	Served uncored;
	std::mt19937 random(1);

	for (unsigned i = 0; i < 2000; i++) {
		const Stranger stranger(uncored);
		std::string message = request(random() % 6, "", random() % 3, random() % 3);

		if (random() % 2)
			message += std::string(random() % 64, static_cast<char>(random()));
		else
			message[random() % message.size()] = static_cast<char>(random());
		send(stranger.fd, message.data(), message.size(), MSG_NOSIGNAL);
	}
	expect_served(uncored);
}

TEST(HostileClient, EnergyIsForRootUnlessAllMay)
{
	const std::string start = request(UNC_WIRE_START, names("UNC_RAPL_ENERGY_PKG:pkg=0"), 1);

	for (const bool energy : {false, true})
		for (const uid_t user : {0u, 65534u}) {
			Served uncored("sim:snbep:time=virtual", energy);
			client who = {};
			unc_wire_reply reply;
			int ends[2];

			uncored.end(); // it is answered here
			ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
			who.fd = ends[0];
			who.user = users_find(&uncored.server->users, user);
			who.may = policy_of(&uncored.server->policy, who.fd, user);
			send(ends[1], start.data(), start.size(), 0);
			EXPECT_TRUE(daemon_answer(uncored.server.get(), &who));
			EXPECT_LE(static_cast<ssize_t>(sizeof(reply)),
				  recv(ends[1], &reply, sizeof(reply), 0));
			EXPECT_EQ(energy || user == 0 ? 0 : UNCORE_EACCESS, reply.code);
			daemon_forget(uncored.server.get(), &who);
			close(ends[0]);
			close(ends[1]);
		}
}

TEST(HostileClient, CanOnlyReadItsPage)
{
	Served uncored;
	const Stranger stranger(uncored);
	const std::string start = with(request(UNC_WIRE_START, names(kReads), 1),
				       offsetof(unc_wire_request, refresh_us), 10000);
	char bytes[4096];
	alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	iovec part = {bytes, sizeof(bytes)};
	msghdr m = {};
	int file = -1;

	m.msg_iov = &part;
	m.msg_iovlen = 1;
	m.msg_control = control;
	m.msg_controllen = sizeof(control);
	ASSERT_EQ(static_cast<ssize_t>(start.size()),
		  send(stranger.fd, start.data(), start.size(), 0));
	ASSERT_LE(static_cast<ssize_t>(sizeof(unc_wire_reply)), recvmsg(stranger.fd, &m, 0));
	ASSERT_NE(nullptr, CMSG_FIRSTHDR(&m));
	memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(file));
	const size_t size = sizeof(unc_wire_page);
	EXPECT_EQ(MAP_FAILED, mmap(nullptr, size, PROT_WRITE, MAP_SHARED, file, 0));
	EXPECT_EQ(-1, ftruncate(file, 0));
	EXPECT_EQ(-1, pwrite(file, "x", 1, 0));
	void *page = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(-1, mprotect(page, size, PROT_READ | PROT_WRITE));
	munmap(page, size);
	close(file);
	EXPECT_EQ(UNCORE_EINVAL,
		  stranger.ask(with(start, offsetof(unc_wire_request, refresh_us), 1)).head.code);
}

} // namespace
