/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh.c - metrics of Skylake-X, Knights Landing, Ice Lake-X, Sapphire Rapids and
 * later.  Events that our tables have no name for are RAW; their codes are
 * those of Intel's event lists.
 */
#include "metrics/recipe.h"

/* clang-format off */

#define LATENCY(name_, occupancy_, inserts_, clock_) \
	RECIPE(name_##_CLOCKS, ABOVE(1, occupancy_), BELOW(1, inserts_)) \
	RECIPE(name_##_NS, ABOVE(1, occupancy_), BELOW(1, inserts_), CLOCK(clock_))

/*
 * Nine slots carry the 64 bytes of a line, and a flit has three slots; the link
 * moves a flit per cycle outside L1.
 */
#define LINKS(tx_data, tx_other, rx_data, clock_, l1_) \
	RECIPE_BY(9, SOCKET_OUT_BYTES, ABOVE(64, tx_data)) \
	RECIPE_BY(9, SOCKET_IN_BYTES, ABOVE(64, rx_data)) \
	RECIPE(LINK_UTILISATION, \
	       ABOVE(1, tx_data), ABOVE(1, tx_other), BELOW(3, clock_), BELOW(-3, l1_))

/* ---- Skylake-X ---- */

/* Opcodes of FILTER1 with local, remote, near and not near memory: DRd 0x202, RFO 0x200. */
#define SKX_DRD      ":config1=0x4043300000000"
#define SKX_RFO      ":config1=0x4003300000000"
#define SKX_IN(umask, opcode)   "skx_unc_cha::RAW:config=0x" umask "35" opcode
#define SKX_OCC(umask, opcode)  "skx_unc_cha::RAW:config=0x" umask "36" opcode
#define SKX_OCC1(umask, opcode) "skx_unc_cha::RAW:config=0x100" umask "36" opcode /* t=1 */

/* libpfm4's STATE_CACHE_ANY leaves state F (bit 24) out. */
#define SKX_LOOKUP(umask) "skx_unc_cha::RAW:config=0x" umask "34:config1=0x1fe0000"

static const struct unc_recipe skx[] = {
	RECIPE(LLC_LOOKUPS, ABOVE(1, SKX_LOOKUP("11")))
	RECIPE(LLC_MISSES, ABOVE(1, "UNC_C_TOR_INSERTS:ALL_MISS"))
	RECIPE(PCIE_READ_BYTES, ABOVE(4, "UNC_IO_DATA_REQ_OF_CPU:MEM_READ_PART0:MEM_READ_PART1:MEM_READ_PART2:MEM_READ_PART3"))
	RECIPE(PCIE_WRITE_BYTES, ABOVE(4, "UNC_IO_DATA_REQ_OF_CPU:MEM_WRITE_PART0:MEM_WRITE_PART1:MEM_WRITE_PART2:MEM_WRITE_PART3"))
	LINKS("UNC_UPI_TXL_FLITS:ALL_DATA", "UNC_UPI_TXL_FLITS:NON_DATA", "UNC_UPI_RXL_FLITS:ALL_DATA",
	      "UNC_UPI_CLOCKTICKS", "UNC_UPI_L1_POWER_CYCLES")
	COLLIDES("LLC_MISS_RATIO_SPLIT", LLC_MISS_RATIO,
		 ABOVE(1, "UNC_C_LLC_LOOKUP:DATA_READ:STATE_LLC_I"), BELOW(1, SKX_LOOKUP("3")))
	RECIPE(LLC_MISS_RATIO_SPLIT,
	       ABOVE_EVEN(1, "UNC_C_LLC_LOOKUP:DATA_READ:STATE_LLC_I"), BELOW_ODD(1, SKX_LOOKUP("3")))
	RECIPE(LLC_DRD_MISS_RATIO, ABOVE(1, SKX_IN("21", SKX_DRD)), BELOW(1, SKX_IN("31", SKX_DRD)))
	RECIPE(LLC_RFO_MISS_RATIO, ABOVE(1, SKX_IN("21", SKX_RFO)), BELOW(1, SKX_IN("31", SKX_RFO)))
	LATENCY(TOR_DRD_LATENCY, SKX_OCC("31", SKX_DRD), SKX_IN("31", SKX_DRD), "UNC_U_CLOCKTICKS")
	LATENCY(TOR_DRD_MISS_LATENCY, SKX_OCC("21", SKX_DRD), SKX_IN("21", SKX_DRD), "UNC_U_CLOCKTICKS")
	RECIPE(TOR_DRD_HIT_LATENCY_CLOCKS, ABOVE(1, SKX_OCC("11", SKX_DRD)), BELOW(1, SKX_IN("11", SKX_DRD)))
	RECIPE(TOR_DRD_OCCUPANCY_AVG, ABOVE(1, SKX_OCC("31", SKX_DRD)), BELOW(1, "UNC_C_CLOCKTICKS"))
	RECIPE(TOR_DRD_OCCUPANCY_NOT_EMPTY, ABOVE(1, SKX_OCC("31", SKX_DRD)), BELOW(1, SKX_OCC1("31", SKX_DRD)))
	LATENCY(INGRESS_LATENCY, "UNC_C_RXC_OCCUPANCY:IRQ", "UNC_C_RXC_INSERTS:IRQ", "UNC_U_CLOCKTICKS")
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, "UNC_C_RXC_OCCUPANCY:IRQ"), BELOW(1, "UNC_C_CLOCKTICKS"))
	RECIPE(INGRESS_OCCUPANCY_NOT_EMPTY, ABOVE(1, "UNC_C_RXC_OCCUPANCY:IRQ"), BELOW(1, "UNC_C_RXC_OCCUPANCY:IRQ:t=1"))
	RECIPE(INGRESS_GE1_RATIO, ABOVE(1, "UNC_C_RXC_OCCUPANCY:IRQ:t=1"), BELOW_EACH(1, "UNC_U_CLOCKTICKS", "UNC_C_RXC_OCCUPANCY:IRQ"))
	RECIPE(INGRESS_GE7_RATIO, ABOVE(1, "UNC_C_RXC_OCCUPANCY:IRQ:t=7"), BELOW_EACH(1, "UNC_U_CLOCKTICKS", "UNC_C_RXC_OCCUPANCY:IRQ"))
	RECIPE(INGRESS_GE14_RATIO, ABOVE(1, "UNC_C_RXC_OCCUPANCY:IRQ:t=14"), BELOW_EACH(1, "UNC_U_CLOCKTICKS", "UNC_C_RXC_OCCUPANCY:IRQ"))
	RECIPE(INGRESS_GE18_RATIO, ABOVE(1, "UNC_C_RXC_OCCUPANCY:IRQ:t=18"), BELOW_EACH(1, "UNC_U_CLOCKTICKS", "UNC_C_RXC_OCCUPANCY:IRQ"))
	RECIPE(DRAM_PAGE_HIT_RATIO,
	       BOTH(1, 1, "UNC_M_CAS_COUNT:RD"), BOTH(1, 1, "UNC_M_CAS_COUNT:WR"), ABOVE(-1, "UNC_M_ACT_COUNT:RD:WR:BYP"))
	RECIPE(DRAM_PAGE_EMPTY_RATIO,
	       ABOVE(1, "UNC_M_ACT_COUNT:RD:WR:BYP"), ABOVE(-1, "UNC_M_PRE_COUNT:PAGE_MISS"),
	       BELOW(1, "UNC_M_CAS_COUNT:RD"), BELOW(1, "UNC_M_CAS_COUNT:WR"))
	RECIPE(DRAM_PAGE_MISS_RATIO, ABOVE(1, "UNC_M_PRE_COUNT:PAGE_MISS"),
	       BELOW(1, "UNC_M_CAS_COUNT:RD"), BELOW(1, "UNC_M_CAS_COUNT:WR"))
	RECIPE(THERMAL_LIMIT_RATIO, ABOVE(1, "UNC_P_FREQ_MAX_LIMIT_THERMAL_CYCLES"), BELOW(1, "UNC_P_CLOCKTICKS"))
	RECIPES_END,
};

