/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh_events.c - events of the Xeons with a mesh (skx, knl, icx) that depend
 * on the traffic; *_codes.c has the other existing codes.
 *
 * A row: code, counters (0: those of *_codes.c), largest increment per cycle,
 * shape, time of stay, then the flow behind each umask bit (0: any umask).
 */
#include "sim/mesh/mesh.h"

#define ROWS(array) .rows = (array), .n = N_OF(array)

/* clang-format off */
/* CLOCKTICKS is 0x00 or 0x01, that of the mesh stop 0xc0. */
static const struct sim_event clock0_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0xc0, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
};
static const struct sim_event clock1_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0xc0, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
};

static const struct sim_event cha_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0xc0, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* RxC_OCCUPANCY, RxC_INSERTS: IRQ and IPQ */
	{0x11, 0, 20, QUEUE, STAY_INGRESS, {{0x01, OPS, 1}, {0x04, SNOOP_IN, 1}}},
	{0x13, 0, 1, PULSE, STAY_NONE, {{0x01, OPS, 1}, {0x04, SNOOP_IN, 1}}},
	/* COUNTER0_OCCUPANCY: see companion() in box.c */
	{0x1f, 0, 24, QUEUE, STAY_NONE, {{0, CLOCK, 0}}},
	/* LLC_LOOKUP, TOR_INSERTS, TOR_OCCUPANCY, LLC_VICTIMS */
	{0x34, 0, 1, PULSE, STAY_NONE, {{0, LOOKUP, 1}}},
	{0x35, 0, 1, PULSE, STAY_NONE, {{0, TOR, 1}}},
	{0x36, 0, 24, QUEUE, STAY_NONE, {{0, TOR, 1}}},
	{0x37, 0, 1, PULSE, STAY_NONE, {{0, VICTIMS, 1}}},
	/* REQUESTS, IMC_READS_COUNT, IMC_WRITES_COUNT */
	{0x50, 0, 1, PULSE, STAY_NONE, {{0x01, READ_LOCAL, 1}, {0x02, READ_IN, 1},
		{0x04, WRITE_LOCAL, 1}, {0x08, WRITE_IN, 1}}},
	{0x59, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.9713},
		{0x02, MEM_READS, 0.0287}}},
	{0x5b, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_WRITES, 0.9521},
		{0x02, MEM_WRITES, 0.0417}, {0x04, MEM_WRITES, 0.0039},
		{0x08, MEM_WRITES, 0.0023}}},
	/* DIR_UPDATE: lines that another package fetches */
	{0x54, 0, 1, PULSE, STAY_NONE, {{0x01, READ_IN, 0.0131}, {0x02, READ_IN, 0.0217}}},
};

static const struct sim_event pcu_rows[] = {
	/* FREQ_MAX_LIMIT_THERMAL_CYCLES */
	{0x04, 0, 1, LEVEL, STAY_NONE, {{0, HOT, 1}}},
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* FREQ_BAND0_CYCLES to FREQ_BAND3_CYCLES */
	{0x0b, 0, 1, LEVEL, STAY_NONE, {{0, BAND, 1}}},
	{0x0c, 0, 1, LEVEL, STAY_NONE, {{0, BAND, 1}}},
	{0x0d, 0, 1, LEVEL, STAY_NONE, {{0, BAND, 1}}},
	{0x0e, 0, 1, LEVEL, STAY_NONE, {{0, BAND, 1}}},
	/* POWER_STATE_OCCUPANCY */
	{0x80, 0, 72, QUEUE, STAY_NONE, {{0, CORES, 1}}},
};

static const struct sim_event iio_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* DATA_REQ_OF_CPU: 4 bytes each; TXN_REQ_OF_CPU: a line */
	{0x83, 0, 16, PULSE, STAY_NONE, {{0x01, DATA_IN, 16}, {0x04, PORTS_OUT, 16}}},
	{0x84, 0, 1, PULSE, STAY_NONE, {{0x01, PORTS_IN, 1}, {0x04, PORTS_OUT, 1}}},
};

/* COHERENT_OPS: requests of devices, reads 0x01, writes 0x10 */
static const struct sim_event irp_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x10, 0, 2, PULSE, STAY_NONE, {{0x01, IO_READ, 1}, {0x10, IO_WRITE, 1}}},
};

