/* SPDX-License-Identifier: BSD-3-Clause */
// seeds.h - exhaustive tests run a tenth of their cases, and all with TEST_SEEDS=all in the
// environment (tests/slow/seeds_test.sh).
#ifndef SUPPORT_SEEDS_H
#define SUPPORT_SEEDS_H

#include <cstdlib>
#include <string>
#include <vector>

namespace support
{

inline bool is_all(const char *variable)
{
	const char *value = getenv(variable);

	return value && std::string(value) == "all";
}

inline bool all_seeds()
{
	return is_all("TEST_SEEDS");
}

inline unsigned part_of(unsigned all)
{
	return all_seeds() ? all : all / 10;
}

// Every tenth one.
template <typename T> std::vector<T> part_of(const std::vector<T> &all)
{
	std::vector<T> part;

	for (size_t i = 0; i < all.size(); i += all_seeds() ? 1 : 10)
		part.push_back(all[i]);
	return part;
}

} // namespace support

#endif
