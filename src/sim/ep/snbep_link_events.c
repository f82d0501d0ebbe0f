/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * snbep_link_events.c - events of the SNB-EP boxes of the links: QPI, R2PCIe, R3QPI.
 *
 * A row: code, counters that count it, largest increment per cycle (queues:
 * their depth), shape, time of stay, then the flow of each umask bit (0: any
 * umask).  Codes, umasks and counters: Intel's event list.
 * Factors without a stated relation are plausible and arbitrary.
 */
#include "sim/model/rows.h"

/* QPI link layer */
/* clang-format off */
static const struct sim_event qpi_rows[] = {
	/* RxL_FLITS_G0 */
	{0x01, 0xf, 2, PULSE, STAY_NONE, {{0x01, RX_IDLE, 1}, {0x02, RX_DRS, 8},
		{0x02, NCB_IN, 8}, {0x04, RX_PACKETS, 1}}},
	/* RxL_FLITS_G1 */
	{0x102, 0xf, 2, PULSE, STAY_NONE, {{0x01, SNOOP_IN, 1}, {0x02, RX_REQ, 1},
		{0x04, SNOOP_OUT, 1}, {0x08, RX_DRS, 8}, {0x10, RX_DRS, 1}}},
	/* RxL_FLITS_G2 */
	{0x103, 0xf, 2, PULSE, STAY_NONE, {{0x01, WRITE_REMOTE, 0.31},
		{0x02, WRITE_REMOTE, 0.69}, {0x04, NCB_IN, 8}, {0x08, NCB_IN, 1},
		{0x10, NCB_IN, 0.19}}},
	/* TxL_FLITS_G0 */
	{0x00, 0xf, 2, PULSE, STAY_NONE, {{0x01, TX_IDLE, 1}, {0x02, TX_DRS, 8},
		{0x02, NCB_OUT, 8}, {0x04, TX_PACKETS, 1}}},
	/* TxL_FLITS_G1 */
	{0x100, 0xf, 2, PULSE, STAY_NONE, {{0x01, SNOOP_OUT, 1}, {0x02, TX_REQ, 1},
		{0x04, SNOOP_IN, 1}, {0x08, TX_DRS, 8}, {0x10, TX_DRS, 1}}},
	/* TxL_FLITS_G2 */
	{0x101, 0xf, 2, PULSE, STAY_NONE, {{0x01, WRITE_IN, 0.31},
		{0x02, WRITE_IN, 0.69}, {0x04, NCB_OUT, 8}, {0x08, NCB_OUT, 1},
		{0x10, NCB_OUT, 0.19}}},
	/* TxL_CRC_NO_CREDITS */
	{0x02, 0xf, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.00013}, {0x02, CLOCK, 0.00037}}},
	/* RxL_CRC_ERRORS */
	{0x03, 0xf, 1, PULSE, STAY_NONE, {{0x01, CLOCK, 1.1e-8}, {0x02, CLOCK, 1.9e-8}}},
	/* TxL_INSERTS */
	{0x04, 0xf, 1, PULSE, STAY_NONE, {{0, TX_PACKETS, 0.371}}},
	/* TxL_BYPASSED */
	{0x05, 0xf, 1, PULSE, STAY_NONE, {{0, TX_PACKETS, 0.629}}},
	/* TxL_CYCLES_NE */
	{0x06, 0xf, 1, BUSY, STAY_LINK, {{0, TX_PACKETS, 0.0371}}},
	/* TxL_OCCUPANCY */
	{0x07, 0xf, 1, QUEUE, STAY_LINK, {{0, TX_PACKETS, 0.0371}}},
	/* RxL_INSERTS */
	{0x08, 0xf, 1, PULSE, STAY_NONE, {{0, RX_PACKETS, 1}}},
	/* RxL_BYPASSED */
	{0x09, 0xf, 1, PULSE, STAY_NONE, {{0, RX_PACKETS, 0.613}}},
	/* RxL_CYCLES_NE */
	{0x0a, 0xf, 128, BUSY, STAY_LINK, {{0, RX_PACKETS, 1}}},
	/* RxL_OCCUPANCY */
	{0x0b, 0xf, 128, QUEUE, STAY_LINK, {{0, RX_PACKETS, 1}}},
	/* TxL0_POWER_CYCLES */
	{0x0c, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.9419}}},
	/* TxL0P_POWER_CYCLES */
	{0x0d, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0531}}},
	/* RxL0_POWER_CYCLES */
	{0x0f, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.9327}}},
	/* RxL0P_POWER_CYCLES */
	{0x10, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0623}}},
	/* L1_POWER_CYCLES */
	{0x12, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0041}}},
	/* DIRECT2CORE: the outcomes are all remote reads */
	{0x13, 0xf, 1, PULSE, STAY_NONE, {{0x01, READ_REMOTE, 0.7133},
		{0x02, READ_REMOTE, 0.1217}, {0x04, READ_REMOTE, 0.1109},
		{0x08, READ_REMOTE, 0.0541}}},
	/* CLOCKTICKS */
	{0x14, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* RxL_STALLS */
	{0x35, 0xf, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.0019}, {0x02, CLOCK, 0.0007},
		{0x04, CLOCK, 0.0003}, {0x08, CLOCK, 0.0017}, {0x10, CLOCK, 0.0013},
		{0x20, CLOCK, 0.0011}, {0x40, CLOCK, 0.0023}, {0x80, CLOCK, 0.0005}}},
	/* CTO_COUNT as libpfm4 encodes it */
	{0x38, 0xf, 2, PULSE, STAY_NONE, {{0, CTO, 1}}},
	/* CTO_COUNT as Intel encodes it */
	{0x138, 0xf, 2, PULSE, STAY_NONE, {{0, CTO, 1}}},
	/* RxL_INSERTS_DRS */
	{0x109, 0xf, 1, PULSE, STAY_NONE, {{0, RX_DRS, 1}}},
	/* RxL_OCCUPANCY_DRS */
	{0x115, 0xf, 128, QUEUE, STAY_LINK, {{0, RX_DRS, 1}}},
	/* RxL_INSERTS_NCB */
	{0x10a, 0xf, 1, PULSE, STAY_NONE, {{0, NCB_IN, 1}}},
	/* RxL_OCCUPANCY_NCB */
	{0x116, 0xf, 128, QUEUE, STAY_LINK, {{0, NCB_IN, 1}}},
	/* RxL_INSERTS_NCS */
	{0x10b, 0xf, 1, PULSE, STAY_NONE, {{0, NCB_IN, 0.19}}},
	/* RxL_OCCUPANCY_NCS */
	{0x117, 0xf, 128, QUEUE, STAY_LINK, {{0, NCB_IN, 0.19}}},
	/* RxL_INSERTS_HOM */
	{0x10c, 0xf, 1, PULSE, STAY_NONE, {{0, RX_REQ, 1}, {0, SNOOP_OUT, 1}}},
	/* RxL_OCCUPANCY_HOM */
	{0x118, 0xf, 128, QUEUE, STAY_LINK, {{0, RX_REQ, 1}, {0, SNOOP_OUT, 1}}},
	/* RxL_INSERTS_SNP */
	{0x10d, 0xf, 1, PULSE, STAY_NONE, {{0, SNOOP_IN, 1}}},
	/* RxL_OCCUPANCY_SNP */
	{0x119, 0xf, 128, QUEUE, STAY_LINK, {{0, SNOOP_IN, 1}}},
	/* RxL_INSERTS_NDR */
	{0x10e, 0xf, 1, PULSE, STAY_NONE, {{0, WRITE_REMOTE, 1}}},
	/* RxL_OCCUPANCY_NDR */
	{0x11a, 0xf, 128, QUEUE, STAY_LINK, {{0, WRITE_REMOTE, 1}}},
	/* VNA_CREDIT_RETURN_OCCUPANCY */
	{0x11b, 0xf, 128, QUEUE, STAY_LINK, {{0, TX_PACKETS, 0.713}}},
	/* VNA_CREDIT_RETURNS */
	{0x11c, 0xf, 1, PULSE, STAY_NONE, {{0, TX_PACKETS, 0.713}}},
	/* RxL_CREDITS_CONSUMED_VNA */
	{0x11d, 0xf, 1, PULSE, STAY_NONE, {{0, RX_PACKETS, 0.813}}},
	/* RxL_CREDITS_CONSUMED_VN0 */
	{0x11e, 0xf, 1, PULSE, STAY_NONE, {{0x01, RX_DRS, 0.187}, {0x02, NCB_IN, 0.187},
		{0x04, NCB_IN, 0.0355}, {0x08, RX_REQ, 0.187}, {0x10, SNOOP_IN, 0.187},
		{0x20, WRITE_REMOTE, 0.187}}},
};
/* clang-format on */

