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
	const struct unc_discovery_table *t = u ? &m->discovered->tables[u->table] : NULL;

	*out = (struct unc_summary){.offset = 0};
	if (!u)
		return false;
	out->offset = u->status_offset;
	if (t->access == UNC_BY_MSR && t->control && u->position / 64 < t->n_status)
		out->msr = (uint32_t)t->control + t->status_offset + u->position / 64;
	out->bit = u->position % 64;
	return true;
}
