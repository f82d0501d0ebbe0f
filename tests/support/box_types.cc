// SPDX-License-Identifier: BSD-3-Clause
#include "support/box_types.h"

#include "types.h"

namespace support
{

std::vector<const struct unc_box_type *> box_types(const struct unc_platform *p)
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
