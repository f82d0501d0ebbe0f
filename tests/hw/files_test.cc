// SPDX-License-Identifier: BSD-3-Clause
// files_test.cc - closed standard descriptors: no register file is ever one of them.
#include "base/files.h"

#include <cerrno>
#include <csignal>
#include <functional>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support/child.h"
#include "support/closed.h"
#include "support/mounted.h"
#include "support/sanitizer.h"

namespace
{

using support::Handle;
using support::Mounted;
using support::Set;

// ---- unc_open() ----

bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

bool is_placeholder(int fd)
{
	const int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_PATH);
}

bool fails_as_if_closed(int fd)
{
	char c = 0;

	return write(fd, &c, 1) < 0 && errno == EBADF && read(fd, &c, 1) < 0 && errno == EBADF;
}

class OpenFiles : public testing::Test
{
      protected:
	OpenFiles()
	{
		char name[] = "/tmp/uncore-files-XXXXXX";

		dir = mkdtemp(name);
		fifo = dir + "/fifo";
		EXPECT_EQ(0, mkfifo(fifo.c_str(), 0600));
	}
	~OpenFiles() override
	{
		unlink(fifo.c_str());
		unlink((dir + "/own").c_str());
		rmdir(dir.c_str());
	}
	// Descriptor 1 is closed while a thread opens the FIFO for writing, which takes until
	// it is read; `meanwhile` happens before that.
	int while_opening(const std::function<int()> &meanwhile, const std::function<int()> &after)
	{
		return support::in_child([&] {
			support::close_standard(1 << 1);
			int fd = -1;
			std::thread opener([&] { fd = unc_open(fifo.c_str(), O_WRONLY); });

			alarm(60); // instead of waiting for ever
			while (!is_placeholder(1))
				usleep(100);
			int r = meanwhile();
			const int reader = open(fifo.c_str(), O_RDONLY | O_CLOEXEC);

			opener.join();
			if (r == 0)
				r = fd < 3 ? 50 : reader < 3 ? 51 : after();
			return r;
		});
	}

	std::string dir, fifo;
};

TEST_F(OpenFiles, AClosedDescriptorIsOccupiedWhileAnotherFileIsOpened)
{
	EXPECT_EQ(0, while_opening([] { return fails_as_if_closed(1) ? 0 : 1; },
				   [] { return is_open(1) ? 2 : 0; }));
}

