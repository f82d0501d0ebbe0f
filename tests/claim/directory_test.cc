// SPDX-License-Identifier: BSD-3-Clause
// directory_test.cc - the directory of journals: which directory is trusted, and which files
// can be in it. Any user with write permission can put any file there: none of them may break
// anything, or cause counters to be taken from their owner or lost.
#include <cerrno>
#include <fstream>
#include <regex>

#include <dirent.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "claim/directory.h"
#include "claim/journal.h"
#include "support/child.h"
#include "support/interposer.h"
#include "support/node.h"
#include "support/party.h"
#include "support/root_of_namespace.h"

namespace
{

using support::Handle;
using support::in_child;
using support::Known;
using support::names_of;
using support::Node;
using support::Set;

const std::vector<Known> kClocks = {{"UNC_C_CLOCKTICKS", "cbox", 0, 0, 0, 0}};
constexpr uid_t kNobody = 65534;

bool has(const std::string &text, const std::string &part)
{
	return text.find(part) != text.npos;
}

// ---- the directory ----

// Outside the mounted machine, where links and files of any owner are possible.
class Directory : public testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		char name[] = "/tmp/uncore-journals-XXXXXX";

		ASSERT_NE(nullptr, mkdtemp(name));
		top = name;
		dir = top + "/uncore";
		ASSERT_EQ(0, mkdir(dir.c_str(), 0755));
		node = std::make_unique<Node>("snbep:packages=1,cores=2");
	}
	void TearDown() override
	{
		if (!top.empty()) {
			EXPECT_EQ(0, system(("rm -rf " + top).c_str()));
		}
	}
	std::unique_ptr<Handle> open(const std::string &journal) const
	{
		auto options = node->files.options();

		options.journal = journal.c_str();
		options.lock_timeout_ms = 200;
		return std::make_unique<Handle>(options);
	}
	void expect_refused(const std::string &journal, const std::string &why) const
	{
		const auto h = open(journal);

		EXPECT_EQ(UNCORE_EACCESS, h->code);
		EXPECT_TRUE(has(h->message(), why) && has(h->message(), "UNCORE_JOURNAL"))
			<< h->message();
	}
	// Starts a set, whose counters must be recorded in a file there.
	void expect_saved(const std::string &journal, mode_t mode, gid_t gid = getegid()) const
	{
		const auto h = open(journal);
		Set set(*h, names_of(kClocks));
		struct stat st = {};

		ASSERT_EQ(0, h->code) << h->message();
		ASSERT_EQ(0, set.start()) << h->message();
		const std::string file = only_journal(journal);
		EXPECT_EQ(0, stat(file.c_str(), &st)) << file;
		EXPECT_EQ(mode | S_IFREG, st.st_mode);
		EXPECT_EQ(gid, st.st_gid);
		EXPECT_EQ(0, stat((file + ".lock").c_str(), &st));
		EXPECT_EQ(mode | S_IFREG, st.st_mode);
		node->pass();
		EXPECT_EQ(0, set.stop()) << h->message();
		EXPECT_EQ("", only_journal(journal));
	}
	static std::string only_journal(const std::string &where)
	{
		std::string found;
		DIR *list = opendir(where.c_str());

		while (const dirent *e = list ? readdir(list) : nullptr)
			if (!strchr(e->d_name, '.'))
				found += where + "/" + e->d_name;
		if (list)
			closedir(list);
		return found;
	}
	std::string top, dir;
	std::unique_ptr<Node> node;
};

TEST_F(Directory, OfTheCaller)
{
	expect_saved(dir, 0600);
}

TEST_F(Directory, ThatIsWorldWritable)
{
	ASSERT_EQ(0, chmod(dir.c_str(), 01777));
	expect_refused(dir, "world-writable");
}

TEST_F(Directory, ThatIsALink)
{
	ASSERT_EQ(0, symlink(dir.c_str(), (top + "/link").c_str()));
	expect_refused(top + "/link", "symbolic link");
}

TEST_F(Directory, ThatIsNone)
{
	std::ofstream(top + "/file") << "text";
	expect_refused(top + "/file", "not a directory");
	ASSERT_EQ(0, mkfifo((top + "/fifo").c_str(), 0600));
	expect_refused(top + "/fifo", "not a directory");
	expect_refused("/dev/null", "not a directory");
}

