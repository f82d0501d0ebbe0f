// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_machine.h"

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace support
{

SimMachine::SimMachine(const std::string &options, int force) : Stepped("snbep", options, force)
{
}

uint64_t SimMachine::writes() const
{
	return sim_writes(sim);
}

uint64_t SimMachine::msr(uint32_t address, unsigned package)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
	return value;
}

void SimMachine::set_msr(uint32_t address, uint64_t value, unsigned package)
{
	EXPECT_EQ(0, sim_msr_write(sim, package, address, value)) << std::hex << address;
}

const sim_pci &SimMachine::function(uint16_t device, int package)
{
	size_t n;
	const sim_pci *pci = sim_pci_devices(sim, &n);

	for (size_t i = 0; i < n; i++)
		if (pci[i].device == device && pci[i].numa_node == package)
			return pci[i];
	throw std::runtime_error("no such device");
}

uint64_t SimMachine::config(uint16_t device, uint32_t offset, unsigned width, int package)
{
	const sim_pci &p = function(device, package);
	uint64_t value = 0;

	EXPECT_EQ(0, sim_pci_read(sim, p.segment, p.bus, p.devfn, offset, width, &value));
	return value;
}

void SimMachine::set_config(uint16_t device, uint32_t offset, uint64_t value, unsigned width,
			    int package)
{
	const sim_pci &p = function(device, package);

	EXPECT_EQ(0, sim_pci_write(sim, p.segment, p.bus, p.devfn, offset, width, value));
}

Registers SimMachine::registers()
{
	Registers all;

	for (unsigned p = 0; p < machine().packages; p++)
		for (uint32_t a = 0xc00; a < 0xe10; a++)
			add_msr(all, p, a);
	add_config(all);
	return all;
}

double SimMachine::rate(const Truth &t, unsigned box, unsigned package)
{
	return sim_rate(sim, package, t.kind, box, t.control, t.filter);
}

int64_t SimMachine::gain(const Truth &t, unsigned box, unsigned package, uint64_t since,
			 uint64_t stop_after)
{
	const long double r = rate(t, box, package);
	const auto at = [&](uint64_t ns) { return std::floor(r * ns / 1e9L); };

	return static_cast<int64_t>(at(stop_after) - at(since));
}

int64_t SimMachine::total(const Truth &t, uint64_t since, uint64_t stop_after)
{
	int64_t sum = 0;

	for (unsigned p = 0; p < machine().packages; p++)
		for (unsigned b = 0; !std::isnan(rate(t, b, p)); b++)
			sum += gain(t, b, p, since, stop_after);
	return sum;
}

uint64_t SimMachine::now()
{
	return sim_now(sim);
}

bool SimMachine::is_counter(uint32_t msr)
{
	const uint32_t cbo = msr >= 0xd00 ? msr & 0x1f : 0;

	return (msr >= 0xc16 && msr <= 0xc17) || msr == 0xc09 || (msr >= 0xc36 && msr <= 0xc39) ||
	       (cbo >= 0x16 && cbo <= 0x19);
}

std::string SimMachine::name(const char *what, unsigned where, unsigned devfn, uint32_t address)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %u %x %#x", what, where, devfn, address);
	return text;
}

void SimMachine::add_msr(Registers &all, unsigned package, uint32_t address)
{
	uint64_t value;

	if (!is_counter(address) && sim_msr_read(sim, package, address, &value) == 0)
		all[name("package", package, 0, address)] = value;
}

void SimMachine::add_config(Registers &all)
{
	size_t n;
	const sim_pci *pci = sim_pci_devices(sim, &n);

	for (size_t i = 0; i < n; i++)
		for (uint32_t offset : {0x40, 0x44, 0x48, 0xd8, 0xdc, 0xe0, 0xe4, 0xf0, 0xf4, 0x228,
					0x22c, 0x238, 0x23c}) {
			uint64_t value = 0;

			sim_pci_read(sim, pci[i].segment, pci[i].bus, pci[i].devfn, offset, 32,
				     &value);
			all[name("bus", pci[i].bus, pci[i].devfn, offset)] = value;
		}
}

void expect_near(int64_t expected, int64_t actual)
{
	EXPECT_NEAR(static_cast<double>(expected), static_cast<double>(actual),
		    16 + 1e-9 * static_cast<double>(expected));
}

void expect_same(const Registers &expected, const Registers &actual)
{
	for (const auto &r : expected) {
		const auto now = actual.find(r.first);

		ASSERT_TRUE(now != actual.end()) << r.first;
		EXPECT_EQ(r.second, now->second) << "register " << r.first;
	}
	EXPECT_EQ(expected.size(), actual.size());
}

} // namespace support
