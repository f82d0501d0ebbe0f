/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xeon6_metrics.h - recipes of Granite Rapids, Sierra Forest and Clearwater Forest, which differ
 * in the prefix of their events; all are RAW.
 */
#ifndef UNC_XEON6_METRICS_H
#define UNC_XEON6_METRICS_H

#include "shared/mesh_metrics.h"

/* clang-format off */

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

/* Demand data reads, by the beginning of the extended umask: DRd 0xc817, DRd_Opt 0xc827. */
#define DRD_TABLE(p_, drd_) \
	RECIPE(LLC_DRD_MISS_RATIO, ABOVE(1, CHA(p_, drd_ "fe00000135")), BELOW(1, CHA(p_, drd_ "ff00000135"))) \
	LATENCY(TOR_DRD_LATENCY, CHA(p_, drd_ "ff00000136"), CHA(p_, drd_ "ff00000135"), UBO(p_)) \
	LATENCY(TOR_DRD_MISS_LATENCY, CHA(p_, drd_ "fe00000136"), CHA(p_, drd_ "fe00000135"), UBO(p_)) \
	RECIPE(TOR_DRD_HIT_LATENCY_CLOCKS, ABOVE(1, CHA(p_, drd_ "fd00000136")), BELOW(1, CHA(p_, drd_ "fd00000135"))) \
	RECIPE(TOR_DRD_OCCUPANCY_AVG, ABOVE(1, CHA(p_, drd_ "ff00000136")), BELOW(1, CHA(p_, "0x1")))

/* clang-format on */

#endif
