/* SPDX-License-Identifier: BSD-3-Clause */
// sim_platforms.h - the simulated Xeons newer than SNB-EP: their register maps as literal
// numbers.
#ifndef SUPPORT_SIM_PLATFORMS_H
#define SUPPORT_SIM_PLATFORMS_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace support::platforms
{

inline constexpr uint64_t kSecond = 1000000000;
inline constexpr uint64_t kEnable = 1u << 22, kOverflow = 1u << 20;
inline constexpr uint64_t kFreeze = 0x100;

enum class By { kMsr, kPci, kMmio };

struct Place {
	uint32_t device = 0; // PCI
	unsigned devfn = 0;
};

Place at(uint32_t device, unsigned dev, unsigned function);

// A box type: registers of box 0, the positions of the other boxes, and a clock event.
struct Kind {
	const char *name;
	unsigned n, counters, width;
	uint32_t box_ctl, control, control_step, counter, counter_step;
	unsigned clock;
	std::vector<uint32_t> offsets; // MSR
	std::vector<Place> places;     // PCI
	std::vector<uint32_t> list;    // counters, if irregular
	By by = By::kMsr;
};

std::vector<uint32_t> stride(unsigned n, uint32_t step);

Kind msr(const char *name, unsigned counters, unsigned width, uint32_t box_ctl, uint32_t control,
	 uint32_t counter, unsigned clock, std::vector<uint32_t> offsets = {0});

Kind pci(const char *name, unsigned counters, unsigned width, unsigned clock,
	 std::vector<Place> places, std::vector<uint32_t> where = {0xf4, 0xd8, 4, 0xa0});

struct Platform {
	std::string name;
	unsigned model, max_cores;
	uint64_t run;
	uint32_t global, status;
	uint64_t freeze_all, unfreeze_all;
	uint16_t node_device;
	uint32_t node_id, node_map;
	bool higher; // a bus without U-Box belongs to the next higher bus with one
	std::vector<Kind> kinds;
};

std::ostream &operator<<(std::ostream &out, const Platform &platform);

Platform ivbep();

Platform ring(const std::string &name, unsigned model, unsigned cores, unsigned max_cores,
	      uint32_t id, unsigned narrow);

Platform skx();

std::vector<Place> row(uint32_t device, unsigned first, unsigned n, unsigned function);

Platform knl();

Platform icx();

} // namespace support::platforms

#endif
