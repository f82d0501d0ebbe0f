/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discovered_events.c - events of the machines with discovery tables that depend on
 * the traffic and differ from icx (mesh_events.c).
 */
#include "sim/discovery/discovered.h"

#define ROWS(array) .rows = (array), .n = N_OF(array)

const struct sim_layout sim_discovered_cha_filter = {
	.dialect = DIALECT_WIDE,
	.thread_bits = 3,
	.core_bits = 7,
	.tid = UNIT_CTL_TID,
	.states = "I---SEMF",
	.forward_victims = true,
	.accelerators = true,
};

uint64_t sim_discovered_registers(const struct sim *sim, unsigned package)
{
	const struct sim_discovery *discovery = sim->platform->discovery;

	return discovery->registers + discovery->registers_step * package;
}

unsigned sim_discovered_cha_count(const struct sim *sim)
{
	return sim->cores;
}

/* clang-format off */
/* CLOCKTICKS is 0x01 everywhere. */
static const struct sim_event clock_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
};

/* WR_PREF of TRANSACTIONS, FAF_INSERTS: writes and reads of devices */
static const struct sim_event irp_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x11, 0, 1, PULSE, STAY_NONE, {{0x08, IO_WRITE, 1}}},
	{0x18, 0, 1, PULSE, STAY_NONE, {{0, IO_READ, 1}}},
};

/* POWER_STATE_OCCUPANCY of C0, C3, C6 */
static const struct sim_event pcu_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x35, 0, 144, QUEUE, STAY_NONE, {{0, CORES_C0, 1}}},
	{0x36, 0, 144, QUEUE, STAY_NONE, {{0, CORES_C3, 1}}},
	{0x37, 0, 144, QUEUE, STAY_NONE, {{0, CORES_C6, 1}}},
};

/* EVENT_MSG */
static const struct sim_event ubox_rows[] = {
	{0x42, 0, 1, PULSE, STAY_NONE, {{0x01, INTERRUPTS, 0.0713},
		{0x02, INTERRUPTS, 0.2917}, {0x04, INTERRUPTS, 0.4831},
		{0x08, INTERRUPTS, 0.1539}, {0x10, INTERRUPTS, 0.0371}}},
};

static const struct sim_event m2m_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x24, 0, 1, PULSE, STAY_NONE, {{0, M2M_READS, 1}}},
	{0x25, 0, 1, PULSE, STAY_NONE, {{0, M2M_WRITES, 1}}},
	/* DIRECTORY_UPDATE */
	{0x21, 0, 1, PULSE, STAY_NONE, {{0, READ_IN, 0.0673}}},
};

/* Two halves of a channel.  Umask 0 of the clock is that of the controller. */
static const struct sim_event imc_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.5}, {0x01, CLOCK, 0.5}}},
	/* ACT_COUNT: read, write, underfill, bypass of each half */
	{0x02, 0, 1, PULSE, STAY_NONE, {{0x01, ACTIVATES, 0.3188},
		{0x02, ACTIVATES, 0.1565}, {0x04, ACTIVATES, 0.0261},
		{0x08, ACTIVATES, 0.0203}, {0x10, ACTIVATES, 0.2921},
		{0x20, ACTIVATES, 0.1435}, {0x40, ACTIVATES, 0.0239},
		{0x80, ACTIVATES, 0.0188}}},
	/* PRE_COUNT: the same, and precharges by the page timer */
	{0x03, 0, 1, PULSE, STAY_NONE, {{0x01, PAGE_MISS, 0.3391},
		{0x02, PAGE_MISS, 0.1565}, {0x04, PAGE_MISS, 0.0261},
		{0x08, ACTIVATES, 0.0372}, {0x10, PAGE_MISS, 0.3109},
		{0x20, PAGE_MISS, 0.1435}, {0x40, PAGE_MISS, 0.0239},
		{0x80, ACTIVATES, 0.0341}}},
	{0x05, 0, 1, PULSE, STAY_NONE, {{0, CAS, 1}}},
	{0x10, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.5217},
		{0x02, MEM_READS, 0.4783}}},
	{0x20, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_WRITES, 0.5217},
		{0x02, MEM_WRITES, 0.4783}}},
	{0x80, 0, 40, QUEUE, STAY_RPQ, {{0, MEM_READS, 0.5217}}},
	{0x81, 0, 40, QUEUE, STAY_RPQ, {{0, MEM_READS, 0.4783}}},
	{0x82, 0, 80, QUEUE, STAY_WPQ, {{0, MEM_WRITES, 0.5217}}},
	{0x83, 0, 80, QUEUE, STAY_WPQ, {{0, MEM_WRITES, 0.4783}}},
	/* PMM_RPQ_INSERTS, PMM_WPQ_INSERTS */
	{0xe3, 0, 1, PULSE, STAY_NONE, {{0, MEM_READS, 0.0229}}},
	{0xe7, 0, 1, PULSE, STAY_NONE, {{0, MEM_WRITES, 0.0229}}},
};

