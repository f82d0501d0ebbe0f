// SPDX-License-Identifier: BSD-3-Clause
#include "support/mounted.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <dirent.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/prctl.h>

#include "support/child.h"

namespace support
{

bool can_mount(int fuse)
{
	char dir[] = "/tmp/uncore-probe-XXXXXX", options[64];

	if (!mkdtemp(dir))
		return false;
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
	const bool can = mount("probe", dir, "fuse", 0, options) == 0;
	if (can)
		umount2(dir, MNT_DETACH);
	rmdir(dir);
	return can;
}

std::string cannot_mount()
{
	const char *build = getenv("BUILD");

	if (!build || access((std::string(build) + "/uncore").c_str(), X_OK) != 0)
		return "BUILD names no directory with the uncore command";
	const int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return std::string("/dev/fuse: ") + strerror(errno);
	const bool can = geteuid() != 0 || can_mount(fd);
	close(fd);
	if (!can)
		return "root may not mount here";
	if (geteuid() != 0 && system("command -v fusermount3 >/dev/null") != 0)
		return "not root, and there is no fusermount3";
	return "";
}

Mounted::Mounted(const std::string &machine, const std::string &trace,
		 const std::vector<std::string> &more)
{
	char name[] = "/tmp/uncore-mounted-XXXXXX";
	int ready[2];
	char c;

	if (!mkdtemp(name) || pipe2(ready, O_CLOEXEC) != 0)
		throw std::runtime_error("no place to mount at");
	root = name;
	pid = fork_clean();
	if (pid == 0) {
		// a test program that is killed leaves no mount behind
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		dup2(ready[1], 1);
		serve(machine, trace, more);
		_exit(127);
	}
	close(ready[1]);
	mounted = read(ready[0], &c, 1) == 1;
	close(ready[0]);
}

Mounted::~Mounted()
{
	end();
	rmdir(root.c_str());
}

int Mounted::end()
{
	const int status = pid > 0 && kill(pid, SIGTERM) == 0 ? status_of(pid) : -1;

	pid = -1;
	return status;
}

std::string Mounted::path(const std::string &name) const
{
	return root + "/" + name;
}

std::vector<std::string> Mounted::journals() const
{
	std::vector<std::string> all;
	DIR *dir = opendir(path("run/uncore").c_str());

	while (const dirent *e = dir ? readdir(dir) : nullptr)
		if (!strchr(e->d_name, '.'))
			all.push_back(e->d_name);
	if (dir)
		closedir(dir);
	return all;
}

void Mounted::advance(uint64_t ns) const
{
	order("sim/advance", std::to_string(ns));
}

void Mounted::kill_at(int64_t writes) const
{
	order("sim/kill_at", std::to_string(writes));
}

std::string Mounted::text(const std::string &name) const
{
	std::ifstream file(path(name));

	return {std::istreambuf_iterator<char>(file), {}};
}

uncore_options Mounted::options() const
{
	auto o = support::sized<uncore_options>();

	o.machine = "native";
	o.sysroot = root.c_str();
	return o;
}

void Mounted::serve(const std::string &machine, const std::string &trace,
		    const std::vector<std::string> &more) const
{
	std::vector<std::string> words = {std::string(getenv("BUILD")) + "/uncore", "sim", "mount",
					  "--machine", machine};
	std::vector<char *> list;

	if (!trace.empty())
		words.insert(words.end(), {"--trace", trace});
	words.insert(words.end(), more.begin(), more.end());
	words.push_back(root);
	for (std::string &word : words)
		list.push_back(&word[0]);
	list.push_back(nullptr);
	execv(list[0], list.data());
}

void Mounted::order(const std::string &name, const std::string &what) const
{
	const int fd = open(path(name).c_str(), O_WRONLY | O_CLOEXEC);

	EXPECT_EQ(static_cast<ssize_t>(what.size()), write(fd, what.data(), what.size()));
	close(fd);
}

} // namespace support
