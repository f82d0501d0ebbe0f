/* SPDX-License-Identifier: BSD-3-Clause */
// sim_discovery.h - a simulated Xeon with discovery tables: reads the tables without the
// library, and accesses the registers of a unit that they describe.
#ifndef SUPPORT_SIM_DISCOVERY_H
#define SUPPORT_SIM_DISCOVERY_H

#include <vector>

#include "support/sim_platform_box.h"

namespace support::discovery
{

using platforms::expect_near;
using platforms::kEnable;
using platforms::kOverflow;
using platforms::kSecond;

constexpr uint64_t kOnes = ~UINT64_C(0);
constexpr uint64_t kFrozen = 0x1, kResetControls = 0x100, kResetCounters = 0x200;

enum Access { kMsr, kMmio, kPci };

struct Unit {
	unsigned type, id, access, counters, width, package;
	unsigned control_offset, counter_offset, status_offset, position;
	uint64_t address;
	unsigned rank; // number within its type in the package
};

struct Table {
	uint64_t bar = 0, global = 0;
	unsigned stride = 0, slots = 0, empty = 0, status_offset = 0, statuses = 0;
	std::vector<Unit> units;
};

class Machine : public platforms::Machine
{
      public:
	using platforms::Machine::Machine;

	std::vector<sim_pci> portals(unsigned package);
	uint64_t dword(const sim_pci &pci, uint32_t offset, unsigned width = 32);
	void set_dword(const sim_pci &pci, uint32_t offset, uint64_t value, unsigned width = 32);
	// The capability with the counters; 0 if it is not among the 960 that fit.
	uint32_t capability(const sim_pci &pci);
	uint64_t bar(const sim_pci &pci, unsigned index);
	Table table(const sim_pci &pci, unsigned package);
	// All units of a package, with their ranks.
	std::vector<Unit> units(unsigned package = 0);
	Unit unit(unsigned type, unsigned rank, unsigned package = 0);

      private:
	void add(Table &table, uint64_t at, unsigned package);
};

// The registers of a unit, by the rules of docs/hardware/discovery.md, "Record of a box".
class Registers
{
      public:
	Registers(Machine &on, const Unit &of);

	uint64_t get(unsigned offset, unsigned width);
	void set(unsigned offset, uint64_t value, unsigned width);
	// Types 12, 13 and 17 have 64-bit controls.
	bool narrow() const;
	void state(uint64_t value);
	uint64_t state();
	unsigned control_at(unsigned i) const;
	unsigned counter_at(unsigned i) const;
	void control(unsigned i, uint64_t value);
	uint64_t control(unsigned i);
	uint64_t counter(unsigned i);
	void set_counter(unsigned i, uint64_t value);

      private:
	uint16_t segment() const;
	uint8_t bus() const;
	uint8_t devfn() const;
	uint32_t low() const
	{
		return unit.address & 0xfff;
	}
	Machine &machine;
	Unit unit;
};

} // namespace support::discovery

#endif
