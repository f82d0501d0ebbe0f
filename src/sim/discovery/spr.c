/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spr.c - fourth and fifth generation Xeon Scalable (Sapphire Rapids, Emerald Rapids):
 * boxes, PCI functions and registers (docs/hardware/spr.md, docs/hardware/discovery.md).
 */
#include "sim/discovery/discovered.h"

/* CAPID6 and CAPID7: one bit per CHA, with disabled CHAs in between if there are free bits. */
static uint64_t capid(const struct sim *sim)
{
	uint64_t bits = sim->cores < 64 ? (UINT64_C(1) << sim->cores) - 1 : UINT64_MAX;

	return sim->cores < 60 ? (bits & 0xff) | (bits & ~UINT64_C(0xff)) << 1 : bits;
}

/*
 * Addresses of the memory controllers' registers, in config space of device 0x3251: bits 28:0 of
 * MC_BASE in units of 8 MiB, plus bits 10:0 of the registers from MC_FIRST on in units of 4 KiB.
 */
#define MC_BASE         0xd0
#define MC_FIRST        0xd8
#define MC_COUNT        4
#define CHANNELS        2 /* per controller */
#define BASE_UNIT       23
#define CONTROLLER_UNIT 12
#define CHANNEL_STEP    UINT64_C(0x8000)
#define CHANNEL         0x22800
#define HBM             0x141c00
#define LINK            0x400 /* CXL ports: offset of the unit control in a page */

static uint32_t base_register(const struct sim *sim, unsigned package)
{
	return (uint32_t)(sim_discovered_registers(sim, package) >> BASE_UNIT);
}

static uint32_t controller_register(unsigned controller)
{
	return 0x280 + 0x80 * controller;
}

static uint64_t controller(const struct sim *sim, unsigned package, unsigned number)
{
	return sim_discovered_registers(sim, package) +
	       ((uint64_t)controller_register(number) << CONTROLLER_UNIT);
}

static uint64_t channel_address(const struct sim *sim, unsigned package, unsigned index)
{
	return controller(sim, package, index / CHANNELS) + index % CHANNELS * CHANNEL_STEP +
	       CHANNEL;
}

/* Past the last controller. */
static uint64_t cxlcm_address(const struct sim *sim, unsigned package, unsigned index)
{
	return controller(sim, package, MC_COUNT + 2) + index * UINT64_C(0x4000) + LINK;
}

static uint64_t cxldp_address(const struct sim *sim, unsigned package, unsigned index)
{
	return cxlcm_address(sim, package, index) + 0x2000;
}

/* Two channels of each of 16 controllers. */
static uint64_t hbm_address(const struct sim *sim, unsigned package, unsigned index)
{
	return sim_discovered_registers(sim, package) + HBM + index / CHANNELS * UINT64_C(0x9000) +
	       index % CHANNELS * UINT64_C(0x4000);
}

static unsigned m2hbm_count(const struct sim *sim)
{
	return sim->hbm ? 16 : 0;
}

static unsigned hbm_count(const struct sim *sim)
{
	return m2hbm_count(sim) * CHANNELS;
}

/* Undocumented: placed after those of the M2M, which have the same type. */
static const uint8_t m2hbm_ids[16] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};

static uint32_t constant(const struct sim *sim, unsigned package, uint16_t device, uint32_t offset)
{
	if (device == 0x325b && offset == 0x9c)
		return (uint32_t)capid(sim);
	if (device == 0x325b && offset == 0xa0)
		return (uint32_t)(capid(sim) >> 32);
	if (device != 0x3251)
		return 0;
	/* Other fields follow above the addresses. */
	if (offset == MC_BASE)
		return base_register(sim, package) | UINT32_C(0x80000000);
	if (offset >= MC_FIRST && offset < MC_FIRST + 4 * MC_COUNT)
		return controller_register((offset - MC_FIRST) / 4) | UINT32_C(0x00c00000);
	return 0;
}

