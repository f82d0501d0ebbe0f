/* SPDX-License-Identifier: BSD-3-Clause */
// sim_machine.h - a simulated machine behind the library, its registers and its truth.
#ifndef SUPPORT_SIM_MACHINE_H
#define SUPPORT_SIM_MACHINE_H

#include <map>
#include <string>

#include "support/stepped.h"

namespace support
{

constexpr uint64_t kEnable = 1u << 22;

using Registers = std::map<std::string, uint64_t>;

// Something that counts: a box kind of the model, its control and filter.
struct Truth {
	const char *kind;
	uint64_t control;
	uint64_t filter = 0;
};

class SimMachine : public Stepped
{
      public:
	explicit SimMachine(const std::string &options = "", int force = 0);

	uint64_t writes() const;

	// ---- registers, without the library ----

	uint64_t msr(uint32_t address, unsigned package = 0);
	void set_msr(uint32_t address, uint64_t value, unsigned package = 0);
	const sim_pci &function(uint16_t device, int package = 0);
	uint64_t config(uint16_t device, uint32_t offset, unsigned width = 32, int package = 0);
	void set_config(uint16_t device, uint32_t offset, uint64_t value, unsigned width = 32,
			int package = 0);
	// Every PMON register except the counters, which a reset clears.
	Registers registers();

	// ---- truth ----

	double rate(const Truth &t, unsigned box, unsigned package = 0);
	// The count of one counter between `since` and `until`, on the machine's clock.
	int64_t gain(const Truth &t, unsigned box, unsigned package, uint64_t since,
		     uint64_t stop_after);
	// The same for all boxes of all packages.
	int64_t total(const Truth &t, uint64_t since, uint64_t stop_after);
	uint64_t now();

      private:
	static bool is_counter(uint32_t msr);
	static std::string name(const char *what, unsigned where, unsigned devfn, uint32_t address);
	void add_msr(Registers &all, unsigned package, uint32_t address);
	void add_config(Registers &all);
};

// Rates are rounded to 2^-20 per second: each box may differ by one count.
void expect_near(int64_t expected, int64_t actual);

// Prints only the differences.
void expect_same(const Registers &expected, const Registers &actual);

} // namespace support

#endif
