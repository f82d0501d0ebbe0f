// SPDX-License-Identifier: BSD-3-Clause
#include "support/programs.h"

#include <cstdlib>

#include <sys/stat.h>
#include <sys/statvfs.h>

namespace support
{

std::string directory_for_programs()
{
	constexpr unsigned long flags[] = {ST_NOEXEC | ST_NOSUID, ST_NOEXEC};

	for (const unsigned long unwanted : flags)
		for (const std::string parent : {"/tmp", "/var/tmp"}) {
			std::string name = parent + "/uncore-programs-XXXXXX";
			struct statvfs fs = {};

			if (statvfs(parent.c_str(), &fs) == 0 && (fs.f_flag & unwanted) == 0 &&
			    mkdtemp(&name[0]) && chmod(name.c_str(), 0755) == 0)
				return name;
		}
	return "";
}

} // namespace support