TEST_F(OpenFiles, AFileOfTheProgramsOwnStaysWhereItWasPutMeanwhile)
{
	const std::string own = dir + "/own";

	EXPECT_EQ(0, while_opening(
			     [&] {
				     const int fd = open(own.c_str(),
							 O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

				     return fd >= 3 && dup2(fd, 1) == 1 ? 0 : 1;
			     },
			     [] { return write(1, "x", 1) == 1 ? 0 : 2; }));
	struct stat st;
	ASSERT_EQ(0, stat(own.c_str(), &st));
	EXPECT_EQ(1, st.st_size);
}

TEST_F(OpenFiles, AThreadDoesNotRelyOnWhatAnotherOneReleases)
{
	std::thread second;
	std::atomic<int> fd{-1};

	EXPECT_EQ(0,
		  while_opening(
			  [&] {
				  second = std::thread([&] { fd = unc_open("/dev/zero", O_RDWR); });
				  usleep(50000);
				  return fd < 0 ? 0 : 1; // it waits
			  },
			  [&] {
				  second.join();
				  return fd < 3 ? 2 : is_open(1) ? 3 : 0;
			  }));
}

TEST_F(OpenFiles, AChildForkedMeanwhileOpensFiles)
{
	EXPECT_EQ(0, while_opening(
			     [] {
				     return support::in_child([] {
					     const int fd = unc_open("/dev/zero", O_RDWR);

					     return fd >= 3 && fails_as_if_closed(1) ? 0 : 1;
				     });
			     },
			     [] { return is_open(1) ? 2 : 0; }));
}

TEST_F(OpenFiles, EveryCombinationIsAsBeforeAfterwards)
{
	for (unsigned closed = 0; closed < 8; closed++) {
		EXPECT_EQ(0, support::in_child([&] {
				  support::close_standard(closed);
				  DIR *entries = unc_opendir("/proc/self/task");
				  FILE *text = unc_fopen("/proc/self/stat");

				  if (unc_open("/dev/zero", O_RDWR) < 3 ||
				      unc_open("/dev/zero", O_RDONLY) < 3 || !entries || !text ||
				      dirfd(entries) < 3 || fileno(text) < 3)
					  return 1;
				  for (unsigned fd = 0; fd < 3; fd++)
					  if (is_open(static_cast<int>(fd)) == (closed >> fd & 1))
						  return 2;
				  return 0;
			  }))
			<< closed;
	}
}

TEST_F(OpenFiles, AMissingFileIsAnError)
{
	EXPECT_EQ(0, support::in_child([&] {
			  support::close_standard(7);
			  return unc_open((dir + "/none").c_str(), O_RDWR) == -1 &&
						 errno == ENOENT && !is_open(0)
					 ? 0
					 : 1;
		  }));
}

TEST_F(OpenFiles, APlaceholderForGoodCanNeitherBeReadNorWritten)
{
	EXPECT_EQ(0, support::in_child([] {
			  support::close_standard(5);
			  unc_occupy_standard();
			  return fails_as_if_closed(0) && fails_as_if_closed(2) &&
						 !is_placeholder(1) &&
						 (fcntl(0, F_GETFD) & FD_CLOEXEC)
					 ? 0
					 : 1;
		  }));
}

// ---- a whole machine ----

// One machine, its trace, and the writes of a count with all descriptors open.
class ClosedDescriptors : public testing::TestWithParam<const char *>
{
      protected:
	void SetUp() override
	{
		char name[] = "/tmp/uncore-trace-XXXXXX";

		NEEDS_FUSE();
		close(mkstemp(name));
		trace = name;
		files = std::make_unique<Mounted>(
			std::string("sim:") + GetParam() + ":cores=4,time=virtual", trace);
		ASSERT_TRUE(files->mounted);
	}
	void TearDown() override
	{
		files.reset();
		unlink(trace.c_str());
	}
	std::vector<std::string> new_writes()
	{
		return support::writes_since(trace, &lines);
	}
	// Open, count, close; an exit status.
	int count(bool printing) const
	{
		const std::unique_ptr<support::Printer> printer(
			printing ? new support::Printer(files->root) : nullptr);
		const Handle h(files->options());
		Set set(h, {"UNCORE_MEM_READ_BYTES", "UNC_P_CLOCKTICKS"});

		while (printer && printer->rounds() < 3)
			usleep(100);
		if (h.code || set.start() != 0 || set.stop() != 0)
			return 1;
		return printer && printer->saw_register() ? 2 : 0;
	}
	int count_in_child(unsigned closed, bool printing)
	{
		return support::in_child([&] {
			support::close_standard(closed);
			return count(printing);
		});
	}

	std::string trace;
	std::unique_ptr<Mounted> files;
	size_t lines = 0;
};

TEST_P(ClosedDescriptors, NothingThatIsPrintedGoesToARegister)
{
	if (kThreadSanitizer)
		GTEST_SKIP() << "the sanitizer reports a print to a closed descriptor";
	new_writes();
	ASSERT_EQ(0, count_in_child(0, false));
	const std::vector<std::string> expected = new_writes();

	ASSERT_LT(10U, expected.size());
	for (unsigned closed = 0; closed < 8; closed++) {
		EXPECT_EQ(0, count_in_child(closed, true)) << closed;
		EXPECT_EQ(expected, new_writes()) << closed;
	}
}

// Its descriptor 1 comes and goes.
TEST_P(ClosedDescriptors, FilesOfTheProgramStayOpen)
{
	new_writes();
	ASSERT_EQ(0, count_in_child(0, false));
	const std::vector<std::string> expected = new_writes();
	const int status = support::in_child([&] {
		support::close_standard(7);
		std::atomic<bool> over{false}, lost{false};
		std::thread owner([&] {
			while (!over) {
				const int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
				const char text[8] = {};

				for (int i = 0; i < 20; i++)
					lost = lost || write(fd, text, sizeof(text)) != 8;
				lost = lost || close(fd) != 0;
			}
		});
		const int r = count(false);

		over = true;
		owner.join();
		return lost ? 3 : r;
	});

	EXPECT_EQ(0, status);
	EXPECT_EQ(expected, new_writes());
}

INSTANTIATE_TEST_SUITE_P(Machines, ClosedDescriptors, testing::Values("snbep", "icx", "spr"),
			 [](const auto &info) { return std::string(info.param); });

// ---- the command ----

struct Ended {
	int status;
	std::string error; // output
};

// With `redirections` as a shell has them.
Ended run_command(const Mounted &files, const std::string &arguments)
{
	const std::string line =
		"UNCORE_SYSROOT=" + files.root + " " + getenv("BUILD") + "/uncore " + arguments;
	FILE *pipe = popen(line.c_str(), "r");
	char text[512];
	Ended ended = {-1, ""};

	while (pipe && fgets(text, sizeof(text), pipe))
		ended.error += text;
	const int status = pipe ? pclose(pipe) : -1;

	ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return ended;
}

class ClosedOfTheCommand : public ClosedDescriptors
{
};

TEST_P(ClosedOfTheCommand, PrintingFailsAndNoRegisterIsWritten)
{
	new_writes();
	for (const char *command : {"list", "show", "allowlist", "help", "--help", "--version",
				    "list --help", "plan UNC_C_CLOCKTICKS"}) {
		const Ended ended =
			run_command(*files, std::string(command) + " 3>&1 2>&3 3>&- >&-");

		EXPECT_EQ(3, ended.status) << command;
		EXPECT_NE(std::string::npos, ended.error.find("uncore: standard output: Bad file"))
			<< command << ": " << ended.error;
	}
	EXPECT_EQ(std::vector<std::string>(), new_writes());
}

TEST_P(ClosedOfTheCommand, CountingWritesWhatItAlwaysDoes)
{
	const std::string stat = "stat -e UNC_C_CLOCKTICKS -o /dev/null true";

	new_writes();
	EXPECT_EQ(0, run_command(*files, stat).status);
	const std::vector<std::string> expected = new_writes();

	ASSERT_LT(10U, expected.size());
	for (const char *closed :
	     {"<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
		EXPECT_EQ(0, run_command(*files, stat + " " + closed).status) << closed;
		EXPECT_EQ(expected, new_writes()) << closed;
	}
}

INSTANTIATE_TEST_SUITE_P(Machines, ClosedOfTheCommand, testing::Values("snbep"),
			 [](const auto &info) { return std::string(info.param); });

} // namespace
