// SPDX-License-Identifier: BSD-3-Clause
#include "support/stepped.h"

#include <stdexcept>

#include "set/inside.h"
#include "sim/sim.h"
#include "support/machines.h"

namespace support
{

uncore_options sim_options(const char *spec, int force)
{
	auto options = support::sized<uncore_options>();

	options.machine = spec;
	options.force = force;
	return options;
}

Stepped::Stepped(const std::string &machine, const std::string &options, int force)
    : Handle(sim_options(machine_with(machine, std::string("time=virtual") +
						       (options.empty() ? "" : "," + options))
				 .c_str(),
			 force))
{
	if (code != 0)
		throw std::runtime_error(message());
	sim = unc_hw_sim(unc_hw_of(u));
}

void Stepped::advance(uint64_t ns)
{
	sim_advance(sim, ns);
}

} // namespace support
