// SPDX-License-Identifier: BSD-3-Clause
// identity_test.cc - a process that cannot find out which boot this is for lack of descriptors
// leaves the journals of others as they are.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/file_limit.h"

extern "C" {
#include "base/warnings.h"
#include "claim/journal.h"
#include "claim/share.h"
#include "machine/machine.h"
#include "plan/ledger.h"
}

namespace
{

namespace fs = std::filesystem;

constexpr char kBoot[] = "11111111-2222-3333-4444-555555555555";
constexpr char kFile[] =
	"999999-0123456789abcdef"; // beyond the largest process id of most computers

// A handle's view of a directory with the journal of a process that was killed.
class KilledOwnersJournal : public testing::Test
{
      protected:
	void SetUp() override
	{
		char name[] = "/tmp/uncore-identity-XXXXXX";
		int code = 0;

		ASSERT_NE(nullptr, mkdtemp(name));
		top = name;
		fs::create_directories(top + "/proc/sys/kernel/random");
		fs::create_directories(top + "/journals");
		std::ofstream(top + "/proc/sys/kernel/random/boot_id") << kBoot << "\n";
		strcpy(machine.topo.vendor, "GenuineIntel");
		machine.topo.family = 6;
		machine.topo.model = 85;
		machine.topo.stepping = 4;
		machine.topo.cpus = &cpu;
		machine.topo.n_cpus = 1;
		machine.topo.package_ids = &package;
		machine.topo.n_packages = 1;
		unc_err_init(&err);
		ASSERT_TRUE(unc_ledger_make(&ledger, 2));
		write_journal();
		share = unc_share_new(top.c_str(), (top + "/journals").c_str(), &machine, &ledger,
				      &err, &code);
		ASSERT_NE(nullptr, share);
	}
	void TearDown() override
	{
		unc_share_free(share);
		unc_ledger_free(&ledger);
		unc_warnings_free(&machine.warnings);
		unc_err_destroy(&err);
		fs::remove_all(top);
	}
	void write_journal() const
	{
		unc_journal_file file = {};
		unc_journal j = {};

		j.head.magic = UNC_JOURNAL_MAGIC;
		j.head.format = UNC_JOURNAL_FORMAT;
		j.head.pid = 999999;
		strcpy(j.head.name, "killed");
		strcpy(j.head.boot, kBoot);
		strcpy(j.head.machine, "GenuineIntel 6-85-4");
		j.head.n_saved = 1;
		ASSERT_TRUE(unc_journal_lay_out(&file, &j));
		memset(&j.saved[0], 0, sizeof(j.saved[0]));
		unc_journal_seal(&file, &j.head);
		std::ofstream(journal(), std::ios::binary)
			.write(reinterpret_cast<const char *>(file.bytes),
			       static_cast<std::streamsize>(file.n));
		free(file.bytes);
	}
	std::string journal() const
	{
		return top + "/journals/" + kFile;
	}
	// With this number of free descriptors.
	int look_with(unsigned descriptors)
	{
		const int fd = fcntl(0, F_DUPFD, 3);

		close(fd);
		return support::with_file_limit(static_cast<rlim_t>(fd) + descriptors,
						[&] { return unc_share_look(share); });
	}

	std::string top;
	unc_cpu cpu = {};
	unsigned package = 0;
	unc_machine machine = {};
	unc_ledger ledger = {};
	unc_err err = {};
	unc_share *share = nullptr;
};

TEST_F(KilledOwnersJournal, IsFoundAfterALookWithoutDescriptors)
{
	for (const unsigned descriptors : {0U, 1U, 2U}) {
		look_with(descriptors);
		EXPECT_TRUE(fs::exists(journal())) << descriptors;
	}
	EXPECT_EQ(0, unc_share_look(share));
	EXPECT_EQ(1U, unc_share_dead(share));
	EXPECT_TRUE(fs::exists(journal()));
}

TEST_F(KilledOwnersJournal, OfAnotherBootIsForgotten)
{
	std::ofstream(top + "/proc/sys/kernel/random/boot_id") << "another\n";
	EXPECT_EQ(0, unc_share_look(share));
	EXPECT_EQ(0U, unc_share_dead(share));
	EXPECT_FALSE(fs::exists(journal()));
}

// A sandbox without /proc/sys: the journal may be of this boot.
TEST_F(KilledOwnersJournal, OfAnUnknownBootIsLeft)
{
	fs::remove(top + "/proc/sys/kernel/random/boot_id");
	EXPECT_EQ(0, unc_share_look(share));
	EXPECT_TRUE(fs::exists(journal()));
}

} // namespace
