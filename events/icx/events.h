/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - the events of Ice Lake-X, by box type. */
#ifndef UNC_ICX_EVENTS_H
#define UNC_ICX_EVENTS_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct unc_row unc_icx_cha_rows[], unc_icx_iio_rows[], unc_icx_irp_rows[],
	unc_icx_m2pcie_rows[], unc_icx_m2m_rows[], unc_icx_upi_rows[], unc_icx_m3upi_rows[],
	unc_icx_imc_rows[], unc_icx_pcu_rows[], unc_icx_ubo_rows[];

#ifdef __cplusplus
}
#endif
#endif
