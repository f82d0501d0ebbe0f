/* SPDX-License-Identifier: BSD-3-Clause */
/* xeon6.c - addresses of the memory-mapped units of gnr, srf and cwf; free-running counters. */
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
