/* SPDX-License-Identifier: BSD-3-Clause */
/* packages.c - the packages of a machine, or their dies: logical and physical numbers. */
#include <stdlib.h>

#include "hw/topology.h"

int unc_logical_package(const struct unc_topology *t, unsigned physical)
{
	for (unsigned i = 0; i < t->n_packages; i++)
		if (t->package_ids[i] == physical)
			return (int)i;
	return -1;
}

/* Sorted by package, then by die. */
static bool is_before(unsigned physical, unsigned other)
{
	return (physical << 16 | physical >> 16) < (other << 16 | other >> 16);
}

int unc_package_add(struct unc_topology *t, unsigned physical)
{
	unsigned *ids, i;

	if (unc_logical_package(t, physical) >= 0)
		return 0;
	ids = realloc(t->package_ids, (t->n_packages + 1) * sizeof(*ids));
	if (!ids)
		return UNCORE_ENOMEM;
	t->package_ids = ids;
	for (i = t->n_packages++; i > 0 && is_before(physical, ids[i - 1]); i--)
		ids[i] = ids[i - 1];
	ids[i] = physical;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const unsigned id = *(const unsigned *)a, other = ((const struct unc_cpu *)b)->id;

	return (id > other) - (id < other);
}

int unc_package_of_cpu(const struct unc_topology *t, unsigned cpu)
{
	const struct unc_cpu *found =
		t->n_cpus ? bsearch(&cpu, t->cpus, t->n_cpus, sizeof(*t->cpus), by_id) : NULL;

	return found ? unc_logical_package(t, found->package) : -1;
}
