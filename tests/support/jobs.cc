// SPDX-License-Identifier: BSD-3-Clause
#include "support/jobs.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <regex>

#include <fcntl.h>

namespace support
{

namespace
{

// The processes of an ordinary user are the user's own: others' are not reported.
std::string owned(const std::string &text)
{
	const std::string uid = " uid=" + std::to_string(geteuid());

	if (geteuid() == 0)
		return text;
	const std::string mine = std::regex_replace(text, std::regex(" uid=[0-9]+"), "");
	return std::regex_replace(mine, std::regex("(^|\n)(process [0-9]+)"), "$1$2" + uid);
}

} // namespace

ProcessesFile::ProcessesFile(const std::string &text)
{
	char path[] = "/tmp/uncore-processes-XXXXXX";
	const int fd = mkstemp(path);

	EXPECT_EQ(static_cast<ssize_t>(text.size()), write(fd, text.data(), text.size()));
	close(fd);
	name = path;
}

ProcessesFile::~ProcessesFile()
{
	unlink(name.c_str());
}

Jobs::Jobs(const std::string &machine, const std::string &text)
    : ProcessesFile(owned(text)), Mounted(machine, "", {"--processes", name})
{
}

std::string Jobs::group(const std::string &file) const
{
	return path("sys/fs/resctrl/" + file);
}

double Jobs::number(const std::string &file) const
{
	double value = -1;

	std::ifstream(group(file)) >> value;
	return value;
}

int Jobs::make(const std::string &group_name) const
{
	return mkdir(group(group_name).c_str(), 0755) == 0 ? 0 : errno;
}

int Jobs::remove(const std::string &group_name) const
{
	return rmdir(group(group_name).c_str()) == 0 ? 0 : errno;
}

int Jobs::assign(const std::string &group_name, const std::string &thread) const
{
	const int fd = open(group(group_name + "/tasks").c_str(), O_WRONLY | O_CLOEXEC);
	const bool written =
		write(fd, thread.data(), thread.size()) == static_cast<ssize_t>(thread.size());
	const int error = written ? 0 : errno;

	close(fd);
	return error;
}

} // namespace support
