/* SPDX-License-Identifier: BSD-3-Clause */
// box_types.h - all kinds of boxes that a platform can have.
#ifndef SUPPORT_BOX_TYPES_H
#define SUPPORT_BOX_TYPES_H

#include <vector>

#include "types.h"

namespace support
{

// The platform's own types, and those that its discovery tables may list.
inline std::vector<const struct unc_box_type *> box_types(const struct unc_platform *p)
{
	std::vector<const struct unc_box_type *> all;

	for (auto t = p->desc->types; *t; t++)
		all.push_back(*t);
	for (auto f = p->desc->discovered; f && f->number != UNC_UNNAMED; f++) {
		if (f->like)
			all.push_back(f->like);
		if (f->free_type)
			all.push_back(f->free_type);
	}
	return all;
}

} // namespace support

#endif
