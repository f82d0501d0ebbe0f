/* SPDX-License-Identifier: BSD-3-Clause */
/* Xeon 6 with E-cores (Sierra Forest, family 6 model 175). */
#include "shared/xeon6.h"

const struct unc_platform_desc unc_srf_desc = {
	.pfm_prefix = "srf_unc_",
	.lists = UNC_E_CORE_LISTS,
	UNC_XEON6,
	.discovered = unc_srf_discovered,
	.regular_rows = UNC_REGULAR_SRF,
	.metrics = unc_srf_metrics,
};
