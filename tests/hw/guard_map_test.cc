// SPDX-License-Identifier: BSD-3-Clause
// guard_map_test.cc - the registers, and their bits, that may be written on every simulated
// machine, and msr-safe's list: as numbers and a hash in tests/hw/guard_map, recorded before the
// way of a claim was taken apart.  See docs/testing.md.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "plan/allow.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/machines.h"
#include "support/source.h"
#include "support/stepped.h"

namespace
{

uint64_t hash_of(const std::string &text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (const char c : text)
		hash = (hash ^ static_cast<unsigned char>(c)) * UINT64_C(0x100000001b3);
	return hash;
}

std::string numbers(std::vector<std::string> rows)
{
	std::string all;

	std::sort(rows.begin(), rows.end());
	for (const std::string &row : rows)
		all += row + '\n';
	std::ostringstream text;
	text << rows.size() << ' ' << std::hex << hash_of(all);
	return text.str();
}

template <typename... Parts> std::string row(Parts... parts)
{
	std::ostringstream text;

	text << std::hex;
	((text << static_cast<uint64_t>(parts) << ' '), ...);
	return text.str();
}

std::string guard(const support::Handle &h)
{
	const unc_pmon *map = unc_hw_of(h.u)->pmon;
	std::vector<std::string> rows;

	for (size_t i = 0; i < map->n; i++) {
		const unc_pmon_register &r = map->reg[i];

		// numbers of mappings depend on the order in which they are made
		rows.push_back(row(r.space, r.space == UNCORE_MMIO ? 0 : r.unit, r.address, r.width,
				   r.bits, r.starts, r.shared));
	}
	return numbers(rows);
}

// All uses of registers, also those of unusable boxes and those that are only read.
std::string uses(const support::Handle &h)
{
	std::vector<std::string> rows;

	unc_each_register(
		unc_machine_of(h.u),
		[](void *arg, const unc_register_use *use) {
			auto *all = static_cast<std::vector<std::string> *>(arg);

			all->push_back(row(use->op.space, use->op.package, use->op.address,
					   use->op.width, use->writable, use->stop_after,
					   use->changes, use->starts, use->shared,
					   use->stop_after_only, use->n, use->numbered) +
				       use->what);
		},
		&rows);
	return numbers(rows);
}

class GuardMap : public testing::TestWithParam<std::string>
{
};

// GUARD_MAP=FILE in the environment: appends to that file instead.
TEST_P(GuardMap, IsAsRecorded)
{
	const support::Handle h(support::sim_options(GetParam().c_str()));
	ASSERT_EQ(0, h.code) << h.message();
	const std::string line = guard(h) + ' ' + uses(h);

	if (const char *to = getenv("GUARD_MAP")) {
		std::ofstream(to, std::ios::app) << GetParam() << ' ' << line << '\n';
		return;
	}
	std::ifstream file(support::source_path("tests/hw/guard_map"));
	std::string of, found;

	while (file >> of && std::getline(file >> std::ws, found) && of != GetParam())
		found.clear();
	EXPECT_EQ(found, line) << "registers in the map, hash, uses of registers, hash";
}

std::vector<std::string> machines()
{
	std::vector<std::string> all = {"sim:gnr:packages=8"};

	for (const char *machine : support::machines_and_variants())
		all.push_back(support::machine_with(machine, "cores=2"));
	return all;
}

INSTANTIATE_TEST_SUITE_P(OfEachPlatform, GuardMap, testing::ValuesIn(machines()),
			 [](const auto &info) { return support::machine_label(info.param); });

} // namespace
