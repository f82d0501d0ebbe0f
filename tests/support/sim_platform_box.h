/* SPDX-License-Identifier: BSD-3-Clause */
// sim_platform_box.h - a simulated Xeon newer than SNB-EP without the library, and one box of
// it.
#ifndef SUPPORT_SIM_PLATFORM_BOX_H
#define SUPPORT_SIM_PLATFORM_BOX_H

#include <cstdint>
#include <string>

#include "sim/sim.h"
#include "support/sim_platforms.h"
#include "support/sim_registers.h"

namespace support::platforms
{

class Machine : public SimRegisters
{
      public:
	using SimRegisters::SimRegisters;

	const sim_pci &function(uint32_t device, unsigned devfn, unsigned package = 0);
	uint64_t config(const sim_pci &pci, uint32_t offset, unsigned width = 32);
	void set_config(const sim_pci &pci, uint32_t offset, uint64_t value, unsigned width = 32);
	// ICX: the address of channel `i` of a package, computed from config space.
	uint64_t channel(unsigned i, unsigned package, uint32_t from_base = 0x22800);
	uint64_t mmio(uint64_t address, unsigned width = 64, unsigned package = 0);
	double rate(const char *kind, unsigned box, uint64_t control, uint64_t filter = 0,
		    unsigned package = 0);
};

void expect_near(double expected, uint64_t actual);

// One box of a machine, for MSR, config space and memory-mapped registers.
class Box
{
      public:
	Box(Machine &on, const Kind &of, unsigned index, unsigned in = 0);
	uint64_t get(uint32_t offset, unsigned width = 32);
	void set(uint32_t offset, uint64_t value, unsigned width = 32);
	void control(unsigned counter, uint64_t value);
	uint32_t counter_at(unsigned counter);
	uint64_t counter(unsigned counter);
	void set_counter(unsigned counter, uint64_t value);
	void state(uint64_t value);
	// The SBo requires its bits to be set one at a time.
	void init(uint64_t run);
	// Whether the box exists: the third channel of a controller does not.
	bool present() const;
	uint64_t count(unsigned counter_index, uint64_t event, uint64_t run);

      private:
	const sim_pci &pci();
	Machine &machine;
	const Kind &kind;
	unsigned box, package;
};

} // namespace support::platforms

#endif
