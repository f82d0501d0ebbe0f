/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * icx.c - third generation Xeon Scalable (Ice Lake): boxes, PCI functions and
 * registers (docs/hardware/icx.md).
 */
#include "sim/mesh/mesh_boxes.h"

/* FILTER: TID 8:0; everything else is in the umask extension. */
static const struct sim_layout cha_filter = {
	.dialect = DIALECT_WIDE,
	.thread_bits = 3,
	.core_bits = 6,
	.states = "I---SEMF",
	.forward_victims = true,
};

/* Three banks: 0 to 17, 18 to 33 after a gap, 34 to 39 below the first. */
static const uint16_t cha_offsets[40] = {
	0x2a0, 0x2ae, 0x2bc, 0x2ca, 0x2d8, 0x2e6, 0x2f4, 0x302, 0x310, 0x31e,
	0x32c, 0x33a, 0x348, 0x356, 0x364, 0x372, 0x380, 0x38e, 0x3aa, 0x3b8,
	0x3c6, 0x3d4, 0x3e2, 0x3f0, 0x3fe, 0x40c, 0x41a, 0x428, 0x436, 0x444,
	0x452, 0x460, 0x46e, 0x47c, 0x000, 0x00e, 0x01c, 0x02a, 0x038, 0x046,
};

static const uint16_t stack_offsets[6] = {0x00, 0x20, 0x40, 0x90, 0xb0, 0xd0};
static const uint16_t port_offsets[6] = {0x00, 0x10, 0x20, 0x90, 0xa0, 0xb0};

static unsigned cha_count(const struct sim *sim)
{
	return sim->cores;
}

/* One bit per CHA, with disabled CHAs in between if there are free bits. */
static uint64_t capid(const struct sim *sim)
{
	uint64_t bits = (UINT64_C(1) << sim->cores) - 1;

	return sim->cores < 40 ? (bits & 0xf) | (bits & ~UINT64_C(0xf)) << 1 : bits;
}

/*
 * Addresses of the memory controllers' registers: bits 28:0 of MC_BASE are the
 * package's base in units of 8 MiB, bits 10:0 of the registers from MC_FIRST on
 * the offset of each controller in units of 4 KiB.
 */
#define MC_BASE         0xd0
#define MC_FIRST        0xd8
#define MC_COUNT        4
#define MC_SIZE         0x40000
#define BASE_UNIT       23
#define CONTROLLER_UNIT 12

static uint32_t base_register(unsigned package)
{
	return 0x1a0 + 5 * package;
}

static uint32_t controller_register(unsigned controller)
{
	return 0x100 + 0x80 * controller;
}

static uint32_t constant(const struct sim *sim, unsigned package, uint16_t device, uint32_t offset)
{
	if (device == 0x345b && offset == 0x9c)
		return (uint32_t)capid(sim);
	if (device == 0x345b && offset == 0xa0)
		return (uint32_t)(capid(sim) >> 32);
	if (device != 0x3451)
		return 0;
	/* Other fields follow above the addresses. */
	if (offset == MC_BASE)
		return base_register(package) | UINT32_C(0x80000000);
	if (offset >= MC_FIRST && offset < MC_FIRST + 4 * MC_COUNT)
		return controller_register((offset - MC_FIRST) / 4) | UINT32_C(0x00c00000);
	return 0;
}

static bool mapped(unsigned package, uint64_t address, unsigned *controller, uint32_t *offset)
{
	uint64_t base = (uint64_t)base_register(package) << BASE_UNIT;

	for (*controller = 0; *controller < MC_COUNT; (*controller)++) {
		uint64_t start =
			base + ((uint64_t)controller_register(*controller) << CONTROLLER_UNIT);

		if (address >= start && address - start < MC_SIZE) {
			*offset = (uint32_t)(address - start);
			return true;
		}
	}
	return false;
}

/* Lines of the channels of a controller. */
static double controller_lines(const struct sim_box *box, unsigned number)
{
	const double *weights = box->kind->events->weights;
	unsigned first = box->index / 3 * 3;
	double flows[N_FLOWS];

	sim_flows(box->sim, box->package, flows);
	return flows[number == 0 ? MEM_READS : MEM_WRITES] *
	       (weights[first] + weights[first + 1] + weights[first + 2]);
}

