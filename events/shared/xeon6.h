/* SPDX-License-Identifier: BSD-3-Clause */
/* xeon6.h - shared by Granite Rapids, Sierra Forest and Clearwater Forest; docs/hardware/gnr.md.
 */
#ifndef UNC_XEON6_H
#define UNC_XEON6_H

#include "shared/discovery.h"

/* clang-format off */
#define UNC_XEON6                                                               \
	.rows_only = true, .style = &unc_discovery_style,                       \
	.types = unc_discovery_no_types, .overflow = &unc_discovery_overflow
/* clang-format on */

/* Their regular lists, as bits of a row. */
enum unc_xeon6_regular { UNC_REGULAR_GNR = 1, UNC_REGULAR_SRF = 2, UNC_REGULAR_CWF = 4 };

/* Both E-core platforms have the same events; docs/events.md. */
#define UNC_E_CORE_LISTS "Sierra ?Forest|Xeon.* 6 .*E-cores|Clearwater ?Forest|Xeon.* 6\\+"

extern const struct unc_discovered_type unc_gnr_discovered[];
extern const struct unc_discovered_type unc_srf_discovered[], unc_cwf_discovered[];

#endif
