// SPDX-License-Identifier: BSD-3-Clause
// policy_test.cc - reloading the policy: an invalid file changes nothing, and sets of users who
// lose the right to count are stopped.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <sys/signalfd.h>
#include <sys/stat.h>

#include "daemon/user.h"
#include "support/root_of_namespace.h"

namespace
{

constexpr uid_t kAnna = 70001, kBert = 70002;
constexpr char kReads[] = "UNC_M_CAS_COUNT:RD", kEnergy[] = "UNC_RAPL_ENERGY_PKG";

struct PolicyFile : testing::Test {
	PolicyFile() : path(testing::TempDir() + "uncored-policy-" + std::to_string(getpid()))
	{
		policy.owner = geteuid();
	}
	~PolicyFile() override
	{
		unlink(path.c_str());
	}
	PolicyFile(const PolicyFile &) = delete;
	PolicyFile &operator=(const PolicyFile &) = delete;

	void write(const std::string &text, mode_t mode = 0644) const
	{
		const std::string other = path + ".new";

		std::ofstream(other) << text;
		EXPECT_EQ(0, chmod(other.c_str(), mode));
		EXPECT_EQ(0, rename(other.c_str(), path.c_str()));
	}
	// Loads the policy and returns the messages on standard error.
	std::string said(bool again = true)
	{
		testing::internal::CaptureStderr();
		code = (again ? policy_reload : policy_read)(&policy, path.c_str());
		return testing::internal::GetCapturedStderr();
	}