/* No persistent memory. */
static double no_lines(const struct sim_box *box, unsigned number)
{
	(void)box;
	(void)number;
	return 0;
}

/* Of a controller, represented by its first channel. */
static const struct sim_free imc_free[] = {
	{.first = 0x22b0, .step = 8, .n = 1, .width = 48, .rate = sim_free_clock},
	{.first = 0x2290, .step = 8, .n = 2, .width = 48, .rate = controller_lines},
	{.first = 0x22a0, .step = 8, .n = 2, .width = 48, .rate = no_lines},
};

static const struct sim_free iio_free[] = {
	{.first = 0xa55,
	 .step = 1,
	 .n = 1,
	 .width = 48,
	 .offsets = stack_offsets,
	 .rate = sim_free_clock},
	{.first = 0xaa0,
	 .step = 1,
	 .n = 8,
	 .width = 48,
	 .offsets = port_offsets,
	 .rate = sim_free_in_half_lines},
};

/* clang-format off */
static const struct sim_kind kinds[] = {
	{MESH_UBOX_TELLS, .control_bits = 0x1f84ffff | CTL_OVF, .events = &sim_icx_ubox},
	{
		MESH_CHA,
		.count = cha_count,
		.box_ctl = 0xb60,
		.control = 0xb61,
		.counter = 0xb68,
		.status = 0xb67,
		.offsets = cha_offsets,
		.filter = 0xb65,
		.filter_bits = 0x1ff,
		.control_bits = 0xff8cffff | CTL_OVF | UINT64_C(0x3ffffff) << 32,
		.companion = COUNTER0_OCCUPANCY,
		.layout = &cha_filter,
		.summary_none = true,
		.events = &sim_icx_cha,
	},
	{
		MSR_BLOCK,
		.name = "iio",
		.n_boxes = 6,
		.n_counters = 4,
		.width = 48,
		.box_ctl = 0xa50,
		.control = 0xa58,
		.counter = 0xa51,
		.status = 0xa57,
		.offsets = stack_offsets,
		.control_bits = CTL_PLAIN | UINT64_C(0x7ffff) << 32,
		.threshold_mask = 0xfff,
		.free = iio_free,
		.n_free = N_OF(iio_free),
		.summary_none = true,
		.clock_hz = sim_uclk,
		.events = &sim_icx_iio,
	},
	{
		MSR_BLOCK,
		.name = "irp",
		.n_boxes = 6,
		.n_counters = 2,
		.width = 48,
		.box_ctl = 0xa4a,
		.control = 0xa4d,
		.counter = 0xa4b,
		.offsets = stack_offsets,
		.control_bits = CTL_PLAIN,
		.threshold_mask = 0xff,
		.summary_none = true,
		.clock_hz = sim_uclk,
		.events = &sim_icx_irp,
	},
	{
		MSR_BLOCK,
		.name = "m2pcie",
		.n_boxes = 6,
		.n_counters = 4,
		.width = 48,
		.box_ctl = 0xa40,
		.control = 0xa46,
		.counter = 0xa41,
		.offsets = stack_offsets,
		.control_bits = CTL_PLAIN,
		.threshold_mask = 0xff,
		.summary_none = true,
		.clock_hz = sim_uclk,
		.events = &sim_icx_m2pcie,
	},
	{
		MESH_PCU,
		.filter = 0x715,
		.filter_bits = 0xffffffff,
		.control_bits = 0xdf84c0ff | CTL_OVF,
		.threshold_mask = 0x1f,
		.summary_none = true,
		.events = &sim_icx_pcu,
	},
	{
		.name = "imc",
		.access = SIM_BY_MMIO,
		.n_boxes = 12,
		.n_counters = 4,
		.width = 48,
		.box_ctl = 0x22800,
		.box_bits = BOX_BITS,
		.control = 0x22840,
		.control_step = 4,
		.counter = 0x22808,
		.counter_step = 8,
		.status = 0x2285c,
		.stride = 0x4000,
		.control_bits = CTL_PLAIN,
		.threshold_mask = 0xff,
		.fixed_ctl = 0x22854,
		.fixed_ctr = 0x22838,
		.fixed_width = 48,
		.fixed_bits = SIM_CTL_EN | UINT64_C(1) << 19,
		.fixed_first = true,
		.free = imc_free,
		.n_free = N_OF(imc_free),
		.summary_none = true,
		.signal = sim_row_signal,
		.clock_hz = sim_dclk,
		.events = &sim_icx_imc,
	},
	{
		PCI_BLOCK_AT(0x438, 0x4a8, 0x468, 8, 0x440),
		.name = "m2m",
		.n_boxes = 4,
		.n_counters = 4,
		.width = 48,
		.control_bits = CTL_PLAIN | UINT64_C(0xff) << 32,
		.summary_none = true,
		.clock_hz = sim_uclk,
		.events = &sim_icx_m2m,
	},
	{
		PCI_BLOCK_AT(0x318, 0x37c, 0x350, 8, 0x320),
		.name = "upi",
		.n_boxes = 3,
		.n_counters = 4,
		.width = 48,
		.control_bits = CTL_PLAIN | UINT64_C(0xffffff) << 32,
		.summary_none = true,
		.clock_hz = sim_qclk,
		SIM_LINK(192, 20, 8),
		.events = &sim_icx_upi,
	},
	{
		PCI_BLOCK_AT(0xa0, 0, 0xd8, 4, 0xa8),
		.name = "m3upi",
		.n_boxes = 3,
		.n_counters = 4,
		.width = 48,
		.control_bits = CTL_PLAIN,
		.summary_none = true,
		.clock_hz = sim_uclk,
		.events = &sim_icx_m3upi,
	},
};
/* clang-format on */

