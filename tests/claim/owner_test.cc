/* SPDX-License-Identifier: BSD-3-Clause */
// Conflicts between two handles that count, and UNCORE_SHARE=owner. Two handles
// on a mounted machine treat each other like two processes.
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "claim/journal.h"
#include "support/mounted.h"

namespace
{

const char kRequests[] = "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD";
const char kReads[] = "UNC_M_CAS_COUNT:RD";

class Owner : public ::testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		files = std::make_unique<support::Mounted>(
			"sim:snbep:packages=1,cores=2,time=virtual");
		ASSERT_TRUE(files->mounted);
	}
	std::unique_ptr<support::Handle> open(const char *share = nullptr,
					      const char *journal = nullptr)
	{
		auto options = files->options();

		options.share = share;
		options.journal = journal;
		options.lock_timeout_ms = 200;
		return std::make_unique<support::Handle>(options);
	}
	static unsigned counted_by_others(const support::Set &set)
	{
		auto info = support::sized<struct uncore_set_info>();

		EXPECT_EQ(0, uncore_set_info(set.set, &info));
		return info.elsewhere;
	}

	std::unique_ptr<support::Mounted> files;
};

TEST_F(Owner, EventsOfAnotherProcessAreRefusedByName)
{
	const auto a = open(), b = open();
	support::Set first(*a, {kRequests}), second(*b, {kRequests});

	ASSERT_EQ(0, first.start()) << a->message();
	EXPECT_EQ(UNCORE_EBUSY, second.start());
	const std::string message = b->message();
	EXPECT_NE(std::string::npos, message.find("cbo0 of package 0 is in use by "));
	EXPECT_NE(std::string::npos, message.find("(pid " + std::to_string(getpid()) + ", user "));
	EXPECT_NE(std::string::npos, message.find("another handle"));
	EXPECT_NE(std::string::npos, message.find(" since "));
	EXPECT_EQ(0, first.stop());
	EXPECT_EQ(0, second.start()) << b->message();
	EXPECT_EQ(0, second.stop());
}

TEST_F(Owner, ForceTakesNothingFromALivingOwner)
{
	const auto a = open();
	auto options = files->options();
	support::Set first(*a, {kRequests});

	options.force = 1;
	support::Handle b(options);
	support::Set second(b, {kRequests});
	ASSERT_EQ(0, first.start());
	EXPECT_EQ(UNCORE_EBUSY, second.start());
	files->advance(1000000);
	EXPECT_EQ(0, first.stop()) << a->message();
	EXPECT_GT(first.counts()[0], 0);
}

TEST_F(Owner, OtherBoxesOfThePackageAreFree)
{
	const auto a = open(), b = open();
	support::Set requests(*a, {kRequests}), reads(*b, {kReads});

	ASSERT_EQ(0, requests.start());
	ASSERT_EQ(0, reads.start()) << b->message();
	files->advance(1000000);
	EXPECT_EQ(0, requests.stop()) << a->message();
	files->advance(1000000);
	EXPECT_EQ(0, reads.stop()) << b->message();
	EXPECT_GT(requests.counts()[0], 0);
	EXPECT_GT(reads.counts()[0], 0);
}

// Writes another user into the head of the only journal.
void give_journal_away(const support::Mounted &files)
{
	const uint32_t other = getuid() + 1;
	const std::vector<std::string> journals = files.journals();

	ASSERT_EQ(1u, journals.size());
	const int fd = open(files.path("run/uncore/" + journals[0]).c_str(), O_WRONLY | O_CLOEXEC);
	EXPECT_EQ(static_cast<ssize_t>(sizeof(other)),
		  pwrite(fd, &other, sizeof(other), offsetof(unc_journal_head, uid)));
	close(fd);
}

// The sum over this user's processes does not include its counts.
TEST_F(Owner, AProcessOfAnotherUserIsNoOwner)
{
	const auto a = open("owner"), b = open("owner");
	support::Set first(*a, {kRequests}), second(*b, {kRequests});

	ASSERT_EQ(0, first.start());
	ASSERT_EQ(0, second.start()) << b->message();
	EXPECT_EQ(1u, counted_by_others(second));
	EXPECT_EQ(0, second.stop());
	give_journal_away(*files);
	EXPECT_EQ(UNCORE_EBUSY, second.start());
	EXPECT_EQ(0, first.stop());
}

