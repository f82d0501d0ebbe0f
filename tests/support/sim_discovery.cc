// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_discovery.h"

#include <map>
#include <stdexcept>

namespace support::discovery
{

std::vector<sim_pci> Machine::portals(unsigned package)
{
	std::vector<sim_pci> found;
	size_t n;
	const sim_pci *all = sim_pci_devices(sim, &n);

	for (size_t i = 0; i < n; i++)
		if (all[i].device == 0x09a7 && all[i].numa_node == static_cast<int>(package))
			found.push_back(all[i]);
	return found;
}

uint64_t Machine::dword(const sim_pci &pci, uint32_t offset, unsigned width)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_pci_read(sim, pci.segment, pci.bus, pci.devfn, offset, width, &value));
	return value;
}

void Machine::set_dword(const sim_pci &pci, uint32_t offset, uint64_t value, unsigned width)
{
	EXPECT_EQ(0, sim_pci_write(sim, pci.segment, pci.bus, pci.devfn, offset, width, value));
}

uint32_t Machine::capability(const sim_pci &pci)
{
	uint32_t at = 0x100;

	for (unsigned i = 0; at != 0 && i < 960; i++) {
		uint64_t header = dword(pci, at);

		if ((header & 0xffff) == 0x23 && (dword(pci, at + 8) & 0xffff) == 1)
			return at;
		at = header >> 20 & 0xffc;
	}
	return 0;
}

uint64_t Machine::bar(const sim_pci &pci, unsigned index)
{
	uint64_t low = dword(pci, 0x10 + 4 * index), high = 0;

	if ((low & 6) == 4)
		high = dword(pci, 0x14 + 4 * index);
	return high << 32 | (low & ~UINT64_C(0xf));
}

Table Machine::table(const sim_pci &pci, unsigned package)
{
	uint32_t at = capability(pci);
	Table table;

	EXPECT_NE(0u, at);
	table.bar = bar(pci, dword(pci, at + 0xc) & 7);
	uint64_t first = mmio(table.bar, 64, package);
	table.stride = (first >> 8 & 0xff) * 8;
	table.slots = first >> 16 & 0x3ff;
	table.global = mmio(table.bar + 8, 64, package);
	uint64_t third = mmio(table.bar + 16, 64, package);
	table.status_offset = third & 0xff;
	table.statuses = third >> 8 & 0xffff;
	for (unsigned i = 1; i <= table.slots; i++)
		add(table, table.bar + UINT64_C(1) * i * table.stride, package);
	return table;
}

std::vector<Unit> Machine::units(unsigned package)
{
	std::map<unsigned, unsigned> ranks;
	std::vector<Unit> all;

	for (const sim_pci &pci : portals(package))
		for (Unit unit : table(pci, package).units) {
			unit.rank = ranks[unit.type]++;
			all.push_back(unit);
		}
	return all;
}

Unit Machine::unit(unsigned type, unsigned rank, unsigned package)
{
	for (const Unit &unit : units(package))
		if (unit.type == type && unit.rank == rank)
			return unit;
	throw std::runtime_error("no such unit");
}

void Machine::add(Table &table, uint64_t at, unsigned package)
{
	uint64_t a = mmio(at, 64, package), b = mmio(at + 8, 64, package);
	uint64_t c = mmio(at + 16, 64, package);

	if (a == 0 || a == kOnes || b == 0 || b == kOnes || c == kOnes) {
		table.empty++;
		return;
	}
	auto field = [](uint64_t from, unsigned low, unsigned bits) {
		return static_cast<unsigned>(from >> low & ((UINT64_C(1) << bits) - 1));
	};
	table.units.push_back({field(c, 0, 16), field(c, 16, 16), field(a, 62, 2), field(a, 0, 8),
			       field(a, 16, 8), package, field(a, 8, 8), field(a, 24, 8),
			       field(a, 32, 8), field(c, 32, 16), b, 0});
}

Registers::Registers(Machine &on, const Unit &of) : machine(on), unit(of)
{
}

uint64_t Registers::get(unsigned offset, unsigned width)
{
	uint64_t value = 0;

	if (unit.access == kMsr)
		return machine.get(static_cast<uint32_t>(unit.address) + offset, unit.package);
	if (unit.access == kMmio)
		return machine.mmio(unit.address + offset, width, unit.package);
	EXPECT_EQ(0, sim_pci_read(machine.sim, segment(), bus(), devfn(), low() + offset, width,
				  &value));
	return value;
}

void Registers::set(unsigned offset, uint64_t value, unsigned width)
{
	if (unit.access == kMsr)
		machine.set(static_cast<uint32_t>(unit.address) + offset, value, unit.package);
	else if (unit.access == kMmio)
		EXPECT_EQ(0, sim_mmio_write(machine.sim, unit.package, unit.address + offset, width,
					    value));
	else
		EXPECT_EQ(0, sim_pci_write(machine.sim, segment(), bus(), devfn(), low() + offset,
					   width, value));
}

bool Registers::narrow() const
{
	return unit.access == kMmio && unit.type != 12 && unit.type != 13 && unit.type != 17;
}

void Registers::state(uint64_t value)
{
	set(0, value, 32);
}

uint64_t Registers::state()
{
	return get(0, 32);
}

unsigned Registers::control_at(unsigned i) const
{
	unsigned step = unit.access == kMsr ? 1 : narrow() ? 4 : 8;

	return unit.control_offset + step * i;
}

unsigned Registers::counter_at(unsigned i) const
{
	return unit.counter_offset + (unit.access == kMsr ? 1 : 8) * i;
}

void Registers::control(unsigned i, uint64_t value)
{
	set(control_at(i), value, narrow() ? 32 : 64);
}

uint64_t Registers::control(unsigned i)
{
	return get(control_at(i), narrow() ? 32 : 64);
}

uint64_t Registers::counter(unsigned i)
{
	return get(counter_at(i), 64);
}

void Registers::set_counter(unsigned i, uint64_t value)
{
	set(counter_at(i), value, 64);
}

uint16_t Registers::segment() const
{
	return unit.address >> 28 & 7;
}

uint8_t Registers::bus() const
{
	return unit.address >> 20 & 0xff;
}

uint8_t Registers::devfn() const
{
	return unit.address >> 12 & 0xff;
}

} // namespace support::discovery
