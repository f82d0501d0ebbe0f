/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow.h - freeze on overflow: enable bits, status registers and the boxes' bits in them.
 *
 * Sources: docs/hardware/README.md, "Freeze on overflow", and "Overflow" of each
 * platform's page.
 *
 * The U-Box has one bit of the global status for its fixed counter and one for the others.  Its
 * status register must be cleared before another overflow has an effect (329468-002 2.2.2.1), but
 * sources disagree about the order of its bits.
 *
 * Box control: bit 16 enables freezing of the box, bit 17 enables reporting of overflows
 * (datasheets volume 2, PmonUnitCtrl).  SNB-EP has neither bit 17 nor ov_en; nothing is known about
 * KNL.
 */
#ifndef UNC_SHARED_OVERFLOW_H
#define UNC_SHARED_OVERFLOW_H

#include "types.h"

#define UNC_OV_EN      (1u << 20)
#define UNC_BOX_LISTEN (3u << 16)
#define UNC_NO_BIT     (-1)
#define UNC_UBOX_BITS  7 /* of its status: fixed counter and two others */

/* clang-format off */
#define UNC_AT(type_, status_, first_, position_, positions_, share_)           \
	{.type = (type_), .status = (status_), .first = (first_),               \
	 .position = (position_), .positions = (positions_), .share = (share_)}
#define UNC_AT_PMI(type_, status_, enable_)                                     \
	{.type = (type_), .status = (status_), .position = UNC_NO_BIT, .enable = (enable_)}
#define UNC_AT_UBOX(status_, unsure_)                                                   \
	{.type = "ubo", .status = (status_), .unordered = UNC_UBOX_BITS, .position = 1, \
	 .positions = 1, .fixed = UNC_OV_EN, .fixed_position = 0, .unsure = (unsure_)}
#define UNC_AT_END {.type = NULL}
/* clang-format on */

#endif
