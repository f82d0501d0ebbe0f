/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discovered.c - turn records of discovery tables into box types and boxes.
 *
 * docs/hardware/spr.md; docs/hardware/discovery.md.  The layout of a type is that of most of
 * its records; Linux uses that of the first.
 */
#include "machine/discovered.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/regs.h"
#include "machine/boxes.h"

/* ---- records that are not boxes ---- */

static bool matches_unit(const struct unc_discovered_type *row, const struct unc_unit *u)
{
	if (row->number == UNC_UNNAMED)
		return true;
	return row->number == u->type &&
	       (!row->functions || row->functions >> (unc_unit_devfn(u) & 7) & 1);
}

/* Whether boxes of the platform's own types are on such devices. */
static bool has_own_boxes(const struct unc_platform *platform, uint16_t device)
{
	for (const struct unc_box_type *const *t = platform->desc->types; *t; t++)
		for (const struct unc_pci_id *id = (*t)->pci_ids; id && id->device; id++)
			if (id->device == device)
				return true;
	return false;
}

static void look_at(const struct unc_machine *m, struct unc_unit *u)
{
	u->row = m->platform->desc->discovered;
	while (!matches_unit(u->row, u))
		u->row++;
	if (!u->row->like) {
		u->lost = false;
		u->why = *m->platform->desc->types
				 ? "such records are wrong on this platform; these boxes are found "
				   "by their PCI devices"
				 : "such records are wrong on this platform, and the location of "
				   "these boxes is unknown";
	}
	if (u->why || u->access != UNC_BY_PCI)
		return;
	unc_unit_find_device(m, u);
	if (u->pci >= 0 && has_own_boxes(m->platform, m->topo.pci[u->pci].device))
		u->why = "its PCI device is that of another kind of box";
}

/* A usable record of this box type. */
static bool sound(const struct unc_unit *u, const struct unc_discovered_type *row, uint16_t number)
{
	return !u->why && u->type == number && u->row == row;
}

/* One of a box of this type that cannot be used. */
static bool lost(const struct unc_unit *u, const struct unc_discovered_type *row, uint16_t number)
{
	return u->lost && u->package != UINT16_MAX && u->type == number && u->row == row;
}

/* Some firmware lists more boxes than exist; docs/hardware/discovery.md. */
static void limit(const struct unc_machine *m, struct unc_hw *hw, struct unc_discovered *f,
		  const struct unc_discovered_type *row)
{
	for (unsigned p = 0; p < m->topo.n_packages; p++) {
		const struct unc_op op = unc_msr_op(p, row->count_msr);
		uint64_t most = 0, n = 0;

		if (unc_ask_msr_file(hw, p) < 0 || unc_read_twice(hw, &op, &most) < 0 || most == 0)
			continue;
		for (size_t i = 0; i < f->units.n; i++) {
			struct unc_unit *u = &f->units.unit[i];

			if (sound(u, row, row->number) && u->package == p && n++ >= most)
				u->why = "it exceeds the number that this CPU reports";
		}
	}
}

/* ---- box types ---- */

static bool same_layout(const struct unc_unit *a, const struct unc_unit *b)
{
	return a->access == b->access && a->n_counters == b->n_counters && a->width == b->width &&
	       a->control_offset == b->control_offset && a->counter_offset == b->counter_offset;
}

typedef bool (*kind_of_record)(const struct unc_unit *u, const struct unc_discovered_type *row,
			       uint16_t number);

/* The record with the layout that most of these records have; NULL: there are none. */
static const struct unc_unit *model_among(const struct unc_units *units, kind_of_record is,
					  const struct unc_discovered_type *row, uint16_t number)
{
	const struct unc_unit *best = NULL, *previous = NULL;
	size_t most = 0;

	for (size_t i = 0; i < units->n; i++) {
		const struct unc_unit *u = &units->unit[i];
		size_t n = 0;

		if (!is(u, row, number) || (previous && same_layout(u, previous)))
			continue;
		previous = u;
		for (size_t k = 0; k < units->n; k++)
			n += is(&units->unit[k], row, number) && same_layout(&units->unit[k], u);
		if (n > most) {
			best = u;
			most = n;
		}
	}
	return best;
}

