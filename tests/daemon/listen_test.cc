// SPDX-License-Identifier: BSD-3-Clause
// listen_test.cc - the socket of uncored: its owner, what it may replace, and what it must not
// change.
#include <cerrno>
#include <csignal>
#include <fstream>
#include <set>
#include <string>

#include <dirent.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

extern "C" {
#include "daemon/daemon.h"
}
#include "support/root_of_namespace.h"

namespace
{

struct Listening : testing::Test {
	Listening()
	    : directory(testing::TempDir() + "uncored-listen-" + std::to_string(getpid())),
	      path(directory + "/socket")
	{
		EXPECT_EQ(0, mkdir(directory.c_str(), 0755));
	}
	~Listening() override
	{
		for (const std::string &name : files())
			if (unlink((directory + "/" + name).c_str()) != 0)
				rmdir((directory + "/" + name).c_str());
		EXPECT_EQ(0, rmdir(directory.c_str()));
	}
	Listening(const Listening &) = delete;
	Listening &operator=(const Listening &) = delete;

	// The listening socket, or -1 with a message in `said`.
	int listen_here(const char *group = nullptr)
	{
		testing::internal::CaptureStderr();
		const int fd = daemon_listen(path.c_str(), group, &file);
		said = testing::internal::GetCapturedStderr();
		return fd;
	}
	void expect_refused(const char *why)
	{
		EXPECT_EQ(-1, listen_here());
		EXPECT_NE(std::string::npos, said.find(why)) << said;
		EXPECT_EQ((std::set<std::string>{"socket"}), files());
	}
	std::set<std::string> files() const
	{
		std::set<std::string> names;
		DIR *d = opendir(directory.c_str());

		while (const dirent *e = d ? readdir(d) : nullptr)
			if (e->d_name[0] != '.' || strlen(e->d_name) > 2)
				names.insert(e->d_name);
		if (d)
			closedir(d);
		return names;
	}
	struct stat status() const
	{
		struct stat st = {};

		EXPECT_EQ(0, lstat(path.c_str(), &st));
		return st;
	}
	// A socket of another program.
	int other(int type) const
	{
		sockaddr_un address = {};
		const int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

		address.sun_family = AF_UNIX;
		path.copy(address.sun_path, sizeof(address.sun_path) - 1);
		EXPECT_EQ(0, bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof(address)));
		return fd;
	}

	std::string directory, path, said;
	socket_file file = {};
};

TEST_F(Listening, IsForThisUserAloneWithoutAGroup)
{
	const int fd = listen_here();

	ASSERT_LE(0, fd) << said;
	EXPECT_EQ(static_cast<mode_t>(S_IFSOCK | 0600), status().st_mode);
	EXPECT_EQ((std::set<std::string>{"socket"}), files());
	close(fd);
	daemon_remove_socket(&file);
	EXPECT_TRUE(files().empty());
}

TEST_F(Listening, IsForTheGroupThatIsNamed)
{
	const struct group *g = getgrgid(geteuid() == 0 ? 1 : getegid());

	ASSERT_NE(nullptr, g);
	const gid_t id = g->gr_gid;
	const int fd = listen_here(g->gr_name);
	ASSERT_LE(0, fd) << said;
	EXPECT_EQ(static_cast<mode_t>(S_IFSOCK | 0660), status().st_mode);
	EXPECT_EQ(id, status().st_gid);
	close(fd);
	daemon_remove_socket(&file);
	EXPECT_EQ(-1, listen_here("no-such-group"));
	EXPECT_NE(std::string::npos, said.find("unknown group \"no-such-group\"")) << said;
	EXPECT_TRUE(files().empty());
}

TEST_F(Listening, TakesThePlaceOfADaemonThatWasKilled)
{
	close(listen_here());
	close(file.directory); // as when a process ends
	const int fd = listen_here();
	ASSERT_LE(0, fd) << said;
	close(fd);
	daemon_remove_socket(&file);
}

