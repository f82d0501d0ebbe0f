/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * register_overlap.c - records whose registers are also another record's, or are two things
 * at once: to count with one would change the other.  A status register is left alone then.
 */
#include <stdlib.h>

#include "machine/discovered.h"

#define MAX_SPANS (1 + 2 * (UNC_MAX_COUNTERS + 1) + UNC_MAX_FILTERS)

struct span {
	uint64_t first, end;
};

/* The registers of one record. */
struct area {
	struct span all;
	unsigned n;
	struct span span[MAX_SPANS];
};

static void add(struct area *a, uint64_t first, uint64_t bytes)
{
	const struct span s = {first, first + bytes};

	if (a->n == 0 || s.first < a->all.first)
		a->all.first = s.first;
	if (a->n == 0 || s.end > a->all.end)
		a->all.end = s.end;
	a->span[a->n++] = s;
}

/* As many counters as the record has, not only those that are used. */
static void measure(const struct unc_box_type *t, const struct unc_unit *u, struct area *a)
{
	const uint64_t at = unc_unit_offset(u);
	const bool msr = t->space == UNC_IN_MSR;
	const uint64_t dword = msr ? 1 : 4, qword = msr ? 1 : 8;

	a->n = 0;
	add(a, at, dword);
	for (unsigned c = 0; c < u->n_counters; c++) {
		add(a, at + t->ctl + (uint64_t)c * t->ctl_step, msr ? 1 : t->ctl_width / 8u);
		add(a, at + t->ctr + (uint64_t)c * t->ctr_step, qword);
	}
	if (t->fixed.width) {
		add(a, at + t->fixed.ctl, dword);
		add(a, at + t->fixed.ctr, qword);
	}
	for (unsigned f = 0; f < t->n_filters; f++)
		add(a, at + t->filters[f].address, dword);
}

static bool overlap(const struct span *a, const struct span *b)
{
	return a->first < b->end && b->first < a->end;
}

static bool meet(const struct area *a, const struct area *b)
{
	for (unsigned i = 0; i < a->n && overlap(&a->all, &b->all); i++)
		for (unsigned j = 0; j < b->n; j++)
			if (overlap(&a->span[i], &b->span[j]))
				return true;
	return false;
}

static bool meets_itself(const struct area *a)
{
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned j = i + 1; j < a->n; j++)
			if (overlap(&a->span[i], &a->span[j]))
				return true;
	return false;
}

/* MSRs are per package, config spaces per device, physical addresses the machine's. */
static bool same_space(const struct unc_unit *a, const struct unc_unit *b)
{
	return a->access == b->access && (a->access != UNC_BY_MSR || a->package == b->package) &&
	       a->pci == b->pci;
}

static const struct unc_box_type *type_of(const struct unc_discovered *f, const struct unc_unit *u)
{
	for (unsigned t = 0; t < f->n_types; t++)
		if (f->types[t].number == u->type && f->types[t].row == u->row)
			return &f->types[t].type;
	return NULL;
}

static void check(struct unc_unit *u, const struct unc_discovered *f, const struct area *areas)
{
	const size_t n = (size_t)(u - f->units.unit);

	if (meets_itself(&areas[n])) {
		u->why = "its registers overlap each other";
		return;
	}
	for (size_t i = 0; i < n && !u->why; i++)
		if (!f->units.unit[i].why && same_space(&f->units.unit[i], u) &&
		    meet(&areas[i], &areas[n]))
			u->why = "an earlier record has the same registers";
}

/* ---- status registers, which are written: a bit that is 1 is cleared ---- */

static struct span status_of(const struct unc_unit *u)
{
	const uint64_t at = unc_unit_offset(u) + u->status_offset;

	return (struct span){at, at + (u->access == UNC_BY_MSR ? 1 : 4)};
}

/* Whether something else is there; place tells in which space. */
static bool is_taken(const struct unc_discovered *f, const struct area *areas,
		     const struct unc_unit *place, const struct span *s)
{
	for (size_t i = 0; i < f->units.n; i++) {
		const struct unc_unit *u = &f->units.unit[i];
		const struct span status = status_of(u);

		if (u->why || !same_space(u, place))
			continue;
		if (u != place && u->status && overlap(&status, s))
			return true;
		for (unsigned j = 0; j < areas[i].n && overlap(&areas[i].all, s); j++)
			if (overlap(&areas[i].span[j], s))
				return true;
	}
	return false;
}

static bool is_global_control(const struct unc_discovered *f, unsigned package, uint64_t msr)
{
	for (unsigned i = 0; i < f->n_tables; i++)
		if (f->tables[i].access == UNC_BY_MSR && f->tables[i].package == package &&
		    f->tables[i].control == msr)
			return true;
	return false;
}

static uint32_t summary_of(const struct unc_discovered *f, const struct area *areas,
			   const struct unc_unit *u)
{
	const struct unc_discovery_table *t = &f->tables[u->table];
	const struct unc_unit place = {.access = UNC_BY_MSR, .package = t->package, .pci = -1};
	const uint64_t msr = t->control + t->status_offset + u->position / 64;
	const struct span s = {msr, msr + 1};

	if (t->access != UNC_BY_MSR || t->control == 0 || u->position / 64 >= t->n_status ||
	    !unc_msr_fits(msr) || is_global_control(f, t->package, msr) ||
	    is_taken(f, areas, &place, &s))
		return 0;
	return (uint32_t)msr;
}

/* 64 records, which usually follow each other, have their bits in one register. */
static void find_summaries(const struct unc_discovered *f, const struct area *areas)
{
	const struct unc_unit *last = NULL;

	for (size_t i = 0; i < f->units.n; i++) {
		struct unc_unit *u = &f->units.unit[i];

		if (u->why)
			continue;
		if (last && last->table == u->table && last->position / 64 == u->position / 64)
			u->summary = last->summary;
		else
			u->summary = summary_of(f, areas, u);
		last = u;
	}
}

static void find_statuses(const struct unc_discovered *f, const struct area *areas)
{
	for (size_t i = 0; i < f->units.n; i++) {
		struct unc_unit *u = &f->units.unit[i];
		const struct span s = status_of(u);

		if (!u->why && unc_status_fits(u) && !is_taken(f, areas, u, &s))
			u->status = u->status_offset;
	}
	find_summaries(f, areas);
}

int unc_discovered_overlaps(const struct unc_discovered *f)
{
	struct area *areas = calloc(f->units.n ? f->units.n : 1, sizeof(*areas));

	if (!areas)
		return UNCORE_ENOMEM;
	for (size_t i = 0; i < f->units.n; i++) {
		struct unc_unit *u = &f->units.unit[i];

		if (u->why)
			continue;
		measure(type_of(f, u), u, &areas[i]);
		check(u, f, areas);
	}
	find_statuses(f, areas);
	free(areas);
	return 0;
}
