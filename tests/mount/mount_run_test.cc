// SPDX-License-Identifier: BSD-3-Clause
// mount_run_test.cc - run/uncore of the mounted machine behaves as a directory on a tmpfs,
// in several processes.
#include <set>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <sys/statvfs.h>

#include "support/child.h"
#include "support/mounted.h"
#include "support/root_of_namespace.h"

namespace
{

using support::Mounted;

class Run : public testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		files = std::make_unique<Mounted>("sim:snbep:time=virtual", "",
						  std::vector<std::string>{"--run-size", "100000"});
		ASSERT_TRUE(files->mounted);
	}
	std::string path(const std::string &name = "") const
	{
		return files->path("run/uncore/" + name);
	}
	int make(const std::string &name, int flags = O_RDWR | O_CREAT, mode_t mode = 0600) const
	{
		return open(path(name).c_str(), flags | O_CLOEXEC, mode);
	}
	// Its contents are its name.
	int filled(const std::string &name) const
	{
		const int fd = make(name);

		EXPECT_EQ(static_cast<ssize_t>(name.size()), write(fd, name.data(), name.size()));
		return fd;
	}
	std::string text(const std::string &name) const
	{
		return files->text("run/uncore/" + name);
	}
	std::set<std::string> names() const
	{
		std::set<std::string> all;
		DIR *dir = opendir(path().c_str());

		while (const dirent *e = readdir(dir)) {
			if (e->d_name[0] == '.')
				continue;
			EXPECT_TRUE(all.insert(e->d_name).second) << e->d_name;
		}
		closedir(dir);
		return all;
	}
	std::unique_ptr<Mounted> files;
};

struct stat stat_of(int fd)
{
	struct stat st = {};

	EXPECT_EQ(0, fstat(fd, &st));
	return st;
}

struct stat stat_of(const std::string &path)
{
	struct stat st = {};

	EXPECT_EQ(0, stat(path.c_str(), &st));
	return st;
}

std::string bytes(int fd, size_t len, off_t offset)
{
	std::string all(len, '?');
	const ssize_t n = pread(fd, &all[0], len, offset);

	all.resize(n < 0 ? 0 : static_cast<size_t>(n));
	return all;
}

#define EXPECT_ERROR(error, call)        \
	do {                             \
		EXPECT_EQ(-1, call);     \
		EXPECT_EQ(error, errno); \
	} while (0)

TEST_F(Run, FlagsOfOpen)
{
	const mode_t mask = umask(0);
	umask(mask);
	const int fd = make("file", O_RDWR | O_CREAT | O_EXCL, 0640);

	EXPECT_EQ(static_cast<mode_t>(S_IFREG | (0640 & ~mask)), stat_of(fd).st_mode);
	EXPECT_ERROR(EEXIST, make("file", O_RDWR | O_CREAT | O_EXCL));
	EXPECT_ERROR(ENOENT, make("other", O_RDWR));
	EXPECT_ERROR(ENAMETOOLONG, make(std::string(256, 'x')));
	EXPECT_EQ(5, write(fd, "12345", 5));
	const int again = make("file", O_RDWR | O_CREAT | O_NOFOLLOW);
	EXPECT_EQ(stat_of(fd).st_ino, stat_of(again).st_ino);
	EXPECT_EQ("12345", text("file"));
	close(make("file", O_WRONLY | O_TRUNC));
	EXPECT_EQ(0, stat_of(fd).st_size);
	close(again);
	close(fd);
}

TEST_F(Run, UnwrittenBytesAreZero)
{
	const int fd = filled("file");

	EXPECT_EQ(3, pwrite(fd, "end", 3, 9000));
	EXPECT_EQ(9003, stat_of(fd).st_size);
	EXPECT_EQ(std::string("file") + std::string(8996, '\0') + "end", bytes(fd, 10000, 0));
	EXPECT_EQ(0, ftruncate(fd, 2));
	EXPECT_EQ(0, ftruncate(fd, 9003));
	EXPECT_EQ(std::string("fi") + std::string(9001, '\0'), bytes(fd, 10000, 0));
	EXPECT_EQ("", bytes(fd, 10, 9003));
	EXPECT_EQ(0, fsync(fd));
	EXPECT_EQ(0, fdatasync(fd));
	EXPECT_EQ(0, posix_fallocate(fd, 0, 9010));
	EXPECT_EQ(9010, stat_of(fd).st_size);
	close(fd);
}