const struct unc_recipe *const unc_metrics_skx[] = {
	unc_metrics_memory, skx, unc_metrics_clock, unc_metrics_cores, NULL,
};

/* ---- Knights Landing ---- */

static const struct unc_recipe knl[] = {
	RECIPE(MCDRAM_READ_BYTES, ABOVE(64, "UNC_E_RPQ_INSERTS"))
	RECIPE(MCDRAM_WRITE_BYTES, ABOVE(64, "UNC_E_WPQ_INSERTS"))
	LATENCY(INGRESS_LATENCY, "UNC_H_INGRESS_OCCUPANCY:IRQ", "UNC_H_INGRESS_INSERTS:IRQ", "UNC_U_CLOCKTICKS")
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, "UNC_H_INGRESS_OCCUPANCY:IRQ"), BELOW(1, "UNC_H_U_CLOCKTICKS"))
	RECIPES_END,
};

const struct unc_recipe *const unc_metrics_knl[] = {
	unc_metrics_memory, knl, unc_metrics_clock, unc_metrics_cores, NULL,
};

/* ---- Ice Lake-X and later ---- */

#define UPI \
	LINKS("UNC_UPI_TxL_FLITS:ALL_DATA", "UNC_UPI_TxL_FLITS:NON_DATA", "UNC_UPI_RxL_FLITS:ALL_DATA", \
	      "UNC_UPI_CLOCKTICKS", "UNC_UPI_L1_POWER_CYCLES")

