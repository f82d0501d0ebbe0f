/* SPDX-License-Identifier: BSD-3-Clause */
/* packages.c - the packages of a machine, or their dies: our numbers and the hardware's. */
#include <stdlib.h>

#include "machine/boxes.h"

int unc_logical_package(const struct unc_machine *m, unsigned physical)
{
	for (unsigned i = 0; i < m->n_packages; i++)
		if (m->package_ids[i] == physical)
			return (int)i;
	return -1;
}

/* By package, then by die. */
static bool is_before(unsigned physical, unsigned other)
{
	return (physical << 16 | physical >> 16) < (other << 16 | other >> 16);
}

int unc_package_add(struct unc_machine *m, unsigned physical)
{
	unsigned *ids, i;

	if (unc_logical_package(m, physical) >= 0)
		return 0;
	ids = realloc(m->package_ids, (m->n_packages + 1) * sizeof(*ids));
	if (!ids)
		return UNCORE_ENOMEM;
	m->package_ids = ids;
	for (i = m->n_packages++; i > 0 && is_before(physical, ids[i - 1]); i--)
		ids[i] = ids[i - 1];
	ids[i] = physical;
	return 0;
}

int unc_package_of_cpu(const struct unc_machine *m, unsigned cpu)
{
	for (size_t i = 0; i < m->topo.n_cpus; i++)
		if (m->topo.cpus[i].id == cpu)
			return unc_logical_package(m, m->topo.cpus[i].package);
	return -1;
}
