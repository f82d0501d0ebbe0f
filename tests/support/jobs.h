// SPDX-License-Identifier: BSD-3-Clause
// jobs.h - a mounted machine with processes, which `uncore sim mount --processes` describes.
#ifndef SUPPORT_JOBS_H
#define SUPPORT_JOBS_H

#include <cstdio>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "support/mounted.h"

namespace support
{

// A file with a text, removed at the end.
class ProcessesFile
{
      public:
	explicit ProcessesFile(const std::string &text)
	{
		char path[] = "/tmp/uncore-processes-XXXXXX";
		const int fd = mkstemp(path);

		EXPECT_EQ(static_cast<ssize_t>(text.size()), write(fd, text.data(), text.size()));
		close(fd);
		name = path;
	}
	~ProcessesFile()
	{
		unlink(name.c_str());
	}
	ProcessesFile(const ProcessesFile &) = delete;
	ProcessesFile &operator=(const ProcessesFile &) = delete;

	std::string name;
};

class Jobs : public ProcessesFile, public Mounted
{
      public:
	Jobs(const std::string &machine, const std::string &text)
	    : ProcessesFile(text), Mounted(machine, "", {"--processes", name})
	{
	}
	std::string group(const std::string &file) const
	{
		return path("sys/fs/resctrl/" + file);
	}
	double number(const std::string &file) const
	{
		double value = -1;

		std::ifstream(group(file)) >> value;
		return value;
	}
	int make(const std::string &group_name) const
	{
		return mkdir(group(group_name).c_str(), 0755) == 0 ? 0 : errno;
	}
	int remove(const std::string &group_name) const
	{
		return rmdir(group(group_name).c_str()) == 0 ? 0 : errno;
	}
	int assign(const std::string &group_name, const std::string &thread) const
	{
		const int fd = open(group(group_name + "/tasks").c_str(), O_WRONLY | O_CLOEXEC);
		const bool written = write(fd, thread.data(), thread.size()) ==
				     static_cast<ssize_t>(thread.size());
		const int error = written ? 0 : errno;

		close(fd);
		return error;
	}
};

} // namespace support

#endif
