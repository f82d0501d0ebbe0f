// SPDX-License-Identifier: BSD-3-Clause
// privileged_test.cc - a program with rights that its caller lacks: a setuid copy of this
// program, and a copy with a file capability, both run by an unprivileged user.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "set/inside.h"
#include "sim/sim.h"
#include "support/child.h"
#include "support/handle.h"
#include "support/programs.h"
#include "support/root_of_namespace.h"

namespace
{

constexpr uid_t kNobody = 65534;
constexpr char kSecret[] = "root:$6$saltsalt$nobody:may:see:this";
constexpr char kMachine[] = "sim:snbep:cores=4,time=virtual";
constexpr const char *kTree[] = {"/docs", "/docs/hardware"};
constexpr uint32_t kControl = 0xd13; // SNB-EP: control 3 of C-Box 0

// ---- actions of the copy ----

void report(const char *what, const std::string &value)
{
	printf("%s=%s\n", what, value.c_str());
}

std::string warnings_of(const support::Handle &h)
{
	std::string all;

	for (unsigned i = 0; const char *text = h.warning(i); i++)
		all += std::string(text) + "|";
	return all;
}

// A counter that another user has enabled.
int start_on_busy(const support::Handle &h)
{
	support::Set set(h, {"UNC_C_CLOCKTICKS"});

	sim_msr_write(unc_hw_sim(unc_hw_of(h.u)), 0, kControl, 0x400000);
	return set.start();
}

int run_copy()
{
	auto options = support::sized<uncore_options>();
	const char *secret = getenv("SECRET");

	report("secure", std::to_string(getauxval(AT_SECURE)));
	{
		const support::Handle by_variables(options);

		report("simulated",
		       std::to_string(by_variables.code == 0 && by_variables.machine().simulated));
	}
	options.machine = kMachine;
	{
		const support::Handle h(options);

		report("code", std::to_string(h.code));
		report("message", h.message());
		report("warnings", warnings_of(h));
		report("force", h.code == 0 ? std::to_string(start_on_busy(h)) : "");
	}
	options.event_files = secret;
	const support::Handle h(options);
	report("secret", h.message());
	return 0;
}

// The tests below run this program again, with SECRET in its environment.
class Copy : public testing::Environment
{
	void SetUp() override
	{
		if (getenv("SECRET"))
			exit(run_copy());
	}
};

const testing::Environment *const copy = testing::AddGlobalTestEnvironment(new Copy);

// ---- copies ----

class Privileged : public testing::Test
{
      protected:
	void SetUp() override
	{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
		GTEST_SKIP() << "other users cannot run a program with a sanitizer";
#endif
		dir = support::directory_for_programs();
		if (dir.empty())
			GTEST_SKIP() << "no program can be executed in /tmp and /var/tmp (noexec)";
		// The copy's user may be unable to enter the source directory, which tests list.
		for (const std::string &below : kTree) {
			ASSERT_EQ(0, mkdir((dir + below).c_str(), 0755));
			ASSERT_EQ(0, chmod((dir + below).c_str(), 0755));
		}
		program = dir + "/program";
		secret = dir + "/secret";
		std::ofstream(secret) << kSecret;
		// root's file, or that of a user who has taken the permission away
		ASSERT_EQ(0, chmod(secret.c_str(), geteuid() == 0 ? 0600 : 0));
		std::ifstream self("/proc/self/exe", std::ios::binary);
		std::ofstream(program, std::ios::binary) << self.rdbuf();
		ASSERT_EQ(0, chmod(program.c_str(), 0755));
	}
	void TearDown() override
	{
		unlink(program.c_str());
		unlink(secret.c_str());
		for (const char *below : {kTree[1], kTree[0]})
			rmdir((dir + below).c_str());
		rmdir(dir.c_str());
	}
	void make_setuid() const
	{
		ASSERT_EQ(0, chmod(program.c_str(), 04755));
	}
	// Adds a capability that is harmless.
	bool make_capable() const
	{
		vfs_cap_data data = {};

		data.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE;
		data.data[0].permitted = 1U << CAP_NET_BIND_SERVICE;
		return setxattr(program.c_str(), "security.capability", &data, XATTR_CAPS_SZ_2,
				0) == 0;
	}
	// Runs the copy as an unprivileged user, with variables set.
	void run()
	{
		int ends[2];
		char buffer[4096];
		std::string line, output;

		ASSERT_EQ(0, pipe(ends));
		const pid_t pid = support::fork_clean();
		if (pid == 0) {
			dup2(ends[1], 1);
			close(ends[0]);
			close(ends[1]);
			for (const char *name : {"UNCORE_FORCE", "UNCORE_EVENT_FILES_FORCE"})
				setenv(name, "1", 1);
			setenv("UNCORE_MACHINE", kMachine, 1);
			setenv("UNCORE_SYSROOT", "/nowhere", 1);
			setenv("SECRET", secret.c_str(), 1);
			setenv("SRC", dir.c_str(), 1);
			if (ignored) {
				setenv("UNCORE_EVENT_FILES", secret.c_str(), 1);
				setenv("LIBPFM_DISABLED_PMUS", "snbep_unc_cbo0", 1);
			}
			if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0))
				_exit(126);
			execl(program.c_str(), "program", nullptr);
			_exit(127);
		}
		close(ends[1]);
		for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;)
			output.append(buffer, static_cast<size_t>(n));
		close(ends[0]);
		status = support::status_of(pid);
		std::istringstream lines(output);
		while (std::getline(lines, line))
			if (line.find('=') != std::string::npos && line[0] != '[')
				reported[line.substr(0, line.find('='))] =
					line.substr(line.find('=') + 1);
	}
	void expect_variables_ignored()
	{
		const std::string &warnings = reported["warnings"];

		EXPECT_EQ("0", reported["simulated"]);
		EXPECT_EQ("0", reported["code"]) << reported["message"];
		EXPECT_EQ(0U,
			  warnings.find(
				  "UNCORE_MACHINE, UNCORE_SYSROOT, UNCORE_FORCE, "
				  "UNCORE_EVENT_FILES, UNCORE_EVENT_FILES_FORCE: "
				  "ignored, because this program runs with elevated privileges"))
			<< warnings;
		EXPECT_EQ(warnings.size() - 1, warnings.find('|')) << "once: " << warnings;
		EXPECT_EQ(std::to_string(UNCORE_EBUSY), reported["force"])
			<< "libpfm4's variable, too";
	}

	std::string dir, program, secret;
	bool ignored = false; // including values that would make the program fail
	std::map<std::string, std::string> reported;
	int status = -1;
};

