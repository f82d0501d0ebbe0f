/* SPDX-License-Identifier: BSD-3-Clause */
// sim_snbep.h - the simulated Xeon E5-2600 without the library: its registers, and a second of
// an event on each box type.
#ifndef SUPPORT_SIM_SNBEP_H
#define SUPPORT_SIM_SNBEP_H

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "sim/sim.h"

namespace support::snbep
{

inline constexpr uint64_t kSecond = 1000000000;
inline constexpr uint64_t kEnable = 1u << 22;
inline constexpr uint64_t kReset = 1u << 17;
inline constexpr uint64_t kEdge = 1u << 18;
inline constexpr uint64_t kTid = 1u << 19;
inline constexpr uint64_t kInvert = 1u << 23;
inline constexpr uint64_t kRun = 0x10000, kFreeze = 0x10100, kInit = 0x10103;
inline constexpr uint32_t kBoxControl = 0xf4;

constexpr uint64_t event(unsigned code, unsigned umask = 0, unsigned threshold = 0)
{
	return (code & 0xff) | (code >> 8 & 1) << 21 | umask << 8 |
	       static_cast<uint64_t>(threshold) << 24;
}

class Machine
{
      public:
	explicit Machine(const std::string &options = "time=virtual")
	{
		char err[200] = "";

		if (sim_open(("snbep:" + options).c_str(), &sim, err, sizeof(err)) != 0)
			throw std::runtime_error(err);
	}
	~Machine()
	{
		sim_close(sim);
	}
	Machine(const Machine &) = delete;
	Machine &operator=(const Machine &) = delete;

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
	// The function with this device id in a package.
	const sim_pci &function(uint16_t device, int node = 0)
	{
		size_t n;
		const sim_pci *pci = sim_pci_devices(sim, &n);

		for (size_t i = 0; i < n; i++)
			if (pci[i].device == device && pci[i].numa_node == node)
				return pci[i];
		throw std::runtime_error("no such device");
	}
	uint64_t config(uint16_t device, uint32_t offset, unsigned width = 32, int node = 0)
	{
		const sim_pci &pci = function(device, node);
		uint64_t value = 0;

		EXPECT_EQ(0, sim_pci_read(sim, 0, pci.bus, pci.devfn, offset, width, &value));
		return value;
	}
	void set_config(uint16_t device, uint32_t offset, uint64_t value, unsigned width = 32,
			int node = 0)
	{
		const sim_pci &pci = function(device, node);

		EXPECT_EQ(0, sim_pci_write(sim, 0, pci.bus, pci.devfn, offset, width, value));
	}
	// Counts one event for a time on a PCI box, and leaves the box frozen.
	uint64_t count(uint16_t device, uint64_t control, int node = 0, uint64_t ns = kSecond,
		       unsigned counter = 0)
	{
		set_config(device, kBoxControl, kInit, 32, node);
		set_config(device, 0xd8 + 4 * counter, control | kEnable, 32, node);
		set_config(device, kBoxControl, kRun, 32, node);
		sim_advance(sim, ns);
		set_config(device, kBoxControl, kFreeze, 32, node);
		return config(device, 0xa0 + 8 * counter, 64, node);
	}
	// The same on CBo `box`.
	uint64_t count_cbox(unsigned box, uint64_t control, uint64_t filter = 0,
			    unsigned counter = 0, unsigned package = 0)
	{
		uint32_t at = 0x20 * box;

		set_msr(0xd04 + at, kInit, package);
		set_msr(0xd14 + at, filter, package);
		set_msr(0xd10 + at + counter, control | kEnable, package);
		set_msr(0xd04 + at, kRun, package);
		sim_advance(sim, kSecond);
		set_msr(0xd04 + at, kFreeze, package);
		return msr(0xd16 + at + counter, package);
	}
	uint64_t count_pcu(uint64_t control, uint64_t filter = 0)
	{
		set_msr(0xc24, kInit);
		set_msr(0xc34, filter);
		set_msr(0xc30, control | kEnable);
		set_msr(0xc24, kRun);
		sim_advance(sim, kSecond);
		set_msr(0xc24, kFreeze);
		return msr(0xc36);
	}
	double rate(const char *kind, unsigned box, uint64_t control, uint64_t filter = 0,
		    unsigned package = 0)
	{
		return sim_rate(sim, package, kind, box, control, filter);
	}
	// The sum over all CBos of a package.
	double all_cboxes(uint64_t control, uint64_t filter = 0, unsigned package = 0)
	{
		double sum = 0;

		for (unsigned i = 0; i < 8; i++)
			sum += rate("cbox", i, control, filter, package);
		return sum;
	}

	struct sim *sim = nullptr;
};

constexpr uint64_t opcode(unsigned opc)
{
	return static_cast<uint64_t>(opc) << 23;
}

inline void expect_near(double expected, double actual)
{
	EXPECT_NEAR(expected, actual, 1.5 + 1e-9 * std::fabs(expected));
}

} // namespace support::snbep

#endif