/* Entries in the queues of a controller's channels, read or write. */
static double queue_cycles(const struct sim_box *box, unsigned number)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	struct sim_box second = *box;
	double flows[N_FLOWS];
	double lines;

	second.index++;
	sim_flows(box->sim, box->package, flows);
	lines = flows[number == 0 ? MEM_READS : MEM_WRITES] *
		(sim_weight(box) + sim_weight(&second));
	return lines * (number == 0 ? traffic->rpq_ns : traffic->wpq_ns) * 1e-9 * traffic->dclk_hz;
}

/* Of a controller, represented by its first channel. */
static const struct sim_free imc_free[] = {
	{.first = 0x22b0, .step = 8, .n = 1, .width = 48, .rate = sim_free_clock},
	{.first = 0x2318, .step = 8, .n = 2, .width = 48, .rate = queue_cycles},
};

/* EMR: ids 12, 13 and 40 are not used. */
static const uint16_t emr_cha_offsets[64] = {
	0x000, 0x010, 0x020, 0x030, 0x040, 0x050, 0x060, 0x070, 0x080, 0x090, 0x0a0, 0x0b0, 0x0e0,
	0x0f0, 0x100, 0x110, 0x120, 0x130, 0x140, 0x150, 0x160, 0x170, 0x180, 0x190, 0x1a0, 0x1b0,
	0x1c0, 0x1d0, 0x1e0, 0x1f0, 0x200, 0x210, 0x220, 0x230, 0x240, 0x250, 0x260, 0x270, 0x290,
	0x2a0, 0x2b0, 0x2c0, 0x2d0, 0x2e0, 0x2f0, 0x300, 0x310, 0x320, 0x330, 0x340, 0x350, 0x360,
	0x370, 0x380, 0x390, 0x3a0, 0x3b0, 0x3c0, 0x3d0, 0x3e0, 0x3f0, 0x400, 0x410, 0x420,
};

/* clang-format off */
static const struct sim_free iio_free[] = {
	{.first = 0x340e, .step = 1, .n = 1, .width = 48, .stride = 0x10,
	 .rate = sim_free_clock},
	{.first = 0x3800, .step = 1, .n = 8, .width = 48, .stride = 0x10,
	 .rate = sim_free_in_half_lines},
	{.first = 0x3808, .step = 1, .n = 8, .width = 48, .stride = 0x10,
	 .rate = sim_free_out_half_lines},
};

#define CHA \
	MSR_UNIT(0, 0x2000), .name = "cha", .count = sim_discovered_cha_count, \
	.n_counters = 4, .filter = 0x200e, .filter_bits = 0x3ff, \
	.control_bits = UNIT_CTL | UNIT_CTL_TID | UNIT_EXT(0xffffffff), \
	.layout = &sim_discovered_cha_filter, .clock_hz = sim_uclk, \
	.events = &sim_spr_cha

