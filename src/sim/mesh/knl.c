/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * knl.c - Xeon Phi (Knights Landing): boxes, PCI functions and registers (docs/hardware/knl.md).
 * One package; every part has 38 active CHAs, whatever the number of its cores.
 */
#include "sim/mesh/mesh_boxes.h"

#define CHAS 38

#undef BOX_BITS
#define BOX_BITS 0x10103

/* Controls have no ov_en. */
#define CTL_PHI (CTL_PLAIN & ~CTL_OVF)
#define CTL_QOR (UINT64_C(1) << 16) /* resets the queue occupancy */

/* FILTER0: TID 8:0, LINK 12, state 20:18; FILTER1: REMOTE, LOCAL, ALL_OPC, NNM, OPC0, OPC1, ... */
static const struct sim_layout cha_filter = {
	.dialect = DIALECT_CHA,
	.thread_bits = 3,
	.core_bits = 6,
	.state = 18,
	.states = "ISE",
	.any_umask = true,
};

static unsigned cha_count(const struct sim *sim)
{
	(void)sim;
	return CHAS;
}

#define CLOCKED_BOX(ctl, control_, counter_, fixed_ctl_, fixed_ctr_)                              \
	PCI_BLOCK_AT(ctl, 0, control_, 4, counter_),                                              \
		.n_counters = 4, .width = 48, .control_bits = CTL_PHI, .fixed_ctl = (fixed_ctl_), \
		.fixed_ctr = (fixed_ctr_), .fixed_width = 48, .fixed_bits = 1, .fixed_enable = 1

/* clang-format off */
static const struct sim_kind kinds[] = {
	{MESH_UBOX, .fixed_bits = SIM_CTL_EN, .control_bits = 0x1f8cffff, .events = &sim_knl_ubox},
	{
		MESH_CHA,
		.n_boxes = CHAS,
		.box_ctl = 0xe00,
		.control = 0xe01,
		.counter = 0xe08,
		.status = 0xe07,
		.stride = 0xc,
		.filter = 0xe05,
		.filter_high = 0xe06,
		.filter_bits = 0xfffffe2b001c11ff,
		.control_bits = 0xff8dffff,
		.layout = &cha_filter,
		.summary = 3,
		.summary_boxes = CHAS,
		.events = &sim_knl_cha,
	},
	{
		MESH_PCU,
		.control_bits = 0xff8cc0ff,
		.threshold_mask = 0x3f,
		.events = &sim_knl_pcu,
	},
	{
		CLOCKED_BOX(0x430, 0x420, 0x400, 0x454, 0x44c),
		.name = "imc_uclk",
		.n_boxes = 2,
		.summary = 41,
		.summary_boxes = 2,
		.clock_hz = sim_uclk,
		.events = &sim_knl_imc_uclk,
	},
	{
		CLOCKED_BOX(0xb30, 0xb20, 0xb00, 0xb44, 0xb3c),
		.name = "imc",
		.n_boxes = 6,
		.summary = 41,
		.summary_boxes = 6,
		.summary_share = 3,
		.clock_hz = sim_dclk,
		.events = &sim_knl_imc,
	},
	{
		CLOCKED_BOX(0x430, 0x420, 0x400, 0x454, 0x44c),
		.name = "edc_uclk",
		.n_boxes = 8,
		.summary = 43,
		.summary_boxes = 8,
		.clock_hz = sim_uclk,
		.events = &sim_knl_edc_uclk,
	},
	{
		CLOCKED_BOX(0xa30, 0xa20, 0xa00, 0xa44, 0xa3c),
		.name = "edc_eclk",
		.n_boxes = 8,
		.summary = 43,
		.summary_boxes = 8,
		.clock_hz = sim_dclk,
		.events = &sim_knl_edc_eclk,
	},
	{
		PCI_BLOCK_AT(0xf4, 0, 0xd8, 4, 0xa0),
		.name = "m2pcie",
		.n_boxes = 1,
		.n_counters = 4,
		.width = 48,
		.control_bits = CTL_PHI,
		.summary = 51,
		.summary_boxes = 1,
		.clock_hz = sim_uclk,
		.events = &sim_knl_m2pcie,
	},
	{
		PCI_BLOCK_AT(0xf0, 0, 0xd8, 4, 0xa0),
		.name = "irp",
		.n_boxes = 1,
		.n_counters = 2,
		.width = 48,
		.control_bits = CTL_PHI | CTL_QOR,
		.summary = 52,
		.summary_boxes = 1,
		.clock_hz = sim_uclk,
		.events = &sim_knl_irp,
	},
};
/* clang-format on */

static const struct sim_function functions[] = {
	BOX_ON(1, 0x7814, 5, 6, "irp", 0), BOX(0x7843, 8, 2, "imc", 0),
	BOX(0x7843, 8, 3, "imc", 1),       BOX(0x7843, 8, 4, "imc", 2),
	BOX(0x7843, 9, 2, "imc", 3),       BOX(0x7843, 9, 3, "imc", 4),
	BOX(0x7843, 9, 4, "imc", 5),       BOX(0x7841, 10, 0, "imc_uclk", 0),
	BOX(0x7841, 11, 0, "imc_uclk", 1), BOX(0x7817, 12, 1, "m2pcie", 0),
	BOX(0x7833, 15, 0, "edc_uclk", 0), BOX(0x7833, 16, 0, "edc_uclk", 1),
	BOX(0x7833, 17, 0, "edc_uclk", 2), BOX(0x7833, 18, 0, "edc_uclk", 3),
	BOX(0x7833, 19, 0, "edc_uclk", 4), BOX(0x7833, 20, 0, "edc_uclk", 5),
	BOX(0x7833, 21, 0, "edc_uclk", 6), BOX(0x7833, 22, 0, "edc_uclk", 7),
	BOX(0x7835, 24, 2, "edc_eclk", 0), BOX(0x7835, 25, 2, "edc_eclk", 1),
	BOX(0x7835, 26, 2, "edc_eclk", 2), BOX(0x7835, 27, 2, "edc_eclk", 3),
	BOX(0x7835, 28, 2, "edc_eclk", 4), BOX(0x7835, 29, 2, "edc_eclk", 5),
	BOX(0x7835, 30, 2, "edc_eclk", 6), BOX(0x7835, 31, 2, "edc_eclk", 7),
};

const struct sim_platform sim_knl = {
	.name = "knl",
	.id = {"GenuineIntel", 6, 87, 1},
	.core = {.version = 3,
		 .counters = 2,
		 .width = 40,
		 .fixed = 3,
		 .fixed_width = 40,
		 .events = 7,
		 .slots = 2,
		 .capabilities = 0x12c4 | SIM_CORE_FULL_WIDTH,
		 .bus_hz = 100 * SIM_MHZ},
	.max_packages = 1,
	.max_cores = 72,
	.packages = 1,
	.cores = 68,
	.kinds = kinds,
	.n_kinds = N_OF(kinds),
	.functions = functions,
	.n_functions = N_OF(functions),
	.others = sim_others,
	.n_others = N_OF(sim_others),
	.global = {MESH_GLOBAL, .status = {0x701}},
	.config_boxes = cha_count,
	.traffic = sim_traffic_mesh,
};
