/* buses.c - which package a PCI bus belongs to (facts/<platform>.md 8). */
#include "machine/boxes.h"

#include "regs/regs.h"

/* The UBox of a package knows its node id and which package has which node id. */
static int package_of_ubox(struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	uint64_t node, map;

	if (!unc_config_read(hw, unit, m->platform->nodeid_offset, &node) ||
	    !unc_config_read(hw, unit, m->platform->gidnidmap_offset, &map))
		return -1;
	for (unsigned i = 0; i < 8; i++)
		if (((map >> (3 * i)) & 7) == (node & 7))
			return unc_logical_package(m, i);
	return -1;
}

/*
 * The package of the nearest bus with a UBox, on the platform's side of this
 * one; only_own: of this very bus.
 */
static int package_of_bus(const struct unc_machine *m, const struct unc_pci *pci, bool only_own)
{
	int best = -1, package = -1;

	for (size_t i = 0; i < m->topo.n_pci; i++) {
		const struct unc_pci *u = &m->topo.pci[i];
		const int away =
			m->platform->inherit_higher ? u->bus - pci->bus : pci->bus - u->bus;

		if (u->device != m->platform->ubox_device || u->segment != pci->segment ||
		    u->package < 0 || away < 0 || (only_own && away > 0) ||
		    (best >= 0 && away >= best))
			continue;
		best = away;
		package = u->package;
	}
	return package;
}

/* The kernel's word on where a device is; it costs a look at files. */
static int package_of_node(struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	struct unc_pci *p = &m->topo.pci[unit];

	if (p->near == UNC_NOT_ASKED)
		p->near = hw->ops->near(hw, unit);
	return p->near < 0 ? -1 : unc_logical_package(m, (unsigned)p->near);
}

/*
 * The UBox on the same bus is certain.  The NUMA node comes before the nearest
 * UBox: with a hidden UBox that could be another package's.
 */
int unc_device_package(struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	struct unc_pci *p = &m->topo.pci[unit];

	if (p->package < 0)
		p->package = package_of_bus(m, p, true);
	if (p->package < 0)
		p->package = package_of_node(m, hw, unit);
	if (p->package < 0)
		p->package = package_of_bus(m, p, false);
	return p->package;
}

static bool type_needs(const struct unc_box_type *t, uint16_t device)
{
	if ((t->capid && t->capid->device == device) ||
	    (t->memory && t->memory->device == device) ||
	    (device >= t->slice_ids[0] && device <= t->slice_ids[1]))
		return true;
	for (const struct unc_pci_id *id = t->pci_ids; id && id->device; id++)
		if (id->device == device || id->with[0] == device || id->with[1] == device)
			return true;
	return false;
}

/* Whether a box is there, or how many, depends on the device. */
static bool is_asked_for(const struct unc_machine *m, uint16_t device)
{
	for (unsigned i = 0; m->types[i]; i++)
		if (type_needs(m->types[i], device))
			return true;
	return false;
}

void unc_map_buses(struct unc_machine *m, struct unc_hw *hw)
{
	struct unc_topology *t = &m->topo;
	const bool single = !m->platform->ubox_device && !m->platform->found;

	for (unsigned i = 0; i < t->n_pci && single; i++)
		t->pci[i].package = 0;
	if (single)
		return;
	for (unsigned i = 0; i < t->n_pci; i++)
		if (m->platform->ubox_device && t->pci[i].device == m->platform->ubox_device)
			t->pci[i].package = package_of_ubox(m, hw, i);
	for (unsigned i = 0; i < t->n_pci; i++)
		if (is_asked_for(m, t->pci[i].device))
			unc_device_package(m, hw, i);
}
