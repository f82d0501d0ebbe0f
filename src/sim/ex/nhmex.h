/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex.h - Xeon 7500 (NHM-EX) and Xeon E7 (WSM-EX): boxes with individual
 * enables and sub-control registers, and a U-Box that stops,
 * resets and monitors all of them (docs/hardware/nhmex.md).
 */
#ifndef SIM_NHMEX_H
#define SIM_NHMEX_H

#include "sim/model/model.h"

#define NHMEX_BOXES 20 /* of a package: U, 10 C, 2 each of B, S, M and R, W */
#define NHMEX_SUBS  36 /* sub-control registers of one box, at most */
#define NHMEX_FIXED 4  /* index of the W-Box's fixed counter, after the general ones */

/* Indices in the list of kinds, the same for both platforms. */
enum nhmex_type { NHMEX_U, NHMEX_C, NHMEX_B, NHMEX_S, NHMEX_M, NHMEX_R, NHMEX_W, NHMEX_TYPES };

/* Sub-control registers by box. */
enum { B_MATCH, B_MASK };
enum { S_MM_CFG, S_MATCH, S_MASK };
enum {
	M_TIMESTAMP,
	M_DSP,
	M_ISS,
	M_MAP,
	M_MSC_THR,
	M_PGT,
	M_PLD,
	M_FVC,
	M_MM_CFG,
	M_ADDR_MATCH,
	M_ADDR_MASK
};
enum { /* four ports each */
       R_IPERF0 = 0,
       R_IPERF1 = 4,
       R_QLX = 8,
       R_MM_CFG1 = 12,
       R_MATCH1 = 16,
       R_MASK1 = 20,
       R_MM_CFG2 = 24,
       R_MATCH2 = 28,
       R_MASK2 = 32
};

#define NHMEX_MM_EN (UINT64_C(1) << 63)

/* U_MSR_PMON_GLOBAL_CTL */
#define NHMEX_U_EN    (UINT64_C(1) << 0)
#define NHMEX_PMI_SEL (UINT64_C(0xf) << 1)
#define NHMEX_EN_ALL  (UINT64_C(1) << 28)
#define NHMEX_RST_ALL (UINT64_C(1) << 29)
#define NHMEX_FRZ_ALL (UINT64_C(1) << 31)

/*
 * U_MSR_PMON_GLOBAL_STATUS has one bit each for overflows of U, W, S0 and S1.
 * Their positions are undocumented and invented here.
 */
enum nhmex_summary { NHMEX_OV_U, NHMEX_OV_W, NHMEX_OV_S0, NHMEX_OV_S1 };

/* Registers that are not in sim_box. */
struct nhmex_box {
	uint64_t status;    /* counters that overflowed */
	uint64_t signalled; /* those reported to the U-Box */
	uint64_t sub[NHMEX_SUBS];
};

struct nhmex_package {
	uint64_t global, status;
	uint64_t stop; /* time at which a PMI stops all boxes, 0: none */
	struct nhmex_box box[NHMEX_BOXES];
};

/* `n` sub-control registers of the first box; the next box's are box_step further. */
struct nhmex_bank {
	uint16_t address;
	uint8_t box_step;
	uint8_t n, step;
	uint8_t first; /* in nhmex_box.sub */
	uint64_t bits; /* that exist; 0: those of ZDP_CTL_FVC */
};

struct nhmex_layout {
	const uint16_t *offsets; /* of the boxes */
	const struct nhmex_bank *banks;
	unsigned n_banks;
	unsigned slots;       /* counters, the fixed one included */
	uint64_t enable, pmi; /* bits of a control */
};

/* ZDP_CTL_FVC: the only register whose layout differs between the platforms. */
struct nhmex_fvc {
	unsigned bcmd, resp, event; /* lowest bits of the fields; of evnt0 */
};

/* nhmex.c */
extern const struct sim_kind sim_nhmex_kinds[NHMEX_TYPES];

static inline enum nhmex_type sim_nhmex_type(const struct sim_box *box)
{
	return (enum nhmex_type)(box->kind - box->sim->platform->kinds);
}

static inline bool sim_nhmex_is_wsm(const struct sim *sim)
{
	return sim->platform->id.model == 47;
}

/* nhmex_traffic.c */
void sim_nhmex_traffic(struct sim_traffic *traffic, unsigned package, unsigned packages,
		       unsigned cores);

/* nhmex_regs.c */
extern const struct sim_space sim_nhmex_space;

const struct nhmex_layout *sim_nhmex_layout(const struct sim_box *box);
struct nhmex_package *sim_nhmex_package(const struct sim *sim, unsigned package);
struct nhmex_box *sim_nhmex_box(const struct sim_box *box);
/* A counter's bit in the box's GLOBAL_CTL, GLOBAL_STATUS and GLOBAL_OVF_CTL. */
uint64_t sim_nhmex_bit(const struct sim_box *box, unsigned slot);
enum nhmex_summary sim_nhmex_summary(const struct sim_box *box);

/* nhmex_count.c: update the counters that can affect `box` (NULL: all) to `now`. */
void sim_nhmex_catch_up(struct sim *sim, unsigned package, struct sim_box *box, uint64_t now);
/* Rate of a counter per second. */
double sim_nhmex_rate(const struct sim_box *box, unsigned slot);

/* nhmex_signal.c */
bool sim_nhmex_signal(const struct sim_box *box, uint64_t control, uint64_t filter,
		      struct sim_signal *out);
/* The signal of a counter, given the box's sub-control registers. */
bool sim_nhmex_select(const struct sim_box *box, unsigned counter, uint64_t control,
		      const uint64_t sub[NHMEX_SUBS], struct sim_signal *out);

#endif
