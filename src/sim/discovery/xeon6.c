/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xeon6.c - addresses of the memory-mapped units of gnr, srf and cwf; free-running counters; root
 * buses.
 */
#include "sim/discovery/xeon6.h"

#define CHANNEL_STEP UINT64_C(0x4000)
#define LINKS        0x400000

#define IO_DIES 2

unsigned sim_xeon6_pcu_count(const struct sim *sim)
{
	return sim->platform->dies + IO_DIES;
}

uint64_t sim_xeon6_channel_address(const struct sim *sim, unsigned package, unsigned index)
{
	return sim_discovered_registers(sim, package) + XEON6_CHANNEL + index * CHANNEL_STEP;
}

uint64_t sim_xeon6_cxlcm_address(const struct sim *sim, unsigned package, unsigned index)
{
	return sim_discovered_registers(sim, package) + LINKS + index * UINT64_C(0x10000) +
	       XEON6_LINK;
}

uint64_t sim_xeon6_cxldp_address(const struct sim *sim, unsigned package, unsigned index)
{
	return sim_xeon6_cxlcm_address(sim, package, index) + 0x2000;
}

uint64_t sim_xeon6_b2cxl_address(const struct sim *sim, unsigned package, unsigned index)
{
	return sim_xeon6_cxlcm_address(sim, package, index) + 0x5000;
}

/* clang-format off */
const struct sim_free sim_xeon6_iio_free[3] = {
	{.first = 0x290e, .step = 1, .n = 1, .width = 48, .stride = 0x10,
	 .rate = sim_free_clock},
	{.first = 0x360e, .step = 0x10, .n = 8, .width = 48, .stride = 0x80,
	 .rate = sim_free_in_half_lines},
	{.first = 0x2e0e, .step = 0x10, .n = 8, .width = 48, .stride = 0x80,
	 .rate = sim_free_out_half_lines},
};
/* clang-format on */

/*
 * docs/hardware/discovery.md, "Package of a table".  The other CPU buses have no root bus: 0 is a
 * UPI port.
 */
static const struct {
	uint8_t cpu_bus, root;
} root_buses[] = {{1, 0x01}, {2, 0x02}, {3, 0x00}, {30, 0xff}};

static uint32_t root_bus_dword(uint32_t offset)
{
	uint32_t valid = 0, dword = 0;

	for (size_t i = 0; i < N_OF(root_buses); i++) {
		const unsigned bus = root_buses[i].cpu_bus;
		const uint32_t at = (bus < 16 ? 0x190 : 0x1c0) + bus % 16 / 4 * 4;

		valid |= UINT32_C(1) << bus;
		if (at == offset)
			dword |= (uint32_t)root_buses[i].root << bus % 4 * 8;
	}
	return offset == 0x1a0 ? valid : dword;
}

uint32_t sim_xeon6_constant(const struct sim *sim, unsigned package, uint16_t device,
			    uint32_t offset)
{
	if (device == 0x09a6)
		return root_bus_dword(offset);
	if (device == 0x09a2 && offset == 0x3f4)
		return 0x10 | package / sim->dies; /* bits 6:4 are the stack */
	return 0;
}
