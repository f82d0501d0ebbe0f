// SPDX-License-Identifier: BSD-3-Clause
#include "support/published_pairs.h"

#include <sstream>

namespace support::pairs
{

std::ostream &operator<<(std::ostream &out, const Platform &p)
{
	return out << p.name;
}

bool applies(const char *platforms, const std::string &platform)
{
	std::istringstream words(platforms);

	for (std::string word; words >> word;)
		if (word == platform)
			return true;
	return false;
}

} // namespace support::pairs
