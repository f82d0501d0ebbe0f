/* SPDX-License-Identifier: BSD-3-Clause */
/* Xeon 6 with P-cores (Granite Rapids, family 6 models 173 and 174). */
#include "shared/xeon6.h"

const struct unc_platform_desc unc_gnr_desc = {
	.pfm_prefix = "gnr_unc_",
	.lists = "Granite ?Rapids|Xeon.* 6 .*P-cores",
	UNC_XEON6,
	.discovered = unc_gnr_discovered,
	.regular_rows = UNC_REGULAR_GNR,
	.metrics = unc_gnr_metrics,
};