TEST_F(Directory, OfAnotherUser)
{
	NEEDS_OTHER_USERS();
	ASSERT_EQ(0, chown(dir.c_str(), kNobody, 0));
	expect_refused(dir, "owned by user 65534");
}

TEST_F(Directory, OfAGroup)
{
	NEEDS_OTHER_USERS();
	ASSERT_EQ(0, chown(dir.c_str(), 0, 4322));
	ASSERT_EQ(0, chmod(dir.c_str(), 0770));
	expect_saved(dir, 0660, 4322);
	ASSERT_EQ(0, chmod(dir.c_str(), 02770));
	expect_saved(dir, 0660, 4322);
	const mode_t old = umask(0077);
	expect_saved(dir, 0660, 4322);
	umask(old);
}

// ---- a file of this user that a member of the group has put there ----

class GroupDirectory : public testing::Test
{
      protected:
	GroupDirectory()
	{
		unc_err err = {};
		char name[] = "/tmp/uncore-journals-XXXXXX";

		EXPECT_NE(nullptr, mkdtemp(name));
		top = name;
		EXPECT_EQ(0, mkdir((top + "/uncore").c_str(), 0755));
		EXPECT_EQ(0, chmod((top + "/uncore").c_str(), 02775));
		snprintf(dir.path, sizeof(dir.path), "%s/uncore", name);
		unc_err_init(&err);
		EXPECT_EQ(0, unc_directory_open(&dir, false, &err));
		unc_err_destroy(&err);
		std::ofstream(top + "/secret") << "secret";
		EXPECT_EQ(0, chmod((top + "/secret").c_str(), 0600));
	}
	~GroupDirectory() override
	{
		unc_directory_close(&dir);
		EXPECT_EQ(0, system(("rm -rf " + top).c_str()));
	}
	GroupDirectory(const GroupDirectory &) = delete;
	GroupDirectory &operator=(const GroupDirectory &) = delete;

	std::string at(const std::string &name) const
	{
		return top + "/" + name;
	}
	void expect_unchanged(const std::string &name) const
	{
		std::ifstream in(at(name));
		struct stat st = {};
		std::string text;

		EXPECT_EQ(0, stat(at(name).c_str(), &st));
		EXPECT_EQ(0600U, st.st_mode & 07777);
		EXPECT_TRUE(std::getline(in, text));
		EXPECT_EQ("secret", text);
	}
	std::string top;
	unc_directory dir = {};
};

TEST_F(GroupDirectory, ALinkedFileIsNotUsed)
{
	int error = 0;
	size_t n = 0;

	ASSERT_EQ(0, link(at("secret").c_str(), at("uncore/package-0.lock").c_str()));
	EXPECT_EQ(-EPERM, unc_directory_file(&dir, "package-0.lock", false));
	EXPECT_EQ(-EPERM, unc_directory_shorten(&dir, "package-0.lock", "x", 1));
	EXPECT_EQ(nullptr, unc_directory_read(&dir, "package-0.lock", &n, &error));
	EXPECT_EQ(-EPERM, error);
	expect_unchanged("secret");
}

// An empty file, too: what is written to it later would be readable.
TEST_F(GroupDirectory, AnEmptyLinkedFileIsNotUsed)
{
	struct stat st = {};

	ASSERT_EQ(0, truncate(at("secret").c_str(), 0));
	ASSERT_EQ(0, link(at("secret").c_str(), at("uncore/package-0.lock").c_str()));
	EXPECT_EQ(-EPERM, unc_directory_file(&dir, "package-0.lock", false));
	ASSERT_EQ(0, stat(at("secret").c_str(), &st));
	EXPECT_EQ(0600U, st.st_mode & 07777);
}

TEST_F(GroupDirectory, AMovedFileIsNotGivenToTheGroup)
{
	ASSERT_EQ(0, rename(at("secret").c_str(), at("uncore/package-0.lock").c_str()));
	const int fd = unc_directory_file(&dir, "package-0.lock", false);
	EXPECT_LE(0, fd);
	close(fd);
	expect_unchanged("uncore/package-0.lock");
}

