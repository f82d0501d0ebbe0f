/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh.h - events of skx, knl and icx.
 */
#ifndef SIM_MESH_H
#define SIM_MESH_H

#include "sim/model/rows.h"

/* skx_codes.c, icx_codes.c */
extern const struct sim_codes sim_skx_ubox_codes;
extern const struct sim_codes sim_skx_cha_codes;
extern const struct sim_codes sim_skx_iio_codes;
extern const struct sim_codes sim_skx_irp_codes;
extern const struct sim_codes sim_skx_pcu_codes;
extern const struct sim_codes sim_skx_imc_codes;
extern const struct sim_codes sim_skx_m2m_codes;
extern const struct sim_codes sim_skx_upi_codes;
extern const struct sim_codes sim_skx_m3upi_codes;
extern const struct sim_codes sim_icx_ubox_codes;
extern const struct sim_codes sim_icx_cha_codes;
extern const struct sim_codes sim_icx_iio_codes;
extern const struct sim_codes sim_icx_irp_codes;
extern const struct sim_codes sim_icx_m2pcie_codes;
extern const struct sim_codes sim_icx_pcu_codes;
extern const struct sim_codes sim_icx_imc_codes;
extern const struct sim_codes sim_icx_m2m_codes;
extern const struct sim_codes sim_icx_upi_codes;
extern const struct sim_codes sim_icx_m3upi_codes;

/* mesh_events.c */
extern const struct sim_events sim_skx_ubox;
extern const struct sim_events sim_skx_cha;
extern const struct sim_events sim_skx_iio;
extern const struct sim_events sim_skx_irp;
extern const struct sim_events sim_skx_pcu;
extern const struct sim_events sim_skx_imc;
extern const struct sim_events sim_skx_m2m;
extern const struct sim_events sim_skx_upi;
extern const struct sim_events sim_skx_m2pcie;
extern const struct sim_events sim_skx_m3upi;
extern const struct sim_events sim_icx_ubox;
extern const struct sim_events sim_icx_cha;
extern const struct sim_events sim_icx_iio;
extern const struct sim_events sim_icx_irp;
extern const struct sim_events sim_icx_m2pcie;
extern const struct sim_events sim_icx_pcu;
extern const struct sim_events sim_icx_imc;
extern const struct sim_events sim_icx_m2m;
extern const struct sim_events sim_icx_upi;
extern const struct sim_events sim_icx_m3upi;
extern const struct sim_events sim_knl_ubox;
extern const struct sim_events sim_knl_cha;
extern const struct sim_events sim_knl_pcu;
extern const struct sim_events sim_knl_imc_uclk;
extern const struct sim_events sim_knl_imc;
extern const struct sim_events sim_knl_edc_uclk;
extern const struct sim_events sim_knl_edc_eclk;
extern const struct sim_events sim_knl_m2pcie;
extern const struct sim_events sim_knl_irp;

/* free.c: rates of the free-running counters. */
double sim_free_clock(const struct sim_box *box, unsigned number);
/* IIO, `number` of four or eight ports; in: from devices. */
double sim_free_in_dwords(const struct sim_box *box, unsigned number);
double sim_free_in_half_lines(const struct sim_box *box, unsigned number);
double sim_free_out_half_lines(const struct sim_box *box, unsigned number);
double sim_free_utilization(const struct sim_box *box, unsigned number);

#endif
