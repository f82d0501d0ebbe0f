// SPDX-License-Identifier: BSD-3-Clause
// rights_table_test.cc - each policy, for each user, decides each request as docs/daemon.md says.
// The users are real ones: their sockets are made by processes with their credentials.
#include <array>
#include <fstream>

#include <grp.h>
#include <sys/stat.h>

#include "daemon/user.h"
#include "support/child.h"
#include "support/root_of_namespace.h"

namespace
{

enum Right { kCount, kSee, kStop, kEnergy, kTraffic, kRights };
constexpr const char *kWords[kRights] = {"count", "see", "stop", "energy", "traffic"};
constexpr char kReads[] = "UNC_M_CAS_COUNT:RD", kJoules[] = "UNC_RAPL_ENERGY_PKG";

struct Person {
	const char *name;
	uid_t uid;
	gid_t gid;
	std::vector<gid_t> groups;
};

const Person kPeople[] = {
	{"root", 0, 0, {}},
	{"anna", 60001, 60001, {}},
	{"bert, by the primary group", 60002, 60010, {}},
	{"carl, by another group", 60003, 60003, {60011, 60010}},
	{"dora", 60004, 60004, {60012}},
};

struct Rule {
	bool group;
	unsigned id;
	unsigned rights; // bit i: kWords[i]
};

struct Policy {
	bool file, energy;
	std::vector<Rule> rules;
};

std::string text_of(const Policy &p)
{
	std::string text;

	for (const Rule &rule : p.rules) {
		text += std::string("allow ") + (rule.group ? "group " : "user ") +
			std::to_string(rule.id);
		for (unsigned i = 0; i < kRights; i++)
			if (rule.rights >> i & 1)
				text += std::string(" ") + kWords[i];
		text += "\n";
	}
	return text;
}

// No file; each set of rights for each kind of subject, by itself and with a second line.
std::vector<Policy> policies()
{
	// 60002 is a user and no group, 60012 a group and no user.
	const Rule subjects[] = {{false, 60001, 0},
				 {true, 60010, 0},
				 {true, 60001, 0},
				 {false, 60012, 0},
				 {true, 60002, 0}};
	std::vector<Policy> all;

	for (const bool energy : {false, true}) {
		all.push_back({false, energy, {}});
		for (Rule rule : subjects)
			for (rule.rights = 1; rule.rights < 1u << kRights; rule.rights++) {
				all.push_back({true, energy, {rule}});
				all.push_back({true, energy, {{true, 60011, 1u << kSee}, rule}});
			}
	}
	return all;
}

bool is_member(const Person &who, gid_t group)
{
	for (const gid_t other : who.groups)
		if (other == group)
			return true;
	return who.gid == group;
}

// docs/daemon.md, "Policy".
unsigned expected(const Policy &p, const Person &who)
{
	unsigned rights = p.file ? 0 : 1u << kCount;

	if (who.uid == 0)
		return (1u << kRights) - 1;
	for (const Rule &rule : p.rules)
		if (rule.group ? is_member(who, rule.id) : who.uid == rule.id)
			rights |= rule.rights;
	if (p.energy && (rights & 1u << kCount))
		rights |= 1u << kEnergy;
	return rights;
}

void send_pair(int to)
{
	std::array<int, 2> pair = User::new_pair();
	char room[CMSG_SPACE(sizeof(pair))] = {}, byte = 0;
	iovec one = {&byte, 1};
	msghdr message = {};

	message.msg_iov = &one;
	message.msg_iovlen = 1;
	message.msg_control = room;
	message.msg_controllen = sizeof(room);
	cmsghdr *head = CMSG_FIRSTHDR(&message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(pair));
	memcpy(CMSG_DATA(head), pair.data(), sizeof(pair));
	if (sendmsg(to, &message, 0) != 1)
		_exit(2);
}

std::array<int, 2> receive_pair(int from)
{
	std::array<int, 2> pair = {-1, -1};
	char room[CMSG_SPACE(sizeof(pair))] = {}, byte;
	iovec one = {&byte, 1};
	msghdr message = {};

	message.msg_iov = &one;
	message.msg_iovlen = 1;
	message.msg_control = room;
	message.msg_controllen = sizeof(room);
	EXPECT_EQ(1, recvmsg(from, &message, MSG_CMSG_CLOEXEC));
	if (cmsghdr *head = CMSG_FIRSTHDR(&message))
		memcpy(pair.data(), CMSG_DATA(head), sizeof(pair));
	return pair;
}

// A pair of sockets that a process of this person has made.
std::array<int, 2> sockets_of(const Person &who)
{
	const std::array<int, 2> way = User::new_pair();

	EXPECT_EQ(0, support::in_child([&] {
			  if (setgroups(who.groups.size(), who.groups.data()) != 0 ||
			      setresgid(who.gid, who.gid, who.gid) != 0 ||
			      setresuid(who.uid, who.uid, who.uid) != 0)
				  return 1;
			  send_pair(way[1]);
			  return 0;
		  }));
	const std::array<int, 2> pair = receive_pair(way[0]);
	close(way[0]);
	close(way[1]);
	return pair;
}

class RightsTable : public testing::Test
{
      protected:
	RightsTable() : path(testing::TempDir() + "uncored-rights-" + std::to_string(getpid()))
	{
		served.end();
	}
	~RightsTable() override
	{
		unlink(path.c_str());
	}
	void use(const Policy &p)
	{
		struct policy *to = &served.server->policy;

		*to = {};
		to->energy = p.energy;
		to->owner = geteuid();
		if (!p.file)
			return;
		std::ofstream(path) << text_of(p);
		ASSERT_EQ(0, chmod(path.c_str(), 0644));
		testing::internal::CaptureStderr();
		ASSERT_EQ(0, policy_read(to, path.c_str()));
		testing::internal::GetCapturedStderr();
	}
	// The rights that a user's requests show, as bits.
	unsigned tried(User &user, User &other)
	{
		unsigned rights = 0;

		for (const char *name : {kReads, kJoules}) {
			const int code = user.start(name);

			EXPECT_TRUE(code == 0 || code == UNCORE_EACCESS) << user.text;
			if (code == 0) {
				rights |= 1u << (name == kReads ? kCount : kEnergy);
				EXPECT_EQ(0, user.ask(UNC_WIRE_STOP)) << user.text;
			}
		}
		if (user.sees(other.pid()))
			rights |= 1u << kSee;
		const int code = user.stop_client(other.pid());
		EXPECT_TRUE(code == 0 || code == UNCORE_EACCESS) << user.text;
		EXPECT_EQ(code == 0 ? UNCORE_ESTATE : 0, other.ask(UNC_WIRE_READ)) << other.text;
		if (code == 0) {
			rights |= 1u << kStop;
			other.ask(UNC_WIRE_STOP);
			EXPECT_EQ(0, other.start(kReads)) << other.text;
		}
		EXPECT_TRUE(user.sees(user.pid())) << "its own sets";
		// there is no resctrl here
		const int group = user.group(UNC_WIRE_GROUP, "");
		EXPECT_TRUE(group == UNCORE_ENODEV || group == UNCORE_EACCESS) << user.text;
		if (group == UNCORE_ENODEV)
			rights |= 1u << kTraffic;
		return rights;
	}