TEST_F(Owner, TheFirstCountsAllOfItAndTheOthersReadZero)
{
	const auto alone = open("owner"), a = open("owner"), b = open("owner");
	int64_t truth;

	{
		support::Set set(*alone, {kRequests});

		ASSERT_EQ(0, set.start());
		files->advance(1000000);
		ASSERT_EQ(0, set.stop());
		truth = set.counts()[0];
	}
	ASSERT_GT(truth, 0);
	support::Set first(*a, {kRequests}), second(*b, {kReads, kRequests});
	ASSERT_EQ(0, first.start()) << a->message();
	ASSERT_EQ(0, second.start()) << b->message();
	EXPECT_EQ(0u, counted_by_others(first));
	EXPECT_EQ(1u, counted_by_others(second));
	files->advance(1000000);
	EXPECT_EQ(0, second.stop()) << b->message();
	EXPECT_EQ(0, first.stop()) << a->message();
	EXPECT_GT(second.counts()[0], 0);
	EXPECT_EQ(0, second.counts()[1]);
	EXPECT_NEAR(static_cast<double>(truth), static_cast<double>(first.counts()[0]),
		    static_cast<double>(truth) / 1000);
}

TEST_F(Owner, TheNextToStartIsTheOwner)
{
	const auto a = open("owner"), b = open("owner");
	support::Set first(*a, {kRequests}), second(*b, {kRequests});

	ASSERT_EQ(0, first.start());
	ASSERT_EQ(0, second.start());
	EXPECT_EQ(0, first.stop());
	EXPECT_EQ(0, second.stop());
	ASSERT_EQ(0, second.start()) << b->message();
	EXPECT_EQ(0u, counted_by_others(second));
	files->advance(1000000);
	EXPECT_EQ(0, second.stop());
	EXPECT_GT(second.counts()[0], 0);
}

// The boxes that it counts alone come first in the list of its counters.
TEST_F(Owner, TheNextToStartCountsTheEventsOfBoth)
{
	const auto a = open("owner"), b = open("owner");
	support::Set first(*a, {kReads}), second(*b, {kReads, kRequests});

	ASSERT_EQ(0, first.start());
	ASSERT_EQ(0, second.start()) << b->message();
	EXPECT_EQ(1u, counted_by_others(second));
	EXPECT_EQ(0, second.stop());
	EXPECT_EQ(0, first.stop());
	ASSERT_EQ(0, second.start()) << b->message();
	EXPECT_EQ(0u, counted_by_others(second));
	files->advance(1000000);
	EXPECT_EQ(0, second.stop());
	EXPECT_GT(second.counts()[0], 0);
	EXPECT_GT(second.counts()[1], 0);
}

TEST_F(Owner, AnotherEventOfTheOwnersBoxesIsRefused)
{
	const auto a = open("owner"), b = open("owner");
	support::Set first(*a, {kRequests}), second(*b, {"UNC_C_CLOCKTICKS"});

	ASSERT_EQ(0, first.start());
	EXPECT_EQ(UNCORE_EBUSY, second.start());
	EXPECT_NE(std::string::npos, b->message().find("is in use by"));
}

TEST_F(Owner, AnotherProcessHasAllMultiplexedEventsOrNone)
{
	const std::vector<std::string> many = {kRequests, "UNC_C_TOR_INSERTS:OPCODE:OPC_RFO",
					       "UNC_C_TOR_INSERTS:OPCODE:OPC_CRD"};
	const auto a = open("owner"), b = open("owner");
	support::Set first(*a), second(*b);

	for (support::Set *set : {&first, &second}) {
		ASSERT_EQ(0, uncore_set_multiplex(set->set, UNCORE_MULTIPLEX_US));
		ASSERT_EQ(0, set->assign(many));
	}
	ASSERT_EQ(0, first.start()) << a->message();
	ASSERT_EQ(0, second.start()) << b->message();
	EXPECT_EQ(3u, counted_by_others(second));
	EXPECT_EQ(0, second.stop()) << b->message();
	EXPECT_EQ(std::vector<int64_t>(3, 0), second.counts());
	EXPECT_EQ(0, first.stop()) << a->message();
	// once no other handle counts them, they are multiplexed again
	ASSERT_EQ(0, second.start()) << b->message();
	EXPECT_EQ(0u, counted_by_others(second));
	EXPECT_EQ(0, second.stop());
}

