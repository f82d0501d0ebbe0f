// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_snbep.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace support::snbep
{

Machine::Machine(const std::string &options) : SimRegisters("snbep:" + options)
{
}

const sim_pci &Machine::function(uint16_t device, int node)
{
	size_t n;
	const sim_pci *pci = sim_pci_devices(sim, &n);

	for (size_t i = 0; i < n; i++)
		if (pci[i].device == device && pci[i].numa_node == node)
			return pci[i];
	throw std::runtime_error("no such device");
}

uint64_t Machine::config(uint16_t device, uint32_t offset, unsigned width, int node)
{
	const sim_pci &pci = function(device, node);
	uint64_t value = 0;

	EXPECT_EQ(0, sim_pci_read(sim, 0, pci.bus, pci.devfn, offset, width, &value));
	return value;
}

void Machine::set_config(uint16_t device, uint32_t offset, uint64_t value, unsigned width, int node)
{
	const sim_pci &pci = function(device, node);

	EXPECT_EQ(0, sim_pci_write(sim, 0, pci.bus, pci.devfn, offset, width, value));
}

uint64_t Machine::count(uint16_t device, uint64_t control, int node, uint64_t ns, unsigned counter)
{
	set_config(device, kBoxControl, kInit, 32, node);
	set_config(device, 0xd8 + 4 * counter, control | kEnable, 32, node);
	set_config(device, kBoxControl, kRun, 32, node);
	sim_advance(sim, ns);
	set_config(device, kBoxControl, kFreeze, 32, node);
	return config(device, 0xa0 + 8 * counter, 64, node);
}

uint64_t Machine::count_cbox(unsigned box, uint64_t control, uint64_t filter, unsigned counter,
			     unsigned package)
{
	uint32_t at = 0x20 * box;

	set(0xd04 + at, kInit, package);
	set(0xd14 + at, filter, package);
	set(0xd10 + at + counter, control | kEnable, package);
	set(0xd04 + at, kRun, package);
	sim_advance(sim, kSecond);
	set(0xd04 + at, kFreeze, package);
	return get(0xd16 + at + counter, package);
}

uint64_t Machine::count_pcu(uint64_t control, uint64_t filter)
{
	set(0xc24, kInit);
	set(0xc34, filter);
	set(0xc30, control | kEnable);
	set(0xc24, kRun);
	sim_advance(sim, kSecond);
	set(0xc24, kFreeze);
	return get(0xc36);
}

double Machine::rate(const char *kind, unsigned box, uint64_t control, uint64_t filter,
		     unsigned package)
{
	return sim_rate(sim, package, kind, box, control, filter);
}

double Machine::all_cboxes(uint64_t control, uint64_t filter, unsigned package)
{
	double sum = 0;

	for (unsigned i = 0; i < 8; i++)
		sum += rate("cbox", i, control, filter, package);
	return sum;
}

void expect_near(double expected, double actual)
{
	EXPECT_NEAR(expected, actual, 1.5 + 1e-9 * std::fabs(expected));
}

} // namespace support::snbep
