// SPDX-License-Identifier: BSD-3-Clause
#include "support/source.h"

#include <cstdlib>

namespace support
{

std::string source_path(const std::string &name)
{
	// a copy of the built tree is tested in another directory than it was built in
	const char *tree = getenv("SRC");

	return std::string(tree ? tree : SOURCE_DIR) + "/" + name;
}

} // namespace support
