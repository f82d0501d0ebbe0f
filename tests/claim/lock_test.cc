// SPDX-License-Identifier: BSD-3-Clause
// lock_test.cc - the machine-wide lock that protects claiming and restoring counters: how long
// a process waits for it, when it is released, and that another handle of the same process does
// not release it.
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/time.h>

#include "claim/lock.h"
#include "machine/machine.h"
#include "support/child.h"
#include "support/file_limit.h"
#include "support/node.h"
#include "support/party.h"

namespace
{

using support::Handle;
using support::in_child;
using support::Known;
using support::Node;
using support::ProcessParty;
using support::Set;

const std::vector<Known> kClocks = {{"UNC_C_CLOCKTICKS", "cbox", 0, 0, 0, 0}};
const std::vector<Known> kReads = {{"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0, 0}};

// The locks of all packages, held by this process.
class Locks
{
      public:
	explicit Locks(const Node &node, bool with_directory = true)
	    : packages(std::make_unique<bool[]>(unc_machine_of(node.handle.u)->topo.n_packages))
	{
		const unc_topology *topo = &unc_machine_of(node.handle.u)->topo;

		unc_err_init(&err);
		snprintf(dir.path, sizeof(dir.path), "%s/run/uncore", node.files.root.c_str());
		dir.fd = -1;
		if (with_directory) {
			EXPECT_EQ(0, unc_directory_open(&dir, false, &err));
		}
		EXPECT_EQ(0, unc_locks_init(&locks, node.files.root.c_str(), topo));
		std::fill_n(packages.get(), topo->n_packages, true);
	}
	~Locks()
	{
		unc_locks_free(&locks);
		unc_directory_close(&dir);
		unc_err_destroy(&err);
	}
	Locks(const Locks &) = delete;
	Locks &operator=(const Locks &) = delete;

	int take()
	{
		return unc_locks_take(&locks, &dir, packages.get(), &package, &holder, &err);
	}
	void drop()
	{
		unc_locks_drop(&locks);
	}
	void only(unsigned p)
	{
		std::fill_n(packages.get(), locks.n, false);
		packages[p] = true;
	}

	unsigned package = 0;
	pid_t holder = 0;

      private:
	std::unique_ptr<bool[]> packages;
	unc_directory dir = {};
	unc_locks locks = {};
	unc_err err = {};
};

// A process that holds the locks until it is ended or killed.
class Holder
{
      public:
	explicit Holder(const Node &node, bool with_a_child = false, uid_t user = 0)
	{
		EXPECT_EQ(0, pipe(ready));
		EXPECT_EQ(0, pipe(go));
		pid = support::fork_clean();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			hold(node, with_a_child, user);
		}
		EXPECT_EQ(static_cast<ssize_t>(sizeof(child)),
			  read(ready[0], &child, sizeof(child)));
	}
	~Holder()
	{
		kill();
		if (child > 0)
			::kill(child, SIGKILL);
		for (int fd : {ready[0], ready[1], go[0], go[1]})
			close(fd);
	}
	void drop() const
	{
		EXPECT_EQ(1, write(go[1], "", 1));
	}
	void kill()
	{
		if (pid < 0)
			return;
		EXPECT_EQ(0, ::kill(pid, SIGKILL));
		EXPECT_EQ(1000 + SIGKILL, support::status_of(pid));
		pid = -1;
	}
	std::string name() const
	{
		return "(pid " + std::to_string(pid) + ", user ";
	}

	pid_t pid = -1, child = 0;

      private:
	[[noreturn]] void hold(const Node &node, bool with_a_child, uid_t user)
	{
		Locks locks(node);
		pid_t made = 0;
		char c;

		if (locks.take() != 1 || (user && setuid(user) != 0))
			_exit(1);
		if (with_a_child && (made = fork()) == 0)
			for (;;)
				pause();
		if (write(ready[1], &made, sizeof(made)) != sizeof(made) || read(go[0], &c, 1) != 1)
			_exit(2);
		locks.drop();
		for (;;)
			pause();
	}

	int ready[2], go[2];
};

using Clock = std::chrono::steady_clock;

int64_t ms_since(Clock::time_point begin)
{
	return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
}

class Lock : public testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		node = std::make_unique<Node>("snbep:packages=2,cores=2");
	}
	uncore_options waiting(int ms) const
	{
		auto options = node->files.options();

		options.lock_timeout_ms = ms;
		return options;
	}
	// Whether another process could claim counters now, including one that cannot use the
	// directory.
	bool is_free(bool with_directory = true) const
	{
		return in_child([&] { return Locks(*node, with_directory).take() == 1 ? 0 : 1; }) ==
		       0;
	}
	std::unique_ptr<Node> node;
};

