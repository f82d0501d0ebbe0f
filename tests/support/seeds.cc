// SPDX-License-Identifier: BSD-3-Clause
#include "support/seeds.h"

#include <cstdlib>
#include <string>

namespace support
{

bool is_all(const char *variable)
{
	const char *value = getenv(variable);

	return value && std::string(value) == "all";
}

bool all_seeds()
{
	return is_all("TEST_SEEDS");
}

unsigned part_of(unsigned all)
{
	return all_seeds() ? all : all / 10;
}

} // namespace support
