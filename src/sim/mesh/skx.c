/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * skx.c - Xeon Scalable (Skylake, Cascade Lake): boxes, PCI functions and
 * registers (docs/hardware/skx.md).
 */
#include "sim/mesh/mesh_boxes.h"

/*
 * FILTER0: TID 8:0, LINK 12:9, state 26:17; FILTER1: REM, LOC, ALL_OPC, NM, NOT_NM
 * (bits 0, 1, 3 to 5), OPC0 18:9, OPC1 28:19, C6, NC, ISOC.
 */
static const struct sim_layout cha_filter = {
	.dialect = DIALECT_CHA,
	.thread_bits = 3,
	.core_bits = 6,
	.state = 17,
	.states = "I---SEMF--",
	.forward_victims = true,
};

/* CAPID6: one bit in 27:0 per CHA, those of disabled ones in between. */
static uint32_t capid6(const struct sim *sim)
{
	uint32_t bits = (UINT32_C(1) << sim->cores) - 1;

	if (sim->cores < 28)
		bits = (bits & 7) | (bits & ~UINT32_C(7)) << 1;
	return bits | UINT32_C(0x50000000);
}

static unsigned cha_count(const struct sim *sim)
{
	return sim->cores;
}

static uint32_t constant(const struct sim *sim, unsigned package, uint16_t device, uint32_t offset)
{
	(void)package;
	return device == 0x2083 && offset == 0x9c ? capid6(sim) : 0;
}

static const struct sim_free iio_free[] = {
	{.first = 0xa45, .step = 1, .n = 1, .width = 36, .stride = 0x20, .rate = sim_free_clock},
	{.first = 0xb00,
	 .step = 1,
	 .n = 8,
	 .width = 36,
	 .stride = 0x10,
	 .rate = sim_free_in_dwords},
	{.first = 0xb08,
	 .step = 1,
	 .n = 8,
	 .width = 36,
	 .stride = 0x10,
	 .rate = sim_free_utilization},
};

/* clang-format off */
static const struct sim_kind kinds[] = {
	{MESH_UBOX_TELLS, .control_bits = 0x1f84ffff | CTL_OVF, .events = &sim_skx_ubox},
	{
		MESH_CHA,
		.count = cha_count,
		.box_ctl = 0xe00,
		.control = 0xe01,
		.counter = 0xe08,
		.status = 0xe07,
		.stride = 0x10,
		.filter = 0xe05,
		.filter_high = 0xe06,
		.filter_bits = 0xfffffe3b07fe1fff,
		.control_bits = 0xff8cffff | CTL_OVF,
		.companion = COUNTER0_OCCUPANCY,
		.layout = &cha_filter,
		.summary = 3,
		.summary_boxes = 28,
		.events = &sim_skx_cha,
	},
	{
		MSR_BLOCK,
		.name = "iio",
		.n_boxes = 6,
		.n_counters = 4,
		.width = 48,
		.box_ctl = 0xa40,
		.control = 0xa48,
		.counter = 0xa41,
		.status = 0xa47,
		.stride = 0x20,
		.control_bits = CTL_PLAIN | UINT64_C(0x7fff) << 32,
		.threshold_mask = 0xfff,
		.free = iio_free,
		.n_free = N_OF(iio_free),
		.summary = 56,
		.summary_boxes = 5,
		.clock_hz = sim_uclk,
		.events = &sim_skx_iio,
	},
	{
		MSR_BLOCK,
		.name = "irp",
		.n_boxes = 6,
		.n_counters = 2,
		.width = 48,
		.box_ctl = 0xa58,
		.control = 0xa5b,
		.counter = 0xa59,
		.status = 0xa5f,
		.stride = 0x20,
		.control_bits = CTL_PLAIN,
		.threshold_mask = 0xff,
		.summary = 56,
		.summary_boxes = 5,
		.clock_hz = sim_uclk,
		.events = &sim_skx_irp,
	},
	{
		MESH_PCU,
		.filter = 0x715,
		.filter_bits = 0xffffffff,
		.control_bits = 0xdf84c0ff | CTL_OVF,
		.threshold_mask = 0x1f,
		.events = &sim_skx_pcu,
	},
	{
		PCI_BLOCK,
		.name = "imc",
		.n_boxes = 6,
		.n_counters = 4,
		.width = 48,
		.control_bits = CTL_PLAIN,
		.fixed_ctl = 0xf0,
		.fixed_ctr = 0xd0,
		.fixed_width = 48,
		.fixed_bits = SIM_CTL_EN | UINT64_C(1) << 19,
		.fixed_first = true,
		.summary = 39,
		.summary_boxes = 6,
		.summary_share = 3,
		.clock_hz = sim_dclk,
		.events = &sim_skx_imc,
	},
	{
		PCI_BLOCK_AT(0x258, 0x260, 0x228, 8, 0x200),
		.name = "m2m",
		.n_boxes = 2,
		.n_counters = 4,
		.width = 48,
		.control_bits = CTL_PLAIN,
		.summary = 62,
		.summary_boxes = 2,
		.clock_hz = sim_uclk,
		.events = &sim_skx_m2m,
	},
	{
		PCI_BLOCK_AT(0x378, 0x37c, 0x350, 8, 0x318),
		.name = "upi",
		.n_boxes = 3,
		.n_counters = 4,
		.width = 48,
		.control_bits = CTL_PLAIN | UINT64_C(0xffefff) << 32,
		.summary = 41,
		.summary_boxes = 3,
		.clock_hz = sim_qclk,
		SIM_LINK(192, 20, 8),
		.events = &sim_skx_upi,
	},
	{
		PCI_BLOCK,
		.name = "m2pcie",
		.n_boxes = 4,
		.n_counters = 4,
		.width = 48,
		.control_bits = CTL_PLAIN,
		.summary_none = true,
		.clock_hz = sim_uclk,
		.events = &sim_skx_m2pcie,
	},
	{
		PCI_BLOCK,
		.name = "m3upi",
		.n_boxes = 3,
		.n_counters = 3,
		.width = 48,
		.control_bits = CTL_PLAIN,
		.summary = 46,
		.summary_boxes = 2,
		.clock_hz = sim_uclk,
		.events = &sim_skx_m3upi,
	},
};
/* clang-format on */