#define EXPECT_FIND(part, text)                             \
	do {                                                \
		const std::string all = text;               \
		EXPECT_NE(all.npos, all.find(part)) << all; \
	} while (0)

// Another handle of the process must find the same place in the lock files.
TEST_F(Lock, IsAtTheSamePlaceAfterATryWithoutDescriptors)
{
	Locks first(*node), second(*node);

	EXPECT_GT(0, support::with_file_limit(0, [&] { return first.take(); }));
	ASSERT_EQ(1, first.take());
	EXPECT_EQ(0, second.take());
	EXPECT_EQ(getpid(), second.holder);
	first.drop();
	EXPECT_EQ(1, second.take());
}

TEST_F(Lock, IsNotHeldByAChildOfTheProcessThatFreedIt)
{
	pid_t child = -1;

	{
		Locks locks(*node);

		ASSERT_EQ(1, locks.take());
		child = fork();
		if (child == 0)
			for (;;)
				pause();
	}
	EXPECT_EQ(1, Locks(*node).take());
	EXPECT_EQ(0, kill(child, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, support::status_of(child));
}

TEST_F(Lock, OfABusyPackageReleasesTheOthers)
{
	Locks second(*node), both(*node), first(*node);

	second.only(1);
	first.only(0);
	ASSERT_EQ(1, second.take());
	EXPECT_EQ(0, both.take());
	EXPECT_EQ(1u, both.package);
	EXPECT_EQ(1, first.take());
}

// ---- waiting ----

TEST_F(Lock, ATimeoutNamesTheHolder)
{
	Holder holder(*node);
	const Handle h(waiting(150));
	Set set(h, names_of(kClocks));
	const auto begin = Clock::now();
	auto user = "user " + std::to_string(getuid());

	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_LE(150, ms_since(begin));
	EXPECT_FIND(holder.name() + (getuid() == 0 ? "root" : ""), h.message());
	EXPECT_FIND("150 ms", h.message());
	EXPECT_FIND("UNCORE_LOCK_TIMEOUT", h.message());
	EXPECT_EQ(UNCORE_EBUSY, uncore_recover(h.u));
	EXPECT_FIND(holder.name(), h.message());
	node->expect_clean();
	holder.drop();
	node->expect_counting(kClocks);
}

TEST_F(Lock, AfterWaitingASetCounts)
{
	Holder holder(*node);
	const Handle h(waiting(600000));
	Set set(h, names_of(kClocks));
	std::thread later([&] {
		usleep(50000);
		holder.drop();
	});

	EXPECT_EQ(0, set.start()) << h.message();
	later.join();
	EXPECT_EQ(0, set.stop());
}

TEST_F(Lock, NoProcessHasToWait)
{
	const Holder holder(*node);
	const Handle h(waiting(-1));
	Set set(h, names_of(kClocks));

	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_FIND(holder.name(), h.message());
}

TEST_F(Lock, TheVariableSetsHowLong)
{
	const auto timeout = [&](const char *text) {
		setenv("UNCORE_LOCK_TIMEOUT", text, 1);
		const Handle h(node->files.options());
		auto info = support::sized<uncore_sharing_info>();

		unsetenv("UNCORE_LOCK_TIMEOUT");
		if (h.code != 0)
			return h.message();
		EXPECT_EQ(0, uncore_sharing(h.u, &info));
		return std::to_string(info.lock_timeout_ms);
	};

	EXPECT_EQ("70", timeout("70"));
	EXPECT_EQ("0", timeout("0"));
	EXPECT_EQ("3600000", timeout("3600000"));
	for (const char *bad : {"3600001", "-1", "5s", "soon", "99999999999999999999"})
		EXPECT_FIND("invalid UNCORE_LOCK_TIMEOUT \"" + std::string(bad) +
				    "\": expected milliseconds",
			    timeout(bad));
	auto info = support::sized<uncore_sharing_info>();
	EXPECT_EQ(0, uncore_sharing(node->handle.u, &info));
	EXPECT_EQ(5000U, info.lock_timeout_ms);
}

// A stop restores what it can even if it cannot get the lock.
TEST_F(Lock, AStopProceedsInTheEnd)
{
	const Handle h(waiting(100));
	Set set(h, names_of(kClocks));

	ASSERT_EQ(0, set.start());
	const uint64_t since = node->now();
	const Holder holder(*node);
	node->pass();
	EXPECT_EQ(0, set.stop()) << h.message();
	node->expect_counts(kClocks, set.counts(), since, node->now());
	node->controls.expect_same(node->before, node->controls.values());
}

// Without the lock it cannot know which other processes have started since.
TEST_F(Lock, AStopWithoutTheLockFreezesNoOtherSet)
{
	const Node ivb("ivbep:packages=1,cores=2");
	const Known here = {"UNC_C_CLOCKTICKS", "cbox", 0, 0, 1, 0};
	const Known in_pcu = {"UNC_P_CLOCKTICKS", "pcu", 0, 0, 0, 0};
	auto options = ivb.files.options();

	options.lock_timeout_ms = 50;
	const Handle h(options);
	Set set(h, support::names_of({in_pcu})), other(ivb.handle, support::names_of({here}));
	ASSERT_EQ(0, set.start()) << h.message();
	ASSERT_EQ(0, other.start()) << ivb.handle.message();
	const uint64_t since = ivb.now();
	{
		const Holder holder(ivb);

		ivb.pass();
		EXPECT_EQ(0, set.stop()) << h.message();
		ivb.pass();
		ivb.expect_counts({here}, other.counts(), since, ivb.now());
	}
	EXPECT_EQ(0, other.stop()) << ivb.handle.message();
	ivb.expect_clean();
}

// Any number of processes can read them, but within a job only one of them counts.
TEST_F(Lock, OwnersOfCountersThatAlwaysRunTakeIt)
{
	const Node skx("skx:packages=1,cores=2");
	auto options = skx.files.options();

	options.lock_timeout_ms = 20;
	const Handle reads(options);
	options.share = "owner";
	const Handle owns(options);
	Set read(reads, {"UNC_IIO_BANDWIDTH_IN:PART0_FREERUN"}),
		own(owns, {"UNC_IIO_BANDWIDTH_IN:PART0_FREERUN"});
	{
		const Holder holder(skx);

		EXPECT_EQ(0, read.start()) << reads.message();
		EXPECT_EQ(UNCORE_EBUSY, own.start());
		EXPECT_FIND(holder.name(), owns.message());
		EXPECT_EQ(0, read.stop()) << reads.message();
	}
	EXPECT_EQ(0, own.start()) << owns.message();
	EXPECT_EQ(0, own.stop()) << owns.message();
	skx.expect_clean();
}

std::atomic<pid_t> conflicting_name;

void remove_it(int /*signal*/)
{
	kill(conflicting_name, SIGKILL);
}

TEST_F(Lock, ASignalHandlerRunsMeanwhile)
{
	Holder holder(*node);
	const Handle h(waiting(600000));
	Set set(h, names_of(kClocks));
	struct sigaction action = {}, old;
	const itimerval soon = {{0, 0}, {0, 50000}};

	conflicting_name = holder.pid;
	action.sa_handler = remove_it;
	ASSERT_EQ(0, sigaction(SIGALRM, &action, &old));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &soon, nullptr));
	EXPECT_EQ(0, set.start()) << h.message();
	EXPECT_EQ(1000 + SIGKILL, support::status_of(holder.pid));
	holder.pid = -1;
	sigaction(SIGALRM, &old, nullptr);
}

