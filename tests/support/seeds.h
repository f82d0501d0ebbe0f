/* SPDX-License-Identifier: BSD-3-Clause */
// seeds.h - exhaustive tests run a tenth of their cases, a thirtieth with a sanitizer, and all with
// TEST_SEEDS=all in the environment (tests/slow/seeds_test.sh).
#ifndef SUPPORT_SEEDS_H
#define SUPPORT_SEEDS_H

#include <vector>

namespace support
{

bool is_all(const char *variable);

bool all_seeds();

// 1, 10 or 30
unsigned share();

unsigned part_of(unsigned all);

template <typename T> std::vector<T> part_of(const std::vector<T> &all)
{
	std::vector<T> part;

	for (size_t i = 0; i < all.size(); i += share())
		part.push_back(all[i]);
	return part;
}

} // namespace support

#endif
