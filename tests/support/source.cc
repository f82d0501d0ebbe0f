// SPDX-License-Identifier: BSD-3-Clause
#include "support/source.h"

namespace support
{

std::string source_path(const std::string &name)
{
	return std::string(SOURCE_DIR "/") + name;
}

} // namespace support