#define IN(what)  "UNC_CHA_TOR_INSERTS:" what
#define OCC(what) "UNC_CHA_TOR_OCCUPANCY:" what

/* The opcodes are part of the event: no filter, nothing excludes anything. */
static const struct unc_recipe tor[] = {
	RECIPE(LLC_MISSES, ABOVE(1, IN("IA_MISS")), ABOVE(1, IN("IO_MISS")))
	RECIPE(PCIE_READ_BYTES, ABOVE(64, IN("IO_PCIRDCUR")))
	RECIPE(PCIE_WRITE_BYTES, ABOVE(64, IN("IO_ITOM")), ABOVE(64, IN("IO_ITOMCACHENEAR")))
	UPI
	RECIPE(LLC_DRD_MISS_RATIO, ABOVE(1, IN("IA_MISS_DRD")), BELOW(1, IN("IA_DRD")))
	RECIPE(LLC_RFO_MISS_RATIO, ABOVE(1, IN("IA_MISS_RFO")), BELOW(1, IN("IA_RFO")))
	RECIPE(TOR_DRD_HIT_LATENCY_CLOCKS, ABOVE(1, OCC("IA_HIT_DRD")), BELOW(1, IN("IA_HIT_DRD")))
	RECIPE(TOR_DRD_OCCUPANCY_AVG, ABOVE(1, OCC("IA_DRD")), BELOW(1, "UNC_CHA_CLOCKTICKS"))
	RECIPES_END,
};

#define QUEUES(clock_) \
	LATENCY(TOR_DRD_LATENCY, OCC("IA_DRD"), IN("IA_DRD"), clock_) \
	LATENCY(TOR_DRD_MISS_LATENCY, OCC("IA_MISS_DRD"), IN("IA_MISS_DRD"), clock_)

static const struct unc_recipe icx[] = {
	RECIPE(LLC_LOOKUPS, ABOVE(1, "UNC_CHA_LLC_LOOKUP:ALL"))
	RECIPE(LLC_MISS_RATIO, ABOVE(1, "UNC_CHA_LLC_LOOKUP:DATA_READ_MISS"), BELOW(1, "UNC_CHA_LLC_LOOKUP:DATA_READ_ALL"))
	QUEUES("UNC_U_CLOCKTICKS")
	RECIPE(TOR_DRD_OCCUPANCY_NOT_EMPTY, ABOVE(1, OCC("IA_DRD")), BELOW(1, OCC("IA_DRD:t=1")))
	LATENCY(INGRESS_LATENCY, "UNC_CHA_RxC_OCCUPANCY:IRQ", "UNC_CHA_RxC_INSERTS:IRQ", "UNC_U_CLOCKTICKS")
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, "UNC_CHA_RxC_OCCUPANCY:IRQ"), BELOW(1, "UNC_CHA_CLOCKTICKS"))
	RECIPE(INGRESS_OCCUPANCY_NOT_EMPTY, ABOVE(1, "UNC_CHA_RxC_OCCUPANCY:IRQ"), BELOW(1, "UNC_CHA_RxC_OCCUPANCY:IRQ:t=1"))
	RECIPE(INGRESS_GE1_RATIO, ABOVE(1, "UNC_CHA_RxC_OCCUPANCY:IRQ:t=1"), BELOW_EACH(1, "UNC_U_CLOCKTICKS", "UNC_CHA_RxC_OCCUPANCY:IRQ"))
	RECIPE(INGRESS_GE7_RATIO, ABOVE(1, "UNC_CHA_RxC_OCCUPANCY:IRQ:t=7"), BELOW_EACH(1, "UNC_U_CLOCKTICKS", "UNC_CHA_RxC_OCCUPANCY:IRQ"))
	RECIPE(INGRESS_GE14_RATIO, ABOVE(1, "UNC_CHA_RxC_OCCUPANCY:IRQ:t=14"), BELOW_EACH(1, "UNC_U_CLOCKTICKS", "UNC_CHA_RxC_OCCUPANCY:IRQ"))
	RECIPE(INGRESS_GE18_RATIO, ABOVE(1, "UNC_CHA_RxC_OCCUPANCY:IRQ:t=18"), BELOW_EACH(1, "UNC_U_CLOCKTICKS", "UNC_CHA_RxC_OCCUPANCY:IRQ"))
	RECIPE(DRAM_PAGE_HIT_RATIO,
	       BOTH(1, 1, "UNC_M_CAS_COUNT:RD"), BOTH(1, 1, "UNC_M_CAS_COUNT:WR"), ABOVE(-1, "UNC_M_ACT_COUNT:ALL"))
	RECIPE(DRAM_PAGE_EMPTY_RATIO,
	       ABOVE(1, "UNC_M_ACT_COUNT:ALL"), ABOVE(-1, "UNC_M_PRE_COUNT:PAGE_MISS"),
	       BELOW(1, "UNC_M_CAS_COUNT:RD"), BELOW(1, "UNC_M_CAS_COUNT:WR"))
	RECIPE(DRAM_PAGE_MISS_RATIO, ABOVE(1, "UNC_M_PRE_COUNT:PAGE_MISS"),
	       BELOW(1, "UNC_M_CAS_COUNT:RD"), BELOW(1, "UNC_M_CAS_COUNT:WR"))
	RECIPES_END,
};

