/* SPDX-License-Identifier: BSD-3-Clause */
/* spr_emr.h - shared by Sapphire Rapids and Emerald Rapids; docs/hardware/spr.md. */
#ifndef UNC_SPR_EMR_H
#define UNC_SPR_EMR_H

#include "shared/discovery.h"

/* clang-format off */
#define UNC_SPR_EMR                                                             \
	.style = &unc_discovery_style, .types = unc_spr_emr_types,              \
	.defaults = unc_spr_emr_defaults, .regular_rows = 1,                    \
	.overflow = &unc_discovery_overflow,  \
	.ubox_device = 0x3250, .nodeid_offset = 0xc0,                           \
	.gidnidmap_offset = 0xd4, .inherit_higher = true
/* clang-format on */

/* Emerald Rapids has all events of Sapphire Rapids and some more; docs/events.md. */
#define UNC_SPR_LISTS "Sapphire ?Rapids|4th Gen[a-z]* (Intel )?Xeon"

extern const struct unc_box_type *const unc_spr_emr_types[];
extern const struct unc_discovered_type unc_spr_discovered[], unc_emr_discovered[];
extern const struct unc_default unc_spr_emr_defaults[];

#endif
