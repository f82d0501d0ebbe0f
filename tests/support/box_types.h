/* SPDX-License-Identifier: BSD-3-Clause */
// box_types.h - all kinds of boxes that a platform can have.
#ifndef SUPPORT_BOX_TYPES_H
#define SUPPORT_BOX_TYPES_H

#include <vector>

struct unc_box_type;
struct unc_platform;

namespace support
{

// The platform's own types, and those that its discovery tables may list.
std::vector<const struct unc_box_type *> box_types(const struct unc_platform *p);

} // namespace support

#endif