const struct unc_recipe *const unc_metrics_icx[] = {
	unc_metrics_memory, icx, tor, unc_metrics_clock, unc_metrics_cores, NULL,
};

/* ---- Sapphire Rapids, Emerald Rapids ---- */

/*
 * Activates for any reason, a bypass included; precharges for reads, writes and fills, that is,
 * not for the page timer.
 */
#define PAGES(accesses_below, accesses_both, activates_, precharges_) \
	RECIPE(DRAM_PAGE_HIT_RATIO, accesses_both, ABOVE(-1, activates_)) \
	RECIPE(DRAM_PAGE_EMPTY_RATIO, ABOVE(1, activates_), ABOVE(-1, precharges_), accesses_below) \
	RECIPE(DRAM_PAGE_MISS_RATIO, ABOVE(1, precharges_), accesses_below)

#define COUNTED_CORES(clock_, c0, c3, c6) \
	RECIPE(CORES_IN_C0, ABOVE(1, c0), BELOW(1, clock_)) \
	RECIPE(CORES_IN_C3, ABOVE(1, c3), BELOW(1, clock_)) \
	RECIPE(CORES_IN_C6, ABOVE(1, c6), BELOW(1, clock_))

static const struct unc_recipe spr[] = {
	RECIPE(LLC_LOOKUPS, ABOVE(1, "spr_unc_cha::RAW:config=0x1fff0000ff34"))
	RECIPE(LLC_MISS_RATIO, ABOVE(1, "spr_unc_cha::RAW:config=0x1fc100000134"), BELOW(1, "spr_unc_cha::RAW:config=0x1fc10000ff34"))
	QUEUES("spr_unc_ubo::RAW:config=0xff")
	LATENCY(INGRESS_LATENCY, "spr_unc_cha::RAW:config=0x111", "spr_unc_cha::RAW:config=0x113", "spr_unc_ubo::RAW:config=0xff")
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, "spr_unc_cha::RAW:config=0x111"), BELOW(1, "UNC_CHA_CLOCKTICKS"))
	RECIPE(CLOCKTICKS, ABOVE(1, "spr_unc_ubo::RAW:config=0xff"))
	RECIPE(FREQUENCY, ABOVE(1, "spr_unc_ubo::RAW:config=0xff"))
	PAGES(BELOW(1, "UNC_M_CAS_COUNT:ALL"), BOTH(1, 1, "UNC_M_CAS_COUNT:ALL"),
	      "UNC_M_ACT_COUNT:ALL", "spr_unc_imc::RAW:config=0x7703")
	COUNTED_CORES("UNC_P_CLOCKTICKS", "spr_unc_pcu::RAW:config=0x35", "spr_unc_pcu::RAW:config=0x36", "spr_unc_pcu::RAW:config=0x37")
	RECIPES_END,
};

const struct unc_recipe *const unc_metrics_spr[] = {unc_metrics_memory, spr, tor, NULL};

/* ---- Granite Rapids, Sierra Forest, Clearwater Forest: all RAW ---- */

/* Two sub-channels per channel: CAS_COUNT_SCH0 is 0x05, CAS_COUNT_SCH1 0x06. */
#define CHA(p_, code_) p_ "_unc_cha::RAW:config=" code_
#define IMC(p_, code_) p_ "_unc_imc::RAW:config=" code_
#define UPI_(p_, code_) p_ "_unc_upi::RAW:config=" code_
#define PCU(p_, code_) p_ "_unc_pcu::RAW:config=" code_
#define UBO(p_)        p_ "_unc_ubo::RAW:config=0xff"

