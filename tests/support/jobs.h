// SPDX-License-Identifier: BSD-3-Clause
// jobs.h - a mounted machine with processes, which `uncore sim mount --processes` describes.
#ifndef SUPPORT_JOBS_H
#define SUPPORT_JOBS_H

#include <string>

#include "support/mounted.h"

namespace support
{

// A file with a text, removed at the end.
class ProcessesFile
{
      public:
	explicit ProcessesFile(const std::string &text);
	~ProcessesFile();
	ProcessesFile(const ProcessesFile &) = delete;
	ProcessesFile &operator=(const ProcessesFile &) = delete;

	std::string name;
};

class Jobs : public ProcessesFile, public Mounted
{
      public:
	Jobs(const std::string &machine, const std::string &text);
	std::string group(const std::string &file) const;
	double number(const std::string &file) const;
	int make(const std::string &group_name) const;
	int remove(const std::string &group_name) const;
	int assign(const std::string &group_name, const std::string &thread) const;
};

} // namespace support

#endif