/* All except the CHAs, whose ids differ, and boxes that only one of them has. */
#define BOXES \
	{ \
		MSR_UNIT_WIDE(1, 0x3000), \
		.name = "iio", \
		.n_boxes = 12, \
		.n_counters = 4, \
		.control_bits = UNIT_CTL | UNIT_EXT(0x7ffff), \
		.threshold_mask = 0xfff, \
		.free = iio_free, \
		.n_free = N_OF(iio_free), \
		.clock_hz = sim_uclk, \
		.events = &sim_spr_iio, \
	}, \
	{ \
		MSR_UNIT(2, 0x3400), \
		.name = "irp", \
		.n_boxes = 12, \
		.n_counters = 2, \
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff), \
		.clock_hz = sim_uclk, \
		.events = &sim_spr_irp, \
	}, \
	{ \
		MSR_UNIT(3, 0x3200), \
		.name = "m2pcie", \
		.n_boxes = 12, \
		.n_counters = 4, \
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff), \
		.clock_hz = sim_uclk, \
		.events = &sim_spr_m2pcie, \
	}, \
	{ \
		MSR_UNIT(4, 0x2fc0), \
		.name = "pcu", \
		.n_boxes = 1, \
		.n_counters = 4, \
		.filter = 0x2fce, \
		.filter_bits = 0xffffffff, \
		.control_bits = UNIT_CTL, \
		.clock_hz = sim_pclk, \
		.events = &sim_spr_pcu, \
	}, \
	{ \
		MSR_UNIT(5, 0x2fd0), \
		.name = "ubox", \
		.n_boxes = 1, \
		.n_counters = 2, \
		.control_bits = UNIT_CTL, \
		.fixed_ctl = 0x2fde, \
		.fixed_ctr = 0x2fdf, \
		.fixed_width = 48, \
		.fixed_bits = SIM_CTL_EN | CTL_OVF, \
		.clock_hz = sim_uclk, \
		.events = &sim_spr_ubox, \
	}, \
	{ \
		CHANNEL_UNIT(6, CHANNEL), \
		CHANNEL_FIXED(CHANNEL), \
		.name = "imc", \
		.n_boxes = MC_COUNT * CHANNELS, \
		.address = channel_address, \
		.free = imc_free, \
		.n_free = N_OF(imc_free), \
		.free_page = 0x2000, \
		.free_every = CHANNELS, \
		.events = &sim_spr_imc, \
	}, \
	{ \
		PCI_UNIT(7, 0x438, 0x4a8, 0x468, 0x440), \
		.name = "m2m", \
		.n_boxes = 4, \
		.n_counters = 4, \
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff), \
		.clock_hz = sim_uclk, \
		.events = &sim_spr_m2m, \
	}, \
	{ \
		PCI_UNIT(8, 0x318, 0x37c, 0x350, 0x320), \
		.name = "upi", \
		.n_boxes = 4, \
		.n_counters = 4, \
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff), \
		.clock_hz = sim_qclk, \
		SIM_LINK(192, 24, 8), \
		.events = &sim_spr_upi, \
	}, \
	{ \
		PCI_UNIT(9, 0xa0, 0, 0xd8, 0xa8), \
		.name = "m3upi", \
		.n_boxes = 4, \
		.n_counters = 4, \
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff), \
		.clock_hz = sim_uclk, \
		.events = &sim_spr_m3upi, \
	}, \
	{ \
		MSR_UNIT(11, 0x2800), \
		.name = "mdf", \
		.n_boxes = 10, \
		.n_counters = 4, \
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff), \
		.clock_hz = sim_uclk, \
		.events = &sim_spr_mdf, \
	}, \
	{ \
		MMIO_UNIT(12, LINK, 8, 0x80, 0xc8), \
		.name = "cxlcm", \
		.n_boxes = 4, \
		.n_counters = 8, \
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff), \
		.address = cxlcm_address, \
		.clock_hz = sim_uclk, \
		.events = &sim_spr_cxlcm, \
	}, \
	{ \
		MMIO_UNIT(13, LINK, 8, 0x8, 0x60), \
		.name = "cxldp", \
		.n_boxes = 4, \
		.n_counters = 4, \
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff), \
		.address = cxldp_address, \
		.clock_hz = sim_uclk, \
		.events = &sim_spr_cxldp, \
	}

static const struct sim_kind spr_kinds[] = {
	{CHA},
	BOXES,
	{
		PCI_UNIT(7, 0x438, 0x4a8, 0x468, 0x440),
		.name = "m2hbm",
		.ids = m2hbm_ids,
		.count = m2hbm_count,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.clock_hz = sim_uclk,
		.events = &sim_spr_m2hbm,
	},
	{
		CHANNEL_UNIT(14, 0xc00),
		.name = "hbm",
		.count = hbm_count,
		.address = hbm_address,
		.events = &sim_spr_hbm,
	},
	{
		MSR_UNIT(40, 0x2e00),
		.name = "type40",
		.n_boxes = 2,
		.n_counters = 4,
		.control_bits = UNIT_CTL,
		.clock_hz = sim_uclk,
		.events = &sim_spr_any,
	},
};

static const struct sim_kind emr_kinds[] = {
	{CHA, .offsets = emr_cha_offsets},
	BOXES,
};
/* clang-format on */

