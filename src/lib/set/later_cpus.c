/* SPDX-License-Identifier: BSD-3-Clause */
/* later_cpus.c - CPUs that uncored does not have, since it opens no file once it serves. */
#include <string.h>

#include "set/set.h"

void unc_note_later_cpus(struct uncore *u)
{
	char list[128];
	bool package;
	unsigned n;

	/* a simulated machine has none of this computer's */
	if (u->hw->simulated && strcmp(u->root, "/") == 0)
		return;
	n = unc_topology_later(&u->machine.topo, u->root, list, sizeof(list), &package);
	if (!n)
		return;
	if (package)
		u->machine.partial = u->machine.incomplete = true;
	unc_warnings_add(&u->machine.warnings, "CPU%s %s came online after uncored had started%s",
			 n == 1 ? "" : "s", list,
			 package ? ": their package is missing in all sums until it is started "
				   "again (systemctl restart uncored)"
				 : ", which does not use them until it is started again");
}
