/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unknown Intel CPUs with discovery tables: their boxes have no names and are counted with RAW.
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
