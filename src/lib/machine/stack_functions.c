/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_functions.c - the stack of a root bus from the PCI functions on it, which every user may
 * list; stacks.h.
 */
#include "hw/regs.h"
#include "machine/stacks.h"

static bool is_on(const struct unc_pci *p, const struct unc_root_bus_name *root)
{
	return p->segment == root->segment && p->bus == root->bus;
}

/* The logical package of a device that is not changed here; -1: unknown. */
static int package_of(const struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	const struct unc_pci *p = &m->topo.pci[unit];
	int near = p->near;

	if (p->package >= 0)
		return p->package;
	if (near == UNC_NOT_ASKED)
		near = unc_ask(hw, UNC_ASKED_NODE, unit, 0, 0);
	return near < 0 ? -1 : unc_logical_package(&m->topo, (unsigned)near);
}

static int id_of_function(const struct unc_stack_map *map, uint16_t device)
{
	for (const struct unc_stack_function *f = map->functions; f && f->first; f++)
		if (device >= f->first && device <= f->last)
			return f->id;
	return -1;
}

/* By the kind of the functions on the bus, which must not contradict each other. */
static bool by_kind(const struct unc_machine *m, struct unc_hw *hw, const struct unc_stack_map *map,
		    const struct unc_root_bus_name *root, struct unc_stack_found *out)
{
	int id = -1, package = -1;

	for (unsigned i = 0; i < m->topo.n_pci; i++) {
		const int its = is_on(&m->topo.pci[i], root)
					? id_of_function(map, m->topo.pci[i].device)
					: -1;

		if (its < 0)
			continue;
		if (id >= 0 && its != id)
			return false;
		id = its;
		package = package < 0 ? package_of(m, hw, i) : package;
	}
	if (id < 0 || package < 0)
		return false;
	*out = (struct unc_stack_found){unc_stack_of_id(map, (unsigned)id), (unsigned)package, 0,
					"functions on the bus"};
	return out->stack;
}

/* By the position among exactly five root buses of the package. */
static bool by_order(const struct unc_machine *m, struct unc_hw *hw,
		     const struct unc_stack_map *map, const struct unc_root_bus_name *root,
		     struct unc_stack_found *out)
{
	const int unit = unc_stack_device(m, root);
	const int package = unit < 0 ? -1 : package_of(m, hw, (unsigned)unit);
	unsigned n = 0, at = 0;

	if (package < 0)
		return false;
	for (unsigned i = 0; i < m->topo.n_pci; i++) {
		const struct unc_pci *p = &m->topo.pci[i];
		int its;

		if (!unc_names_stack(p))
			continue;
		its = package_of(m, hw, i);
		if (its < 0) /* it may belong to the package */
			return false;
		n += its == package;
		at += its == package && unc_pci_address(p) < unc_pci_address(&m->topo.pci[unit]);
	}
	if (n != UNC_STACKS_BY_ORDER)
		return false;
	*out = (struct unc_stack_found){unc_stack_of_id(map, map->order[at]), (unsigned)package, 0,
					"order of the five root buses"};
	return out->stack;
}

bool unc_stack_by_functions(const struct unc_machine *m, struct unc_hw *hw,
			    const struct unc_stack_map *map, const struct unc_root_bus_name *root,
			    struct unc_stack_found *out)
{
	return (map->functions && by_kind(m, hw, map, root, out)) ||
	       (map->by_order && by_order(m, hw, map, root, out));
}