	std::string path;
	struct policy policy = {};
	int code = 0;
};

bool has(const std::string &text, const char *part)
{
	return text.find(part) != std::string::npos;
}

TEST_F(PolicyFile, TakesNumbersForNames)
{
	write("allow user 70001 count see\nallow group 4294967294 count # the last one there is\n");
	EXPECT_EQ("", said(false));
	ASSERT_EQ(2u, policy.n);
	EXPECT_EQ(kAnna, policy.rules[0].id);
	EXPECT_EQ(static_cast<unsigned>(UNC_MAY_COUNT | UNC_MAY_SEE), policy.rules[0].may);
	EXPECT_TRUE(policy.rules[1].is_group);
	EXPECT_EQ(4294967294u, policy.rules[1].id);
	for (const char *none : {"4294967295", "99999999999999999999", "-1", "+1", "0x10"}) {
		write(std::string("allow user ") + none + " count\n");
		EXPECT_TRUE(has(said(false), "line 1: unknown user")) << none;
		EXPECT_EQ(-1, code);
	}
}

TEST_F(PolicyFile, ThatIsWrongChangesNothingThatIsInForce)
{
	const struct {
		const char *text;
		mode_t mode;
		const char *why;
	} wrong[] = {
		{"allow user 70002 count\nallow user 70003 fly\n", 0644,
		 "line 2: expected the right"},
		{"deny user 70001\n", 0644, "line 1: expected `allow user|group"},
		{"allow user no-such-user count\n", 0644,
		 "line 1: unknown user in the files of this computer"},
		{"allow group no-such-group count\n", 0644,
		 "line 1: unknown group in the files of this computer"},
		{"allow user 70002 count\n", 0666, "chmod 644"},
		{"allow user 70002 count\n", 0664, "chmod 644"},
		{"allow user 70002 count\n", 0646, "chmod 644"},
	};

	write("allow user 70001 count\n");
	ASSERT_EQ("", said(false));
	policy.energy = true;
	for (const auto &w : wrong) {
		write(w.text, w.mode);
		const std::string text = said();
		EXPECT_EQ(-1, code);
		EXPECT_TRUE(has(text, w.why)) << text;
		EXPECT_TRUE(has(text, path.c_str())) << text;
		EXPECT_TRUE(has(text, "keeping the previous policy")) << text;
		ASSERT_EQ(1u, policy.n);
		EXPECT_EQ(kAnna, policy.rules[0].id);
	}
	unlink(path.c_str());
	EXPECT_TRUE(has(said(), "No such file"));
	ASSERT_EQ(0, mkfifo(path.c_str(), 0644));
	EXPECT_TRUE(has(said(), "not a regular file")) << "must not wait for a writer";
	EXPECT_EQ(1u, policy.n);
	write("allow user 70002 count\n");
	EXPECT_EQ("", said());
	ASSERT_EQ(1u, policy.n);
	EXPECT_EQ(kBert, policy.rules[0].id);
	EXPECT_TRUE(policy.energy) << "set by an option, not by the file";
}

TEST_F(PolicyFile, OfAnotherUserIsRefused)
{
	constexpr uid_t kOther = 4321;

	NEEDS_OTHER_USERS();
	write("allow user 70001 count\n");
	ASSERT_EQ(0, chown(path.c_str(), kOther, kOther));
	EXPECT_TRUE(has(said(false), "must be owned by root"));
	EXPECT_EQ(-1, code);
	policy.owner = kOther;
	EXPECT_EQ("", said(false)) << "of the user that uncored runs as";
	EXPECT_EQ(0, code);
}

// Without the file all users who can open the socket may count.  Removing it while uncored runs is
// more likely a mistake.
TEST_F(PolicyFile, ThatWasRemovedStaysInForce)
{
	if (access(UNCORED_POLICY, F_OK) == 0)
		GTEST_SKIP() << "this computer has " UNCORED_POLICY;
	write("allow user 70001 count\n");
	ASSERT_EQ("", said(false));
	testing::internal::CaptureStderr();
	EXPECT_EQ(-1, policy_reload(&policy, nullptr));
	const std::string text = testing::internal::GetCapturedStderr();
	EXPECT_TRUE(has(text, UNCORED_POLICY " was removed")) << text;
	EXPECT_TRUE(has(text, "keeping the previous policy")) << text;
	EXPECT_TRUE(policy.listed);
	ASSERT_EQ(1u, policy.n);
	EXPECT_EQ(kAnna, policy.rules[0].id);

	struct policy none = {};
	EXPECT_EQ(0, policy_read(&none, nullptr));
	EXPECT_FALSE(none.listed);
	EXPECT_EQ(0, policy_reload(&none, nullptr)) << "there was none before either";
}

TEST_F(PolicyFile, WithoutALineIsRefusedSinceItWouldLockOutAllUsers)
{
	for (const char *empty : {"", "\n\n", "# allow user 70001 count\n"}) {
		write(empty);
		EXPECT_TRUE(has(said(false), "empty policy")) << empty;
		EXPECT_EQ(-1, code);
	}
	write("allow user 70001 count\n");
	ASSERT_EQ("", said());
	write("");
	const std::string text = said();
	EXPECT_EQ(-1, code);
	EXPECT_TRUE(has(text, "empty policy")) << text;
	EXPECT_TRUE(has(text, "keeping the previous policy")) << text;
	ASSERT_EQ(1u, policy.n) << "as while an editor truncates the file";
}

TEST_F(PolicyFile, ThatLetsNoUserCountIsUsedWithAWarning)
{
	write("allow user 70001 see stop\n");
	EXPECT_TRUE(has(said(false), "warning: no line allows `count`, so only root may count"));
	EXPECT_EQ(0, code);
	EXPECT_EQ(1u, policy.n);
}

// Memory for a line of any length cannot be had behind the filter of system calls.
TEST_F(PolicyFile, WithALongLineIsRefusedAndOneWithALongCommentIsNot)
{
	const std::string longest(1023 - strlen("allow user  count"), 'n'), huge(10000000, 'n');

	write("allow user 70001 count #" + huge + "\n#" + huge + "\n");
	ASSERT_EQ("", said(false));
	ASSERT_EQ(1u, policy.n);
	write("allow user " + longest + " count\n");
	EXPECT_TRUE(has(said(), "line 1: unknown user"));
	for (const std::string &text :
	     {"allow user " + longest + "n count\n", "allow user " + huge + " count\n", huge,
	      "allow user 70002 count" + std::string(huge.size(), ' ') + "\n",
	      "allow group 1 " + huge}) {
		write("allow user 70002 count\n" + text);
		const std::string message = said();
		EXPECT_EQ(-1, code);
		EXPECT_TRUE(has(message, "line 2: too long: the maximum is 1023 characters"))
			<< message;
		EXPECT_TRUE(has(message, "keeping the previous policy"));
		ASSERT_EQ(1u, policy.n);
		EXPECT_EQ(kAnna, policy.rules[0].id);
	}
}

TEST_F(PolicyFile, ThatHasANulCharacterIsRefused)
{
	write(std::string("allow user 70001 count\nallow user 70002\0 count\n", 47));
	EXPECT_TRUE(has(said(false), "line 2: the line contains a NUL character"));
	EXPECT_EQ(-1, code);
}

struct PolicyInForce : PolicyFile {
	PolicyInForce()
	{
		served.end();
		EXPECT_EQ(0, pipe2(ends, O_CLOEXEC | O_NONBLOCK));
		served.server->signals = ends[0];
		served.server->policy.owner = geteuid();
		served.server->policy_file = path.c_str();
	}
	~PolicyInForce() override
	{
		close(ends[0]);
		close(ends[1]);
	}
	PolicyInForce(const PolicyInForce &) = delete;
	PolicyInForce &operator=(const PolicyInForce &) = delete;

