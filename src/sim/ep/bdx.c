/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bdx.c - Xeon E5-2600 v4 and E7 v4: as hswep, except widths, SBos, and a filter
 * for the third QPI port (docs/hardware/bdx.md).
 */
#include "sim/ep/hswep.h"

static unsigned sbox_count(const struct sim *sim)
{
	return sim->cores > HSX_FEW_CORES ? 4 : 0;
}

static uint32_t constant(const struct sim *sim, unsigned package, uint16_t device, uint32_t offset)
{
	(void)package;
	return device == 0x6fc0 && offset == HSX_CAPID4 ? sim_hswep_capid4(sim) : 0;
}

static const struct sim_kind kinds[] = {
	{HSX_UBOX, .width = 48, .events = &sim_bdx_ubox},
	{HSX_CBOX, .layout = &sim_hswep_filter, .events = &sim_bdx_cbox},
	{HSX_SBOX, .width = 48, .count = sbox_count, .events = &sim_bdx_sbox},
	{HSX_PCU, .events = &sim_bdx_pcu},
	{HSX_HA, .events = &sim_bdx_ha},
	{HSX_IMC, .events = &sim_bdx_imc},
	{HSX_IRP, .events = &sim_bdx_irp},
	{HSX_QPI, .events = &sim_bdx_qpi},
	{HSX_R2PCIE, .events = &sim_bdx_r2pcie},
	{HSX_R3QPI, .width = 48, .events = &sim_bdx_r3qpi},
};

static const struct sim_function functions[] = {
	HSX_FUNCTIONS(0x6f00),
	EXTRA(0x6f46, 10, 6, "qpi", 2, sim_qpi_match),
};

const struct sim_platform sim_bdx = {
	.name = "bdx",
	.id = {"GenuineIntel", 6, 79, 1},
	.core = {.version = 3,
		 .counters = 8,
		 .width = 48,
		 .fixed = 3,
		 .fixed_width = 48,
		 .events = 7,
		 .slots = 4,
		 .trace = true,
		 .select_more = SIM_CORE_TSX,
		 .capabilities = 0x12c4 | SIM_CORE_FULL_WIDTH,
		 .bus_hz = 100 * SIM_MHZ},
	.max_packages = SIM_PACKAGES,
	.max_cores = 24,
	.packages = 2,
	.cores = 14,
	.kinds = kinds,
	.n_kinds = N_OF(kinds),
	.functions = functions,
	.n_functions = N_OF(functions),
	.others = sim_others,
	.n_others = N_OF(sim_others),
	.slices = {.device = 0x6fe0, .id_step = 1, .in_row = 8, .ways = 20},
	.node_device = 0x6f1e,
	.node_id = 0x40,
	.node_map = 0x54,
	.constant = constant,
	.global = HSX_GLOBAL,
	.traffic = sim_traffic_haswell,
};