TEST_F(Run, RenameReplacesAFileThatIsOpenInAnotherProcess)
{
	const int old = filled("journal"), next = filled("journal.new");
	const ino_t ino = stat_of(next).st_ino;

	EXPECT_EQ(0, rename(path("journal.new").c_str(), path("journal").c_str()));
	EXPECT_EQ("journal.new", text("journal"));
	EXPECT_EQ("journal", bytes(old, 100, 0));
	EXPECT_EQ(0U, stat_of(old).st_nlink);
	EXPECT_EQ(1U, stat_of(next).st_nlink);
	EXPECT_EQ(ino, stat_of(path("journal")).st_ino);
	EXPECT_EQ((std::set<std::string>{"journal"}), names());
	EXPECT_ERROR(ENOENT, rename(path("journal.new").c_str(), path("journal").c_str()));
	close(filled("other"));
	EXPECT_ERROR(EEXIST, renameat2(AT_FDCWD, path("other").c_str(), AT_FDCWD,
				       path("journal").c_str(), RENAME_NOREPLACE));
	EXPECT_EQ(0, renameat2(AT_FDCWD, path("other").c_str(), AT_FDCWD, path("journal").c_str(),
			       RENAME_EXCHANGE));
	EXPECT_EQ("other", text("journal"));
	EXPECT_EQ("journal.new", text("other"));
	close(old);
	close(next);
}

TEST_F(Run, AFileWithoutANameStaysUntilItIsClosed)
{
	const int fd = filled("file");

	EXPECT_EQ(0, unlink(path("file").c_str()));
	EXPECT_EQ(0U, stat_of(fd).st_nlink);
	EXPECT_EQ("file", bytes(fd, 10, 0));
	EXPECT_EQ(4, pwrite(fd, "more", 4, 4));
	EXPECT_EQ("filemore", bytes(fd, 10, 0));
	EXPECT_ERROR(ENOENT, unlink(path("file").c_str()));
	const int other = filled("file");
	EXPECT_NE(stat_of(fd).st_ino, stat_of(other).st_ino);
	close(other);
	close(fd);
}

TEST_F(Run, AFileMayHaveSeveralNames)
{
	const int fd = filled("a");

	EXPECT_EQ(0, link(path("a").c_str(), path("b").c_str()));
	EXPECT_EQ(2U, stat_of(fd).st_nlink);
	EXPECT_EQ(stat_of(fd).st_ino, stat_of(path("b")).st_ino);
	EXPECT_ERROR(EEXIST, link(path("a").c_str(), path("b").c_str()));
	EXPECT_EQ(0, unlink(path("a").c_str()));
	EXPECT_EQ(1U, stat_of(path("b")).st_nlink);
	EXPECT_EQ("a", text("b"));
	close(fd);
}

TEST_F(Run, NothingButFiles)
{
	const std::string name = path("x");

	EXPECT_ERROR(EPERM, mkdir(name.c_str(), 0700));
	EXPECT_ERROR(EPERM, symlink("target", name.c_str()));
	EXPECT_ERROR(EPERM, mkfifo(name.c_str(), 0600));
	EXPECT_ERROR(EPERM, mknod(name.c_str(), S_IFCHR | 0600, 0x103));
	EXPECT_ERROR(EPERM, rmdir(path().c_str()));
	EXPECT_ERROR(EPERM, mkdir(files->path("run/other").c_str(), 0700));
	EXPECT_ERROR(EACCES, open(files->path("run/other").c_str(), O_RDWR | O_CREAT, 0600));
	close(filled("file"));
	EXPECT_ERROR(EPERM, rename(path("file").c_str(), files->path("run/file").c_str()));
	EXPECT_ERROR(EPERM, unlink(files->path("proc/cpuinfo").c_str()));
	EXPECT_ERROR(EPERM, chmod(files->path("proc/cpuinfo").c_str(), 0666));
	EXPECT_EQ((std::set<std::string>{"file"}), names());
}

