/* SPDX-License-Identifier: BSD-3-Clause */
/* buses.c - find the package of a PCI bus (docs/hardware/README.md). */
#include "machine/boxes.h"

#include "hw/regs.h"

/* ---- bus numbers in UBox registers ---- */

#define NAMES    8    /* that a UBox can assign */
#define DISPUTED (-4) /* of a UBox: another one reports the same package */

static bool is_ubox(const struct unc_machine *m, const struct unc_pci *p)
{
	return m->platform->desc->ubox_device && p->device == m->platform->desc->ubox_device;
}

/*
 * The UBox of a package holds its node id and the packages of all node ids.  Returns a physical
 * package; -1: it cannot be read, or has no answer.
 */
static int named_by_ubox(struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	char **why = m->ubox_why ? NULL : &m->ubox_why;
	uint64_t node, map;

	if (unc_config_ask(hw, unit, m->platform->desc->nodeid_offset, &node, why) < 0 ||
	    unc_config_ask(hw, unit, m->platform->desc->gidnidmap_offset, &map, why) < 0)
		return -1;
	for (int i = 0; i < NAMES; i++)
		if (((map >> (3 * i)) & 7) == (node & 7))
			return i;
	return -1;
}

/* The logical package of a physical one, or UNC_OFFLINE. */
static int online_package(const struct unc_machine *m, int physical)
{
	const int package = physical < 0 ? -1 : unc_logical_package(&m->topo, (unsigned)physical);

	return physical >= 0 && package < 0 ? UNC_OFFLINE : package;
}

/* A UBox reports a package, or a die on machines whose packages have several. */
static int package_named(const struct unc_machine *m, int name)
{
	if (m->n_dies == 1)
		return online_package(m, name);
	return name < (int)m->topo.n_packages ? name : UNC_OFFLINE;
}

/* The package of a device according to the kernel, which requires reading files. */
static int package_of_node(const struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	struct unc_pci *p = &m->topo.pci[unit];

	if (p->near == UNC_NOT_ASKED)
		p->near = unc_ask(hw, UNC_ASKED_NODE, unit, 0, 0);
	return p->near == UNC_OFFLINE ? UNC_OFFLINE : online_package(m, p->near);
}

static unsigned n_uboxes(const struct unc_machine *m, int package)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->topo.n_pci; i++)
		n += is_ubox(m, &m->topo.pci[i]) && m->topo.pci[i].package == package;
	return n;
}

/* Among the disputed ones, those whose NUMA node is in the package. */
static unsigned n_near(const struct unc_machine *m, struct unc_hw *hw, int package)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->topo.n_pci; i++)
		n += is_ubox(m, &m->topo.pci[i]) && m->topo.pci[i].package == DISPUTED &&
		     package_of_node(m, hw, i) == package;
	return n;
}

static bool by_node(struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	const int package = package_of_node(m, hw, unit);

	if (package < 0 || n_uboxes(m, package) || n_near(m, hw, package) > 1)
		return false;
	m->topo.pci[unit].package = package;
	return true;
}

/* If there are as many UBoxes as packages left, buses and packages are in the same order. */
static bool by_order(struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	const unsigned disputed = n_uboxes(m, DISPUTED);
	unsigned left = 0;
	int first = -1;

	(void)hw;
	for (unsigned i = m->topo.n_packages; i-- > 0;)
		if (n_uboxes(m, (int)i) == 0) {
			first = (int)i;
			left++;
		}
	if (left == 0 || left != disputed)
		return false;
	m->topo.pci[unit].package = first;
	return true;
}

/* If several UBoxes report the same package, only one of them can be right. */
static int settle(struct unc_machine *m, struct unc_hw *hw,
		  bool (*rule)(struct unc_machine *, struct unc_hw *, unsigned), const char *how)
{
	char name[UNC_PCI_NAME];
	int r = 0;

	for (unsigned i = 0; r == 0 && i < m->topo.n_pci; i++) {
		const struct unc_pci *p = &m->topo.pci[i];

		if (is_ubox(m, p) && p->package == DISPUTED && rule(m, hw, i))
			r = unc_warnings_add(&m->warnings, UNCORE_WARNING_PACKAGES,
					     "the UBox at %s names the same package as another "
					     "one: assigned it and its buses by its %s to package "
					     "%d",
					     unc_pci_name(name, p), how, p->package);
	}
	return r;
}

