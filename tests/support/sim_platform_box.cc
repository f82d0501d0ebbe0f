// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_platform_box.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace support::platforms
{

const sim_pci &Machine::function(uint32_t device, unsigned devfn, unsigned package)
{
	size_t n;
	const sim_pci *all = sim_pci_devices(sim, &n);

	for (size_t i = 0; i < n; i++)
		if (all[i].device == device && all[i].devfn == devfn &&
		    all[i].numa_node == static_cast<int>(package))
			return all[i];
	throw std::runtime_error("no such function");
}

uint64_t Machine::config(const sim_pci &pci, uint32_t offset, unsigned width)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_pci_read(sim, 0, pci.bus, pci.devfn, offset, width, &value));
	return value;
}

void Machine::set_config(const sim_pci &pci, uint32_t offset, uint64_t value, unsigned width)
{
	EXPECT_EQ(0, sim_pci_write(sim, 0, pci.bus, pci.devfn, offset, width, value));
}

uint64_t Machine::channel(unsigned i, unsigned package, uint32_t from_base)
{
	const sim_pci &pci = function(0x3451, at(0, 0, 1).devfn, package);
	uint64_t base = (config(pci, 0xd0) & 0x1fffffff) << 23;

	base += (config(pci, 0xd8 + 4 * (i / 3)) & 0x7ff) << 12;
	return base + from_base + 0x4000 * (i % 3);
}

uint64_t Machine::mmio(uint64_t address, unsigned width, unsigned package)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_mmio_read(sim, package, address, width, &value));
	return value;
}

double Machine::rate(const char *kind, unsigned box, uint64_t control, uint64_t filter,
		     unsigned package)
{
	return sim_rate(sim, package, kind, box, control, filter);
}

void expect_near(double expected, uint64_t actual)
{
	EXPECT_NEAR(expected, static_cast<double>(actual), 1.5 + 1e-9 * std::fabs(expected));
}

Box::Box(Machine &on, const Kind &of, unsigned index, unsigned in)
    : machine(on), kind(of), box(index), package(in)
{
}

uint64_t Box::get(uint32_t offset, unsigned width)
{
	if (kind.space == By::kMsr)
		return machine.get(offset + kind.away(box), package);
	if (kind.space == By::kMemory)
		return machine.mmio(machine.channel(box, package) + offset, width, package);
	return machine.config(pci(), offset, width);
}

void Box::set(uint32_t offset, uint64_t value, unsigned width)
{
	if (kind.space == By::kMsr)
		machine.set(offset + kind.away(box), value, package);
	else if (kind.space == By::kMemory)
		EXPECT_EQ(0, sim_mmio_write(machine.sim, package,
					    machine.channel(box, package) + offset, width, value));
	else
		machine.set_config(pci(), offset, value, width);
}

void Box::control(unsigned counter, uint64_t value)
{
	bool wide = kind.space == By::kPci && kind.control_step == 8;

	set(kind.control_of(counter), value, wide ? 64 : 32);
}

uint32_t Box::counter_at(unsigned counter)
{
	return kind.list.empty() ? kind.counter_of(counter) : kind.list[counter];
}

uint64_t Box::counter(unsigned counter)
{
	return get(counter_at(counter), 64);
}

void Box::set_counter(unsigned counter, uint64_t value)
{
	set(counter_at(counter), value, 64);
}

void Box::state(uint64_t value)
{
	if (kind.box_control != 0 || kind.space == By::kMemory)
		set(kind.box_control, value);
}

void Box::init(uint64_t run)
{
	uint64_t frozen = kFreeze | (run & 0x10000);

	state(frozen);
	state(frozen | 1);
	state(frozen | 3);
	state(frozen);
}

bool Box::present() const
{
	return kind.space != By::kMemory || box % 3 < 2;
}

uint64_t Box::count(unsigned counter_index, uint64_t event, uint64_t run)
{
	init(run);
	control(counter_index, event | kEnable);
	set_counter(counter_index, 0);
	state(run);
	sim_advance(machine.sim, kSecond);
	state(run | kFreeze);
	return counter(counter_index);
}

const sim_pci &Box::pci()
{
	return machine.function(kind.places[box].device, kind.places[box].devfn, package);
}

} // namespace support::platforms
