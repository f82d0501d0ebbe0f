// SPDX-License-Identifier: BSD-3-Clause
#include "support/multiplexed.h"

#include "set/inside.h"

namespace support
{

Multiplexed::Multiplexed(const Handle &handle, const std::vector<std::string> &names,
			 unsigned interval_us)
    : Set(handle), sim(unc_hw_sim(unc_hw_of(handle.u)))
{
	EXPECT_EQ(0, uncore_set_multiplex(set, interval_us)) << handle.message();
	EXPECT_EQ(0, assign(names)) << handle.message();
}

unsigned Multiplexed::rounds() const
{
	return info().rounds;
}

bool Multiplexed::window()
{
	return unc_multiplex_next(set);
}

void Multiplexed::windows(unsigned n, uint64_t ns)
{
	for (unsigned i = 0; i < n; i++) {
		sim_advance(sim, ns);
		window();
	}
}

std::vector<uncore_times> Multiplexed::times(int expected)
{
	auto all = support::sized<uncore_times>(info().events);

	EXPECT_EQ(expected, uncore_set_times(set, all.data()));
	return all;
}

} // namespace support
