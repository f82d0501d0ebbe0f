/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon Scalable, fourth generation (Sapphire Rapids, family 6 model 143); Xeon Max.
 */
#include "shared/spr_emr.h"

const struct unc_platform_desc unc_spr_desc = {
	.pfm_prefix = "spr_unc_",
	.rows_only = true,
	.lists = UNC_SPR_LISTS,
	.discovered = unc_spr_discovered,
	UNC_SPR_EMR,
	.metrics = unc_spr_metrics,
};