static const struct sim_event upi_rows[] = {
	{0x01, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* TxL_FLITS, RxL_FLITS */
	{0x02, 0, 3, PULSE, STAY_NONE, {{0, TX_FLITS, 1}}},
	{0x03, 0, 3, PULSE, STAY_NONE, {{0, RX_FLITS, 1}}},
	/* L1_POWER_CYCLES */
	{0x21, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, SIM_UPI_L1}}},
};

static const struct sim_event m2m_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0xc0, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* DIRECTORY_UPDATE: ANY */
	{0x2e, 0, 1, PULSE, STAY_NONE, {{0x01, READ_IN, 0.0673}}},
	/* IMC_READS: NORMAL, ISOCH, ALL; IMC_WRITES: FULL, PARTIAL, ALL */
	{0x37, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.9713},
		{0x02, MEM_READS, 0.0287}, {0x04, MEM_READS, 1}}},
	{0x38, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_WRITES, 0.9521},
		{0x02, MEM_WRITES, 0.0479}, {0x10, MEM_WRITES, 1}}},
};

/* ICX: two pseudo channels; CAS_COUNT with different bits */
static const struct sim_event icx_imc_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x01, 0, 1, PULSE, STAY_NONE, {{0x0b, ACTIVATES, 1}}},
	{0x02, 0, 1, PULSE, STAY_NONE, {{0x04, PAGE_MISS, 0.6913},
		{0x08, PAGE_MISS, 0.3087}, {0x10, ACTIVATES, 0.0713}}},
	{0x04, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.7913},
		{0x02, MEM_READS, 0.1404}, {0x04, MEM_READS, 0.0471},
		{0x08, MEM_READS, 0.0212}, {0x10, MEM_WRITES, 0.9589},
		{0x20, MEM_WRITES, 0.0411}}},
	{0x10, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.5217},
		{0x02, MEM_READS, 0.4783}}},
	{0x20, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_WRITES, 0.5217},
		{0x02, MEM_WRITES, 0.4783}}},
	{0x80, 0, 22, QUEUE, STAY_RPQ, {{0, MEM_READS, 0.5217}}},
	{0x81, 0, 22, QUEUE, STAY_RPQ, {{0, MEM_READS, 0.4783}}},
	{0x82, 0, 40, QUEUE, STAY_WPQ, {{0, MEM_WRITES, 0.5217}}},
	{0x83, 0, 40, QUEUE, STAY_WPQ, {{0, MEM_WRITES, 0.4783}}},
	/* PMM_RPQ_INSERTS, PMM_WPQ_INSERTS */
	{0xe3, 0, 1, PULSE, STAY_NONE, {{0, PMEM_READS, 1}}},
	{0xe7, 0, 1, PULSE, STAY_NONE, {{0, PMEM_WRITES, 1}}},
};

/* Persistent memory came with Cascade Lake-X. */
static const struct sim_event skx_imc_rows[] = {
	/* PMM_RPQ_INSERTS, PMM_WPQ_INSERTS */
	{0xe3, 0xf, 1, PULSE, STAY_NONE, {{0, PMEM_READS, 1}}},
	{0xe7, 0xf, 1, PULSE, STAY_NONE, {{0, PMEM_WRITES, 1}}},
};

/* KNL: CAS_COUNT.RD and WR; all traffic of the EDCs is half of that of memory */
static const struct sim_event knl_imc_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x03, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 1}, {0x02, MEM_WRITES, 1}}},
};
static const struct sim_event knl_cha_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0xc0, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x11, 0, 20, QUEUE, STAY_INGRESS, {{0x01, OPS, 1}}},
	{0x13, 0, 1, PULSE, STAY_NONE, {{0x01, OPS, 1}}},
	{0x35, 0, 1, PULSE, STAY_NONE, {{0, TOR, 1}}},
	{0x36, 0, 24, QUEUE, STAY_NONE, {{0, TOR, 1}}},
	/* by the state of the filter */
	{0x3d, 0, 1, PULSE, STAY_NONE, {{0, LOOKUP, 1}}},
};
static const struct sim_event knl_edc_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x01, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.5}}},
	{0x02, 0, 1, PULSE, STAY_NONE, {{0x01, MEM_WRITES, 0.5}}},
};

/* Without an event list every code exists (with the kernel's rules). */
#define EVERY_CODE                                                                      \
	{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, \
	 UINT64_MAX}