TEST_F(Run, OwnersModesAndTimes)
{
	const struct stat dir = stat_of(path());
	const timespec times[2] = {{11, 5}, {12, 7}};
	const int fd = filled("file");

	EXPECT_EQ(static_cast<mode_t>(S_IFDIR | 0755), dir.st_mode);
	EXPECT_EQ(geteuid(), dir.st_uid);
	EXPECT_EQ(0, futimens(fd, times));
	EXPECT_EQ(0, fchmod(fd, 0604));
	const struct stat st = stat_of(path("file"));
	EXPECT_EQ(11, st.st_atim.tv_sec);
	EXPECT_EQ(7, st.st_mtim.tv_nsec);
	EXPECT_NE(12, st.st_ctim.tv_sec);
	EXPECT_EQ(static_cast<mode_t>(S_IFREG | 0604), st.st_mode);
	EXPECT_EQ(1, write(fd, "x", 1));
	EXPECT_NE(12, stat_of(fd).st_mtim.tv_sec);
	EXPECT_EQ(0, chmod(path().c_str(), 0700));
	EXPECT_EQ(static_cast<mode_t>(S_IFDIR | 0700), stat_of(path()).st_mode);
	close(fd);
}

// Of a directory for a group, as an administrator's tmpfiles line makes it.
TEST_F(Run, PermissionsAreTheKernels)
{
	NEEDS_OTHER_USERS();
	const auto as_other = [&](int flags) {
		return support::in_child([&] {
			if (setgid(4321) != 0 || setuid(4321) != 0)
				return -1;
			const int fd = make("file", flags, 0660);
			return fd < 0 ? errno : stat_of(fd).st_gid == 4322 ? 0 : -1;
		});
	};

	EXPECT_EQ(EACCES, as_other(O_RDWR | O_CREAT));
	EXPECT_EQ(0, chown(path().c_str(), 0, 4322));
	EXPECT_EQ(0, chmod(path().c_str(), 02777));
	EXPECT_EQ(0, as_other(O_RDWR | O_CREAT));
	EXPECT_EQ(4321U, stat_of(path("file")).st_uid);
	EXPECT_EQ(0, chown(path("file").c_str(), 0, 0));
	EXPECT_EQ(0, chmod(path("file").c_str(), 0640));
	EXPECT_EQ(EACCES, as_other(O_RDONLY));
	EXPECT_EQ(EACCES, support::in_child([&] {
			  return setuid(4321) != 0 ? 0
				 : chmod(path("file").c_str(), 0666) != 0
					 ? errno == EPERM ? EACCES : 1
					 : 2;
		  }));
}

TEST_F(Run, RoomIsLimited)
{
	const std::string much(60000, 'm');
	const int fd = make("a"), other = make("b");
	struct statvfs fs = {};

	EXPECT_EQ(60000, write(fd, much.data(), much.size()));
	EXPECT_EQ(40000, write(other, much.data(), much.size()));
	EXPECT_ERROR(ENOSPC, write(other, "x", 1));
	EXPECT_ERROR(ENOSPC, pwrite(other, "x", 1, 1 << 20));
	EXPECT_ERROR(ENOSPC, ftruncate(other, 40001));
	EXPECT_EQ(1, pwrite(other, "x", 1, 0)) << "existing bytes can be overwritten";
	EXPECT_EQ(0, statvfs(path().c_str(), &fs));
	EXPECT_EQ(25U, fs.f_blocks);
	EXPECT_EQ(0U, fs.f_bfree);
	close(make("c"));
	EXPECT_EQ(0, ftruncate(other, 30000));
	EXPECT_EQ(10000, write(fd, much.data(), 10001));
	close(fd);
	close(other);
}

TEST_F(Run, RoomOfAFileThatIsGoneIsFree)
{
	const std::string all(100000, 'a');
	int fd = make("a");

	EXPECT_EQ(100000, write(fd, all.data(), all.size()));
	EXPECT_EQ(0, unlink(path("a").c_str()));
	const int other = make("b");
	EXPECT_ERROR(ENOSPC, write(other, "x", 1));
	close(fd);
	/* The kernel tells the server of the close afterwards. */
	ssize_t n = -1;
	for (int i = 0; i < 1000 && n < 0; i++) {
		n = write(other, "x", 1);
		usleep(n < 0 ? 1000 : 0);
	}
	EXPECT_EQ(1, n);
	close(other);
}

// ---- several processes ----

