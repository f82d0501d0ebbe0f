/* SPDX-License-Identifier: BSD-3-Clause */
// stepped.h - any simulated machine, with stepped time.
#ifndef SUPPORT_STEPPED_H
#define SUPPORT_STEPPED_H

#include <stdexcept>
#include <string>

#include "set/inside.h"
#include "sim/sim.h"
#include "support/handle.h"
#include "support/machines.h"

namespace support
{

constexpr uint64_t kSecond = 1000000000;
constexpr uint64_t kMillisecond = 1000000;

// The spec must outlive the options.
inline uncore_options sim_options(const char *spec, int force = 0)
{
	auto options = support::sized<uncore_options>();

	options.machine = spec;
	options.force = force;
	return options;
}

class Stepped : public Handle
{
      public:
	// options: in addition to those in the machine's name, such as "packages=2,cores=4".
	explicit Stepped(const std::string &machine, const std::string &options = "", int force = 0)
	    : Handle(sim_options(
		      machine_with(machine, std::string("time=virtual") +
						    (options.empty() ? "" : "," + options))
			      .c_str(),
		      force))
	{
		if (code != 0)
			throw std::runtime_error(message());
		sim = unc_hw_sim(unc_hw_of(u));
	}
	void advance(uint64_t ns = kSecond)
	{
		sim_advance(sim, ns);
	}

	struct sim *sim = nullptr; // an interposer may come in between
};

} // namespace support

#endif
