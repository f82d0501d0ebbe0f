/*
 * snbep.c - Xeon E5-2600 (SNB-EP): its boxes, PCI functions and registers
 * (facts snbep sections 1 to 4, 7 and 8).
 */
#include "snbep.h"

#define DEVFN(device, function) ((device) << 3 | (function))
#define N_OF(array)             (sizeof(array) / sizeof((array)[0]))

/* Box control: rst_ctrl, rst_ctrs, frz, frz_en. */
#define BOX_BITS 0x10103

static const struct sim_traffic *traffic_of(const struct sim_box *box)
{
	return &box->sim->traffic[box->package];
}

static double uclk(const struct sim_box *box)
{
	return traffic_of(box)->uclk_hz;
}

static double dclk(const struct sim_box *box)
{
	return traffic_of(box)->dclk_hz;
}

static double qclk(const struct sim_box *box)
{
	return traffic_of(box)->qclk_hz;
}

static double pclk(const struct sim_box *box)
{
	return traffic_of(box)->pclk_hz;
}

/* What every box in config space has in common. */
#define PCI_BOX                                                                       \
	.access = SIM_BY_PCI, .n_counters = 4, .box_ctl = 0xf4, .box_bits = BOX_BITS, \
	.control = 0xd8, .control_step = 4, .counter = 0xa0, .counter_step = 8,       \
	.threshold_mask = 0xff, .signal = sim_snbep_signal

/* clang-format off */
static const struct sim_kind kinds[] = {
	{
		.name = "ubox",
		.access = SIM_BY_MSR,
		.n_boxes = 1,
		.n_counters = 2,
		.width = 44,
		.control = 0xc10,
		.control_step = 1,
		.counter = 0xc16,
		.counter_step = 1,
		.control_bits = 0x1f84ffff,
		.threshold_mask = 0x1f,
		.fixed_ctl = 0xc08,
		.fixed_ctr = 0xc09,
		.fixed_width = 48,
		.fixed_bits = SIM_CTL_EN,
		.signal = sim_snbep_signal,
		.clock_hz = uclk,
		.events = &sim_snbep_ubox,
	},
	{
		.name = "cbox",
		.access = SIM_BY_MSR,
		.n_counters = 4,
		.width = 44,
		.box_ctl = 0xd04,
		.box_bits = BOX_BITS,
		.control = 0xd10,
		.control_step = 1,
		.counter = 0xd16,
		.counter_step = 1,
		.stride = 0x20,
		.filter = 0xd14,
		.filter_bits = 0xfffffc1f,
		.control_bits = 0xff8cffff,
		.threshold_mask = 0xff,
		.narrow = true,
		.signal = sim_snbep_signal,
		.clock_hz = uclk,
		.events = &sim_snbep_cbox,
	},
	{
		.name = "pcu",
		.access = SIM_BY_MSR,
		.n_boxes = 1,
		.n_counters = 4,
		.width = 48,
		.box_ctl = 0xc24,
		.box_bits = BOX_BITS,
		.control = 0xc30,
		.control_step = 1,
		.counter = 0xc36,
		.counter_step = 1,
		.filter = 0xc34,
		.filter_bits = 0xffffffff,
		.control_bits = 0xdfa4c0ff, /* bit 21: Intel's list has nine PCU events with it */
		.threshold_mask = 0x1f,
		.occ_invert = UINT64_C(1) << 30,
		.occ_edge = UINT64_C(1) << 31,
		.signal = sim_snbep_signal,
		.clock_hz = pclk,
		.events = &sim_snbep_pcu,
	},
	{
		PCI_BOX,
		.name = "ha",
		.n_boxes = 1,
		.width = 48,
		.control_bits = 0xff84ffff,
		.clock_hz = uclk,
		.events = &sim_snbep_ha,
	},
	{
		PCI_BOX,
		.name = "imc",
		.n_boxes = 4,
		.width = 48,
		.control_bits = 0xff84ffff,
		.fixed_ctl = 0xf0,
		.fixed_ctr = 0xd0,
		.fixed_width = 48,
		.fixed_bits = SIM_CTL_EN | UINT64_C(1) << 19,
		.clock_hz = dclk,
		.events = &sim_snbep_imc,
	},
	{
		PCI_BOX,
		.name = "qpi",
		.n_boxes = 2,
		.width = 48,
		.control_bits = 0xffa4ffff,
		.clock_hz = qclk,
		.events = &sim_snbep_qpi,
	},
	{
		PCI_BOX,
		.name = "r2pcie",
		.n_boxes = 1,
		.width = 44,
		.control_bits = 0xff84ffff,
		.clock_hz = uclk,
		.events = &sim_snbep_r2pcie,
	},
	{
		.name = "r3qpi",
		.access = SIM_BY_PCI,
		.n_boxes = 2,
		.n_counters = 3,
		.width = 44,
		.box_ctl = 0xf4,
		.box_bits = BOX_BITS,
		.control = 0xd8,
		.control_step = 4,
		.counter = 0xa0,
		.counter_step = 8,
		.control_bits = 0xff84ffff,
		.threshold_mask = 0xff,
		.signal = sim_snbep_signal,
		.clock_hz = uclk,
		.events = &sim_snbep_r3qpi,
	},
};
/* clang-format on */

