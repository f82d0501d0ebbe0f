/* SPDX-License-Identifier: BSD-3-Clause */
// data.h - the recorded data in tests/, compressed or not; each folder's README.md has its format.
#ifndef SUPPORT_DATA_H
#define SUPPORT_DATA_H

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace support
{

// A whole file, named relative to tests/; one that gzip made is unpacked.
std::string data_text(const std::string &name);

// One JSON object a line.
std::vector<nlohmann::json> data_lines(const std::string &name);

} // namespace support

#endif