static const struct sim_event b2cmi_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x24, 0, 1, PULSE, STAY_NONE, {{0, B2CMI_READS, 1}}},
	{0x25, 0, 1, PULSE, STAY_NONE, {{0, B2CMI_WRITES, 1}}},
};

/* Two schedulers with two halves each. */
static const struct sim_event gnr_imc_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.5}, {0x01, CLOCK, 0.5}}},
	{0x02, 0, 1, PULSE, STAY_NONE, {{0, PAGES, 1}}},
	{0x03, 0, 1, PULSE, STAY_NONE, {{0, PAGES, 1}}},
	{0x05, 0, 1, PULSE, STAY_NONE, {{0, CAS, 0.5131}}},
	{0x06, 0, 1, PULSE, STAY_NONE, {{0, CAS, 0.4869}}},
	{0x10, 0, 1, PULSE, STAY_NONE, {{0x10, MEM_READS, 0.2677},
		{0x20, MEM_READS, 0.2454}, {0x40, MEM_READS, 0.2540},
		{0x80, MEM_READS, 0.2329}}},
	{0x22, 0, 1, PULSE, STAY_NONE, {{0x10, MEM_WRITES, 0.2677},
		{0x20, MEM_WRITES, 0.2454}, {0x40, MEM_WRITES, 0.2540},
		{0x80, MEM_WRITES, 0.2329}}},
	{0x80, 0, 40, QUEUE, STAY_RPQ, {{0, MEM_READS, 0.2677}}},
	{0x81, 0, 40, QUEUE, STAY_RPQ, {{0, MEM_READS, 0.2454}}},
	{0x82, 0, 40, QUEUE, STAY_RPQ, {{0, MEM_READS, 0.2540}}},
	{0x83, 0, 40, QUEUE, STAY_RPQ, {{0, MEM_READS, 0.2329}}},
	{0x84, 0, 80, QUEUE, STAY_WPQ, {{0, MEM_WRITES, 0.2677}}},
	{0x85, 0, 80, QUEUE, STAY_WPQ, {{0, MEM_WRITES, 0.2454}}},
	{0x86, 0, 80, QUEUE, STAY_WPQ, {{0, MEM_WRITES, 0.2540}}},
	{0x87, 0, 80, QUEUE, STAY_WPQ, {{0, MEM_WRITES, 0.2329}}},
};

/* Half as many lines as memory has, in 16 controllers of HBM and their two channels each. */
static const double m2hbm_weights[16] = {
	0.0322, 0.0303, 0.0317, 0.0308, 0.0319, 0.0306, 0.0314, 0.0311,
	0.0324, 0.0301, 0.0321, 0.0304, 0.0316, 0.0309, 0.0313, 0.0312,
};
static const double hbm_weights[32] = {
	0.01640, 0.01580, 0.01546, 0.01484, 0.01617, 0.01553, 0.01573, 0.01507,
	0.01629, 0.01561, 0.01565, 0.01495, 0.01606, 0.01534, 0.01592, 0.01518,
	0.01658, 0.01582, 0.01544, 0.01466, 0.01645, 0.01565, 0.01561, 0.01479,
	0.01622, 0.01538, 0.01588, 0.01502, 0.01609, 0.01521, 0.01605, 0.01515,
};
/* clang-format on */

