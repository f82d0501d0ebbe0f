// SPDX-License-Identifier: BSD-3-Clause
// mount_kill_test.cc - death at a chosen write to a register of the mounted machine.
#include <thread>

#include <fcntl.h>

#include "support/child.h"
#include "support/mounted.h"

namespace
{

using support::Mounted;

// SNB-EP: control 0 of C-Box 0; in config space, of memory channel 0 of package 0.
constexpr off_t kControl = 0xd10, kMemoryControl = 0xd8;
constexpr uint64_t kClocks = 0x400300;
constexpr const char *kMsr = "dev/cpu/0/msr", *kMemory = "sys/bus/pci/devices/0000:7f:10.0/config";
constexpr int kKilled = 1000 + SIGKILL;

// The n-th one that a process writes, so that the register shows how far it came.
ssize_t write_control(int fd, unsigned n)
{
	const uint64_t value = kClocks + n;

	return pwrite(fd, &value, 8, kControl);
}

// How a child ends that writes the control n times, and tells the caller after each time.
struct Died {
	int status;
	unsigned returned;
};

Died write_in_child(const Mounted &files, unsigned n)
{
	Died died = {};
	int after[2];
	char c = 0;

	EXPECT_EQ(0, pipe(after));
	died.status = support::in_child([&] {
		const int fd = open(files.path(kMsr).c_str(), O_RDWR | O_CLOEXEC);

		for (unsigned i = 1; i <= n; i++)
			if (write_control(fd, i) != 8 || write(after[1], &c, 1) != 1)
				return 1;
		return 0;
	});
	close(after[1]);
	while (read(after[0], &c, 1) == 1)
		died.returned++;
	close(after[0]);
	return died;
}

uint64_t control_of(const Mounted &files)
{
	const int fd = open(files.path(kMsr).c_str(), O_RDONLY | O_CLOEXEC);
	uint64_t value = 0;

	EXPECT_EQ(8, pread(fd, &value, 8, kControl));
	close(fd);
	return value;
}

class Kill : public testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		files = std::make_unique<Mounted>("sim:snbep:time=virtual", "",
						  std::vector<std::string>{"--kill-at", "3"});
		ASSERT_TRUE(files->mounted);
	}
	std::unique_ptr<Mounted> files;
};

TEST_F(Kill, TheWriteIsDoneAndDoesNotReturn)
{
	EXPECT_EQ("3\n", files->text("sim/kill_at"));
	const Died died = write_in_child(*files, 5);

	EXPECT_EQ(kKilled, died.status);
	EXPECT_EQ(2U, died.returned);
	EXPECT_EQ(kClocks + 3, control_of(*files));
	EXPECT_EQ("0\n", files->text("sim/kill_at"));
	EXPECT_EQ(0, write_in_child(*files, 5).status) << "once is enough";
}

TEST_F(Kill, BelowZeroTheWriteIsNotDone)
{
	files->kill_at(-4);
	const Died died = write_in_child(*files, 5);

	EXPECT_EQ(kKilled, died.status);
	EXPECT_EQ(3U, died.returned);
	EXPECT_EQ(kClocks + 3, control_of(*files));
	EXPECT_EQ("0\n", files->text("sim/kill_at"));
}

TEST_F(Kill, WritesOfAllProcessesCount)
{
	EXPECT_EQ(0, write_in_child(*files, 2).status);
	EXPECT_EQ("1\n", files->text("sim/kill_at"));
	EXPECT_EQ(kKilled, write_in_child(*files, 1).status);
}

TEST_F(Kill, IsArmedAnewAndDisarmed)
{
	files->kill_at(0);
	EXPECT_EQ(0, write_in_child(*files, 9).status);
	files->kill_at(1);
	const Died died = write_in_child(*files, 9);
	EXPECT_EQ(kKilled, died.status);
	EXPECT_EQ(0U, died.returned);
}

TEST_F(Kill, OnlyWritesToRegistersCount)
{
	const int run =
		open(files->path("run/uncore/journal").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	EXPECT_EQ(4, write(run, "some", 4));
	files->advance(1000);
	control_of(*files);
	close(run);
	EXPECT_EQ("3\n", files->text("sim/kill_at"));
	EXPECT_EQ(5U, files->text("sim/now").size());
}

// 8 bytes of config space are two accesses, of which the second one is not reached.
TEST_F(Kill, ACallEndsWithItsFatalAccess)
{
	uint32_t words[2] = {};

	files->kill_at(1);
	EXPECT_EQ(kKilled, support::in_child([&] {
			  const int fd = open(files->path(kMemory).c_str(), O_RDWR | O_CLOEXEC);
			  const uint32_t both[2] = {0x400304, 0x400305};

			  return static_cast<int>(pwrite(fd, both, 8, kMemoryControl));
		  }));
	const int fd = open(files->path(kMemory).c_str(), O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(8, pread(fd, words, 8, kMemoryControl));
	close(fd);
	EXPECT_EQ(0x400304U, words[0]);
	EXPECT_EQ(0U, words[1]);
}

TEST_F(Kill, AWriteThatIsRefusedCounts)
{
	files->kill_at(1);
	EXPECT_EQ(kKilled, support::in_child([&] {
			  const int fd = open(files->path(kMsr).c_str(), O_RDWR | O_CLOEXEC);
			  const uint64_t reserved = UINT64_MAX;

			  return static_cast<int>(pwrite(fd, &reserved, 8, kControl));
		  }));
}

TEST_F(Kill, AThreadTakesItsProcessWithIt)
{
	EXPECT_EQ(kKilled, support::in_child([&] {
			  std::thread([&] {
				  const int fd =
					  open(files->path(kMsr).c_str(), O_RDWR | O_CLOEXEC);

				  for (unsigned i = 1; i <= 3; i++)
					  write_control(fd, i);
			  }).join();
			  return 0;
		  }));
	EXPECT_EQ(kClocks + 3, control_of(*files));
}

TEST(KillAt, CountsRegistersInMemoryAndLeavesATrace)
{
	NEEDS_FUSE();
	char trace[] = "/tmp/uncore-trace-XXXXXX";
	close(mkstemp(trace));
	const Mounted files("sim:icx:cores=4,time=virtual", trace, {"--kill-at=-2"});
	// ICX: MMIO_BASE and MEM0_BAR of the UBox tell where channel 0's registers are.
	const int ubox = open(files.path("sys/bus/pci/devices/0000:7f:00.1/config").c_str(),
			      O_RDONLY | O_CLOEXEC);
	uint32_t base = 0, bar = 0;

	ASSERT_EQ(4, pread(ubox, &base, 4, 0xd0));
	ASSERT_EQ(4, pread(ubox, &bar, 4, 0xd8));
	close(ubox);
	const off_t control = (static_cast<off_t>(base & 0x1fffffff) << 23) +
			      (static_cast<off_t>(bar & 0x7ff) << 12) + 0x22840;
	EXPECT_EQ(kKilled, support::in_child([&] {
			  const int fd = open(files.path("dev/mem").c_str(), O_RDWR | O_CLOEXEC);

			  for (uint32_t value : {0x400304U, 0x400f04U})
				  if (pwrite(fd, &value, 4, control) != 4)
					  return 1;
			  return 0;
		  }));
	std::ifstream file(trace);
	std::string text{std::istreambuf_iterator<char>(file), {}};
	EXPECT_NE(std::string::npos, text.find(" 32 0x400304\n")) << text;
	EXPECT_EQ(std::string::npos, text.find("0x400f04")) << text;
	unlink(trace);
}

} // namespace