TEST_F(Privileged, ASetuidProgramIgnoresTheVariables)
{
	NEEDS_OTHER_USERS();
	ignored = true;
	make_setuid();
	run();
	if (reported["secure"] == "0")
		GTEST_SKIP() << "setuid has no effect here (nosuid or no_new_privs)";
	expect_variables_ignored();
}

TEST_F(Privileged, AProgramWithAFileCapabilityIgnoresTheVariables)
{
	NEEDS_OTHER_USERS();
	ignored = true;
	if (!make_capable())
		GTEST_SKIP() << "cannot set a file capability: " << strerror(errno);
	run();
	if (status == 127 || reported["secure"] == "0")
		GTEST_SKIP() << "file capabilities have no effect here";
	expect_variables_ignored();
}

TEST_F(Privileged, AProgramWithoutRightsTakesThem)
{
	run();
	EXPECT_EQ("0", reported["secure"]);
	EXPECT_EQ("1", reported["simulated"]);
	EXPECT_EQ("0", reported["force"]);
	EXPECT_EQ("", reported["warnings"]);
}

// Also for files that the program itself names, because it may do so on behalf of its caller.
TEST_F(Privileged, ContentsOfFilesAreNotShown)
{
	NEEDS_OTHER_USERS();
	make_setuid();
	run();
	if (reported["secure"] == "0")
		GTEST_SKIP() << "setuid has no effect here (nosuid or no_new_privs)";
	EXPECT_EQ(secret + ":1: invalid event list: details are hidden because this program runs "
			   "with elevated privileges",
		  reported["secret"]);
}

TEST_F(Privileged, AProgramWithoutRightsCannotReadTheFile)
{
	run();
	EXPECT_EQ(secret + ": Permission denied", reported["secret"]);
}

} // namespace
