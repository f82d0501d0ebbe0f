/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listed.c - the boxes of a machine whose registers may not be accessed: the kernel driver or
 * uncored lists them.
 *
 * Addresses of registers are not needed.  The list is compared with the ids of PCI devices and
 * CPUID, which can be read without privileges: a sum must neither lack a box silently nor
 * contain one that does not exist.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hw/regs.h"
#include "machine/boxes.h"
#include "machine/discovered.h"

#define COUNTERS 4   /* minimum for boxes from discovery tables */
#define MOST     256 /* per type and package, in discovery tables */

/* ---- types ---- */

/* Two types that only discovery tables distinguish. */
static bool is_ambiguous(const struct unc_discovered_type *rows,
			 const struct unc_discovered_type *row)
{
	for (; rows->number != UNC_UNNAMED; rows++)
		if (rows != row && rows->number == row->number)
			return true;
	return false;
}

static const struct unc_box_type *make_type(struct unc_discovered *f,
					    const struct unc_discovered_type *row)
{
	struct unc_discovered_box_type *made = &f->types[f->n_types++];

	made->row = row;
	made->number = row->number;
	made->type = *row->like;
	if (made->type.n_counters == 0)
		made->type.n_counters = COUNTERS;
	if (made->type.width == 0)
		made->type.width = 48;
	return &made->type;
}

/* The platform's description of types that discovery would find. */
static int make_types(struct unc_machine *m)
{
	const struct unc_discovered_type *const rows = m->platform->desc->discovered, *row = rows;
	const struct unc_box_type *const *own = m->platform->desc->types;
	struct unc_discovered *f = m->discovered = calloc(1, sizeof(*f));
	unsigned n = 0;

	if (f) {
		f->types = calloc(UNC_MAX_TYPES, sizeof(*f->types));
		f->list = calloc(UNC_MAX_TYPES + 1, sizeof(struct unc_box_type *));
	}
	if (!f || !f->types || !f->list)
		return UNCORE_ENOMEM;
	for (; row->number != UNC_UNNAMED; row++) {
		if (!row->like || is_ambiguous(rows, row))
			continue;
		f->list[n++] = make_type(f, row);
		if (row->free_type)
			f->list[n++] = row->free_type;
	}
	while (*own)
		f->list[n++] = *own++;
	m->types = f->list;
	return 0;
}

/* ---- boxes ---- */

static bool is_slice(const struct unc_box_type *type)
{
	return type->slice_ids[0] != 0;
}

/* As many as listed, and those that must exist in any case. */
static struct unc_number number_of(const struct unc_machine *m, struct unc_hw *hw,
				   const struct unc_lister *l, const struct unc_box_type *type,
				   unsigned package)
{
	const unsigned most = type->n_boxes ? type->n_boxes : MOST;
	struct unc_number number = {.n = l->boxes(l->of, type)};
	const unsigned slices = is_slice(type) ? unc_slices_by_cache(m, hw, package) : 0;

	number.basis = l->basis;
	if (slices <= most && slices > number.n)
		number.n = slices;
	for (unsigned i = number.n; type->pci_ids && !is_slice(type) && i < most; i++) {
		const struct unc_box b = {.type = type, .index = (uint16_t)i};

		if (unc_box_device(m, &b, -1, false) >= 0)
			number.n = i + 1;
	}
	number.n = number.n < most ? number.n : most;
	return number;
}

/* All devices are in unknown packages: use the first one that fits. */
static void find_devices(const struct unc_machine *m, struct unc_box *b)
{
	b->pci = unc_box_device(m, b, -1, false);
	b->extra = unc_box_device(m, b, -1, true);
}

static void ask(const struct unc_machine *m, const struct unc_lister *l, struct unc_box *b)
{
	const bool by_device = b->type->space == UNC_IN_PCI && b->type->pci_ids;
	const bool unlisted = b->index >= l->boxes(l->of, b->type);
	int error = 0;

	find_devices(m, b);
	unc_box_mark(b, l->absence(l->of, b, &error));
	if (b->absent && error)
		unc_box_lost_for(b, error, strdup(strerror(-error)));
	else if (!b->absent && by_device && b->pci < 0)
		unc_box_mark(b, UNCORE_ABSENT_NO_DEVICE);
	else if (b->absent && unlisted && (!by_device || b->pci >= 0))
		unc_box_lost_for(b, -ENODEV,
				 strdup(by_device ? "its PCI device is present"
						  : "the L3 cache has that many slices"));
}

static int add_boxes(struct unc_machine *m, struct unc_hw *hw, const struct unc_lister *l,
		     const struct unc_box_type *type, unsigned package)
{
	const struct unc_number number = number_of(m, hw, l, type, package);

	for (unsigned i = 0; i < number.n; i++) {
		struct unc_box *b = unc_box_append(m, type, package, i);

		if (!b)
			return UNCORE_ENOMEM;
		b->basis = number.basis;
	}
	return 0;
}

static int nothing_usable(const struct unc_machine *m, const struct unc_lister *l,
			  struct unc_err *err)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (!m->boxes[i].absent)
			return 0;
	return unc_fail(err, UNCORE_ENODEV, "%s has no box of %s: %s", l->who, m->platform->title,
			m->n_boxes ? m->boxes[0].absent : l->remedy);
}

int unc_machine_list(struct unc_machine *m, const struct unc_platform *platform, struct unc_hw *hw,
		     const struct unc_lister *l, struct unc_err *err)
{
	int r = 0;

	m->platform = platform;
	m->listed = true;
	m->types = platform->desc->types;
	for (size_t i = 0; r == 0 && i < m->topo.n_cpus; i++)
		r = unc_package_add(&m->topo, m->topo.cpus[i].package);
	if (r == 0)
		r = unc_dies_find(m);
	if (r == 0 && platform->desc->discovered)
		r = make_types(m);
	for (unsigned t = 0; r == 0 && m->types[t]; t++)
		for (unsigned p = 0; r == 0 && p < m->topo.n_packages; p++)
			r = add_boxes(m, hw, l, m->types[t], p);
	if (r < 0)
		return unc_fail(err, r, "out of memory for the list of boxes");
	unc_dies_name(m);
	for (size_t i = 0; i < m->n_boxes; i++)
		ask(m, l, &m->boxes[i]);
	if (unc_warn_of_unreached(m) < 0)
		return unc_fail(err, UNCORE_ENOMEM, "out of memory for the list of warnings");
	return nothing_usable(m, l, err);
}