TEST_F(Run, AnotherProcessSeesSizesAndNamesAtOnce)
{
	const int fd = filled("file");

	for (off_t size = 5; size < 25; size++) {
		ASSERT_EQ(0, support::in_child([&] {
				  const int mine = make("file", O_RDWR | O_APPEND);
				  return write(mine, "x", 1) == 1 ? 0 : 1;
			  }));
		ASSERT_EQ(size, stat_of(fd).st_size);
		ASSERT_EQ(size, stat_of(path("file")).st_size);
	}
	for (int i = 0; i < 20; i++) {
		ASSERT_EQ(0, support::in_child([&] {
				  return rename(path("file").c_str(), path("other").c_str());
			  }));
		ASSERT_EQ(-1, access(path("file").c_str(), F_OK));
		ASSERT_EQ(stat_of(fd).st_ino, stat_of(path("other")).st_ino);
		ASSERT_EQ(0, rename(path("other").c_str(), path("file").c_str()));
	}
	ASSERT_EQ(0, support::in_child([&] { return unlink(path("file").c_str()); }));
	EXPECT_EQ(0U, stat_of(fd).st_nlink);
	EXPECT_TRUE(names().empty());
	close(fd);
}

TEST_F(Run, AppendsOfProcessesAreAtomic)
{
	std::vector<pid_t> children;
	std::map<std::string, int> lines;

	close(make("log"));
	for (int i = 0; i < 8; i++) {
		children.push_back(support::fork_clean());
		if (children.back() == 0) {
			const int fd = make("log", O_WRONLY | O_APPEND);
			const std::string line = std::string(70, static_cast<char>('a' + i)) + "\n";

			for (int k = 0; k < 100; k++)
				if (write(fd, line.data(), line.size()) != 71)
					_exit(1);
			_exit(0);
		}
	}
	for (pid_t pid : children)
		EXPECT_EQ(0, support::status_of(pid));
	std::istringstream log(text("log"));
	for (std::string line; std::getline(log, line);)
		lines[line]++;
	EXPECT_EQ(8U, lines.size());
	for (const auto &line : lines)
		EXPECT_EQ(100, line.second) << line.first;
}

TEST_F(Run, AReaderFindsTheOldFileOrTheNew)
{
	close(filled("file"));
	const pid_t writer = support::fork_clean();
	if (writer == 0) {
		for (int i = 0; i < 300; i++) {
			const std::string next = "next" + std::to_string(i);

			close(filled(next));
			if (rename(path(next).c_str(), path("file").c_str()) != 0)
				_exit(1);
		}
		_exit(0);
	}
	std::string last;
	do {
		const int fd = make("file", O_RDONLY);
		ASSERT_LE(0, fd);
		last = bytes(fd, 100, 0);
		close(fd);
		ASSERT_TRUE(last == "file" || last.compare(0, 4, "next") == 0) << last;
	} while (last != "next299");
	EXPECT_EQ(0, support::status_of(writer));
	EXPECT_EQ((std::set<std::string>{"file"}), names());
}

// ---- locks ----

struct flock whole(short type)
{
	struct flock lock = {};

	lock.l_type = type;
	lock.l_whence = SEEK_SET;
	return lock;
}

// Whether /proc/locks has a lock of this kind, process and inode ("MAJOR:MINOR:INODE").  Other
// tests lock files, too, and who reads the list while they do may miss a line: so it is read again.
bool is_listed(const std::string &kind, pid_t pid, ino_t inode)
{
	for (int i = 0; i < 20; i++) {
		std::ifstream list("/proc/locks");
		std::string number, found_kind, mode, type, id, place;

		for (std::string line; std::getline(list, line);) {
			std::istringstream words(line);

			words >> number >> found_kind >> mode >> type >> id >> place;
			if (found_kind == kind && id == std::to_string(pid) &&
			    place.substr(place.rfind(':') + 1) == std::to_string(inode))
				return true;
		}
		usleep(10000);
	}
	return false;
}

TEST_F(Run, RecordLocksAreKnownToOtherProcesses)
{
	const int fd = filled("lock");
	struct flock mine = whole(F_WRLCK);

	ASSERT_EQ(0, fcntl(fd, F_SETLK, &mine));
	EXPECT_TRUE(is_listed("POSIX", getpid(), stat_of(path("lock")).st_ino));
	EXPECT_EQ(0, support::in_child([&] {
			  struct flock theirs = whole(F_WRLCK), asked = theirs, open_file = theirs;
			  const int other = make("lock");

			  if (fcntl(other, F_SETLK, &theirs) != -1 || errno != EAGAIN)
				  return 1;
			  if (fcntl(other, F_OFD_SETLK, &open_file) != -1 || errno != EAGAIN)
				  return 2;
			  if (fcntl(other, F_GETLK, &asked) != 0 || asked.l_type != F_WRLCK)
				  return 3;
			  return asked.l_pid == getppid() ? 0 : 4;
		  }));
	close(make("lock")); // as everywhere: the end of all locks of the process on this file
	EXPECT_EQ(0, support::in_child([&] {
			  struct flock theirs = whole(F_WRLCK);

			  return fcntl(make("lock"), F_SETLK, &theirs);
		  }));
	close(fd);
}