/* A record whose device is missing still describes its type. */
static bool is_deviceless(const struct unc_unit *u, const struct unc_discovered_type *row,
			  uint16_t number)
{
	return lost(u, row, number) && unc_unit_has_no_device(u);
}

/* The layout of a type; NULL: no record describes it. */
static const struct unc_unit *model_of(const struct unc_units *units,
				       const struct unc_discovered_type *row, uint16_t number)
{
	const struct unc_unit *model = model_among(units, sound, row, number);

	return model ? model : model_among(units, is_deviceless, row, number);
}

static void refuse_others(struct unc_units *units, const struct unc_unit *model)
{
	for (size_t i = 0; i < units->n; i++)
		if (sound(&units->unit[i], model->row, model->type) &&
		    !same_layout(&units->unit[i], model))
			unc_unit_lose(
				&units->unit[i],
				"its register layout differs from the other boxes of its type");
}

/* Registers that are not in the table are only known for one kind of access. */
static void forget_extras(struct unc_box_type *t)
{
	memset(&t->fixed, 0, sizeof(t->fixed));
	t->filters = NULL;
	t->n_filters = 0;
	t->fields = NULL;
	t->needs = NULL;
}

static void fill_layout(struct unc_box_type *t, const struct unc_unit *u)
{
	const uint8_t mmio_step = t->ctl_step ? t->ctl_step : 4;

	if (t->space != unc_unit_space(u))
		forget_extras(t);
	t->space = unc_unit_space(u);
	t->ctl = u->control_offset;
	t->ctr = u->counter_offset;
	t->ctr_step = t->space == UNC_IN_MSR ? 1 : 8;
	t->ctl_step = t->space == UNC_IN_MMIO ? mmio_step : t->ctr_step;
	t->ctl_width = t->space == UNC_IN_MMIO ? (uint8_t)(8 * mmio_step) : 64;
	if (t->ctl_width < 64)
		t->event_mask &= UINT32_MAX;
	t->width = u->width;
	if (!t->n_counters || t->n_counters > u->n_counters)
		t->n_counters = u->n_counters;
}

static void make_type(struct unc_discovered *f, const struct unc_discovered_type *row,
		      uint16_t number)
{
	const struct unc_unit *model = model_of(&f->units, row, number);
	struct unc_discovered_box_type *made = &f->types[f->n_types];

	if (!model)
		return;
	f->n_types++;
	made->row = row;
	made->number = number;
	made->type = *row->like;
	fill_layout(&made->type, model);
	refuse_others(&f->units, model);
	if (row->number != UNC_UNNAMED)
		return;
	snprintf(made->type.name, sizeof(made->type.name), "type_%u", number);
	snprintf(made->type.sysfs_name, sizeof(made->type.sysfs_name), "type_%u", number);
	snprintf(made->type.title, sizeof(made->type.title), "%.60s %u", row->like->title, number);
}

/* The lowest type number from this one on without a named row; false: none. */
static bool next_unnamed(const struct unc_discovered *f, unsigned from, uint16_t *number)
{
	unsigned best = UINT16_MAX + 1u;

	for (size_t i = 0; i < f->units.n; i++) {
		const struct unc_unit *u = &f->units.unit[i];

		if (!u->why && u->type >= from && u->type < best && u->row->number == UNC_UNNAMED)
			best = u->type;
	}
	*number = (uint16_t)best;
	return best <= UINT16_MAX;
}

static void refuse_type(struct unc_units *units, const struct unc_discovered_type *row,
			uint16_t number)
{
	for (size_t i = 0; i < units->n; i++)
		if (sound(&units->unit[i], row, number))
			units->unit[i].why = "too many types of boxes";
}

