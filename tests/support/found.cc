// SPDX-License-Identifier: BSD-3-Clause
#include "support/found.h"

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "support/plan.h"

namespace support::discovered
{

Machine::Machine(const std::string &spec, bool may_fail)
    : Handle(sim_options(
	      ("sim:" + spec + (spec.find(':') == spec.npos ? ":" : ",") + "time=virtual").c_str()))
{
	if (code != 0 && !may_fail)
		throw std::runtime_error(message());
	if (unc_hw_of(u))
		sim = unc_hw_sim(unc_hw_of(u));
}

uint64_t Machine::writes() const
{
	return sim ? sim_writes(sim) : 0;
}

int64_t Machine::truth(const std::string &kind, uint64_t control, uint64_t filter)
{
	int64_t sum = 0;

	for (unsigned p = 0; p < machine().packages * machine().dies; p++)
		for (unsigned b = 0;; b++) {
			const double rate = sim_rate(sim, p, kind.c_str(), b, control, filter);

			if (std::isnan(rate))
				break;
			sum += static_cast<int64_t>(rate);
		}
	return sum;
}

uint64_t Machine::value(const unc_op &op)
{
	uint64_t value = 0;

	EXPECT_EQ(0, unc_hw_of(u)->ops->read(unc_hw_of(u), &op, &value));
	return value;
}

uint64_t Machine::msr(uint32_t address, unsigned package)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_msr_read(sim, package, address, &value));
	return value;
}

std::map<std::string, uint64_t> Machine::registers()
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

std::vector<uncore_discovered_unit_info> Machine::units() const
{
	std::vector<uncore_discovered_unit_info> all;
	auto info = support::sized<uncore_discovered_unit_info>();

	for (unsigned i = 0; uncore_discovered_unit(u, i, &info) == 1; i++)
		all.push_back(info);
	return all;
}

} // namespace support::discovered
