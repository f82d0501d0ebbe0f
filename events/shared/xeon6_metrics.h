/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xeon6_metrics.h - recipes of Granite Rapids, Sierra Forest and Clearwater Forest.  They differ in
 * the opcode of demand data reads, and in the PMU name of one event.
 */
#ifndef UNC_XEON6_METRICS_H
#define UNC_XEON6_METRICS_H

#include "shared/mesh_metrics.h"

/* clang-format off */

/*
 * Each die has its own clock, and a PCU that counts the cores of the die.  Metrics of cores and cache
 * use the clocks of the CHAs, not that of the U-Box on an I/O die, and the sum of cores over all PCUs
 * is divided by the mean of their clocks (docs/hardware/gnr.md, "Dies").
 */
#define CHA_CLOCK "UNC_CHA_CLOCKTICKS"
#define PCU_CLOCK "UNC_P_CLOCKTICKS"

/* Two sub-channels per channel. */
#define ABOVE_CAS(n_, what_) \
	ABOVE(n_, "UNC_M_CAS_COUNT_SCH0:" what_), ABOVE(n_, "UNC_M_CAS_COUNT_SCH1:" what_)
#define CAS_BELOW BELOW(1, "UNC_M_CAS_COUNT_SCH0:ALL"), BELOW(1, "UNC_M_CAS_COUNT_SCH1:ALL")
#define CAS_BOTH  BOTH(1, 1, "UNC_M_CAS_COUNT_SCH0:ALL"), BOTH(1, 1, "UNC_M_CAS_COUNT_SCH1:ALL")
#define ACTIVATES  "UNC_M_ACT_COUNT:ALL"
#define PRECHARGES(p_) p_ "_unc_imc::RAW:config=0xf703" /* reads, writes and fills: no umask of the lists */

#define XEON6_TABLE(p_) \
	RECIPE(MEM_READ_BYTES, ABOVE_CAS(64, "RD")) \
	RECIPE(MEM_WRITE_BYTES, ABOVE_CAS(64, "WR")) \
	RECIPE(MEM_BYTES, ABOVE_CAS(64, "RD"), ABOVE_CAS(64, "WR")) \
	RECIPE(LLC_MISSES, ABOVE(1, IN("IA_MISS")), ABOVE(1, IN("IO_MISS"))) \
	RECIPE(PCIE_READ_BYTES, ABOVE(64, IN("IO_PCIRDCUR"))) \
	RECIPE(PCIE_WRITE_BYTES, ABOVE(64, IN("IO_ITOM")), ABOVE(64, IN("IO_ITOMCACHENEAR"))) \
	DEVICES_BY_HOME \
	ALL_STACKS \
	HOME_REQUESTS("UNC_CHA_REQUESTS") \
	UPI(HALF_SLOTS_24_LANES) \
	RECIPE(CLOCKTICKS, ABOVE_MEAN(1, CHA_CLOCK)) \
	RECIPE(FREQUENCY, ABOVE(1, CHA_CLOCK)) \
	RECIPE(LLC_MISS_RATIO, ABOVE(1, "UNC_CHA_LLC_LOOKUP:DATA_READ_MISS"), BELOW(1, "UNC_CHA_LLC_LOOKUP:DATA_READ_ALL")) \
	RECIPE(LLC_RFO_MISS_RATIO, ABOVE(1, IN("IA_MISS_RFO")), BELOW(1, IN("IA_RFO"))) \
	LATENCY_BY(INGRESS_LATENCY, "UNC_CHA_RxC_OCCUPANCY:IRQ", "UNC_CHA_RxC_INSERTS:IRQ", CLOCK_MEAN(CHA_CLOCK)) \
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, "UNC_CHA_RxC_OCCUPANCY:IRQ"), BELOW(1, "UNC_CHA_CLOCKTICKS")) \
	RECIPE(DRAM_PAGE_HIT_RATIO, CAS_BOTH, ABOVE(-1, ACTIVATES)) \
	RECIPE(DRAM_PAGE_EMPTY_RATIO, ABOVE(1, ACTIVATES), ABOVE(-1, PRECHARGES(p_)), CAS_BELOW) \
	RECIPE(DRAM_PAGE_MISS_RATIO, ABOVE(1, PRECHARGES(p_)), CAS_BELOW) \
	COUNTED_CORES(BELOW_MEAN(1, PCU_CLOCK)) \
	RECIPE(THERMAL_LIMIT_RATIO, ABOVE_MEAN(1, "UNC_P_FREQ_MAX_LIMIT_THERMAL_CYCLES"), BELOW_MEAN(1, PCU_CLOCK))

/* Demand data reads: drd_ is DRD or DRD_OPT. */
#define DRD_TABLE(p_, drd_) \
	RECIPE(LLC_DRD_MISS_RATIO, ABOVE(1, IN("IA_MISS_" drd_)), BELOW(1, IN("IA_" drd_))) \
	READS_BY_HOME(drd_) \
	READ_MISSES(drd_) \
	LATENCY_BY(TOR_DRD_LATENCY, OCC("IA_" drd_), IN("IA_" drd_), CLOCK_MEAN(CHA_CLOCK)) \
	LATENCY_BY(TOR_DRD_MISS_LATENCY, OCC("IA_MISS_" drd_), IN("IA_MISS_" drd_), CLOCK_MEAN(CHA_CLOCK)) \
	RECIPE(TOR_DRD_HIT_LATENCY_CLOCKS, ABOVE(1, OCC("IA_HIT_" drd_)), BELOW(1, IN("IA_HIT_" drd_))) \
	RECIPE(TOR_DRD_OCCUPANCY_AVG, ABOVE(1, OCC("IA_" drd_)), BELOW(1, "UNC_CHA_CLOCKTICKS"))

/* clang-format on */

#endif
