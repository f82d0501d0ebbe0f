// SPDX-License-Identifier: BSD-3-Clause
// rights_test.cc - the journal directory to which uncored gives its user access.
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

extern "C" {
#include "daemon/daemon.h"
}
#include "support/root_of_namespace.h"

namespace
{

constexpr gid_t kGroup = 4321;

struct Journals : testing::Test {
	Journals() : path(testing::TempDir() + "uncored-journals-" + std::to_string(getpid()))
	{
		who.uid = who.gid = kGroup;
		who.becomes = true;
		EXPECT_EQ(0, mkdir(path.c_str(), 0755));
		EXPECT_EQ(0, chmod(path.c_str(), 0755));
	}
	~Journals() override
	{
		for (const char *name : kNames)
			unlink((path + "/" + name).c_str());
		unlink((path + "/shadow").c_str());
		EXPECT_EQ(0, rmdir(path.c_str()));
	}
	// Returns the messages. The result is stored in `code`.
	std::string opened()
	{
		testing::internal::CaptureStderr();
		code = daemon_let_write_journals(path.c_str(), &who);
		EXPECT_EQ(0, stat(path.c_str(), &st));
		return testing::internal::GetCapturedStderr();
	}
	void make(const char *name) const
	{
		std::ofstream(path + "/" + name) << "";
	}

	static constexpr const char *kNames[] = {"17-0123456789abcdef.lock", "17-0123456789abcdef",
						 "left-0123456789abcdef", "package-0.lock"};
	std::string path;
	identity who = {};
	struct stat st = {};
	int code = 0;
};

TEST_F(Journals, DirectoryOfJournalsIsOpenedToItsGroup)
{
	NEEDS_OTHER_USERS();
	for (const char *name : kNames)
		make(name);
	EXPECT_EQ("", opened());
	EXPECT_EQ(0, code);
	EXPECT_EQ(kGroup, st.st_gid);
	EXPECT_EQ(static_cast<mode_t>(S_IFDIR | 02775), st.st_mode);
}

TEST_F(Journals, DirectoryWithOtherFilesStaysAsItIs)
{
	NEEDS_OTHER_USERS();
	make("shadow");
	EXPECT_NE(std::string::npos, opened().find("the directory contains other files"));
	EXPECT_EQ(-1, code);
	EXPECT_EQ(0u, st.st_gid);
	EXPECT_EQ(static_cast<mode_t>(S_IFDIR | 0755), st.st_mode);
}

} // namespace
