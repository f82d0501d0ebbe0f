/* SPDX-License-Identifier: BSD-3-Clause */
// source.h - files of the source tree.
#ifndef SUPPORT_SOURCE_H
#define SUPPORT_SOURCE_H

#include <string>

namespace support
{

// The path of a file that is given relative to the source directory.
std::string source_path(const std::string &name);

} // namespace support

#endif
