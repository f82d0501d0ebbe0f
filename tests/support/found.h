/* SPDX-License-Identifier: BSD-3-Clause */
// found.h - a simulated Xeon with discovery tables behind the library: its registers, its
// records and its truth.
#ifndef SUPPORT_FOUND_H
#define SUPPORT_FOUND_H

#include <cmath>
#include <map>
#include <stdexcept>

#include "support/plan.h"
#include "support/sim_machine.h"
#include "support/sized.h"

namespace support::discovered
{

class Machine : public Handle
{
      public:
	explicit Machine(const std::string &spec, bool may_fail = false)
	    : Handle(sim_options(
		      ("sim:" + spec + (spec.find(':') == spec.npos ? ":" : ",") + "time=virtual")
			      .c_str()))
	{
		if (code != 0 && !may_fail)
			throw std::runtime_error(message());
		if (unc_hw_of(u))
			sim = unc_hw_sim(unc_hw_of(u));
	}
	uint64_t writes() const
	{
		return sim ? sim_writes(sim) : 0;
	}
	// The sum over all boxes of a type, for a time.
	int64_t truth(const std::string &kind, uint64_t control, uint64_t filter = 0)
	{
		int64_t sum = 0;

		for (unsigned p = 0; p < machine().packages * machine().dies; p++)
			for (unsigned b = 0;; b++) {
				const double rate =
					sim_rate(sim, p, kind.c_str(), b, control, filter);

				if (std::isnan(rate))
					break;
				sum += static_cast<int64_t>(rate);
			}
		return sum;
	}
	uint64_t value(const unc_op &op)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, unc_hw_of(u)->ops->read(unc_hw_of(u), &op, &value));
		return value;
	}
	uint64_t msr(uint32_t address, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, address, &value));
		return value;
	}
	// All registers that counting writes to.
	std::map<std::string, uint64_t> registers()
	{
		std::map<std::string, uint64_t> all;
		auto table = support::sized<uncore_discovery_table_info>();
		unc_op op;

		for (unsigned i = 0; i < machine().boxes; i++)
			for (enum uncore_register which :
			     {UNCORE_UNIT_CONTROL, UNCORE_CONTROL, UNCORE_FILTER})
				for (unsigned n = 0; register_op(u, i, which, n, &op); n++)
					all[std::to_string(i) + "/" + std::to_string(which) + "/" +
					    std::to_string(n)] = value(op);
		for (unsigned i = 0; uncore_discovery_table(u, i, &table) == 1; i++)
			all["global " + std::to_string(i)] =
				msr(static_cast<uint32_t>(strtoul(table.control + 4, nullptr, 16)),
				    table.package);
		return all;
	}
	std::vector<uncore_discovered_unit_info> units() const
	{
		std::vector<uncore_discovered_unit_info> all;
		auto info = support::sized<uncore_discovered_unit_info>();

		for (unsigned i = 0; uncore_discovered_unit(u, i, &info) == 1; i++)
			all.push_back(info);
		return all;
	}
	struct sim *sim = nullptr;
};

} // namespace support::discovered

#endif
