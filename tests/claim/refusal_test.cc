// SPDX-License-Identifier: BSD-3-Clause
// refusal_test.cc - a refusal names the process that uses the counters, its program, its user
// and its start time. It mentions another tool only if no process using the library owns them.
#include <ctime>
#include <regex>

#include <fcntl.h>
#include <pwd.h>
#include <sys/prctl.h>

#include "support/file_limit.h"
#include "support/node.h"
#include "support/party.h"
#include "support/stop_after.h"

namespace
{

using support::Handle;
using support::Known;
using support::names_of;
using support::Node;
using support::ProcessParty;
using support::Set;
using support::stop_after::StopAfterSet;

class Refusal : public testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		node = std::make_unique<Node>("ivbep:packages=2,cores=4");
	}
	// A process with this program name.
	std::unique_ptr<ProcessParty> counting(const char *program, const Known &event)
	{
		char name[16] = {};

		prctl(PR_GET_NAME, name);
		prctl(PR_SET_NAME, program);
		auto party =
			std::make_unique<ProcessParty>(*node, std::vector<Known>{event}, false);
		EXPECT_EQ(0, party->start()) << party->message;
		prctl(PR_SET_NAME, name);
		return party;
	}
	std::string refusal(const std::string &event)
	{
		Set set(node->handle, {event});

		EXPECT_EQ(UNCORE_EBUSY, set.start()) << event;
		return node->handle.message();
	}
	static std::string user()
	{
		const passwd *is = getpwuid(geteuid());

		return is ? is->pw_name : std::to_string(geteuid());
	}
	// The time after "since", in seconds since 1970.
	static time_t since(const std::string &message)
	{
		const time_t now = time(nullptr);
		std::smatch found;
		struct tm t = *localtime(&now);

		if (!std::regex_search(message, found,
				       std::regex(R"( since (\d\d):(\d\d):(\d\d)\b)")))
			return 0;
		t.tm_hour = std::stoi(found[1]);
		t.tm_min = std::stoi(found[2]);
		t.tm_sec = std::stoi(found[3]);
		return mktime(&t);
	}
	std::unique_ptr<Node> node;
};

void expect_begins(const std::string &begin, const std::string &text)
{
	EXPECT_EQ(begin, text.substr(0, begin.size()));
}

TEST_F(Refusal, ProgramProcessUserAndTime)
{
	const time_t before = time(nullptr);
	const auto lulesh = counting("lulesh", {"UNC_C_CLOCKTICKS", "cbox", 0, 0, 3, 0});
	const std::string who =
		"lulesh (pid " + std::to_string(lulesh->pid) + ", user " + user() + ")";
	const auto message = refusal("UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=3:pkg=0");

	expect_begins("cbo3 of package 0 is in use by " + who + " since ", message);
	EXPECT_LE(before, since(message)) << message;
	EXPECT_GE(time(nullptr), since(message)) << message;
	EXPECT_EQ(std::string::npos, message.find("perf")) << message;
	EXPECT_EQ(std::string::npos, message.find("FORCE")) << message;
	// a sum over all boxes needs this box, too
	expect_begins("cbo3 of package 0 is in use by " + who, refusal("UNC_C_CLOCKTICKS"));
	node->expect_counting({{"UNC_C_CLOCKTICKS", "cbox", 0, 0, 3, 1}});
	node->expect_counting({{"UNC_C_CLOCKTICKS", "cbox", 0, 0, 2, 0}});
	lulesh->expect_counts();
}

TEST_F(Refusal, NamesTheConflictingProcessAmongSeveral)
{
	const auto first = counting("first", {"UNC_C_CLOCKTICKS", "cbox", 0, 0, 0, 0});
	const auto second = counting("second", {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 1, 1});

	expect_begins("imc1 of package 1 is in use by second (pid " + std::to_string(second->pid),
		      refusal("UNC_M_CAS_COUNT:WR:box=1:pkg=1"));
	expect_begins("cbo0 of package 0 is in use by first (pid " + std::to_string(first->pid),
		      refusal("UNC_C_CLOCKTICKS:box=0"));
}