static const double qpi_weights[] = {0.52, 0.48};

const struct sim_events sim_snbep_qpi = {
	.rows = qpi_rows,
	.n = N_OF(qpi_rows),
	.weights = qpi_weights,
};

/* R2PCIe */
/* clang-format off */
static const struct sim_event r2pcie_rows[] = {
	/* CLOCKTICKS */
	{0x01, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* RING_AD_USED */
	{0x07, 0xf, 1, PULSE, STAY_NONE, {{0x01, IO_READ, 0.3051},
		{0x02, IO_READ, 0.2599}, {0x04, IO_READ, 0.2938}, {0x08, IO_READ, 0.2712}}},
	/* RING_AK_USED */
	{0x08, 0xf, 1, PULSE, STAY_NONE, {{0x01, IO_WRITE, 0.3213},
		{0x02, IO_WRITE, 0.2737}, {0x04, IO_WRITE, 0.3094},
		{0x08, IO_WRITE, 0.2856}}},
	/* RING_BL_USED */
	{0x09, 0xf, 1, PULSE, STAY_NONE, {{0x01, IO_READ, 0.54}, {0x02, IO_READ, 0.46},
		{0x04, IO_READ, 0.52}, {0x08, IO_READ, 0.48}}},
	/* RING_IV_USED */
	{0x0a, 0xf, 1, PULSE, STAY_NONE, {{0x01, SNOOP_IN, 0.1}, {0x02, SNOOP_IN, 0.12},
		{0x04, SNOOP_IN, 0.11}, {0x08, SNOOP_IN, 0.13}}},
	/* RxR_CYCLES_NE */
	{0x10, 0x3, 32, BUSY, STAY_INGRESS, {{0x08, IO_WRITE, 1}, {0x10, IO_READ, 0.037},
		{0x20, IO_READ, 0.011}}},
	/* RxR_AK_BOUNCES */
	{0x12, 0x1, 1, PULSE, STAY_NONE, {{0, IO_WRITE, 0.0113}}},
	/* TxR_CYCLES_NE */
	{0x23, 0x1, 32, BUSY, STAY_INGRESS, {{0x01, IO_READ, 1}, {0x02, IO_WRITE, 1},
		{0x04, IO_READ, 0.91}}},
	/* TxR_INSERTS */
	{0x24, 0x1, 1, PULSE, STAY_NONE, {{0, IO_READ, 1.07}}},
	/* TxR_CYCLES_FULL */
	{0x25, 0x1, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.00043}, {0x02, CLOCK, 0.00037},
		{0x04, CLOCK, 0.00059}}},
	/* TxR_NACKS */
	{0x26, 0x3, 1, PULSE, STAY_NONE, {{0x01, IO_READ, 0.0037},
		{0x02, IO_WRITE, 0.0029}, {0x04, IO_READ, 0.0023}}},
	/* IIO_CREDITS_USED */
	{0x32, 0x3, 1, LEVEL, STAY_NONE, {{0x08, CLOCK, 0.3719}, {0x10, CLOCK, 0.0613},
		{0x20, CLOCK, 0.0171}}},
	/* IIO_CREDITS_ACQUIRED */
	{0x33, 0x3, 1, PULSE, STAY_NONE, {{0x08, IO_WRITE, 1}, {0x10, IO_READ, 0.037},
		{0x20, IO_READ, 0.011}}},
	/* IIO_CREDITS_REJECT */
	{0x34, 0x3, 1, PULSE, STAY_NONE, {{0x08, IO_WRITE, 0.0219},
		{0x10, IO_READ, 0.0013}, {0x20, IO_READ, 0.0007}}},
};
/* clang-format on */

