/* SPDX-License-Identifier: BSD-3-Clause */
// found.h - a simulated Xeon with discovery tables behind the library: its registers, its
// records and its truth.
#ifndef SUPPORT_FOUND_H
#define SUPPORT_FOUND_H

#include <map>

#include "base/op.h"
#include "support/sim_machine.h"

namespace support::discovered
{

class Machine : public Handle
{
      public:
	explicit Machine(const std::string &spec, bool may_fail = false);
	uint64_t writes() const;
	// The sum over all boxes of a type, for a time.
	int64_t truth(const std::string &kind, uint64_t control, uint64_t filter = 0);
	uint64_t value(const unc_op &op);
	uint64_t msr(uint32_t address, unsigned package = 0);
	// All registers that counting writes to.
	std::map<std::string, uint64_t> registers();
	std::vector<uncore_discovered_unit_info> units() const;
	struct sim *sim = nullptr;
};

} // namespace support::discovered

#endif
