/* SPDX-License-Identifier: BSD-3-Clause */
// described.h - a simulated machine for tests of what the library says about its events.
#ifndef SUPPORT_DESCRIBED_H
#define SUPPORT_DESCRIBED_H

#include <string>

#include "support/sim_machine.h"

namespace support
{

class Described : public Handle
{
      public:
	explicit Described(const std::string &name);
	struct uncore_event_info info(unsigned id) const;
	struct uncore_event_info info(const std::string &name) const;
};

} // namespace support

#endif