static const double r2pcie_weights[] = {1};

const struct sim_events sim_snbep_r2pcie = {
	.rows = r2pcie_rows,
	.n = N_OF(r2pcie_rows),
	.weights = r2pcie_weights,
};

/* R3QPI */
/* clang-format off */
static const struct sim_event r3qpi_rows[] = {
	/* CLOCKTICKS */
	{0x01, 0x7, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* RING_AD_USED */
	{0x07, 0x7, 1, PULSE, STAY_NONE, {{0x01, TX_REQ, 0.2997}, {0x02, TX_REQ, 0.2553},
		{0x04, TX_REQ, 0.2886}, {0x08, TX_REQ, 0.2664}}},
	/* RING_AK_USED */
	{0x08, 0x7, 1, PULSE, STAY_NONE, {{0x01, RX_PACKETS, 0.0999},
		{0x02, RX_PACKETS, 0.0851}, {0x04, RX_PACKETS, 0.0962},
		{0x08, RX_PACKETS, 0.0888}}},
	/* RING_BL_USED */
	{0x09, 0x7, 1, PULSE, STAY_NONE, {{0x01, RX_DRS, 0.54}, {0x02, RX_DRS, 0.46},
		{0x04, RX_DRS, 0.52}, {0x08, RX_DRS, 0.48}}},
	/* RING_IV_USED */
	{0x0a, 0x7, 1, PULSE, STAY_NONE, {{0x01, SNOOP_IN, 0.1}, {0x02, SNOOP_IN, 0.12},
		{0x04, SNOOP_IN, 0.11}, {0x08, SNOOP_IN, 0.13}}},
	/* RxR_CYCLES_NE */
	{0x10, 0x3, 32, BUSY, STAY_LINK, {{0x01, RX_REQ, 1}, {0x02, SNOOP_IN, 1},
		{0x04, WRITE_REMOTE, 1}, {0x08, RX_DRS, 1}, {0x10, NCB_IN, 1},
		{0x20, NCB_IN, 0.19}}},
	/* RxR_INSERTS */
	{0x11, 0x3, 1, PULSE, STAY_NONE, {{0x01, RX_REQ, 1}, {0x02, SNOOP_IN, 1},
		{0x04, WRITE_REMOTE, 1}, {0x08, RX_DRS, 1}, {0x10, NCB_IN, 1},
		{0x20, NCB_IN, 0.19}}},
	/* RxR_BYPASSED */
	{0x12, 0x3, 1, PULSE, STAY_NONE, {{0x01, RX_REQ, 0.413}}},
	/* RxR_OCCUPANCY */
	{0x13, 0x1, 32, QUEUE, STAY_LINK, {{0x01, RX_REQ, 1}, {0x02, SNOOP_IN, 1},
		{0x04, WRITE_REMOTE, 1}, {0x08, RX_DRS, 1}, {0x10, NCB_IN, 1},
		{0x20, NCB_IN, 0.19}}},
	/* IIO_CREDITS_ACQUIRED */
	{0x20, 0x3, 1, PULSE, STAY_NONE, {{0x08, NCB_IN, 0.31}, {0x10, NCB_IN, 0.57},
		{0x20, NCB_IN, 0.12}}},
	/* IIO_CREDITS_REJECT */
	{0x21, 0x3, 1, PULSE, STAY_NONE, {{0x08, NCB_IN, 0.0031}, {0x10, NCB_IN, 0.0057},
		{0x20, NCB_IN, 0.0012}}},
	/* IIO_CREDITS_USED */
	{0x22, 0x3, 1, LEVEL, STAY_NONE, {{0x08, CLOCK, 0.0331}, {0x10, CLOCK, 0.0557},
		{0x20, CLOCK, 0.0112}}},
	/* TxR_INSERTS */
	{0x24, 0x3, 1, PULSE, STAY_NONE, {{0, RX_PACKETS, 0.91}}},
	/* TxR_CYCLES_FULL */
	{0x25, 0x3, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00061}}},
	/* TxR_NACK */
	{0x26, 0x3, 1, PULSE, STAY_NONE, {{0, RX_PACKETS, 0.0053}}},
	/* VNA_CREDIT_CYCLES_OUT */
	{0x31, 0x3, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0137}}},
	/* VNA_CREDIT_CYCLES_USED */
	{0x32, 0x3, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.5719}}},
	/* VNA_CREDITS_ACQUIRED */
	{0x33, 0x3, 4, PULSE, STAY_NONE, {{0, TX_PACKETS, 0.813}}},
	/* VNA_CREDITS_REJECT */
	{0x34, 0x3, 1, PULSE, STAY_NONE, {{0x01, TX_REQ, 0.0131},
		{0x02, SNOOP_OUT, 0.0131}, {0x04, WRITE_IN, 0.0131},
		{0x08, TX_DRS, 0.0131}, {0x10, NCB_OUT, 0.0131},
		{0x20, NCB_OUT, 0.002489}}},
	/* VN0_CREDITS_USED */
	{0x36, 0x3, 1, PULSE, STAY_NONE, {{0x01, TX_REQ, 0.187},
		{0x02, SNOOP_OUT, 0.187}, {0x04, WRITE_IN, 0.187}, {0x08, TX_DRS, 0.187},
		{0x10, NCB_OUT, 0.187}, {0x20, NCB_OUT, 0.03553}}},
	/* VN0_CREDITS_REJECT */
	{0x37, 0x3, 1, PULSE, STAY_NONE, {{0x01, TX_REQ, 0.0041},
		{0x02, SNOOP_OUT, 0.0041}, {0x04, WRITE_IN, 0.0041},
		{0x08, TX_DRS, 0.0041}, {0x10, NCB_OUT, 0.0041},
		{0x20, NCB_OUT, 0.000779}}},
};
/* clang-format on */

static const double r3qpi_weights[] = {0.52, 0.48};

const struct sim_events sim_snbep_r3qpi = {
	.rows = r3qpi_rows,
	.n = N_OF(r3qpi_rows),
	.weights = r3qpi_weights,
};