TEST_F(GroupDirectory, ANewFileIsGivenToTheGroup)
{
	const mode_t before = umask(0077);
	struct stat st = {};
	const int fd = unc_directory_file(&dir, "package-0.lock", false);

	umask(before);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, fstat(fd, &st));
	EXPECT_EQ(0660U, st.st_mode & 07777);
	close(fd);
}

// A missing directory is created at the first start, if permissions allow it.
TEST_F(Directory, ThatIsMissing)
{
	const mode_t mask = umask(0);
	umask(mask);
	expect_saved(top + "/new", 0600);
	struct stat st = {};
	EXPECT_EQ(0, stat((top + "/new").c_str(), &st));
	EXPECT_EQ(static_cast<mode_t>(S_IFDIR | (0755 & ~mask)), st.st_mode);
}

// The default directory is optional: counting works without it.
TEST_F(Directory, TheUsualOneThatIsWrong)
{
	const std::string usual = node->files.path("run/uncore");
	auto info = support::sized<uncore_sharing_info>();

	ASSERT_EQ(0, chmod(usual.c_str(), 0777));
	const Handle h(node->files.options());
	ASSERT_EQ(0, h.code) << h.message();
	EXPECT_EQ(0, uncore_sharing(h.u, &info));
	EXPECT_EQ(nullptr, info.journal);
	ASSERT_NE(nullptr, info.missing);
	EXPECT_TRUE(has(info.missing, "world-writable")) << info.missing;
	Set set(h, names_of(kClocks));
	EXPECT_EQ(0, set.start()) << h.message();
	EXPECT_EQ(0, set.stop());
}