TEST_F(Refusal, OfUncoredNamesWhereToCountInstead)
{
	const auto daemon = counting("uncored", {"UNC_C_CLOCKTICKS", "cbox", 0, 0, 3, 0});
	const auto message = refusal("UNC_C_CLOCKTICKS:box=3:pkg=0");

	expect_begins("cbo3 of package 0 is in use by uncored (pid ", message);
	EXPECT_NE(std::string::npos, message.find("; count through it (UNCORE_ACCESS=daemon; "
						  "uncore clients lists its clients)"))
		<< message;
}

// A start that cannot list the journals would not see who counts.
TEST_F(Refusal, IfTheJournalsCannotBeListed)
{
	Set set(node->handle, {"UNC_C_CLOCKTICKS:box=3:pkg=0"});

	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, set.stop()); // the files of the machine are open now
	EXPECT_EQ(UNCORE_EIO, support::with_file_limit(0, [&] { return set.start(); }));
	expect_begins("cannot list the journals in ", node->handle.message());
	EXPECT_NE(std::string::npos, node->handle.message().find("raise the limit of open files"))
		<< node->handle.message();
	node->expect_clean();
	EXPECT_EQ(0, set.start()) << node->handle.message();
}

TEST_F(Refusal, AnotherHandleOfThisProcess)
{
	const Handle h(node->files.options());
	Set set(h, {"UNC_C_CLOCKTICKS:box=3:pkg=0"});

	ASSERT_EQ(0, set.start());
	const auto message = refusal("UNC_C_CLOCKTICKS:box=3:pkg=0");
	expect_begins("cbo3 of package 0 is in use by ", message);
	EXPECT_NE(std::string::npos, message.find("(pid " + std::to_string(getpid()) + ", user " +
						  user() + ", another handle of this process)"))
		<< message;
}

// A program can have any name.
TEST_F(Refusal, NothingThatMovesATerminal)
{
	const auto rude = counting("a\033[2J\n\x9b\x7f", {"UNC_C_CLOCKTICKS", "cbox", 0, 0, 0, 0});
	const auto message = refusal("UNC_C_CLOCKTICKS:box=0:pkg=0");

	for (const char c : message)
		EXPECT_TRUE(c >= ' ' && c <= '~') << message;
	expect_begins("cbo0 of package 0 is in use by a?[2J", message);
}

TEST_F(Refusal, OfOneThatStopsThePackage)
{
	const Handle h(node->files.options());
	StopAfterSet set(h, {"UNC_C_CLOCKTICKS:box=1:pkg=0"});

	ASSERT_EQ(0, set.stop_after(1000000000000)) << h.message();
	ASSERT_EQ(0, set.start()) << h.message();
	const auto message = refusal("UNC_M_CAS_COUNT:RD:box=0:pkg=0");
	expect_begins("package 0 is in use by ", message);
	EXPECT_NE(std::string::npos, message.find("stop condition stops all boxes")) << message;
	node->expect_counting({{"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0, 1}});
	EXPECT_EQ(0, set.stop());
	node->expect_counting({{"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0, 0}});
	node->expect_clean();
}

TEST_F(Refusal, OfOneThatCountsWhereThePackageWouldBeStopped)
{
	const auto other = counting("other", {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0, 0});
	StopAfterSet set(node->handle, {"UNC_C_CLOCKTICKS:box=1:pkg=0"});

	ASSERT_EQ(0, set.stop_after(1000));
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	expect_begins("package 0 is in use by other (pid " + std::to_string(other->pid),
		      node->handle.message());
	node->pass();
	other->expect_counts();
}

// ---- tools that do not use the library ----

TEST_F(Refusal, AnotherTool)
{
	const int fd = open(node->files.path("dev/cpu/0/msr").c_str(), O_RDWR | O_CLOEXEC);
	const uint64_t enabled = 0x400000;

	// the control of counter 1 of C-Box 2
	ASSERT_EQ(8, pwrite(fd, &enabled, 8, 0xd10 + 2 * 0x20 + 1));
	const auto message = refusal("UNC_C_CLOCKTICKS:box=2:pkg=0");
	expect_begins("cbo2 of package 0: counter 1 is enabled by another tool ", message);
	EXPECT_NE(std::string::npos, message.find("UNCORE_FORCE=1")) << message;
	close(fd);
}

} // namespace