	Served served;
	std::string path;
};

TEST_F(RightsTable, EachPolicyUserAndRequest)
{
	NEEDS_OTHER_USERS();
	// Energy requires the right to count, too.
	const auto usable = [](unsigned rights) {
		return rights & 1u << kCount ? rights : rights & ~(1u << kEnergy);
	};
	User other(served, 1, 0);
	std::array<std::array<int, 2>, std::size(kPeople)> sockets;
	unsigned cells = 0;

	ASSERT_EQ(0, other.start(kReads)) << other.text;
	for (size_t i = 0; i < sockets.size(); i++)
		sockets[i] = sockets_of(kPeople[i]);
	for (const Policy &p : policies()) {
		ASSERT_NO_FATAL_FAILURE(use(p));
		for (size_t i = 0; i < sockets.size(); i++) {
			User user(served, 0, kPeople[i].uid,
				  {dup(sockets[i][0]), dup(sockets[i][1])});

			EXPECT_EQ(expected(p, kPeople[i]),
				  policy_of(&served.server->policy, sockets[i][1], kPeople[i].uid))
				<< kPeople[i].name;
			EXPECT_EQ(usable(expected(p, kPeople[i])), tried(user, other))
				<< kPeople[i].name << (p.energy ? ", --energy\n" : "\n")
				<< (p.file ? text_of(p) : "no file");
			cells += kRights;
		}
		if (HasFailure())
			break;
	}
	EXPECT_LT(5000u, cells);
	for (const auto &pair : sockets)
		for (const int fd : pair)
			close(fd);
}

} // namespace
