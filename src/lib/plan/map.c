/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - the registers that programs write, for the check in hw/pmon.c. */
#include "plan/allow.h"

static void collect(void *arg, const struct unc_register_use *use)
{
	struct unc_pmon_register reg = unc_pmon_key(&use->op);

	/* boxes that cannot be used are never written */
	if (!use->changes || (use->box && use->box->absent))
		return;
	reg.bits = use->changes;
	reg.starts = use->starts;
	reg.shared = use->shared;
	unc_pmon_add(arg, &reg);
}

int unc_map_make(struct unc_pmon *map, const struct unc_machine *m)
{
	*map = (struct unc_pmon){.n = 0};
	unc_each_register(m, collect, map);
	return map->failed ? UNCORE_ENOMEM : 0;
}