/* On these, 0x59 is another event. */
static const uint16_t gnr_cha_other[] = {0x59, 0};

const struct sim_events sim_spr_cha = {ROWS(clock_rows), .codes = &sim_spr_cha_codes,
				       .like = &sim_icx_cha};
const struct sim_events sim_spr_iio = {.codes = &sim_spr_iio_codes, .like = &sim_icx_iio};
const struct sim_events sim_spr_irp = {ROWS(irp_rows), .codes = &sim_spr_irp_codes};
const struct sim_events sim_spr_m2pcie = {.codes = &sim_spr_m2pcie_codes, .like = &sim_icx_m2pcie};
const struct sim_events sim_spr_pcu = {ROWS(pcu_rows), .codes = &sim_spr_pcu_codes};
const struct sim_events sim_spr_ubox = {ROWS(ubox_rows), .codes = &sim_spr_ubox_codes};
const struct sim_events sim_spr_imc = {ROWS(imc_rows), .codes = &sim_spr_imc_codes};
const struct sim_events sim_spr_m2m = {ROWS(m2m_rows), .codes = &sim_spr_m2m_codes};
const struct sim_events sim_spr_upi = {.codes = &sim_spr_upi_codes, .like = &sim_icx_upi};
const struct sim_events sim_spr_m3upi = {.codes = &sim_spr_m3upi_codes, .like = &sim_icx_m3upi};
const struct sim_events sim_spr_mdf = {.codes = &sim_spr_mdf_codes};
const struct sim_events sim_spr_cxlcm = {ROWS(clock_rows), .codes = &sim_spr_cxlcm_codes};
const struct sim_events sim_spr_cxldp = {ROWS(clock_rows), .codes = &sim_spr_cxldp_codes};
const struct sim_events sim_spr_hbm = {ROWS(imc_rows), .weights = hbm_weights,
				       .codes = &sim_spr_hbm_codes};
const struct sim_events sim_spr_m2hbm = {ROWS(m2m_rows), .weights = m2hbm_weights,
					 .codes = &sim_spr_m2m_codes};
const struct sim_events sim_spr_any = {ROWS(clock_rows), .codes = &sim_spr_any_codes};

const struct sim_events sim_gnr_cha = {ROWS(clock_rows), .codes = &sim_gnr_cha_codes,
				       .like = &sim_icx_cha, .unlike = gnr_cha_other};
const struct sim_events sim_gnr_iio = {.codes = &sim_gnr_iio_codes, .like = &sim_icx_iio};
const struct sim_events sim_gnr_irp = {ROWS(irp_rows), .codes = &sim_gnr_irp_codes};
const struct sim_events sim_gnr_pcu = {ROWS(pcu_rows), .codes = &sim_gnr_pcu_codes};
const struct sim_events sim_gnr_ubox = {ROWS(ubox_rows), .codes = &sim_gnr_ubox_codes};
const struct sim_events sim_gnr_imc = {ROWS(gnr_imc_rows), .codes = &sim_gnr_imc_codes};
const struct sim_events sim_gnr_upi = {.codes = &sim_gnr_upi_codes, .like = &sim_icx_upi};
const struct sim_events sim_gnr_cxlcm = {.codes = &sim_gnr_cxlcm_codes};
const struct sim_events sim_gnr_cxldp = {.codes = &sim_gnr_cxldp_codes};
const struct sim_events sim_gnr_b2cmi = {ROWS(b2cmi_rows), .codes = &sim_gnr_b2cmi_codes};
const struct sim_events sim_gnr_mdf = {ROWS(clock_rows), .codes = &sim_gnr_mdf_codes};
const struct sim_events sim_gnr_clock = {ROWS(clock_rows), .codes = &sim_gnr_clock_codes};