/* Xeon Max: on the devices of the M2M, which have function 0.  The id is undocumented. */
/* clang-format off */
#define M2HBM(function, first) \
	BOX(0x324b, 12, function, "m2hbm", (first)), \
	BOX(0x324b, 13, function, "m2hbm", (first) + 1), \
	BOX(0x324b, 14, function, "m2hbm", (first) + 2), \
	BOX(0x324b, 15, function, "m2hbm", (first) + 3)
/* clang-format on */

/* The UBox is on the last bus, discovery and the CAPIDs on buses before it. */
static const struct sim_function functions[] = {
	TABLE(1, 3, 1, 1),
	PLAIN(2, 0x325b, 30, 3),
	PLAIN(0, 0x3250, 0, 0),
	PLAIN(0, 0x3251, 0, 1),
	BOX(0x3241, 1, 1, "upi", 0),
	BOX(0x3241, 2, 1, "upi", 1),
	BOX(0x3241, 3, 1, "upi", 2),
	BOX(0x3241, 4, 1, "upi", 3),
	BOX(0x3246, 5, 1, "m3upi", 0),
	BOX(0x3246, 6, 1, "m3upi", 1),
	BOX(0x3246, 7, 1, "m3upi", 2),
	BOX(0x3246, 8, 1, "m3upi", 3),
	BOX(0x324a, 12, 0, "m2m", 0),
	BOX(0x324a, 13, 0, "m2m", 1),
	BOX(0x324a, 14, 0, "m2m", 2),
	BOX(0x324a, 15, 0, "m2m", 3),
	M2HBM(1, 0),
	M2HBM(2, 4),
	M2HBM(3, 8),
	M2HBM(4, 12),
};

static const uint16_t links[] = {8, 9, 0};

/* Memory controllers of package 0: docs/hardware/discovery.md, "A worked example". */
static const struct sim_discovery spr_discovery = {
	.tables = 1,
	.stride = 8,
	.bar = 0,
	.wide = true,
	.memory = true,
	.status_offset = 1,
	.control = {0x2ff0},
	.address = UINT64_C(0x20fffe0000),
	.package_step = UINT64_C(0x1000000000),
	.registers = 0xc8800000,
	.registers_step = UINT64_C(0x102800000),
	.broken = links,
};

/* All below 4 GiB. */
static const struct sim_discovery emr_discovery = {
	.tables = 1,
	.stride = 3,
	.bar = 1,
	.status_offset = 1,
	.control = {0x2ff0},
	.address = 0xfb2c0000,
	.package_step = 0x1000000,
	.registers = 0xa1000000,
	.registers_step = 0x8000000,
};

/* On EMR, the MSR with the number of CHAs reads as 0. */
static unsigned no_count(const struct sim *sim)
{
	(void)sim;
	return 0;
}

#define COMMON                                                                                  \
	.functions = functions, .n_functions = N_OF(functions), .others = sim_others,           \
	.n_others = N_OF(sim_others), .node_device = 0x3250, .node_id = 0xc0, .node_map = 0xd4, \
	.constant = constant, .global = {.config = 0x2ffe}, .packages = 2

const struct sim_platform sim_spr = {
	COMMON,
	.name = "spr",
	.traffic = sim_traffic_spr,
	.id = {"GenuineIntel", 6, 143, 8},
	.core = P_CORE,
	.max_packages = SIM_PACKAGES,
	.max_cores = 60,
	.cores = 56,
	.kinds = spr_kinds,
	.n_kinds = N_OF(spr_kinds),
	.config_boxes = sim_discovered_cha_count,
	.discovery = &spr_discovery,
};

const struct sim_platform sim_emr = {
	COMMON,
	.name = "emr",
	.traffic = sim_traffic_cxl,
	.id = {"GenuineIntel", 6, 207, 2},
	.core = P_CORE,
	.max_packages = 2,
	.max_cores = 64,
	.cores = 64,
	.kinds = emr_kinds,
	.n_kinds = N_OF(emr_kinds),
	.config_boxes = no_count,
	.discovery = &emr_discovery,
};