// The mutex of the handle is not held either.
TEST_F(Lock, OtherSetsOfTheHandleAreReadAndListedMeanwhile)
{
	const Handle h(waiting(600000));
	Set reads(h, names_of(kReads)), clocks(h, names_of(kClocks));

	ASSERT_EQ(0, reads.start());
	const uint64_t since = node->now();
	Holder holder(*node);
	std::thread waits([&] { EXPECT_EQ(0, clocks.start()) << h.message(); });
	for (int i = 0; i < 20; i++) {
		node->pass();
		node->expect_counts(kReads, reads.counts(), since, node->now());
		EXPECT_EQ(0, Set(h).assign({"UNC_P_CLOCKTICKS"})) << h.message();
		usleep(1000);
	}
	holder.drop();
	waits.join();
	EXPECT_EQ(0, clocks.stop());
	EXPECT_EQ(0, reads.stop());
}

// ---- release ----

TEST_F(Lock, WorksWithoutADirectory)
{
	auto options = waiting(50);
	Locks claims(*node, false);

	options.journal = "none";
	const Handle h(options);
	Set set(h, names_of(kClocks));
	ASSERT_EQ(1, claims.take());
	EXPECT_EQ(0, in_child([&] {
			  const Handle theirs(options);
			  Set other(theirs, names_of(kClocks));

			  return other.start() == UNCORE_EBUSY ? 0 : 1;
		  }));
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	claims.drop();
	EXPECT_EQ(0, set.start()) << h.message();
}

