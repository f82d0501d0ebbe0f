/* SPDX-License-Identifier: BSD-3-Clause */
// multiplexed.h - a multiplexed event set.
#ifndef SUPPORT_MULTIPLEXED_H
#define SUPPORT_MULTIPLEXED_H

#include "support/sim_machine.h"

namespace support
{

class Multiplexed : public Set
{
      public:
	Multiplexed(const Handle &handle, const std::vector<std::string> &names,
		    unsigned interval_us = UNCORE_MULTIPLEX_US);

	unsigned rounds() const;
	bool window();
	// On a machine whose time is stepped: windows of ns each.
	void windows(unsigned n, uint64_t ns);
	std::vector<uncore_times> times(int expected = 0);

      private:
	struct sim *sim; // an interposer may come in between
};

} // namespace support

#endif