/* In the order of the platform's rows, then types without a name. */
static void make_types(const struct unc_machine *m, struct unc_discovered *f)
{
	const struct unc_box_type *const *own = m->platform->desc->types;
	const struct unc_discovered_type *row = m->platform->desc->discovered;
	unsigned n = 0, from = 0;
	uint16_t number;

	for (; row->number != UNC_UNNAMED; row++) {
		const unsigned before = f->n_types;

		if (row->like)
			make_type(f, row, row->number);
		if (f->n_types > before) {
			f->list[n++] = &f->types[before].type;
			if (row->free_type)
				f->list[n++] = row->free_type;
		} else if (!row->like && *own)
			f->list[n++] = *own++;
	}
	while (*own)
		f->list[n++] = *own++;
	for (; next_unnamed(f, from, &number); from = number + 1u) {
		if (n == UNC_MAX_TYPES) {
			refuse_type(&f->units, row, number);
			continue;
		}
		make_type(f, row, number);
		f->list[n++] = &f->types[f->n_types - 1].type;
	}
}

/* ---- numbers ---- */

static bool taken(const struct unc_units *units, size_t before, const struct unc_unit *u)
{
	for (size_t i = 0; i < before; i++) {
		const struct unc_unit *other = &units->unit[i];

		if (sound(other, u->row, u->type) && other->package == u->package &&
		    other->id == u->id)
			return true;
	}
	return false;
}

/* Whether a record that can be used, or an earlier lost one, has the id. */
static bool taken_from_lost(const struct unc_units *units, size_t before, const struct unc_unit *u)
{
	for (size_t i = 0; i < before; i++)
		if (lost(&units->unit[i], u->row, u->type) &&
		    units->unit[i].package == u->package && units->unit[i].id == u->id)
			return true;
	return taken(units, units->n, u);
}

static void number_lost(struct unc_units *units, const struct unc_discovered_box_type *made,
			unsigned package, unsigned next)
{
	for (size_t i = 0; i < units->n; i++) {
		struct unc_unit *u = &units->unit[i];

		if (!lost(u, made->row, made->number) || u->package != package)
			continue;
		if (!taken_from_lost(units, i, u))
			u->index = u->id;
		else if (next <= UINT16_MAX)
			u->index = (uint16_t)next++;
		else
			u->lost = false;
	}
}

/*
 * box=N is the id of the record.  If several tables of a package use the same id, the later
 * boxes get numbers after the highest id of the type.
 */
static void number_boxes(struct unc_units *units, const struct unc_discovered_box_type *made,
			 unsigned package)
{
	unsigned next = 0;

	for (size_t i = 0; i < units->n; i++)
		if ((sound(&units->unit[i], made->row, made->number) ||
		     lost(&units->unit[i], made->row, made->number)) &&
		    units->unit[i].id >= next)
			next = units->unit[i].id + 1u;
	for (size_t i = 0; i < units->n; i++) {
		struct unc_unit *u = &units->unit[i];

		if (!sound(u, made->row, made->number) || u->package != package)
			continue;
		if (!taken(units, i, u))
			u->index = u->id;
		else if (next <= UINT16_MAX)
			u->index = (uint16_t)next++;
		else
			u->why = "its id is taken, and there is no other number left";
	}
	number_lost(units, made, package, next);
}

int unc_discovered_types(struct unc_machine *m, struct unc_hw *hw, struct unc_discovered *f)
{
	f->types = calloc(UNC_MAX_TYPES, sizeof(*f->types));
	f->list = calloc(UNC_MAX_TYPES + 1, sizeof(struct unc_box_type *));
	if (!f->types || !f->list)
		return UNCORE_ENOMEM;
	for (size_t i = 0; i < f->units.n; i++)
		look_at(m, &f->units.unit[i]);
	for (const struct unc_discovered_type *row = m->platform->desc->discovered;
	     row->number != UNC_UNNAMED; row++)
		if (row->count_msr)
			limit(m, hw, f, row);
	unc_units_mark_hidden(m, &f->units);
	make_types(m, f);
	if (unc_discovered_overlaps(f) < 0)
		return UNCORE_ENOMEM;
	for (unsigned t = 0; t < f->n_types; t++)
		for (unsigned p = 0; p < m->topo.n_packages; p++)
			number_boxes(&f->units, &f->types[t], p);
	m->types = f->list;
	return 0;
}

/* ---- boxes ---- */

