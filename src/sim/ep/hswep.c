/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hswep.c - Xeon E5-2600 v3 and E7 v3: boxes, PCI functions and registers (docs/hardware/hswep.md).
 */
#include "sim/ep/hswep.h"

const struct sim_layout sim_hswep_filter = {
	.dialect = DIALECT_CBO,
	.thread_bits = 1,
	.core_bits = 5,
	.state = 17,
	.states = "ISEMF--",
	.nid = 32,
	.nid_bits = 16,
	.opc = 52,
	.homes = true,
	.any_read = true,
	.forward_victims = true,
	.device_tid = true,
};

uint32_t sim_hswep_capid4(const struct sim *sim)
{
	/* Other capabilities around the two bits. */
	return UINT32_C(0x00a5b73f) | (sim->cores > HSX_FEW_CORES ? UINT32_C(0x40) : 0);
}

static unsigned sbox_count(const struct sim *sim)
{
	return sim->cores > HSX_FEW_CORES ? 4 : 2;
}

static uint32_t constant(const struct sim *sim, unsigned package, uint16_t device, uint32_t offset)
{
	(void)package;
	return device == 0x2fc0 && offset == HSX_CAPID4 ? sim_hswep_capid4(sim) : 0;
}

static const struct sim_kind kinds[] = {
	{HSX_UBOX, .width = 44, .events = &sim_hswep_ubox},
	{HSX_CBOX, .layout = &sim_hswep_filter, .events = &sim_hswep_cbox},
	{HSX_SBOX, .width = 44, .count = sbox_count, .events = &sim_hswep_sbox},
	{HSX_PCU, .events = &sim_hswep_pcu},
	{HSX_HA, .events = &sim_hswep_ha},
	{HSX_IMC, .events = &sim_hswep_imc},
	{HSX_IRP, .events = &sim_hswep_irp},
	{HSX_QPI, .events = &sim_hswep_qpi},
	{HSX_R2PCIE, .events = &sim_hswep_r2pcie},
	{HSX_R3QPI, .width = 44, .events = &sim_hswep_r3qpi},
};

static const struct sim_function functions[] = {HSX_FUNCTIONS(0x2f00)};

const struct sim_platform sim_hswep = {
	.name = "hswep",
	.id = {"GenuineIntel", 6, 63, 2},
	.core = {.version = 3,
		 .counters = 8,
		 .width = 48,
		 .fixed = 3,
		 .fixed_width = 48,
		 .events = 7,
		 .slots = 4,
		 .select_more = SIM_CORE_TSX,
		 .capabilities = 0x12c4 | SIM_CORE_FULL_WIDTH,
		 .bus_hz = 100 * SIM_MHZ},
	.max_packages = SIM_PACKAGES,
	.max_cores = 18,
	.packages = 2,
	.cores = 12,
	.kinds = kinds,
	.n_kinds = N_OF(kinds),
	.functions = functions,
	.n_functions = N_OF(functions),
	.others = sim_others,
	.n_others = N_OF(sim_others),
	.slices = {.device = 0x2fe0, .id_step = 1, .in_row = 8, .ways = 20},
	.node_device = 0x2f1e,
	.node_id = 0x40,
	.node_map = 0x54,
	.constant = constant,
	.global = HSX_GLOBAL,
	.traffic = sim_traffic_haswell,
};
