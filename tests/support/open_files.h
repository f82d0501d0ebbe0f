// SPDX-License-Identifier: BSD-3-Clause
// open_files.h - the files of a tree that this process has open.
#ifndef SUPPORT_OPEN_FILES_H
#define SUPPORT_OPEN_FILES_H

#include <string>
#include <vector>

namespace support
{

struct OpenFile {
	std::string path;
	int fd;
};

std::vector<OpenFile> open_files_below(const std::string &root);

} // namespace support

#endif
