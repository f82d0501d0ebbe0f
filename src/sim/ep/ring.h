/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.h - events of ivbep, hswep and bdx.
 */
#ifndef SIM_RING_H
#define SIM_RING_H

#include "sim/model/rows.h"

/* ivbep_codes.c */
extern const struct sim_codes sim_ivbep_ubox_codes;
extern const struct sim_codes sim_ivbep_cbox_codes;
extern const struct sim_codes sim_ivbep_pcu_codes;
extern const struct sim_codes sim_ivbep_ha_codes;
extern const struct sim_codes sim_ivbep_imc_codes;
extern const struct sim_codes sim_ivbep_irp_codes;
extern const struct sim_codes sim_ivbep_qpi_codes;
extern const struct sim_codes sim_ivbep_r2pcie_codes;
extern const struct sim_codes sim_ivbep_r3qpi_codes;

/* hswep_codes.c */
extern const struct sim_codes sim_hswep_ubox_codes;
extern const struct sim_codes sim_hswep_cbox_codes;
extern const struct sim_codes sim_hswep_sbox_codes;
extern const struct sim_codes sim_hswep_pcu_codes;
extern const struct sim_codes sim_hswep_ha_codes;
extern const struct sim_codes sim_hswep_imc_codes;
extern const struct sim_codes sim_hswep_irp_codes;
extern const struct sim_codes sim_hswep_qpi_codes;
extern const struct sim_codes sim_hswep_r2pcie_codes;
extern const struct sim_codes sim_hswep_r3qpi_codes;

/* bdx_codes.c */
extern const struct sim_codes sim_bdx_ubox_codes;
extern const struct sim_codes sim_bdx_cbox_codes;
extern const struct sim_codes sim_bdx_sbox_codes;
extern const struct sim_codes sim_bdx_pcu_codes;
extern const struct sim_codes sim_bdx_ha_codes;
extern const struct sim_codes sim_bdx_imc_codes;
extern const struct sim_codes sim_bdx_irp_codes;
extern const struct sim_codes sim_bdx_qpi_codes;
extern const struct sim_codes sim_bdx_r2pcie_codes;
extern const struct sim_codes sim_bdx_r3qpi_codes;

/* ring_events.c */
extern const struct sim_events sim_ivbep_ubox;
extern const struct sim_events sim_ivbep_cbox;
extern const struct sim_events sim_ivbep_pcu;
extern const struct sim_events sim_ivbep_ha;
extern const struct sim_events sim_ivbep_imc;
extern const struct sim_events sim_ivbep_irp;
extern const struct sim_events sim_ivbep_qpi;
extern const struct sim_events sim_ivbep_r2pcie;
extern const struct sim_events sim_ivbep_r3qpi;
extern const struct sim_events sim_hswep_ubox;
extern const struct sim_events sim_hswep_cbox;
extern const struct sim_events sim_hswep_sbox;
extern const struct sim_events sim_hswep_pcu;
extern const struct sim_events sim_hswep_ha;
extern const struct sim_events sim_hswep_imc;
extern const struct sim_events sim_hswep_irp;
extern const struct sim_events sim_hswep_qpi;
extern const struct sim_events sim_hswep_r2pcie;
extern const struct sim_events sim_hswep_r3qpi;
extern const struct sim_events sim_bdx_ubox;
extern const struct sim_events sim_bdx_cbox;
extern const struct sim_events sim_bdx_sbox;
extern const struct sim_events sim_bdx_pcu;
extern const struct sim_events sim_bdx_ha;
extern const struct sim_events sim_bdx_imc;
extern const struct sim_events sim_bdx_irp;
extern const struct sim_events sim_bdx_qpi;
extern const struct sim_events sim_bdx_r2pcie;
extern const struct sim_events sim_bdx_r3qpi;

#endif