static int give_up(struct unc_machine *m)
{
	char name[UNC_PCI_NAME];
	int r = 0;

	for (size_t i = 0; r == 0 && i < m->topo.n_pci; i++) {
		struct unc_pci *p = &m->topo.pci[i];

		if (!is_ubox(m, p) || p->package != DISPUTED)
			continue;
		p->package = -1;
		r = unc_warnings_add(
			&m->warnings, UNCORE_WARNING_PACKAGES,
			"the UBox at %s names the same package as another one and its package is "
			"unknown: its buses are not used",
			unc_pci_name(name, p));
	}
	return r;
}

static int map_uboxes(struct unc_machine *m, struct unc_hw *hw)
{
	unsigned named[NAMES] = {0};
	int r;

	for (unsigned i = 0; i < m->topo.n_pci; i++) {
		struct unc_pci *p = &m->topo.pci[i];

		if (!is_ubox(m, p))
			continue;
		p->package = named_by_ubox(m, hw, i);
		if (p->package >= 0)
			named[p->package]++;
	}
	for (size_t i = 0; i < m->topo.n_pci; i++) {
		struct unc_pci *p = &m->topo.pci[i];

		if (is_ubox(m, p) && p->package >= 0)
			p->package =
				named[p->package] > 1 ? DISPUTED : package_named(m, p->package);
	}
	r = settle(m, hw, by_node, "NUMA node");
	if (r == 0)
		r = settle(m, hw, by_order, "place in the order of buses");
	return r < 0 ? r : give_up(m);
}

/* ---- other devices ---- */

/* The nearest bus with a UBox, on the platform's side of this one; -1: not found. */
static int nearest_ubox(const struct unc_machine *m, const struct unc_pci *pci)
{
	int best = -1, nearest = -1;

	for (size_t i = 0; i < m->topo.n_pci; i++) {
		const struct unc_pci *u = &m->topo.pci[i];
		const int away =
			m->platform->desc->inherit_higher ? u->bus - pci->bus : pci->bus - u->bus;

		if (!is_ubox(m, u) || u->segment != pci->segment || away < 0 ||
		    (best >= 0 && away >= best))
			continue;
		best = away;
		nearest = (int)i;
	}
	return nearest;
}

static bool all_have_uboxes(const struct unc_machine *m)
{
	for (unsigned i = 0; i < m->topo.n_packages; i++)
		if (n_uboxes(m, (int)i) == 0)
			return false;
	return true;
}

/*
 * A UBox on the same bus is reliable.  The nearest one may belong to another package if one is
 * hidden, so it is used only if every package has its own; otherwise the NUMA node is.
 */
static int package_of_device(const struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	const struct unc_pci *p = &m->topo.pci[unit];
	const int nearest = nearest_ubox(m, p);
	const struct unc_pci *ubox = nearest < 0 ? NULL : &m->topo.pci[nearest];

	if (ubox && ubox->package != -1 && (ubox->bus == p->bus || all_have_uboxes(m)))
		return ubox->package;
	return package_of_node(m, hw, unit);
}

int unc_device_package(struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	struct unc_pci *p = &m->topo.pci[unit];

	if (p->package == -1)
		p->package = package_of_device(m, hw, unit);
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

/* Whether a box exists, or how many, depends on the device. */
static bool is_asked_for(const struct unc_machine *m, uint16_t device)
{
	for (unsigned i = 0; m->types[i]; i++)
		if (type_needs(m->types[i], device))
			return true;
	return false;
}

int unc_map_buses(struct unc_machine *m, struct unc_hw *hw)
{
	struct unc_topology *t = &m->topo;
	const bool single = !m->platform->desc->ubox_device && !m->platform->desc->discovered;
	int r;

	for (unsigned i = 0; i < t->n_pci && single; i++)
		t->pci[i].package = 0;
	if (single)
		return 0;
	r = map_uboxes(m, hw);
	for (unsigned i = 0; i < t->n_pci; i++)
		if (is_asked_for(m, t->pci[i].device))
			unc_device_package(m, hw, i);
	return r;
}