static int by_index(const void *a, const void *b)
{
	const struct unc_unit *const *x = a, *const *y = b;

	return ((*x)->index > (*y)->index) - ((*x)->index < (*y)->index);
}

static void mark_lost(struct unc_box *b, const struct unc_unit *u)
{
	if (u->hidden) {
		unc_box_mark(b, UNCORE_ABSENT_HIDDEN);
		return;
	}
	unc_box_mark(b, UNCORE_ABSENT_RECORD);
	unc_box_lost_for(b, -ENXIO, strdup(u->why));
}

static int add_boxes(struct unc_machine *m, struct unc_hw *hw,
		     const struct unc_discovered_box_type *made, unsigned package,
		     struct unc_unit **units)
{
	size_t n = 0;

	for (size_t i = 0; i < m->discovered->units.n; i++) {
		struct unc_unit *u = &m->discovered->units.unit[i];

		if ((sound(u, made->row, made->number) || lost(u, made->row, made->number)) &&
		    u->package == package)
			units[n++] = u;
	}
	if (n)
		qsort(units, n, sizeof(*units), by_index);
	for (size_t i = 0; i < n; i++) {
		struct unc_box *b = unc_machine_add(m, hw, &made->type, package, units[i]->index);

		if (!b)
			return UNCORE_ENOMEM;
		b->offset = unc_unit_offset(units[i]);
		b->pci = units[i]->pci;
		b->unit = units[i];
		if (units[i]->lost)
			mark_lost(b, units[i]);
		else
			units[i]->box = (int)(m->n_boxes - 1);
	}
	return 0;
}

/* Up to the highest number in the package. */
static int add_free_boxes(struct unc_machine *m, struct unc_hw *hw,
			  const struct unc_discovered_type *row, unsigned package)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->discovered->units.n; i++) {
		const struct unc_unit *u = &m->discovered->units.unit[i];

		if (sound(u, row, row->number) && u->package == package && u->index >= n)
			n = u->index + 1u;
	}
	for (unsigned i = 0; i < n && i < row->free_type->n_boxes; i++)
		if (!unc_machine_add(m, hw, row->free_type, package, i))
			return UNCORE_ENOMEM;
	return 0;
}

static const struct unc_discovered_type *find_free_type(const struct unc_machine *m,
							const struct unc_box_type *type)
{
	const struct unc_discovered_type *row = m->platform->desc->discovered;

	while (row && row->number != UNC_UNNAMED && row->free_type != type)
		row++;
	return row && row->free_type == type ? row : NULL;
}

bool unc_discovered_boxes(struct unc_machine *m, struct unc_hw *hw, unsigned type, int *r)
{
	const struct unc_discovered_type *row = find_free_type(m, m->types[type]);
	struct unc_discovered *f = m->discovered;
	struct unc_unit **units;
	unsigned t = 0;

	for (unsigned p = 0; row && *r == 0 && p < m->topo.n_packages; p++)
		*r = add_free_boxes(m, hw, row, p);
	if (row)
		return true;

	while (f && t < f->n_types && &f->types[t].type != m->types[type])
		t++;
	if (!f || t == f->n_types)
		return false;
	units = calloc(f->units.n, sizeof(*units));
	*r = units ? 0 : UNCORE_ENOMEM;
	for (unsigned p = 0; *r == 0 && p < m->topo.n_packages; p++)
		*r = add_boxes(m, hw, &f->types[t], p, units);
	free(units);
	return true;
}

void unc_discovered_free(struct unc_discovered *f)
{
	if (!f)
		return;
	for (unsigned t = 0; t < f->n_tables; t++)
		free(f->tables[t].unread);
	free(f->tables);
	free(f->units.unit);
	free(f->types);
	free(f->list);
	free(f->lack);
	free(f);
}

/* ---- status registers of discovery tables; docs/hardware/spr.md ---- */

bool unc_summary_of(const struct unc_machine *m, unsigned box, struct unc_summary *out)
{
	const struct unc_unit *u = m->boxes[box].unit;

	*out = (struct unc_summary){.offset = 0};
	if (!u)
		return false;
	out->offset = u->status;
	out->msr = u->summary;
	out->bit = u->position % 64;
	return true;
}
