/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - the event tables of Sapphire Rapids and Emerald Rapids.
 */
#include "spr/events.h"

#include "shared/event_rows.h"

#define EMR_ALONE(name_, bits_, text_)
const struct unc_row unc_spr_cha_rows[] = {
#include "spr/cha.def"
	ROWS_END,
};

#undef EMR_ALONE
#define EMR_ALONE(name_, bits_, text_) XALONE(name_, bits_, text_)
const struct unc_row unc_emr_cha_rows[] = {
#include "spr/cha.def"
	ROWS_END,
};

const struct unc_row unc_spr_iio_rows[] = {
#include "spr/iio.def"
	ROWS_END,
};

const struct unc_row unc_spr_irp_rows[] = {
#include "spr/irp.def"
	ROWS_END,
};

const struct unc_row unc_spr_m2pcie_rows[] = {
#include "spr/m2pcie.def"
	ROWS_END,
};

const struct unc_row unc_spr_m2m_rows[] = {
#include "spr/m2m.def"
	ROWS_END,
};

const struct unc_row unc_spr_m2hbm_rows[] = {
#include "spr/m2hbm.def"
	ROWS_END,
};

const struct unc_row unc_spr_upi_rows[] = {
#include "spr/upi.def"
	ROWS_END,
};

const struct unc_row unc_spr_m3upi_rows[] = {
#include "spr/m3upi.def"
	ROWS_END,
};

const struct unc_row unc_spr_mdf_rows[] = {
#include "spr/mdf.def"
	ROWS_END,
};

const struct unc_row unc_spr_imc_rows[] = {
#include "spr/imc.def"
	ROWS_END,
};

const struct unc_row unc_spr_hbm_rows[] = {
#include "spr/hbm.def"
	ROWS_END,
};

const struct unc_row unc_spr_cxlcm_rows[] = {
#include "spr/cxlcm.def"
	ROWS_END,
};

const struct unc_row unc_spr_cxldp_rows[] = {
#include "spr/cxldp.def"
	ROWS_END,
};

const struct unc_row unc_spr_pcu_rows[] = {
#include "spr/pcu.def"
	ROWS_END,
};

const struct unc_row unc_spr_ubo_rows[] = {
#include "spr/ubo.def"
	ROWS_END,
};

const struct unc_row unc_spr_iio_free_rows[] = {
#include "spr/iio_free.def"
	ROWS_END,
};

const struct unc_row unc_spr_imc_free_rows[] = {
#include "spr/imc_free.def"
	ROWS_END,
};
