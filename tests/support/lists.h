/* SPDX-License-Identifier: BSD-3-Clause */
// lists.h - small files in the format of Intel's event lists.
#ifndef SUPPORT_LISTS_H
#define SUPPORT_LISTS_H

#include <map>
#include <string>
#include <vector>

namespace support
{

using Fields = std::map<std::string, std::string>;

// An ordinary event in one line, with the usual fields of the lists.
std::string list_event(const std::string &name, const Fields &more = {});

// The first event is on line 4.
std::string list_file(const std::vector<std::string> &events, const std::string &info = "made up");

} // namespace support

#endif