TEST_F(Owner, ARatioCannotBeSummed)
{
	const auto a = open("owner");
	auto info = support::sized<struct uncore_event_info>();
	std::string ratio;
	unsigned id;

	for (unsigned i = 0; ratio.empty() && uncore_listed_event(a->u, i, &id) == 1; i++)
		if (uncore_event_info(a->u, id, &info) == 0 && info.real)
			ratio = info.name;
	ASSERT_NE("", ratio);
	support::Set set(*a, {ratio});
	EXPECT_EQ(UNCORE_ECOMBO, set.start());
	EXPECT_NE(std::string::npos, a->message().find(ratio));
	EXPECT_NE(std::string::npos, a->message().find("UNCORE_SHARE=owner"));
}

TEST_F(Owner, OthersAreListedWithWhatTheyCount)
{
	const auto a = open(), b = open();
	support::Set set(*a, {kRequests, kReads});
	auto owner = support::sized<uncore_owner_info>();

	EXPECT_EQ(0, uncore_owner(b->u, 0, &owner));
	ASSERT_EQ(0, set.start());
	ASSERT_EQ(1, uncore_owner(b->u, 0, &owner));
	EXPECT_EQ(static_cast<unsigned>(getpid()), owner.pid);
	EXPECT_EQ(geteuid(), owner.uid);
	EXPECT_EQ(std::string(kRequests) + " " + kReads, owner.events);
	EXPECT_GT(owner.registers, 0u);
	EXPECT_LE(owner.since, time(nullptr));
	EXPECT_GT(owner.since, time(nullptr) - 60);
	EXPECT_EQ(0, uncore_owner(b->u, 1, &owner));
	EXPECT_EQ(0, uncore_owner(a->u, 0, &owner)) << "a handle must not report itself";
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0, uncore_owner(b->u, 0, &owner));
}

TEST_F(Owner, AnEventOfSeveralSetsIsListedOnce)
{
	const auto a = open(), b = open();
	support::Set set(*a, {kRequests, kReads}), again(*a, {kReads}),
		third(*a, {kReads, kRequests});
	auto owner = support::sized<uncore_owner_info>();

	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, again.start());
	ASSERT_EQ(0, third.start());
	ASSERT_EQ(1, uncore_owner(b->u, 0, &owner));
	EXPECT_EQ(std::string(kRequests) + " " + kReads, owner.events);
}

TEST_F(Owner, HowTheMachineIsSharedIsReported)
{
	auto sharing = support::sized<uncore_sharing_info>();
	const auto with = open("owner"), without = open(nullptr, "none");

	ASSERT_EQ(0, uncore_sharing(with->u, &sharing));
	EXPECT_EQ(files->path("run/uncore"), sharing.journal);
	EXPECT_TRUE(sharing.owner);
	EXPECT_EQ(200u, sharing.lock_timeout_ms);
	EXPECT_EQ(nullptr, sharing.missing) << sharing.missing;
	ASSERT_EQ(0, uncore_sharing(without->u, &sharing));
	EXPECT_EQ(nullptr, sharing.journal);
	ASSERT_NE(nullptr, sharing.missing);
	EXPECT_NE(std::string::npos, std::string(sharing.missing).find("UNCORE_JOURNAL=none"));
}

TEST_F(Owner, WithoutAJournalABusyBoxIsStillSeen)
{
	const auto a = open(), b = open(nullptr, "none");
	support::Set first(*a, {kRequests}), second(*b, {kRequests});

	ASSERT_EQ(0, first.start());
	EXPECT_EQ(UNCORE_EBUSY, second.start());
	EXPECT_NE(std::string::npos, b->message().find("a process without a journal"));
}

TEST_F(Owner, WrongSettingsAreRefused)
{
	EXPECT_EQ(UNCORE_EINVAL, open("maybe")->code);
	EXPECT_NE(std::string::npos, open("maybe")->message().find("UNCORE_SHARE \"maybe\""));
	EXPECT_EQ(UNCORE_EINVAL, open(nullptr, "run/uncore")->code);
	const auto missing = open(nullptr, "/nonexistent/directory");
	ASSERT_EQ(0, missing->code) << missing->message();
	support::Set set(*missing, {kReads});
	EXPECT_EQ(UNCORE_EACCESS, set.start());
	EXPECT_NE(std::string::npos, missing->message().find("/nonexistent/directory"));
	setenv("UNCORE_LOCK_TIMEOUT", "soon", 1);
	auto options = files->options();
	EXPECT_EQ(UNCORE_EINVAL, support::Handle(options).code);
	unsetenv("UNCORE_LOCK_TIMEOUT");
}

} // namespace
