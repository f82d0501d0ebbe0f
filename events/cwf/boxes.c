/* SPDX-License-Identifier: BSD-3-Clause */
/* Xeon 6+ with E-cores (Clearwater Forest, family 6 model 221). */
#include "shared/xeon6.h"

const struct unc_platform_desc unc_cwf_desc = {
	.pfm_prefix = "cwf_unc_",
	.lists = UNC_E_CORE_LISTS,
	UNC_XEON6,
	.discovered = unc_cwf_discovered,
	.regular_rows = UNC_REGULAR_CWF,
	.metrics = unc_cwf_metrics,
};
