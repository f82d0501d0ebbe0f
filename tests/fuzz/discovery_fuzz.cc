// SPDX-License-Identifier: BSD-3-Clause
// discovery_fuzz.cc - config spaces and discovery tables of any kind: no crash, no register
// write, every record is a box or has a reason, and no two boxes are one.
//
// The first 32 bytes of the input change the config space from 0x100 on, the rest is the table.
#include <cstring>

#include "fuzz/machine_checks.h"
#include "support/fake_tables.h"

namespace
{

using fuzz::demand;

constexpr size_t kConfig = 32;

void build(const unc_platform &platform, const uint8_t *data, size_t size)
{
	support::FakeMachine m(platform, 2);
	const unsigned unit = m.table({});
	const size_t config = size < kConfig ? size : kConfig;

	for (unsigned d = 0; d < 4; d++)
		m.device(static_cast<uint16_t>(0x3241 + d), 0xfe, d, d % 2);
	for (size_t i = 0; i < config; i++)
		m.configs[unit][0x100 + i] ^= data[i];
	for (size_t i = config; i + 8 <= size; i += 8)
		memcpy(&m.memory[0x200000000 + (i - config)], data + i, 8);
	m.bar_bytes = size - config;
	const int r = m.build_machine();
	demand(m.writes == 0, "a register was written");
	fuzz::check_machine(m.machine, r, m.err);
	if (r == 0)
		fuzz::check_map(m.machine);
	for (size_t i = 0; r < 0 && m.machine.discovered && i < m.machine.discovered->units.n; i++)
		demand(m.unit(i).box >= 0 || m.unit(i).why, "neither a box nor refused");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	build(size % 2 ? unc_discovered : unc_spr, data, size);
	return 0;
}
