/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon 7500 (Nehalem-EX; family 6 model 46).
 *
 * Registers: docs/hardware/nhmex.md; event codes: docs/reference/differences.md.  Only
 * the B-Box has counter rules.
 */
#include "shared/nhmex_wsmex.h"

static const struct unc_row ubox_rows[] = {
#include "shared/nhmex_wsmex/ubox.def"

#include "nhmex/ubox.def"
	ROWS_END};

static const struct unc_box_type ubox = {UNC_EX_UBOX, .rows = ubox_rows};

static const struct unc_row cbox_rows[] = {
#include "shared/nhmex_wsmex/cbox.def"

#include "nhmex/cbox.def"
	ROWS_END};

static const struct unc_box_type cbox = {UNC_EX_CBOX, .n_boxes = 8, .rows = cbox_rows};

/* ---- S-Box: four C-Boxes at each ---- */

#define ANY_CBOX                                    \
	UMASK(CBOX0_4, 0x0100, "From C-Box 0 or 4") \
	UMASK(CBOX1_5, 0x0200, "From C-Box 1 or 5") \
	UMASK(CBOX2_6, 0x0400, "From C-Box 2 or 6") \
	UMASK(CBOX3_7, 0x0800, "From C-Box 3 or 7") \
	UMASK(ALL, 0x0f00, "From any of the four C-Boxes")
#define ONE_CBOX                                         \
	CHOICE(0, CBOX0_4, 0x0100, 0, "Of C-Box 0 or 4") \
	CHOICE(0, CBOX1_5, 0x0200, 0, "Of C-Box 1 or 5") \
	CHOICE(0, CBOX2_6, 0x0400, 0, "Of C-Box 2 or 6") \
	CHOICE(0, CBOX3_7, 0x0800, 0, "Of C-Box 3 or 7")

static const struct unc_row sbox_rows[] = {
#include "shared/nhmex_wsmex/sbox.def"

#include "nhmex/sbox.def"
	ROWS_END};

static const struct unc_box_type sbox = {UNC_EX_SBOX, .rows = sbox_rows};

/* ---- M-Box ---- */

#define FVC_EVENT(event)       ((event) << 11)
#define FVC_COMMAND(command)   ((command) << 5)
#define FVC_RESPONSE(response) ((response) << 8)

static const struct unc_filter mbox_filters[] = {UNC_EX_M_FILTERS_(0xffffff)};
static const struct unc_field mbox_fields[] = {UNC_EX_M_FIELDS(0x8007ff, 0x3800)};
static const struct unc_need mbox_needs[] = {UNC_EX_M_NEEDS, {0, 0, 0}};

static const struct unc_row mbox_rows[] = {
#include "shared/nhmex_wsmex/mbox.def"

#include "nhmex/mbox.def"
	ROWS_END};

static const struct unc_box_type mbox = {
	UNC_EX_MBOX,         .filters = mbox_filters, .fields = mbox_fields,
	.needs = mbox_needs, .rows = mbox_rows,
};

static const struct unc_box_type *const types[] = {
	&ubox, &cbox, &unc_ex_bbox, &sbox, &mbox, &unc_ex_rbox, &unc_ex_wbox, NULL,
};

const struct unc_platform_desc unc_nhmex_desc = {
	.pfm_prefix = "nhmex_unc_",
	.types = types,
	UNC_EX_PLATFORM,
	.metrics = unc_nhmex_metrics,
};