static const struct sim_limit m2pcie_limits[] = {{0x23, 0x23, 0x3, 1}};
static const struct sim_codes m2pcie_codes = {EVERY_CODE, m2pcie_limits, N_OF(m2pcie_limits)};
static const struct sim_limit knl_cha_limits[] = {
	{0x11, 0x11, 0x1, 20}, {0x1f, 0x1f, 0x1, 20}, {0x36, 0x36, 0x1, 20},
};
static const struct sim_codes knl_cha_codes = {EVERY_CODE, knl_cha_limits, N_OF(knl_cha_limits)};
static const struct sim_codes every_code = {EVERY_CODE, NULL, 0};

/* Channel 2 of each ICX controller does not exist. */
static const double icx_imc_weights[] = {0.131, 0.119, 0, 0.127, 0.123, 0,
					 0.129, 0.121, 0, 0.128, 0.122, 0};
/* clang-format on */

const struct sim_events sim_skx_ubox = {.codes = &sim_skx_ubox_codes, .like = &sim_snbep_ubox};
const struct sim_events sim_skx_cha = {ROWS(cha_rows), .codes = &sim_skx_cha_codes};
const struct sim_events sim_skx_iio = {ROWS(iio_rows), .codes = &sim_skx_iio_codes};
const struct sim_events sim_skx_irp = {ROWS(irp_rows), .codes = &sim_skx_irp_codes};
const struct sim_events sim_skx_pcu = {ROWS(pcu_rows), .codes = &sim_skx_pcu_codes};
const struct sim_events sim_skx_imc = {ROWS(skx_imc_rows), .codes = &sim_skx_imc_codes,
				       .like = &sim_snbep_imc};
const struct sim_events sim_skx_m2m = {ROWS(m2m_rows), .codes = &sim_skx_m2m_codes};
const struct sim_events sim_skx_upi = {ROWS(upi_rows), .codes = &sim_skx_upi_codes};
const struct sim_events sim_skx_m2pcie = {ROWS(clock1_rows), .codes = &m2pcie_codes};
const struct sim_events sim_skx_m3upi = {ROWS(clock1_rows), .codes = &sim_skx_m3upi_codes};

const struct sim_events sim_icx_ubox = {.codes = &sim_icx_ubox_codes, .like = &sim_snbep_ubox};
const struct sim_events sim_icx_cha = {ROWS(cha_rows), .codes = &sim_icx_cha_codes};
const struct sim_events sim_icx_iio = {ROWS(iio_rows), .codes = &sim_icx_iio_codes};
const struct sim_events sim_icx_irp = {ROWS(irp_rows), .codes = &sim_icx_irp_codes};
const struct sim_events sim_icx_m2pcie = {ROWS(clock1_rows), .codes = &sim_icx_m2pcie_codes};
const struct sim_events sim_icx_pcu = {ROWS(pcu_rows), .codes = &sim_icx_pcu_codes};
const struct sim_events sim_icx_imc = {ROWS(icx_imc_rows), .weights = icx_imc_weights,
				       .codes = &sim_icx_imc_codes};
const struct sim_events sim_icx_m2m = {ROWS(m2m_rows), .codes = &sim_icx_m2m_codes};
const struct sim_events sim_icx_upi = {ROWS(upi_rows), .codes = &sim_icx_upi_codes};
const struct sim_events sim_icx_m3upi = {ROWS(clock1_rows), .codes = &sim_icx_m3upi_codes};

const struct sim_events sim_knl_ubox = {.codes = &every_code, .like = &sim_snbep_ubox};
const struct sim_events sim_knl_cha = {ROWS(knl_cha_rows), .codes = &knl_cha_codes};
const struct sim_events sim_knl_pcu = {ROWS(pcu_rows), .codes = &every_code};
const struct sim_events sim_knl_imc_uclk = {ROWS(clock0_rows), .codes = &every_code};
const struct sim_events sim_knl_imc = {ROWS(knl_imc_rows), .codes = &every_code};
const struct sim_events sim_knl_edc_uclk = {ROWS(clock0_rows), .codes = &every_code};
const struct sim_events sim_knl_edc_eclk = {ROWS(knl_edc_rows), .codes = &every_code};
const struct sim_events sim_knl_m2pcie = {ROWS(clock1_rows), .codes = &m2pcie_codes};
const struct sim_events sim_knl_irp = {ROWS(clock0_rows), .codes = &every_code};
