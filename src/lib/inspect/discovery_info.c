/* SPDX-License-Identifier: BSD-3-Clause */
/* discovery_info.c - public functions that show the discovery tables. */
#include <inttypes.h>
#include <stdio.h>

#include "base/sized.h"
#include "machine/discovered.h"
#include "set/set.h"

static void name_location(char *text, size_t len, const struct unc_unit *u)
{
	static const char *const spaces[] = {
		[UNC_BY_MSR] = "msr", [UNC_BY_MMIO] = "mmio", [UNC_BY_NOTHING] = "unknown"};

	if (u->access == UNC_BY_PCI)
		snprintf(text, len, "pci %04x:%02x:%02x.%x+%#x", unc_unit_segment(u),
			 unc_unit_bus(u), unc_unit_devfn(u) >> 3, unc_unit_devfn(u) & 7u,
			 (unsigned)u->control & 0xfff);
	else
		snprintf(text, len, "%s %#" PRIx64, spaces[u->access], u->control);
}

/* Of a table, or a record; 0 if it is unknown. */
static unsigned package_number(const struct uncore *u, unsigned package)
{
	return package < u->machine.topo.n_packages ? u->machine.dies[package].socket : 0;
}

int uncore_discovery_table(struct uncore *u, unsigned i, struct uncore_discovery_table_info *info)
{
	const struct unc_discovered *discovered = u->machine.discovered;
	struct uncore_discovery_table_info is;
	const struct unc_discovery_table *t;

	if (!discovered || i >= discovered->n_tables)
		return 0;
	t = &discovered->tables[i];
	is = (struct uncore_discovery_table_info){
		.package = package_number(u, t->package),
		.bar = t->bar.number,
		.address = t->bar.base,
		.stride = 8u * t->stride,
		.slots = t->max_units,
		.empty = t->n_empty,
		.status_offset = t->status_offset,
		.n_status = t->n_status,
		.damage = t->why,
		.basis = t->basis,
		.assumed = t->assumed,
	};
	unc_table_name(is.device, &u->machine, t);
	if (t->control)
		name_location(is.control, sizeof(is.control),
			      &(const struct unc_unit){.access = t->access, .control = t->control});
	return unc_give(&u->err, info, &is, UNC_SIZED(uncore_discovery_table_info), 1);
}

int uncore_discovered_unit(struct uncore *u, unsigned i, struct uncore_discovered_unit_info *info)
{
	const struct unc_discovered *discovered = u->machine.discovered;
	struct uncore_discovered_unit_info is;
	const struct unc_unit *unit;

	if (!discovered || i >= discovered->units.n)
		return 0;
	unit = &discovered->units.unit[i];
	is = (struct uncore_discovered_unit_info){
		.table = unit->table,
		.slot = unit->slot,
		.package = package_number(u, unit->package),
		.type = unit->type,
		.id = unit->id,
		.access = unit->access,
		.address = unit->control,
		.counters = unit->n_counters,
		.width = unit->width,
		.control_offset = unit->control_offset,
		.counter_offset = unit->counter_offset,
		.status_offset = unit->status_offset,
		.position = unit->position,
		.box = unit->box,
		.refused = unit->why,
	};
	name_location(is.location, sizeof(is.location), unit);
	return unc_give(&u->err, info, &is, UNC_SIZED(uncore_discovered_unit_info), 1);
}