/* Address match and mask, opcode match of the M2M. */
static const struct sim_dword m2m_match[] = {
	{0x268, 0xffffffc0}, {0x26c, 0x00003fff}, {0x270, 0xffffffc0},
	{0x274, 0x00003fff}, {0x278, 0xffffffff},
};

/* Several buses: the UBox on the first one, memory and links on the third and fourth. */
static const struct sim_function functions[] = {
	PLAIN(1, 0x2014, 8, 0),
	BOX_WITH_ON(3, 0x2066, 8, 0, "m2m", 0, m2m_match),
	BOX_WITH_ON(3, 0x2066, 9, 0, "m2m", 1, m2m_match),
	BOX_ON(3, 0x2042, 10, 2, "imc", 0),
	BOX_ON(3, 0x2046, 10, 6, "imc", 1),
	BOX_ON(3, 0x204a, 11, 2, "imc", 2),
	BOX_ON(3, 0x2042, 12, 2, "imc", 3),
	BOX_ON(3, 0x2046, 12, 6, "imc", 4),
	BOX_ON(3, 0x204a, 13, 2, "imc", 5),
	BOX_ON(4, 0x2058, 14, 0, "upi", 0),
	BOX_ON(4, 0x2058, 15, 0, "upi", 1),
	BOX_ON(4, 0x2058, 16, 0, "upi", 2),
	BOX_ON(4, 0x204d, 18, 1, "m3upi", 0),
	BOX_ON(4, 0x204e, 18, 2, "m3upi", 1),
	BOX_ON(4, 0x204d, 18, 5, "m3upi", 2),
	BOX_ON(4, 0x2088, 21, 1, "m2pcie", 0),
	BOX_ON(4, 0x2088, 22, 1, "m2pcie", 1),
	BOX_ON(4, 0x2088, 22, 5, "m2pcie", 3),
	BOX_ON(4, 0x2088, 23, 1, "m2pcie", 2),
	PLAIN(4, 0x2083, 30, 3),
};

const struct sim_platform sim_skx = {
	.name = "skx",
	.id = {"GenuineIntel", 6, 85, 4},
	.core = {.version = 4,
		 .counters = 8,
		 .width = 48,
		 .fixed = 3,
		 .fixed_width = 48,
		 .events = 7,
		 .slots = 4,
		 .trace = true,
		 .select_more = SIM_CORE_TSX,
		 .capabilities = 0x13c5 | SIM_CORE_FULL_WIDTH,
		 .bus_hz = 25 * SIM_MHZ},
	.max_packages = SIM_PACKAGES,
	.max_dies = 2, /* Cascade Lake-AP */
	.max_cores = 28,
	.packages = 2,
	.cores = 20,
	.kinds = kinds,
	.n_kinds = N_OF(kinds),
	.functions = functions,
	.n_functions = N_OF(functions),
	.others = sim_others,
	.n_others = N_OF(sim_others),
	.node_device = 0x2014,
	.node_id = 0xc0,
	.node_map = 0xd4,
	.constant = constant,
	.global = {MESH_GLOBAL, .status = {0x701}},
	.config_boxes = cha_count,
	.traffic = sim_traffic_mesh,
};
