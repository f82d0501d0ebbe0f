// SPDX-License-Identifier: BSD-3-Clause
#include "support/seeds.h"

#include <cstdlib>
#include <string>

#include "support/sanitizer.h"

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

unsigned share()
{
	return all_seeds() ? 1 : kSanitizer ? 30 : 10;
}

unsigned part_of(unsigned all)
{
	return all / share();
}

} // namespace support
