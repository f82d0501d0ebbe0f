/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discovered.h - boxes and events of the machines with discovery tables: spr, emr, gnr, srf, cwf.
 */
#ifndef SIM_DISCOVERED_H
#define SIM_DISCOVERED_H

#include "sim/mesh/mesh.h"
#include "sim/model/platform.h"

/* Unit control: freeze, reset controls, reset counters (docs/hardware/README.md). */
#define UNIT_BITS 0x301

/* docs/hardware/spr.md, "Controls"; libraries also set the overflow enable bit. */
#define UNIT_CTL       (UINT64_C(0xff84ffff) | CTL_OVF)
#define UNIT_CTL_TID   (UINT64_C(1) << 16)
#define UNIT_EXT(mask) (UINT64_C(mask) << 32)

/* clang-format off */
#define UNIT(type_)                                                      \
	.style = SIM_STYLE_D, .type = (type_), .box_bits = UNIT_BITS,    \
	.width = 48, .signal = sim_row_signal, .summary_none = true

/* Registers of an MSR unit: unit control, status, controls, counters. */
#define MSR_UNIT_WIDE(type_, first)                                      \
	UNIT(type_), .access = SIM_BY_MSR, .box_ctl = (first),           \
	.status = (first) + 1, .control = (first) + 2,                   \
	.counter = (first) + 8, .control_step = 1, .counter_step = 1,    \
	.stride = 0x10
#define MSR_UNIT(type_, first) MSR_UNIT_WIDE(type_, first), .threshold_mask = 0xff

#define PCI_UNIT(type_, ctl, status_, control_, counter_)                \
	UNIT(type_), .access = SIM_BY_PCI, .box_ctl = (ctl),             \
	.status = (status_), .control = (control_), .control_step = 8,   \
	.counter = (counter_), .counter_step = 8, .threshold_mask = 0xff

/* Memory mapped; `low` are the address bits common to all units. */
#define MMIO_UNIT(type_, low, step, counter_, status_)                   \
	UNIT(type_), .access = SIM_BY_MMIO, .box_ctl = (low),            \
	.status = (low) + (status_), .control = (low) + 0x40,            \
	.control_step = (step), .counter = (low) + (counter_),           \
	.counter_step = 8, .threshold_mask = 0xff

#define CHANNEL_UNIT(type_, low)                                         \
	MMIO_UNIT(type_, low, 4, 0x8, 0x5c), .n_counters = 4,            \
	.control_bits = UNIT_CTL, .clock_hz = sim_dclk

#define CHANNEL_FIXED(low)                                               \
	.fixed_ctl = (low) + 0x54, .fixed_ctr = (low) + 0x38,            \
	.fixed_width = 48, .fixed_bits = SIM_CTL_EN | CTL_OVF

/* Big cores of Sapphire Rapids and later. */
#define P_CORE                                                           \
	{                                                                \
		.version = 5, .counters = 8, .width = 48, .fixed = 4,    \
		.fixed_width = 48, .events = 8, .slots = 6,              \
		.any_gone = true, .trace = true,                         \
		.select_more = SIM_CORE_TSX | SIM_CORE_ADAPTIVE,         \
		.fixed_more = UINT64_C(0x1111) << 32,                    \
		.global_more = SIM_CORE_METRICS,                         \
		.capabilities = 0xd4c5 | SIM_CORE_FULL_WIDTH,            \
		.bus_hz = 25 * SIM_MHZ,                                  \
	}
/* clang-format on */

/* FILTER: TID 9:0; everything else is in the umask extension, as on icx. */
extern const struct sim_layout sim_discovered_cha_filter;

/* Memory-mapped units of a package begin there. */
uint64_t sim_discovered_registers(const struct sim *sim, unsigned package);

/* As many CHAs as cores. */
unsigned sim_discovered_cha_count(const struct sim *sim);

/* spr_codes.c */
extern const struct sim_codes sim_spr_cha_codes, sim_spr_iio_codes, sim_spr_irp_codes;
extern const struct sim_codes sim_spr_m2pcie_codes, sim_spr_pcu_codes, sim_spr_ubox_codes;
extern const struct sim_codes sim_spr_imc_codes, sim_spr_m2m_codes, sim_spr_upi_codes;
extern const struct sim_codes sim_spr_m3upi_codes, sim_spr_mdf_codes, sim_spr_cxlcm_codes;
extern const struct sim_codes sim_spr_cxldp_codes, sim_spr_hbm_codes, sim_spr_any_codes;

/* gnr_codes.c */
extern const struct sim_codes sim_gnr_cha_codes, sim_gnr_iio_codes, sim_gnr_irp_codes;
extern const struct sim_codes sim_gnr_pcu_codes, sim_gnr_ubox_codes, sim_gnr_imc_codes;
extern const struct sim_codes sim_gnr_upi_codes, sim_gnr_cxlcm_codes, sim_gnr_cxldp_codes;
extern const struct sim_codes sim_gnr_b2cmi_codes, sim_gnr_mdf_codes, sim_gnr_clock_codes;

/* discovered_events.c */
extern const struct sim_events sim_spr_cha, sim_spr_iio, sim_spr_irp, sim_spr_m2pcie, sim_spr_pcu;
extern const struct sim_events sim_spr_ubox, sim_spr_imc, sim_spr_m2m, sim_spr_upi, sim_spr_m3upi;
extern const struct sim_events sim_spr_mdf, sim_spr_cxlcm, sim_spr_cxldp, sim_spr_hbm, sim_spr_any;
extern const struct sim_events sim_spr_m2hbm;
extern const struct sim_events sim_gnr_cha, sim_gnr_iio, sim_gnr_irp, sim_gnr_pcu, sim_gnr_ubox;
extern const struct sim_events sim_gnr_imc, sim_gnr_upi, sim_gnr_cxlcm, sim_gnr_cxldp;
extern const struct sim_events sim_gnr_b2cmi, sim_gnr_mdf, sim_gnr_clock;

#endif
