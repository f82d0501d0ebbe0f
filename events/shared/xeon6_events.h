/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xeon6_events.h - the event tables of Granite Rapids, Sierra Forest and Clearwater Forest.
 *
 * Where P-cores and E-cores differ, each has a table.
 */
#ifndef UNC_XEON6_EVENTS_H
#define UNC_XEON6_EVENTS_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct unc_row unc_xeon6_p_cha_rows[], unc_xeon6_e_cha_rows[];
extern const struct unc_row unc_xeon6_p_imc_rows[], unc_xeon6_e_imc_rows[];
extern const struct unc_row unc_xeon6_p_mdf_rows[], unc_xeon6_e_mdf_rows[];
extern const struct unc_row unc_xeon6_cxlcm_rows[], unc_xeon6_cxldp_rows[];
extern const struct unc_row unc_xeon6_iio_rows[], unc_xeon6_irp_rows[];
extern const struct unc_row unc_xeon6_upi_rows[], unc_xeon6_pcu_rows[], unc_xeon6_ubo_rows[];
extern const struct unc_row unc_xeon6_b2hot_rows[], unc_xeon6_b2cxl_rows[];
extern const struct unc_row unc_xeon6_b2upi_rows[], unc_xeon6_b2cmi_rows[];

#ifdef __cplusplus
}
#endif
#endif
