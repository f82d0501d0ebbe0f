/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel CPUs that no other platform names, if they have discovery tables: boxes without names,
 * counted by RAW.
 */
#include "shared/discovery.h"

static const struct unc_discovered_type discovered[] = {UNC_DISCOVERY_TYPES_END};

const struct unc_platform_desc unc_discovered_desc = {
	.pfm_prefix = "uncore_",
	.style = &unc_discovery_style,
	.types = unc_discovery_no_types,
	.discovered = discovered,
	.metrics = unc_no_metrics,
};
