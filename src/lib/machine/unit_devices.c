/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit_devices.c - the PCI devices of records in discovery tables, also of those whose segment does
 * not fit in the record (docs/hardware/discovery.md, "Validation of tables and records").
 */
#include "machine/discovered.h"

#define SEGMENT_BITS 7u

static const char no_device[] = "there is no PCI device where it should be";

int unc_unit_device(const struct unc_machine *m, const struct unc_unit *u)
{
	const struct unc_pci pci = {
		.segment = (uint16_t)unc_unit_segment(u),
		.bus = (uint8_t)unc_unit_bus(u),
		.devfn = (uint8_t)unc_unit_devfn(u),
	};

	return unc_pci_find(&m->topo, unc_pci_address(&pci));
}

/* How many devices have the address that the record gives; *last: one of them. */
static unsigned count_devices(const struct unc_machine *m, const struct unc_unit *u, int *last)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->topo.n_pci; i++) {
		const struct unc_pci *p = &m->topo.pci[i];

		if (p->bus != unc_unit_bus(u) || p->devfn != unc_unit_devfn(u) ||
		    (p->segment & SEGMENT_BITS) != unc_unit_segment(u))
			continue;
		*last = (int)i;
		n++;
	}
	return n;
}

/* Whether the record names the segment of its table, so that another one is not meant. */
static bool is_in_own_segment(const struct unc_machine *m, const struct unc_unit *u)
{
	const struct unc_discovery_table *t = &m->discovered->tables[u->table];

	return !t->msr && m->topo.pci[t->device].segment == unc_unit_segment(u) &&
	       unc_unit_device(m, u) >= 0;
}

void unc_unit_find_device(const struct unc_machine *m, struct unc_unit *u)
{
	int pci = -1;
	const unsigned n = count_devices(m, u, &pci);

	if (n == 0)
		unc_unit_lose(u, no_device);
	else if (n == 1)
		u->pci = pci;
	else if (is_in_own_segment(m, u))
		u->pci = unc_unit_device(m, u);
	else
		unc_unit_lose(u, "its PCI address exists in several segments, and the record has "
				 "only three bits for the segment");
}

bool unc_unit_has_no_device(const struct unc_unit *u)
{
	return u->why == no_device;
}

static bool has_high_segments(const struct unc_machine *m)
{
	for (size_t i = 0; i < m->topo.n_pci; i++)
		if (m->topo.pci[i].segment > SEGMENT_BITS)
			return true;
	return false;
}

static bool is_same_type(const struct unc_unit *a, const struct unc_unit *b)
{
	return a->type == b->type && a->row == b->row;
}

static bool all_lack_devices(const struct unc_units *units, const struct unc_unit *type)
{
	for (size_t i = 0; i < units->n; i++)
		if (is_same_type(&units->unit[i], type) && !unc_unit_has_no_device(&units->unit[i]))
			return false;
	return true;
}

/* In a high segment, or among devices that could not be listed, a device may be overlooked. */
void unc_units_mark_hidden(const struct unc_machine *m, struct unc_units *units)
{
	if (has_high_segments(m) || m->topo.unread)
		return;
	for (size_t i = 0; i < units->n; i++)
		units->unit[i].hidden = unc_unit_has_no_device(&units->unit[i]) &&
					all_lack_devices(units, &units->unit[i]);
}
