/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon E7 (Westmere-EX; family 6 model 47).
 *
 * Registers: docs/hardware/nhmex.md; event codes: docs/reference/differences.md.  Only
 * the B-Box has counter rules.
 */
#include "shared/nhmex_wsmex.h"

static const struct unc_row ubox_rows[] = {
#include "shared/nhmex_wsmex/ubox.def"

#include "wsmex/ubox.def"
	ROWS_END};

static const struct unc_box_type ubox = {UNC_EX_UBOX, .rows = ubox_rows};

static const struct unc_row cbox_rows[] = {
#include "shared/nhmex_wsmex/cbox.def"

#include "wsmex/cbox.def"
	ROWS_END};

static const struct unc_box_type cbox = {UNC_EX_CBOX, .n_boxes = 10, .rows = cbox_rows};

/* ---- S-Box: five C-Boxes at each ---- */

#define ANY_CBOX                                    \
	UMASK(CBOX0_5, 0x0100, "From C-Box 0 or 5") \
	UMASK(CBOX1_6, 0x0200, "From C-Box 1 or 6") \
	UMASK(CBOX2_7, 0x0400, "From C-Box 2 or 7") \
	UMASK(CBOX3_8, 0x0800, "From C-Box 3 or 8") \
	UMASK(CBOX4_9, 0x1000, "From C-Box 4 or 9") \
	UMASK(ALL, 0x1f00, "From any of the five C-Boxes")
#define ONE_CBOX                                         \
	CHOICE(0, CBOX0_5, 0x0100, 0, "Of C-Box 0 or 5") \
	CHOICE(0, CBOX1_6, 0x0200, 0, "Of C-Box 1 or 6") \
	CHOICE(0, CBOX2_7, 0x0400, 0, "Of C-Box 2 or 7") \
	CHOICE(0, CBOX3_8, 0x0800, 0, "Of C-Box 3 or 8") \
	CHOICE(0, CBOX4_9, 0x1000, 0, "Of C-Box 4 or 9")

static const struct unc_row sbox_rows[] = {
#include "shared/nhmex_wsmex/sbox.def"

#include "wsmex/sbox.def"
	ROWS_END};

static const struct unc_box_type sbox = {UNC_EX_SBOX, .rows = sbox_rows};

/* ---- M-Box ---- */

#define FVC_EVENT(event)       ((event) << 12)
#define FVC_COMMAND(command)   ((command) << 6)
#define FVC_RESPONSE(response) ((response) << 9)

static const struct unc_filter mbox_filters[] = {UNC_EX_M_FILTERS_(0x1ffffff)};
static const struct unc_field mbox_fields[] = {UNC_EX_M_FIELDS(0x1000fff, 0x7000)};
static const struct unc_need mbox_needs[] = {
	UNC_EX_M_NEEDS,
	UNC_EX_INC(0x08, 1 << UNC_EX_ISS),
	UNC_EX_INC(0x15, 1 << UNC_EX_PGT),
	{0, 0, 0},
};

static const struct unc_row mbox_rows[] = {
#include "shared/nhmex_wsmex/mbox.def"

#include "wsmex/mbox.def"
	ROWS_END};

static const struct unc_box_type mbox = {
	UNC_EX_MBOX,         .filters = mbox_filters, .fields = mbox_fields,
	.needs = mbox_needs, .rows = mbox_rows,
};

static const struct unc_box_type *const types[] = {
	&ubox, &cbox, &unc_ex_bbox, &sbox, &mbox, &unc_ex_rbox, &unc_ex_wbox, NULL,
};

const struct unc_platform_desc unc_wsmex_desc = {
	.pfm_prefix = "wsmex_unc_",
	.types = types,
	UNC_EX_PLATFORM,
	.metrics = unc_wsmex_metrics,
};
