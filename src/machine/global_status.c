/* SPDX-License-Identifier: BSD-3-Clause */
/* global_status.c - the status registers that discovery tables tell of; docs/hardware/spr.md. */
#include "machine/discovered.h"

static const struct unc_unit *unit_of(const struct unc_discovered *discovered, unsigned box)
{
	for (size_t i = 0; discovered && i < discovered->units.n; i++)
		if (discovered->units.unit[i].box == (int)box)
			return &discovered->units.unit[i];
	return NULL;
}

bool unc_summary_of(const struct unc_machine *m, unsigned box, struct unc_summary *out)
{
	const struct unc_unit *u = unit_of(m->discovered, box);

	*out = (struct unc_summary){.offset = 0};
	if (!u)
		return false;
	out->offset = u->status;
	out->msr = u->summary;
	out->bit = u->position % 64;
	return true;
}
