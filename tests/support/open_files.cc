// SPDX-License-Identifier: BSD-3-Clause
#include "support/open_files.h"

#include <cstdlib>

#include <dirent.h>
#include <unistd.h>

namespace support
{

std::vector<OpenFile> open_files_below(const std::string &root)
{
	std::vector<OpenFile> files;
	DIR *dir = opendir("/proc/self/fd");

	while (const dirent *entry = readdir(dir)) {
		char target[4096];
		const ssize_t n = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);

		if (n > 0 && std::string(target, n).rfind(root, 0) == 0)
			files.push_back({std::string(target, n), atoi(entry->d_name)});
	}
	closedir(dir);
	return files;
}

} // namespace support