#define CAS_BELOW(p_) BELOW(1, IMC(p_, "0xff05")), BELOW(1, IMC(p_, "0xff06"))
#define CAS_BOTH(p_)  BOTH(1, 1, IMC(p_, "0xff05")), BOTH(1, 1, IMC(p_, "0xff06"))

#define RAW_TABLE(p_) \
	RECIPE(MEM_READ_BYTES, ABOVE(64, IMC(p_, "0xcf05")), ABOVE(64, IMC(p_, "0xcf06"))) \
	RECIPE(MEM_WRITE_BYTES, ABOVE(64, IMC(p_, "0xf005")), ABOVE(64, IMC(p_, "0xf006"))) \
	RECIPE(LLC_MISSES, ABOVE(1, CHA(p_, "0xc001fe00000135")), ABOVE(1, CHA(p_, "0xc001fe00000435"))) \
	RECIPE(PCIE_READ_BYTES, ABOVE(64, CHA(p_, "0xc8f3ff00000435"))) \
	RECIPE(PCIE_WRITE_BYTES, ABOVE(64, CHA(p_, "0xcc43ff00000435")), ABOVE(64, CHA(p_, "0xcd43ff00000435"))) \
	LINKS(UPI_(p_, "0xf02"), UPI_(p_, "0x9702"), UPI_(p_, "0xf03"), UPI_(p_, "0x1"), UPI_(p_, "0x21")) \
	RECIPE(CLOCKTICKS, ABOVE(1, UBO(p_))) \
	RECIPE(FREQUENCY, ABOVE(1, UBO(p_))) \
	RECIPE(LLC_MISS_RATIO, ABOVE(1, CHA(p_, "0x1fc100000134")), BELOW(1, CHA(p_, "0x1fc10000ff34"))) \
	RECIPE(LLC_RFO_MISS_RATIO, ABOVE(1, CHA(p_, "0xc807fe00000135")), BELOW(1, CHA(p_, "0xc807ff00000135"))) \
	LATENCY(INGRESS_LATENCY, CHA(p_, "0x111"), CHA(p_, "0x113"), UBO(p_)) \
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, CHA(p_, "0x111")), BELOW(1, CHA(p_, "0x1"))) \
	RECIPE(DRAM_PAGE_HIT_RATIO, CAS_BOTH(p_), ABOVE(-1, IMC(p_, "0xf702"))) \
	RECIPE(DRAM_PAGE_EMPTY_RATIO, ABOVE(1, IMC(p_, "0xf702")), ABOVE(-1, IMC(p_, "0xf703")), CAS_BELOW(p_)) \
	RECIPE(DRAM_PAGE_MISS_RATIO, ABOVE(1, IMC(p_, "0xf703")), CAS_BELOW(p_)) \
	COUNTED_CORES(PCU(p_, "0x1"), PCU(p_, "0x35"), PCU(p_, "0x36"), PCU(p_, "0x37"))

static const struct unc_recipe gnr[] = {
	RAW_TABLE("gnr")
	RECIPE(LLC_DRD_MISS_RATIO, ABOVE(1, CHA("gnr", "0xc817fe00000135")), BELOW(1, CHA("gnr", "0xc817ff00000135")))
	LATENCY(TOR_DRD_LATENCY, CHA("gnr", "0xc817ff00000136"), CHA("gnr", "0xc817ff00000135"), UBO("gnr"))
	LATENCY(TOR_DRD_MISS_LATENCY, CHA("gnr", "0xc817fe00000136"), CHA("gnr", "0xc817fe00000135"), UBO("gnr"))
	RECIPE(TOR_DRD_HIT_LATENCY_CLOCKS, ABOVE(1, CHA("gnr", "0xc817fd00000136")), BELOW(1, CHA("gnr", "0xc817fd00000135")))
	RECIPE(TOR_DRD_OCCUPANCY_AVG, ABOVE(1, CHA("gnr", "0xc817ff00000136")), BELOW(1, CHA("gnr", "0x1")))
	RECIPES_END,
};

static const struct unc_recipe srf[] = {
	RAW_TABLE("srf")
	RECIPES_END,
};

static const struct unc_recipe cwf[] = {
	RAW_TABLE("cwf")
	RECIPES_END,
};

const struct unc_recipe *const unc_metrics_gnr[] = {gnr, NULL};
const struct unc_recipe *const unc_metrics_srf[] = {srf, NULL};
const struct unc_recipe *const unc_metrics_cwf[] = {cwf, NULL};
