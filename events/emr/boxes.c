/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon Scalable, fifth generation (Emerald Rapids, family 6 model 207).
 */
#include "shared/spr_emr.h"

const struct unc_platform_desc unc_emr_desc = {
	.pfm_prefix = "spr_unc_", /* as in libpfm4 */
	.rows_only = true,
	.lists = "Emerald ?Rapids|5th Gen[a-z]* (Intel )?Xeon|" UNC_SPR_LISTS,
	.discovered = unc_emr_discovered,
	UNC_SPR_EMR,
	.metrics = unc_emr_metrics,
};