// A register must not be changed if its old value cannot be recorded.
TEST(FullDirectory, NothingIsChanged)
{
	NEEDS_FUSE();
	Node node("snbep:packages=1,cores=2", "", {"--run-size", "4096"});
	const std::string all = node.files.path("run/uncore/all.x");
	const int fd = ::open(all.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	Set set(node.handle, names_of(kClocks));

	ASSERT_EQ(4096, write(fd, std::string(5000, 'x').data(), 5000));
	node.files.kill_at(-1);
	EXPECT_EQ(UNCORE_EIO, set.start());
	EXPECT_TRUE(has(node.handle.message(), "journal in ") &&
		    has(node.handle.message(), "No space left") &&
		    has(node.handle.message(), "UNCORE_JOURNAL"))
		<< node.handle.message();
	node.files.kill_at(0);
	node.expect_clean();
	EXPECT_EQ(0, ftruncate(fd, 0));
	close(fd);
	unlink(all.c_str());
	node.expect_counting(kClocks);
	node.expect_clean();
}

// The directory becomes full while counting: a stop still restores the registers.
TEST(FullDirectory, WhileAnotherProcessCounts)
{
	NEEDS_FUSE();
	Node node("snbep:packages=1,cores=2", "", {"--run-size", "8192"});
	const std::string all = node.files.path("run/uncore/all.x");
	Set clocks(node.handle, names_of(kClocks)), more(node.handle, {"UNC_M_CLOCKTICKS"});

	ASSERT_EQ(0, clocks.start());
	ASSERT_EQ(0, more.start());
	const uint64_t since = node.now();
	const int fd = ::open(all.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	EXPECT_LT(0, write(fd, std::string(9000, 'x').data(), 9000));
	node.pass();
	EXPECT_EQ(0, more.stop()) << node.handle.message();
	EXPECT_EQ(0, clocks.stop()) << node.handle.message();
	node.expect_counts(kClocks, clocks.counts(), since, node.now());
	close(fd);
	unlink(all.c_str());
	node.expect_counting(kClocks);
	node.expect_clean();
}

// A user who names a directory wants a journal: nothing is claimed without one.
TEST_F(Directory, ThatCannotBeWritten)
{
	NEEDS_MOUNTS();
	const std::string ro = top + "/ro";

	ASSERT_EQ(0, mkdir(ro.c_str(), 0755));
	if (mount("none", ro.c_str(), "tmpfs", MS_RDONLY, "mode=0755") != 0)
		GTEST_SKIP() << "mount: " << strerror(errno);
	{
		const auto h = open(ro);
		auto info = support::sized<uncore_sharing_info>();
		Set set(*h, names_of(kClocks));

		EXPECT_EQ(0, h->code) << h->message();
		EXPECT_EQ(0, uncore_sharing(h->u, &info));
		EXPECT_EQ(nullptr, info.journal);
		EXPECT_TRUE(info.missing && has(info.missing, "Read-only"))
			<< (info.missing ? info.missing : "nothing");
		EXPECT_EQ(UNCORE_EACCESS, set.start());
		EXPECT_TRUE(has(h->message(), ro + ": Read-only")) << h->message();
	}
	EXPECT_EQ(0, umount(ro.c_str()));
	node->expect_clean();
}

// ---- files in the directory ----

// Journals left by others, made by hand.
class Left : public Directory
{
      protected:
	void SetUp() override
	{
		Directory::SetUp();
		if (!node)
			return;
		sample = real_journal();
		ASSERT_LE(sizeof(unc_journal_head), sample.size());
		memcpy(&head, sample.data(), sizeof(head));
	}
	// The journal of this handle while counting.
	std::string real_journal() const
	{
		const auto h = open(dir);
		Set set(*h, names_of(kClocks));

		EXPECT_EQ(0, set.start()) << h->message();
		std::ifstream file(only_journal(dir));
		std::string bytes(std::istreambuf_iterator<char>(file), {});
		EXPECT_EQ(0, set.stop());
		return bytes;
	}
	std::string with_head(const unc_journal_head &other) const
	{
		std::string bytes = sample;

		memcpy(&bytes[0], &other, sizeof(other));
		return bytes;
	}
	std::string path(const std::string &name) const
	{
		return dir + "/" + name;
	}
	bool exists(const std::string &name) const
	{
		struct stat st;

		return lstat(path(name).c_str(), &st) == 0;
	}
	void put(const std::string &name, const std::string &bytes) const
	{
		std::ofstream(path(name), std::ios::binary) << bytes;
		EXPECT_EQ(0, chmod(path(name).c_str(), 0600));
	}
	// Another handle can count. Messages about files are warnings.
	void expect_counting(const Handle &h) const
	{
		Set set(h, names_of(kClocks));
		const uint64_t since = node->now();

		ASSERT_EQ(0, set.start()) << h.message();
		node->pass();
		node->expect_counts(kClocks, set.counts(), since, node->now());
		EXPECT_EQ(0, set.stop()) << h.message();
		node->controls.expect_same(node->before, node->controls.values());
	}
	static std::string warnings(const Handle &h)
	{
		std::string all;

		for (unsigned i = 0; h.warning(i); i++)
			all += std::string(h.warning(i)) + "\n";
		return all;
	}
	// A file with a lock that belongs to a running process.
	class Alive
	{
	      public:
		explicit Alive(const std::string &lock)
		{
			int ready[2];
			char c = 0;

			EXPECT_EQ(0, pipe(ready));
			pid = support::fork_clean();
			if (pid == 0) {
				const int fd = ::open(lock.c_str(), O_RDWR | O_CREAT, 0600);
				struct flock whole = {};

				whole.l_type = F_WRLCK;
				if (fcntl(fd, F_SETLK, &whole) == 0 && write(ready[1], &c, 1) == 1)
					for (;;)
						pause();
				_exit(1);
			}
			EXPECT_EQ(1, read(ready[0], &c, 1));
			close(ready[0]);
			close(ready[1]);
		}
		~Alive()
		{
			kill(pid, SIGKILL);
			support::status_of(pid);
		}
		Alive(const Alive &) = delete;
		Alive &operator=(const Alive &) = delete;

		pid_t pid;
	};

	const std::string name = "999999999-0123456789abcdef";
	std::string sample;
	unc_journal_head head = {};
};

TEST_F(Left, OfAnEarlierBootIsDiscarded)
{
	head.boot[0] = head.boot[0] == '0' ? '1' : '0';
	put(name, with_head(head));
	put(name + ".lock", "");
	const auto h = open(dir);
	expect_counting(*h);
	EXPECT_FALSE(exists(name));
	EXPECT_FALSE(exists(name + ".lock"));
	EXPECT_EQ("", warnings(*h));
}

TEST_F(Left, OfAnotherMachineIsDiscarded)
{
	strcpy(head.machine, "GenuineIntel 6-1-1");
	put(name, with_head(head));
	const auto h = open(dir);
	expect_counting(*h);
	EXPECT_FALSE(exists(name));
	EXPECT_EQ("", warnings(*h));
}

TEST_F(Left, OfALaterFormatIsKeptAndReported)
{
	head.format++;
	put(name, with_head(head));
	const auto h = open(dir);
	expect_counting(*h);
	expect_counting(*h);
	EXPECT_TRUE(exists(name));
	const std::string text = warnings(*h);
	EXPECT_EQ(1, std::count(text.begin(), text.end(), '\n')) << "once";
	EXPECT_TRUE(has(text, "newer version")) << text;
}

TEST_F(Left, InALongDirectoryIsReportedWhole)
{
	dir += "/" + std::string(250, 'd');
	ASSERT_EQ(0, mkdir(dir.c_str(), 0755));
	head.format++;
	put(name, with_head(head));
	const auto h = open(dir);
	expect_counting(*h);
	EXPECT_TRUE(has(warnings(*h), dir + "/" + name)) << warnings(*h);
	EXPECT_TRUE(has(warnings(*h), "run that version's uncore restore")) << warnings(*h);
}

TEST_F(Left, OfALaterFormatAliveIsRespected)
{
	head.format++;
	strcpy(head.name, "newer");
	put(name, with_head(head));
	const auto h = open(dir);
	Set set(*h, names_of(kClocks));
	{
		const Alive alive(path(name + ".lock"));

		EXPECT_EQ(UNCORE_EBUSY, set.start());
		EXPECT_TRUE(has(h->message(), "newer (pid ")) << h->message();
		EXPECT_TRUE(has(h->message(), "its journal is unreadable")) << h->message();
	}
	EXPECT_EQ(0, set.start()) << h->message();
}

TEST_F(Left, GarbageIsRemovedAndReported)
{
	for (const std::string &bytes :
	     {std::string(), std::string("garbage"), std::string(5000, '\377'),
	      sample.substr(0, sample.size() - 1)}) {
		put(name, bytes);
		put(name + ".lock", "");
		const auto h = open(dir);
		expect_counting(*h);
		EXPECT_FALSE(exists(name));
		EXPECT_FALSE(exists(name + ".lock"));
		EXPECT_TRUE(has(warnings(*h), "damaged")) << warnings(*h);
	}
}

TEST_F(Left, GarbageOfALivingOwnerIsRespected)
{
	put(name, "garbage");
	const auto h = open(dir);
	Set set(*h, names_of(kClocks));
	{
		const Alive alive(path(name + ".lock"));

		EXPECT_EQ(UNCORE_EBUSY, set.start());
		EXPECT_TRUE(has(h->message(), "(pid " + std::to_string(alive.pid))) << h->message();
		EXPECT_TRUE(exists(name));
	}
	EXPECT_EQ(0, set.start()) << h->message();
	EXPECT_FALSE(exists(name));
}

// It began while a set was counting, and may count in any package: a stop freezes none.
TEST_F(Left, ALivingOwnerThatCannotBeReadIsNotFrozen)
{
	constexpr uint64_t kGlobal = 0xc00; // U_MSR_PMON_GLOBAL_CTL
	const Node ivb("ivbep:packages=1,cores=2");
	const std::string other = ivb.files.root + "/run/uncore/" + name;

	for (const bool alone : {true, false}) {
		Set set(ivb.handle, names_of(kClocks));
		support::Interposer hardware(ivb.handle);
		std::unique_ptr<const Alive> alive;
		unsigned switched = 0;

		ASSERT_EQ(0, set.start()) << ivb.handle.message();
		if (!alone) {
			std::ofstream(other) << "garbage";
			ASSERT_EQ(0, chmod(other.c_str(), 0600));
			alive = std::make_unique<const Alive>(other + ".lock");
		}
		hardware.on_write = [&](const unc_op &op, uint64_t) {
			switched += op.space == UNCORE_MSR && op.address == kGlobal;
			return 0;
		};
		EXPECT_EQ(0, set.stop()) << ivb.handle.message();
		EXPECT_EQ(alone ? 2u : 0u, switched);
	}
	ivb.controls.expect_same(ivb.before, ivb.controls.values());
}

// Process ids are those of a container: another container can have a process with the same id.
TEST_F(Left, OfALivingOwnerWithOurNumberIsRespected)
{
	const std::string ours = std::to_string(getpid()) + "-0123456789abcdef";
	const auto h = open(dir);
	Set set(*h, names_of(kClocks));

	put(ours, "garbage");
	{
		const Alive alive(path(ours + ".lock"));

		EXPECT_EQ(UNCORE_EBUSY, set.start());
		EXPECT_TRUE(exists(ours));
	}
	EXPECT_EQ(0, set.start()) << h->message();
	EXPECT_FALSE(exists(ours));
}

TEST_F(Left, OfNoKindThatAJournalHas)
{
	const auto h = open(dir);
	struct stat st = {};

	ASSERT_EQ(0, mkfifo(path("1-0000000000000001").c_str(), 0600));
	ASSERT_EQ(0, mkdir(path("1-0000000000000002").c_str(), 0700));
	ASSERT_EQ(0, symlink("/etc/passwd", path("1-0000000000000003").c_str()));
	ASSERT_EQ(0, symlink("nowhere", path("1-0000000000000004").c_str()));
	ASSERT_EQ(0, mkfifo(path("999999998-0000000000000005.lock").c_str(), 0600));
	ASSERT_EQ(0, symlink("/etc/passwd", path("999999998-0000000000000006.lock").c_str()));
	put("1-0000000000000007", "");
	ASSERT_EQ(0, truncate(path("1-0000000000000007").c_str(), UNC_JOURNAL_MAX + 1));
	put(name, sample);
	ASSERT_EQ(0, mkfifo(path(name + ".lock").c_str(), 0600));
	expect_counting(*h);
	expect_counting(*h);
	EXPECT_EQ(0, stat("/etc/passwd", &st));
	EXPECT_LT(0, st.st_size);
	EXPECT_TRUE(has(warnings(*h), "not trusted")) << warnings(*h);
}

TEST_F(Left, OtherNamesAreLeftAlone)
{
	const std::vector<std::string> others = {"README",
						 "journal",
						 "1-2",
						 "-0123456789abcdef",
						 "x-0123456789abcdef",
						 "1-0123456789abcdeg",
						 "0-0123456789abcdef",
						 "1-0123456789abcdef0",
						 "99999999999-0123456789abcdef",
						 "+1-0123456789abcdef",
						 " 1-0123456789abcdef"};

	for (const std::string &other : others)
		put(other, "garbage");
	const auto h = open(dir);
	expect_counting(*h);
	for (const std::string &other : others)
		EXPECT_TRUE(exists(other)) << other;
	EXPECT_EQ("", warnings(*h));
}

// Files of processes that died between two steps.
TEST_F(Left, LocksAndHalfWrittenFilesAreClearedUp)
{
	put(name + ".lock", "");
	put(name + ".new", "half");
	put("999999997-0123456789abcdef.new", "half");
	const auto h = open(dir);
	expect_counting(*h);
	expect_counting(*h);
	EXPECT_FALSE(exists(name + ".lock"));
	EXPECT_FALSE(exists(name + ".new"));
	EXPECT_FALSE(exists("999999997-0123456789abcdef.new"));
}

TEST_F(Left, FilesOfTheLivingStay)
{
	const Alive alive(path(name + ".lock"));

	put(name + ".new", "half");
	const auto h = open(dir);
	expect_counting(*h);
	EXPECT_TRUE(exists(name + ".lock"));
	EXPECT_TRUE(exists(name + ".new"));
}

TEST_F(Left, OfAnotherUserIsNotTrusted)
{
	NEEDS_OTHER_USERS();
	put(name, sample);
	ASSERT_EQ(0, chown(path(name).c_str(), kNobody, 0));
	const auto h = open(dir);
	expect_counting(*h);
	EXPECT_TRUE(exists(name));
	EXPECT_TRUE(has(warnings(*h), "not trusted")) << warnings(*h);
}

TEST_F(Left, OfAnotherMemberOfTheGroupIsTrusted)
{
	NEEDS_OTHER_USERS();
	ASSERT_EQ(0, chmod(dir.c_str(), 0770));
	put(name, sample);
	ASSERT_EQ(0, chown(path(name).c_str(), kNobody, 0));
	const auto h = open(dir);
	expect_counting(*h);
	EXPECT_FALSE(exists(name));
}

} // namespace
