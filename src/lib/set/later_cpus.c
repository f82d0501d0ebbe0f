/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * later_cpus.c - CPUs that uncored cannot read because they came online after it dropped its
 * privileges.
 */
#include <string.h>

#include "set/set.h"

void unc_note_later_cpus(struct uncore *u)
{
	char list[128];
	bool package;
	unsigned n;

	/* the CPUs of a simulated machine are not those of this computer */
	if (u->hw->where == UNC_SERVED_SIMULATED && strcmp(u->root, "/") == 0)
		return;
	n = unc_topology_later(&u->machine.topo, u->root, list, sizeof(list), &package);
	if (!n)
		return;
	if (package)
		u->machine.partial = u->machine.incomplete = true;
	unc_warnings_add(&u->machine.warnings, UNCORE_WARNING_CPUS,
			 "CPU%s %s came online after uncored started%s", n == 1 ? "" : "s", list,
			 package ? ": sums do not include their package until uncored is restarted "
				   "(systemctl restart uncored)"
				 : ": uncored does not use them until it is restarted (systemctl "
				   "restart uncored)");
}