// In processes, because the umask belongs to the process.
TEST_F(Listening, OneOfTwoDaemonsReplacesTheSocketOfAKilledOne)
{
	for (int i = 0; i < 200; i++) {
		const int killed = other(SOCK_SEQPACKET);
		int go[2], done[2];
		pid_t children[2];
		unsigned n = 0;
		char r;

		close(killed);
		ASSERT_EQ(0, pipe(go));
		ASSERT_EQ(0, pipe(done));
		for (pid_t &child : children) {
			child = fork();
			if (child != 0)
				continue;
			close(go[1]);
			if (!freopen("/dev/null", "w", stderr) || read(go[0], &r, 1) != 0)
				_exit(1);
			r = daemon_listen(path.c_str(), nullptr, &file) >= 0;
			if (write(done[1], &r, 1) == 1)
				pause(); // both listen until they are killed
			_exit(1);
		}
		close(go[0]);
		close(go[1]);
		for (int k = 0; k < 2; k++) {
			ASSERT_EQ(1, read(done[0], &r, 1));
			n += r;
		}
		ASSERT_EQ(1u, n) << "in round " << i;
		ASSERT_EQ((std::set<std::string>{"socket"}), files());
		for (const pid_t child : children) {
			kill(child, SIGKILL);
			waitpid(child, nullptr, 0);
		}
		close(done[0]);
		close(done[1]);
		unlink(path.c_str());
	}
}

TEST_F(Listening, LeavesAnOrdinaryFileAsItIs)
{
	std::string text;

	std::ofstream(path) << "data";
	expect_refused("the file exists and is not a socket");
	std::ifstream(path) >> text;
	EXPECT_EQ("data", text);
}

TEST_F(Listening, LeavesALinkAndADirectoryAsTheyAre)
{
	ASSERT_EQ(0, symlink("/nowhere", path.c_str()));
	expect_refused("not a socket");
	EXPECT_TRUE(S_ISLNK(status().st_mode));
	ASSERT_EQ(0, unlink(path.c_str()));
	ASSERT_EQ(0, mkdir(path.c_str(), 0755));
	expect_refused("not a socket");
	EXPECT_TRUE(S_ISDIR(status().st_mode));
}

TEST_F(Listening, LeavesTheSocketOfAnotherProgramThatListens)
{
	const int stream = other(SOCK_STREAM);

	ASSERT_EQ(0, listen(stream, 1));
	expect_refused("another program is listening on this socket");
	close(stream);
	ASSERT_EQ(0, unlink(path.c_str()));
	const int first = listen_here();
	ASSERT_LE(0, first) << said;
	socket_file of_first = file;
	expect_refused("another uncored is listening on this socket");
	close(first);
	daemon_remove_socket(&of_first);
}

TEST_F(Listening, RemovesOnlyTheSocketThatItMade)
{
	const int fd = listen_here();

	ASSERT_LE(0, fd) << said;
	ASSERT_EQ(0, unlink(path.c_str()));
	std::ofstream(path) << "data";
	close(fd);
	daemon_remove_socket(&file);
	EXPECT_EQ((std::set<std::string>{"socket"}), files());
}

// Repeatedly replaces all names in a directory by links to another file.
[[noreturn]] void swap_names(const std::string &directory, const std::string &victim, uid_t user)
{
	if (chdir(directory.c_str()) != 0 || setgid(user) != 0 || setuid(user) != 0)
		_exit(1);
	for (;;) {
		DIR *d = opendir(".");

		while (const dirent *e = d ? readdir(d) : nullptr) {
			if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
				continue;
			rename(e->d_name, "moved");
			if (symlink(victim.c_str(), e->d_name) != 0)
				unlink("moved");
		}
		if (d)
			closedir(d);
		unlink("socket");
		if (symlink(victim.c_str(), "socket") == 0)
			unlink("socket");
	}
}

TEST_F(Listening, ChangesNoOtherFileInADirectoryOfAnotherUser)
{
	constexpr uid_t kUser = 65534;
	const std::string victim = directory + "-victim";
	const struct group *g = getgrgid(1);
	struct stat st = {};
	int status;

	NEEDS_OTHER_USERS();
	ASSERT_NE(nullptr, g);
	const std::string group = g->gr_name;
	std::ofstream(victim) << "secret";
	ASSERT_EQ(0, chmod(victim.c_str(), 0600));
	ASSERT_EQ(0, chown(directory.c_str(), kUser, kUser));
	const pid_t pid = fork();
	if (pid == 0)
		swap_names(directory, victim, kUser);
	for (unsigned i = 0; i < 500 && st.st_gid == 0; i++) {
		const int fd = listen_here(group.c_str());

		if (fd >= 0)
			close(fd);
		daemon_remove_socket(&file);
		ASSERT_EQ(0, stat(victim.c_str(), &st));
	}
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status)) << "the other user's process was not running";
	EXPECT_EQ(0u, st.st_gid);
	EXPECT_EQ(static_cast<mode_t>(S_IFREG | 0600), st.st_mode);
	EXPECT_EQ(0, unlink(victim.c_str()));
}

} // namespace
