/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex.c - Xeon 7500 and Xeon E7: the kinds of boxes and the two platforms
 * (docs/hardware/nhmex.md).
 */
#include "sim/ex/nhmex.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static double uclk(const struct sim_box *box)
{
	return box->sim->traffic[box->package].uclk_hz;
}

static double dclk(const struct sim_box *box)
{
	return box->sim->traffic[box->package].dclk_hz;
}

static double qclk(const struct sim_box *box)
{
	return box->sim->traffic[box->package].qclk_hz;
}

/* Controls and counters alternate: control i is at ctl0 + 2i, counter i after it. */
/* clang-format off */
#define MSR_BOX(name_, ctl, n, control0)                                      \
	.name = (name_), .access = SIM_BY_MSR, .n_counters = (n), .width = 48, \
	.box_ctl = (ctl), .box_bits = (UINT64_C(1) << (n)) - 1,                \
	.control = (control0), .control_step = 2,                              \
	.counter = (control0) + 1, .counter_step = 2, .signal = sim_nhmex_signal
/* clang-format on */

/* The event control of C, S and W; bit 20 is pmi_en. */
#define WIDE_CONTROL .control_bits = 0xffd4ffff, .threshold_mask = 0xff

/* clang-format off */
const struct sim_kind sim_nhmex_kinds[NHMEX_TYPES] = {
	[NHMEX_U] = {
		MSR_BOX("ubox", 0xc00, 1, 0xc10),
		.n_boxes = 1,
		.control_bits = 0x005400ff,
		.clock_hz = uclk,
	},
	[NHMEX_C] = {
		MSR_BOX("cbox", 0xd00, 6, 0xd10),
		WIDE_CONTROL,
		.clock_hz = uclk,
	},
	[NHMEX_B] = {
		MSR_BOX("bbox", 0xc20, 4, 0xc30),
		.n_boxes = 2,
		.control_bits = 0x10003f, /* pmi_en: 323535 table 2-20 */
		.clock_hz = uclk,
	},
	[NHMEX_S] = {
		MSR_BOX("sbox", 0xc40, 4, 0xc50),
		WIDE_CONTROL,
		.n_boxes = 2,
		.clock_hz = uclk,
	},
	[NHMEX_M] = {
		MSR_BOX("mbox", 0xca0, 6, 0xcb0),
		.n_boxes = 2,
		.control_bits = 0x383eff,
		.clock_hz = dclk,
	},
	[NHMEX_R] = {
		MSR_BOX("rbox", 0xe00, 8, 0xe10),
		.n_boxes = 2,
		.control_bits = 0x7f,
		.clock_hz = qclk,
	},
	[NHMEX_W] = {
		MSR_BOX("wbox", 0xc80, 4, 0xc90),
		WIDE_CONTROL,
		.n_boxes = 1,
		.fixed_ctl = 0x395,
		.fixed_ctr = 0x394,
		.fixed_width = 48,
		.fixed_bits = 1,
		.clock_hz = uclk,
	},
};
/* clang-format on */

/* The PMON registers are all MSRs; these devices have nothing to do with them. */
static const struct sim_pci others[] = {
	{.bus = 0, .devfn = 0, .vendor = 0x8086, .device = 0x3407}, /* I/O hub */
	{.bus = 1, .devfn = 0, .vendor = 0x8086, .device = 0x10c9}, /* network */
	{.bus = 3, .devfn = 0, .vendor = 0x1000, .device = 0x0079}, /* storage */
};

const struct sim_platform sim_nhmex = {
	.name = "nhmex",
	.id = {"GenuineIntel", 6, 46, 6},
	/* erratum: two events are not enumerated */
	.core = {.version = 3,
		 .counters = 4,
		 .width = 48,
		 .fixed = 3,
		 .fixed_width = 48,
		 .events = 7,
		 .lacking = 0x44,
		 .slots = 4,
		 .capabilities = 0x01c3,
		 .bus_hz = 133.33 * SIM_MHZ},
	.max_cores = 8,
	.kinds = sim_nhmex_kinds,
	.n_kinds = N_OF(sim_nhmex_kinds),
	.others = others,
	.n_others = N_OF(others),
	.traffic = sim_nhmex_traffic,
	.space = &sim_nhmex_space,
};

const struct sim_platform sim_wsmex = {
	.name = "wsmex",
	.id = {"GenuineIntel", 6, 47, 2},
	.core = {.version = 3,
		 .counters = 4,
		 .width = 48,
		 .fixed = 3,
		 .fixed_width = 48,
		 .events = 7,
		 .lacking = 0x04,
		 .slots = 4,
		 .capabilities = 0x01c3,
		 .bus_hz = 133.33 * SIM_MHZ},
	.max_cores = 10,
	.kinds = sim_nhmex_kinds,
	.n_kinds = N_OF(sim_nhmex_kinds),
	.others = others,
	.n_others = N_OF(others),
	.traffic = sim_nhmex_traffic,
	.space = &sim_nhmex_space,
};
