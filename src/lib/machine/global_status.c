/* SPDX-License-Identifier: BSD-3-Clause */
/* global_status.c - status registers of discovery tables; docs/hardware/spr.md. */
#include "machine/discovered.h"

bool unc_summary_of(const struct unc_machine *m, unsigned box, struct unc_summary *out)
{
	const struct unc_unit *u = m->boxes[box].unit;

	*out = (struct unc_summary){.offset = 0};
	if (!u)
		return false;
	out->offset = u->status;
	out->msr = u->summary;
	out->bit = u->position % 64;
	return true;
}