	bool ends_by(uint32_t signal) const
	{
		signalfd_siginfo is = {};

		is.ssi_signo = signal;
		EXPECT_EQ(static_cast<ssize_t>(sizeof(is)), ::write(ends[1], &is, sizeof(is)));
		return daemon_is_to_end(served.server.get());
	}
	std::string reload(const std::string &text) const
	{
		write(text);
		testing::internal::CaptureStderr();
		EXPECT_FALSE(ends_by(SIGHUP));
		return testing::internal::GetCapturedStderr();
	}
	std::string in_force(const std::string &more) const
	{
		return "uncored: loaded policy " + path + ": " + more + "\n";
	}

	Served served;
	int ends[2] = {-1, -1};
};

TEST_F(PolicyInForce, IsReadAgainByOneSignalAndEndsByTheOthers)
{
	EXPECT_FALSE(daemon_is_to_end(served.server.get())) << "no signal was sent";
	EXPECT_EQ(in_force("2 lines"), reload("allow user 70001 count\nallow user 70002 see\n"));
	EXPECT_TRUE(ends_by(SIGTERM));
	EXPECT_TRUE(ends_by(SIGINT));
}

TEST_F(PolicyInForce, StopsOnlyUsersWhoMayNoLongerCount)
{
	reload("allow user 70001 count\nallow user 70002 count\n");
	User anna(served, 0, kAnna), bert(served, 1, kBert);

	ASSERT_EQ(0, anna.start(kReads)) << anna.text;
	ASSERT_EQ(0, bert.start(kReads)) << bert.text;
	EXPECT_EQ(in_force("1 line; stopped 1 event set of users who may no longer count it"),
		  reload("allow user 70001 count\n"));
	EXPECT_EQ(UNCORE_EACCESS, bert.ask(UNC_WIRE_READ));
	EXPECT_TRUE(has(bert.text, "policy of uncored no longer allows this user to count"));
	EXPECT_EQ(UNCORE_EACCESS, bert.ask(UNC_WIRE_STOP)) << "with its counts";
	EXPECT_TRUE(has(bert.text, "it keeps its counts")) << bert.text;
	EXPECT_EQ(1u, bert.reply.n);
	EXPECT_EQ(UNCORE_EACCESS, bert.start(kReads));
	EXPECT_TRUE(has(bert.text, "this user may not count"));
	EXPECT_EQ(0, anna.ask(UNC_WIRE_READ)) << anna.text;
	EXPECT_EQ(in_force("2 lines"), reload("allow user 70001 count\nallow user 70002 count\n"));
	EXPECT_EQ(0, bert.start(kReads)) << "without connecting again: " << bert.text;
	EXPECT_EQ(0, anna.ask(UNC_WIRE_STOP)) << anna.text;
}

TEST_F(PolicyInForce, StopsEnergyAlone)
{
	reload("allow user 70001 count energy\n");
	User anna(served, 0, kAnna), again(served, 1, kAnna);

	ASSERT_EQ(0, anna.start(kEnergy)) << anna.text;
	ASSERT_EQ(0, again.start(kReads)) << again.text;
	EXPECT_TRUE(has(reload("allow user 70001 count\n"), "stopped 1 event set"));
	EXPECT_EQ(UNCORE_EACCESS, anna.ask(UNC_WIRE_READ));
	EXPECT_EQ(0, again.ask(UNC_WIRE_READ)) << again.text;
	EXPECT_EQ(UNCORE_EACCESS, again.start(kEnergy));
}

TEST_F(PolicyInForce, KeepsSetsWhenTheFileIsWrong)
{
	reload("allow user 70001 count\n");
	User anna(served, 0, kAnna);

	ASSERT_EQ(0, anna.start(kReads)) << anna.text;
	EXPECT_TRUE(has(reload("allow user 70002 count\nallow\n"), "line 2"));
	EXPECT_EQ(0, anna.ask(UNC_WIRE_READ)) << anna.text;
	EXPECT_EQ(0, anna.start("UNC_C_CLOCKTICKS")) << anna.text;
}

void fill_pages(server *s)
{
	page_due due[MAX_SETS];
	const int64_t now = limits_now();
	const size_t n = daemon_find_due(s, now, due, MAX_SETS);

	for (size_t i = 0; i < n; i++)
		daemon_page_serve(s, &due[i], now);
}

// A client's mapped page of a set that was stopped.
TEST_F(PolicyInForce, UpdatesPagesToo)
{
	reload("allow user 70001 count\n");
	User anna(served, 0, kAnna);

	ASSERT_EQ(0, anna.start(kReads, 10000)) << anna.text;
	const unc_wire_page *page = served.server->clients[0].sets[0].page;
	ASSERT_NE(nullptr, page);
	fill_pages(served.server.get());
	EXPECT_EQ(0, page->code);
	reload("allow user 70002 count\n");
	served.server->due = served.server->clients[0].sets[0].due = 0;
	fill_pages(served.server.get());
	EXPECT_EQ(UNCORE_EACCESS, page->code);
}

} // namespace