/* The UBox is on the last bus, the CAPIDs on one before it. */
static const struct sim_function functions[] = {
	PLAIN(2, 0x345b, 30, 3),       PLAIN(0, 0x3450, 0, 0),        PLAIN(0, 0x3451, 0, 1),
	BOX(0x3441, 2, 1, "upi", 0),   BOX(0x3441, 3, 1, "upi", 1),   BOX(0x3441, 4, 1, "upi", 2),
	BOX(0x3446, 5, 1, "m3upi", 0), BOX(0x3446, 6, 1, "m3upi", 1), BOX(0x3446, 7, 1, "m3upi", 2),
	BOX(0x344a, 12, 0, "m2m", 0),  BOX(0x344a, 13, 0, "m2m", 1),  BOX(0x344a, 14, 0, "m2m", 2),
	BOX(0x344a, 15, 0, "m2m", 3),
};

const struct sim_platform sim_icx = {
	.name = "icx",
	.id = {"GenuineIntel", 6, 106, 6},
	.core = {.version = 5,
		 .counters = 8,
		 .width = 48,
		 .fixed = 4,
		 .fixed_width = 48,
		 .events = 8,
		 .slots = 5,
		 .any_gone = true,
		 .trace = true,
		 .select_more = SIM_CORE_TSX | SIM_CORE_ADAPTIVE,
		 .fixed_more = UINT64_C(0x1111) << 32,
		 .global_more = SIM_CORE_METRICS,
		 .capabilities = 0xd4c5 | SIM_CORE_FULL_WIDTH,
		 .bus_hz = 25 * SIM_MHZ},
	.max_packages = SIM_PACKAGES,
	.max_cores = 40,
	.packages = 2,
	.cores = 32,
	.kinds = kinds,
	.n_kinds = N_OF(kinds),
	.functions = functions,
	.n_functions = N_OF(functions),
	.others = sim_others,
	.n_others = N_OF(sim_others),
	.node_device = 0x3450,
	.node_id = 0xc0,
	.node_map = 0xd4,
	.constant = constant,
	.mapped = mapped,
	.global = {MESH_GLOBAL, .status = {0x70e, 0x70f}},
	.config_boxes = cha_count,
	.traffic = sim_traffic_wide,
};
