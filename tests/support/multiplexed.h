/* SPDX-License-Identifier: BSD-3-Clause */
// multiplexed.h - a multiplexed event set.
#ifndef SUPPORT_MULTIPLEXED_H
#define SUPPORT_MULTIPLEXED_H

#include "support/sim_machine.h"
#include "support/sized.h"

namespace support
{

class Multiplexed : public Set
{
      public:
	Multiplexed(const Handle &handle, const std::vector<std::string> &names,
		    unsigned interval_us = UNCORE_MULTIPLEX_US)
	    : Set(handle), sim(unc_hw_sim(unc_hw_of(handle.u)))
	{
		EXPECT_EQ(0, uncore_set_multiplex(set, interval_us)) << handle.message();
		EXPECT_EQ(0, assign(names)) << handle.message();
	}

	unsigned rounds() const
	{
		return info().rounds;
	}
	bool window()
	{
		return unc_multiplex_next(set);
	}
	// On a machine whose time is stepped: windows of ns each.
	void windows(unsigned n, uint64_t ns)
	{
		for (unsigned i = 0; i < n; i++) {
			sim_advance(sim, ns);
			window();
		}
	}
	std::vector<uncore_times> times(int expected = 0)
	{
		auto all = support::sized<uncore_times>(info().events);

		EXPECT_EQ(expected, uncore_set_times(set, all.data()));
		return all;
	}

      private:
	struct sim *sim; // an interposer may come in between
};

} // namespace support

#endif
