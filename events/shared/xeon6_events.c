/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xeon6_events.c - the event tables of Granite Rapids, Sierra Forest and Clearwater Forest.
 *
 * Rows that only some of them have are in P_CORES() (Granite Rapids) or E_CORES() (the other two).
 */
#include "shared/xeon6_events.h"

#include "shared/event_rows.h"
#include "shared/xeon6.h"

/* Rows that only some of the regular lists have. */
#define REGULAR_GNR     .regular = UNC_REGULAR_GNR
#define REGULAR_NOT_CWF .regular = UNC_REGULAR_GNR | UNC_REGULAR_SRF

const struct unc_row unc_xeon6_iio_rows[] = {
#include "shared/xeon6/iio.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_irp_rows[] = {
#include "shared/xeon6/irp.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_upi_rows[] = {
#include "shared/xeon6/upi.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_pcu_rows[] = {
#include "shared/xeon6/pcu.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_ubo_rows[] = {
#include "shared/xeon6/ubo.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_b2hot_rows[] = {
#include "shared/xeon6/b2hot.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_b2cmi_rows[] = {
#include "shared/xeon6/b2cmi.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_b2cxl_rows[] = {
#include "shared/xeon6/b2cxl.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_b2upi_rows[] = {
#include "shared/xeon6/b2upi.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_cxlcm_rows[] = {
#include "shared/xeon6/cxlcm.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_cxldp_rows[] = {
#include "shared/xeon6/cxldp.def"
	ROWS_END,
};

/* ---- P-cores ---- */

#define P_CORES(row_) row_
#define E_CORES(row_)

const struct unc_row unc_xeon6_p_cha_rows[] = {
#include "shared/xeon6/cha.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_p_imc_rows[] = {
#include "shared/xeon6/imc.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_p_mdf_rows[] = {
#include "shared/xeon6/mdf.def"
	ROWS_END,
};

/* ---- E-cores ---- */

#undef P_CORES
#undef E_CORES
#define P_CORES(row_)
#define E_CORES(row_) row_

const struct unc_row unc_xeon6_e_cha_rows[] = {
#include "shared/xeon6/cha.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_e_imc_rows[] = {
#include "shared/xeon6/imc.def"
	ROWS_END,
};

const struct unc_row unc_xeon6_e_mdf_rows[] = {
#include "shared/xeon6/mdf.def"
	ROWS_END,
};
