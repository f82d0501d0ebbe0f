/* SPDX-License-Identifier: BSD-3-Clause */
/* discovery_info.c - what the discovery tables and the boxes' registers are, for those who ask. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/discovered.h"
#include "session/session.h"

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

int uncore_discovery_table(struct uncore *u, unsigned i, struct uncore_discovery_table_info *info)
{
	const struct unc_discovered *discovered = u->machine.discovered;
	const struct unc_table *t;

	memset(info, 0, sizeof(*info));
	if (!discovered || i >= discovered->n_tables)
		return unc_fail(&u->err, UNCORE_EINVAL, "no discovery table has the number %u", i);
	t = &discovered->tables[i];
	info->package = u->machine.dies[t->package].socket;
	unc_pci_name(info->device, &u->machine.topo.pci[t->device]);
	info->bar = t->bar.number;
	info->address = t->bar.base;
	info->stride = 8u * t->stride;
	info->slots = t->max_units;
	info->empty = t->n_empty;
	info->status_offset = t->status_offset;
	info->n_status = t->n_status;
	info->damage = t->why;
	if (t->control)
		name_location(info->control, sizeof(info->control),
			      &(const struct unc_unit){.access = t->access, .control = t->control});
	return 0;
}

int uncore_discovered_unit(struct uncore *u, unsigned i, struct uncore_discovered_unit_info *info)
{
	const struct unc_discovered *discovered = u->machine.discovered;
	const struct unc_unit *unit;

	memset(info, 0, sizeof(*info));
	if (!discovered || i >= discovered->units.n)
		return unc_fail(&u->err, UNCORE_EINVAL, "no unit record has the number %u", i);
	unit = &discovered->units.unit[i];
	*info = (struct uncore_discovered_unit_info){
		.table = unit->table,
		.slot = unit->slot,
		.package = u->machine.dies[unit->package].socket,
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
	name_location(info->location, sizeof(info->location), unit);
	return 0;
}

int uncore_register(struct uncore *u, unsigned i, enum uncore_register which, unsigned n,
		    struct uncore_op *op)
{
	const struct unc_box *b;

	memset(op, 0, sizeof(*op));
	if (i >= u->machine.n_boxes)
		return unc_fail(&u->err, UNCORE_EINVAL, "no box has the number %u", i);
	b = &u->machine.boxes[i];
	if (b->absent)
		return unc_fail(&u->err, UNCORE_ENODEV, "%s%s%u of package %u: %s", b->type->name,
				unc_gap(b->type), b->number, b->socket, b->absent);
	if (!unc_register_op(&u->machine, b, which, n, op))
		return unc_fail(&u->err, UNCORE_ENODEV, "%s%s%u has no such register as number %u",
				b->type->name, unc_gap(b->type), b->number, n);
	unc_op_name(&u->machine, op);
	return 0;
}
