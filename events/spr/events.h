/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.h - event tables of Sapphire Rapids, one for each box type.
 *
 * Names are libpfm4's, or Intel's if libpfm4 has none.  A second dot in Intel's names
 * is an underscore, as in libpfm4 (..._OF_CPU.MEM_READ.PART0 is umask
 * MEM_READ_PART0).  If Intel lists an event both without and with umasks, the former is
 * umask ALL.  Other spellings are accepted, but not listed.
 */
#ifndef UNC_SPR_EVENTS_H
#define UNC_SPR_EVENTS_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct unc_row
	unc_emr_cha_rows[]; /* Emerald Rapids; its other tables are those of SPR */
extern const struct unc_row unc_spr_cha_rows[], unc_spr_iio_rows[], unc_spr_irp_rows[];
extern const struct unc_row unc_spr_m2pcie_rows[], unc_spr_m2m_rows[], unc_spr_m2hbm_rows[];
extern const struct unc_row unc_spr_upi_rows[], unc_spr_m3upi_rows[], unc_spr_mdf_rows[];
extern const struct unc_row unc_spr_imc_rows[], unc_spr_hbm_rows[], unc_spr_cxlcm_rows[];
extern const struct unc_row unc_spr_cxldp_rows[], unc_spr_pcu_rows[], unc_spr_ubo_rows[];
extern const struct unc_row unc_spr_iio_free_rows[], unc_spr_imc_free_rows[];

#ifdef __cplusplus
}
#endif
#endif