/* ADDRMATCH0, ADDRMATCH1, OPCODEMATCH */
static const struct sim_dword ha_match[] = {
	{0x40, 0xffffffc0},
	{0x44, 0x00003fff},
	{0x48, 0x0000003f},
};

/* MATCH0, MATCH1, MASK0, MASK1: sim_snbep_cto() relies on this order. */
static const struct sim_dword qpi_match[] = {
	{0x228, 0x8003fff8},
	{0x22c, 0x000f000f},
	{0x238, 0x8003fff8},
	{0x23c, 0x000f000f},
};

static const struct sim_function functions[] = {
	{0x3c41, DEVFN(8, 2), "qpi", 0, true, NULL, 0},
	{0x3c86, DEVFN(8, 6), "qpi", 0, false, qpi_match, N_OF(qpi_match)},
	{0x3c42, DEVFN(9, 2), "qpi", 1, true, NULL, 0},
	{0x3c96, DEVFN(9, 6), "qpi", 1, false, qpi_match, N_OF(qpi_match)},
	{0x3ce0, DEVFN(11, 3), NULL, 0, false, NULL, 0},
	{0x3c46, DEVFN(14, 1), "ha", 0, true, ha_match, N_OF(ha_match)},
	{0x3cb0, DEVFN(16, 0), "imc", 0, true, NULL, 0},
	{0x3cb1, DEVFN(16, 1), "imc", 1, true, NULL, 0},
	{0x3cb4, DEVFN(16, 4), "imc", 2, true, NULL, 0},
	{0x3cb5, DEVFN(16, 5), "imc", 3, true, NULL, 0},
	{0x3c43, DEVFN(19, 1), "r2pcie", 0, true, NULL, 0},
	{0x3c44, DEVFN(19, 5), "r3qpi", 0, true, NULL, 0},
	{0x3c45, DEVFN(19, 6), "r3qpi", 1, true, NULL, 0},
};

/* Devices that have nothing to do with the uncore, as every machine has them. */
static const struct sim_pci others[] = {
	{.bus = 0, .devfn = DEVFN(0, 0), .vendor = 0x8086, .device = 0x3c00}, /* DMI2 port */
	{.bus = 2, .devfn = DEVFN(0, 0), .vendor = 0x8086, .device = 0x1521}, /* network */
	{.bus = 4, .devfn = DEVFN(0, 0), .vendor = 0x1000, .device = 0x0072}, /* storage */
};

const struct sim_platform sim_snbep = {
	.name = "snbep",
	.id = {"GenuineIntel", 6, 45, 7},
	.kinds = kinds,
	.n_kinds = N_OF(kinds),
	.functions = functions,
	.n_functions = N_OF(functions),
	.others = others,
	.n_others = N_OF(others),
	.node_device = 0x3ce0,
	.node_id = 0x40,
	.node_map = 0x54,
	.traffic = sim_snbep_traffic,
};