// A file that cannot be opened for lack of descriptors is not a missing one: without a directory
// nothing else would exclude others.
TEST_F(Lock, IsNotMissingIfTooManyFilesAreOpen)
{
	auto options = waiting(50);

	options.journal = "none";
	const Handle h(options);
	Set set(h, names_of(kClocks));
	EXPECT_EQ(UNCORE_EACCESS, support::with_file_limit(0, [&] { return set.start(); }));
	EXPECT_FIND("cannot lock packages: /proc/self/stat: Too many open files", h.message());
	EXPECT_EQ(0, set.start()) << h.message();
}

TEST_F(Lock, EndsWithItsOwnerThoughAChildLives)
{
	Holder holder(*node, true);

	EXPECT_FALSE(is_free());
	holder.kill();
	EXPECT_EQ(0, kill(holder.child, 0)) << "the process must still be running";
	EXPECT_TRUE(is_free());
	node->expect_counting(kClocks);
}

// The same for the journal of a process that counts.
TEST_F(Lock, AJournalIsDeadThoughAChildLives)
{
	int ready[2];
	pid_t child = 0;

	ASSERT_EQ(0, pipe(ready));
	const pid_t owner = support::fork_clean();
	if (owner == 0) {
		const Handle h(node->files.options());
		Set set(h, names_of(kClocks));
		const int r = set.start();
		const pid_t made = r == 0 ? fork() : -1;

		if (made == 0)
			for (;;)
				pause();
		if (write(ready[1], &made, sizeof(made)) == sizeof(made))
			pause();
		_exit(1);
	}
	ASSERT_EQ(static_cast<ssize_t>(sizeof(child)), read(ready[0], &child, sizeof(child)));
	ASSERT_LT(0, child);
	Set set(node->handle, names_of(kClocks));
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_FIND("(pid " + std::to_string(owner) + ", user ", node->handle.message());
	kill(owner, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, support::status_of(owner));
	EXPECT_EQ(0, kill(child, 0));
	node->expect_counting(kClocks);
	node->expect_clean();
	kill(child, SIGKILL);
	close(ready[0]);
	close(ready[1]);
}

// ---- other holders ----

// bytes: 0: the whole file.
struct flock write_lock(off_t bytes)
{
	struct flock lock = {};

	lock.l_type = F_WRLCK;
	lock.l_whence = SEEK_SET;
	lock.l_len = bytes;
	return lock;
}

