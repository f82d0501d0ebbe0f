/* SPDX-License-Identifier: BSD-3-Clause */
// stepped.h - any simulated machine, with stepped time.
#ifndef SUPPORT_STEPPED_H
#define SUPPORT_STEPPED_H

#include <string>

#include "sim/sim.h"
#include "support/handle.h"

namespace support
{

constexpr uint64_t kSecond = 1000000000;
constexpr uint64_t kMillisecond = 1000000;

// The spec must outlive the options.
uncore_options sim_options(const char *spec, int force = 0);

class Stepped : public Handle
{
      public:
	// options: in addition to those in the machine's name, such as "packages=2,cores=4".
	explicit Stepped(const std::string &machine, const std::string &options = "",
			 int force = 0);
	void advance(uint64_t ns = kSecond);

	struct sim *sim = nullptr; // an interposer may come in between
};

} // namespace support

#endif
