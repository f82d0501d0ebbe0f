/* SPDX-License-Identifier: BSD-3-Clause */
// sim_machine.h - a simulated machine behind the library, its registers and its truth.
#ifndef SUPPORT_SIM_MACHINE_H
#define SUPPORT_SIM_MACHINE_H

#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
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
	explicit SimMachine(const std::string &options = "", int force = 0)
	    : Stepped("snbep", options, force)
	{
	}

	uint64_t writes() const
	{
		return sim_writes(sim);
	}

	// ---- registers, without the library ----

	uint64_t msr(uint32_t address, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
		return value;
	}
	void set_msr(uint32_t address, uint64_t value, unsigned package = 0)
	{
		EXPECT_EQ(0, sim_msr_write(sim, package, address, value)) << std::hex << address;
	}
	const sim_pci &function(uint16_t device, int package = 0)
	{
		size_t n;
		const sim_pci *pci = sim_pci_devices(sim, &n);

		for (size_t i = 0; i < n; i++)
			if (pci[i].device == device && pci[i].numa_node == package)
				return pci[i];
		throw std::runtime_error("no such device");
	}
	uint64_t config(uint16_t device, uint32_t offset, unsigned width = 32, int package = 0)
	{
		const sim_pci &p = function(device, package);
		uint64_t value = 0;

		EXPECT_EQ(0, sim_pci_read(sim, p.segment, p.bus, p.devfn, offset, width, &value));
		return value;
	}
	void set_config(uint16_t device, uint32_t offset, uint64_t value, unsigned width = 32,
			int package = 0)
	{
		const sim_pci &p = function(device, package);

		EXPECT_EQ(0, sim_pci_write(sim, p.segment, p.bus, p.devfn, offset, width, value));
	}
	// Every PMON register except the counters, which a reset clears.
	Registers registers()
	{
		Registers all;

		for (unsigned p = 0; p < machine().packages; p++)
			for (uint32_t a = 0xc00; a < 0xe10; a++)
				add_msr(all, p, a);
		add_config(all);
		return all;
	}

	// ---- truth ----

	double rate(const Truth &t, unsigned box, unsigned package = 0)
	{
		return sim_rate(sim, package, t.kind, box, t.control, t.filter);
	}
	// The count of one counter between `since` and `until`, on the machine's clock.
	int64_t gain(const Truth &t, unsigned box, unsigned package, uint64_t since,
		     uint64_t stop_after)
	{
		const long double r = rate(t, box, package);
		const auto at = [&](uint64_t ns) { return std::floor(r * ns / 1e9L); };

		return static_cast<int64_t>(at(stop_after) - at(since));
	}
	// The same for all boxes of all packages.
	int64_t total(const Truth &t, uint64_t since, uint64_t stop_after)
	{
		int64_t sum = 0;

		for (unsigned p = 0; p < machine().packages; p++)
			for (unsigned b = 0; !std::isnan(rate(t, b, p)); b++)
				sum += gain(t, b, p, since, stop_after);
		return sum;
	}
	uint64_t now()
	{
		return sim_now(sim);
	}

      private:
	static bool is_counter(uint32_t msr)
	{
		const uint32_t cbo = msr >= 0xd00 ? msr & 0x1f : 0;

		return (msr >= 0xc16 && msr <= 0xc17) || msr == 0xc09 ||
		       (msr >= 0xc36 && msr <= 0xc39) || (cbo >= 0x16 && cbo <= 0x19);
	}
	static std::string name(const char *what, unsigned where, unsigned devfn, uint32_t address)
	{
		char text[64];

		snprintf(text, sizeof(text), "%s %u %x %#x", what, where, devfn, address);
		return text;
	}
	void add_msr(Registers &all, unsigned package, uint32_t address)
	{
		uint64_t value;

		if (!is_counter(address) && sim_msr_read(sim, package, address, &value) == 0)
			all[name("package", package, 0, address)] = value;
	}
	void add_config(Registers &all)
	{
		size_t n;
		const sim_pci *pci = sim_pci_devices(sim, &n);

		for (size_t i = 0; i < n; i++)
			for (uint32_t offset : {0x40, 0x44, 0x48, 0xd8, 0xdc, 0xe0, 0xe4, 0xf0,
						0xf4, 0x228, 0x22c, 0x238, 0x23c}) {
				uint64_t value = 0;

				sim_pci_read(sim, pci[i].segment, pci[i].bus, pci[i].devfn, offset,
					     32, &value);
				all[name("bus", pci[i].bus, pci[i].devfn, offset)] = value;
			}
	}
};

// Rates are rounded to 2^-20 per second: each box may differ by one count.
inline void expect_near(int64_t expected, int64_t actual)
{
	EXPECT_NEAR(static_cast<double>(expected), static_cast<double>(actual),
		    16 + 1e-9 * static_cast<double>(expected));
}

// Prints only the differences.
inline void expect_same(const Registers &expected, const Registers &actual)
{
	for (const auto &r : expected) {
		const auto now = actual.find(r.first);

		ASSERT_TRUE(now != actual.end()) << r.first;
		EXPECT_EQ(r.second, now->second) << "register " << r.first;
	}
	EXPECT_EQ(expected.size(), actual.size());
}

} // namespace support

#endif