// A process that has this lock of a file until it is killed.
pid_t process_with_lock(const std::string &file, struct flock lock)
{
	int ready[2];
	char byte = 0;

	EXPECT_EQ(0, pipe(ready));
	const pid_t pid = support::fork_clean();
	if (pid == 0) {
		byte = fcntl(open(file.c_str(), O_RDWR), F_SETLK, &lock) == 0;
		if (write(ready[1], &byte, 1) == 1)
			for (;;)
				pause();
		_exit(1);
	}
	EXPECT_EQ(1, read(ready[0], &byte, 1));
	EXPECT_EQ(1, byte);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

// Another tool may lock all bytes of the file of the package: the holder is not this process.
TEST_F(Lock, OfTheWholeFileNamesItsProcess)
{
	const Handle h(waiting(50));
	Set set(h, names_of(kClocks));
	const auto file = node->files.root + "/run/uncore/package-0.lock";

	{
		Locks first(*node); // makes the file
		ASSERT_EQ(1, first.take());
	}
	struct flock whole = write_lock(0);
	const pid_t other = process_with_lock(file, whole);
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_FIND("(pid " + std::to_string(other) + ", user ", h.message());
	EXPECT_EQ(std::string::npos, h.message().find("this process")) << h.message();
	kill(other, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, support::status_of(other));

	// A lock of an open file has no process.
	const int fd = open(file.c_str(), O_RDWR);
	ASSERT_EQ(0, fcntl(fd, F_OFD_SETLK, &whole));
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_FIND("locked by an unknown process", h.message());
	close(fd);
	EXPECT_EQ(0, set.start()) << h.message();
	EXPECT_EQ(0, set.stop());
}

// The lock of a package consists of several files: none of them stays locked if one is held.
TEST_F(Lock, OfABusyFileReleasesTheOthers)
{
	const auto file = node->files.root + "/run/uncore/package-0.lock";

	{
		Locks first(*node); // makes the file
		ASSERT_EQ(1, first.take());
	}
	const pid_t other = process_with_lock(file, write_lock(1)); // as another process does
	Locks both(*node);
	EXPECT_EQ(0, both.take());
	EXPECT_EQ(other, both.holder);
	EXPECT_TRUE(is_free(false));
	kill(other, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, support::status_of(other));

	struct flock lock = write_lock(0); // as another tool may do
	const int fd = open(file.c_str(), O_RDWR);
	ASSERT_EQ(0, fcntl(fd, F_OFD_SETLK, &lock));
	EXPECT_EQ(0, both.take());
	EXPECT_TRUE(is_free(false));
	close(fd);
	EXPECT_EQ(1, both.take());
}

// The kernel gives the directory of such a process in /proc to root.
TEST_F(Lock, ATimeoutNamesTheUserThatAProcessBecame)
{
	if (getuid() != 0)
		GTEST_SKIP() << "only root can become another user";
	Holder holder(*node, false, 12345);
	const Handle h(waiting(50));
	Set set(h, names_of(kClocks));

	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_FIND("user 12345)", h.message());
}

// ---- in one process ----

TEST_F(Lock, HandlesExcludeEachOther)
{
	Locks first(*node), second(*node);

	ASSERT_EQ(1, first.take());
	EXPECT_EQ(0, second.take());
	EXPECT_EQ(getpid(), second.holder);
	const Handle h(waiting(50));
	Set set(h, names_of(kClocks));
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_FIND("(pid " + std::to_string(getpid()) + ", user ", h.message());
	EXPECT_FIND("another handle of this process", h.message());
	EXPECT_FALSE(is_free()) << "reading must not release the lock";
	first.drop();
	EXPECT_EQ(1, second.take());
	EXPECT_EQ(0, first.take());
	second.drop();
	EXPECT_EQ(0, set.start()) << h.message();
	EXPECT_EQ(0, set.stop());
}

TEST_F(Lock, ClosingAHandleWaitsForTheOtherOne)
{
	Locks claims(*node, false);
	auto other = std::make_unique<Handle>(node->files.options());
	Set(*other, names_of(kClocks)).start(); // all files are open

	ASSERT_EQ(1, claims.take());
	std::thread closes([&] { other.reset(); });
	for (int i = 0; i < 5; i++) {
		usleep(10000);
		EXPECT_FALSE(is_free(false)) << i;
	}
	claims.drop();
	closes.join();
	EXPECT_TRUE(is_free(false));
}

TEST_F(Lock, AHandleThatCannotBeOpenedTakesNothingAway)
{
	auto lists = node->files.options(), journal = lists, share = lists;
	Locks claims(*node, false);

	lists.event_files = "/nonexistent";
	journal.journal = "/dev/null";
	share.share = "nonsense";
	ASSERT_EQ(1, claims.take());
	for (const uncore_options &bad : {lists, journal, share}) {
		std::thread opens([&] { EXPECT_NE(0, Handle(bad).code); });

		usleep(50000);
		EXPECT_FALSE(is_free(false));
		claims.drop();
		opens.join();
		ASSERT_EQ(1, claims.take());
	}
}

TEST_F(Lock, ThreadsWithHandlesOfTheirOwn)
{
	std::mutex opening; // reads the environment, which libpfm4 changes
	const auto count = [&](const std::vector<Known> &events) {
		for (int i = 0; i < 30; i++) {
			std::unique_lock<std::mutex> alone(opening);
			const Handle h(node->files.options());

			alone.unlock();
			Set set(h, names_of(events));

			for (int k = 0; k < 3; k++) {
				ASSERT_EQ(0, set.start()) << h.message();
				ASSERT_EQ(0, set.stop()) << h.message();
			}
		}
	};
	std::thread one(count, kClocks), two(count, kReads);

	one.join();
	two.join();
	node->expect_clean();
}

// ---- fork and exec ----

TEST_F(Lock, AChildThatClosesItsParentsHandleTakesNothingAway)
{
	auto h = std::make_unique<Handle>(node->files.options());
	Set set(*h, names_of(kClocks));

	ASSERT_EQ(0, set.start());
	const uint64_t since = node->now();
	EXPECT_EQ(0, in_child([&] {
			  h->close();
			  return 0;
		  }));
	EXPECT_EQ(1, in_child([&] {
			  const Handle other(node->files.options());
			  Set theirs(other, names_of(kClocks));

			  return theirs.start() == UNCORE_EBUSY &&
				 other.message().find(std::to_string(getppid())) !=
					 std::string::npos;
		  }));
	node->pass();
	node->expect_counts(kClocks, set.counts(), since, node->now());
	EXPECT_EQ(0, set.stop());
	node->expect_clean();
}

TEST_F(Lock, AChildOfOneThatClaimsWaitsForIt)
{
	Locks claims(*node);

	ASSERT_EQ(1, claims.take());
	EXPECT_EQ(0, in_child([&] {
			  const Handle h(waiting(50));
			  Set set(h, names_of(kClocks));

			  return set.start() == UNCORE_EBUSY &&
						 h.message().find("(pid " +
								  std::to_string(getppid())) !=
							 std::string::npos
					 ? 0
					 : 1;
		  }));
	EXPECT_FALSE(is_free());
	claims.drop();
	EXPECT_TRUE(is_free());
}

// The journal has no owner then, although the process is still running.
TEST_F(Lock, AProgramThatReplacesItselfHasLeft)
{
	int ready[2];
	char c;

	ASSERT_EQ(0, pipe(ready));
	const pid_t pid = support::fork_clean();
	if (pid == 0) {
		const Handle h(node->files.options());
		Set set(h, names_of(kClocks));

		dup2(ready[1], 1);
		if (set.start() == 0)
			execlp("sh", "sh", "-c", "echo; exec sleep 60", nullptr);
		_exit(1);
	}
	ASSERT_EQ(1, read(ready[0], &c, 1));
	EXPECT_EQ(1U, node->files.journals().size());
	node->expect_counting(kClocks);
	node->expect_clean();
	EXPECT_EQ(0, kill(pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, support::status_of(pid));
	close(ready[0]);
	close(ready[1]);
}

// The new program has the same process id.
TEST_F(Lock, AProgramThatReplacesItselfCountsAgain)
{
	const std::string command = std::string(getenv("BUILD")) + "/uncore";

	EXPECT_EQ(0, in_child([&] {
			  const Handle h(node->files.options());
			  Set set(h, names_of(kClocks));

			  setenv("UNCORE_SYSROOT", node->files.root.c_str(), 1);
			  if (set.start() == 0 && freopen("/dev/null", "w", stdout) &&
			      freopen("/dev/null", "w", stderr))
				  execl(command.c_str(), "uncore", "stat", "-e",
					kClocks[0].full().c_str(), "--", "true", nullptr);
			  return 100;
		  }));
	node->expect_clean();
}

} // namespace