TEST_F(Run, OpenFileLocksAreKnownToOtherProcesses)
{
	const int fd = filled("lock");
	struct flock lock = whole(F_WRLCK);
	const auto can_lock = [&] {
		return support::in_child([&] {
			struct flock theirs = whole(F_WRLCK);

			return fcntl(make("lock"), F_OFD_SETLK, &theirs) == 0;
		});
	};

	ASSERT_EQ(0, fcntl(fd, F_OFD_SETLK, &lock));
	EXPECT_TRUE(is_listed("OFDLCK", -1, stat_of(fd).st_ino));
	close(make("lock"));
	EXPECT_EQ(0, can_lock());
	close(fd);
	EXPECT_EQ(1, can_lock());
}

// A record lock ends with its process, even if another one inherited the descriptor.
TEST_F(Run, ALockEndsWithItsOwnerThoughAChildLives)
{
	int ready[2], grandchild_lives[2];
	char c = 0;

	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(grandchild_lives));
	close(filled("lock"));
	const pid_t owner = support::fork_clean();
	if (owner == 0) {
		struct flock lock = whole(F_WRLCK);
		const int fd = make("lock");
		bool locked = fcntl(fd, F_SETLK, &lock) == 0;

		if (fork() == 0) {
			close(grandchild_lives[1]);
			_exit(static_cast<int>(read(grandchild_lives[0], &c, 1)));
		}
		locked = locked && write(ready[1], &c, 1) == 1;
		pause();
		_exit(locked);
	}
	ASSERT_EQ(1, read(ready[0], &c, 1));
	const int fd = make("lock");
	struct flock lock = whole(F_WRLCK), asked = lock;
	EXPECT_ERROR(EAGAIN, fcntl(fd, F_SETLK, &lock));
	EXPECT_EQ(0, fcntl(fd, F_GETLK, &asked));
	EXPECT_EQ(owner, asked.l_pid);
	kill(owner, SIGKILL);
	EXPECT_EQ(0, fcntl(fd, F_SETLKW, &lock));
	EXPECT_EQ(1000 + SIGKILL, support::status_of(owner));
	close(grandchild_lives[1]);
	for (int end : {ready[0], ready[1], grandchild_lives[0], fd})
		close(end);
}

// ---- registers ----

// SNB-EP has as many controls of C-Boxes: 2 packages of 8 boxes with 4 each.
TEST_F(Run, EachOfSixtyFourThreadsHasARegisterOfItsOwn)
{
	std::vector<pid_t> children;

	const auto use = [&](unsigned process, unsigned thread, bool *right) {
		const std::string msr = process < 8 ? "dev/cpu/0/msr" : "dev/cpu/8/msr";
		const int fd = open(files->path(msr).c_str(), O_RDWR | O_CLOEXEC);
		const off_t control = 0xd10 + 0x20 * (process % 8) + thread;

		*right = true;
		for (uint64_t i = 1; i <= 100 && *right; i++) {
			const uint64_t value = 0x400000 | (i << 8);
			uint64_t found = 0;

			*right = pwrite(fd, &value, 8, control) == 8 &&
				 pread(fd, &found, 8, control) == 8 && found == value;
		}
		close(fd);
	};
	for (unsigned p = 0; p < 16; p++) {
		children.push_back(support::fork_clean());
		if (children.back() == 0) {
			bool right[4];
			std::vector<std::thread> threads;

			for (unsigned t = 0; t < 4; t++)
				threads.emplace_back(use, p, t, &right[t]);
			for (std::thread &t : threads)
				t.join();
			_exit(right[0] && right[1] && right[2] && right[3] ? 0 : 1);
		}
	}
	for (pid_t pid : children)
		EXPECT_EQ(0, support::status_of(pid));
	EXPECT_EQ("12800\n", files->text("sim/calls"));
}

} // namespace
