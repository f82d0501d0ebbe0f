/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * register_overlap.c - refuse records whose registers overlap those of another record, or each
 * other: counting with one would change the other.  An overlapping status register is not used.
 */
#include <stdlib.h>

#include "machine/discovered.h"

#define MAX_SPANS (1 + 2 * (UNC_MAX_COUNTERS + 1) + UNC_MAX_FILTERS)

struct span {
	uint64_t first, end;
};

/* The registers of one record. */
struct area {
	struct unc_unit *unit;
	struct span all; /* including its status */
	unsigned n;
	struct span span[MAX_SPANS];
};

/* Sorted by address, per space. */
struct areas {
	size_t n;
	struct area *area;
	struct sorted {
		const struct area *area;
		uint64_t end; /* the highest end of this one and those before it in its space */
	} * sorted;
};

/* A status register, which is written: writing 1 clears a bit. */
static struct span status_of(const struct unc_unit *u)
{
	const uint64_t at = unc_unit_offset(u) + u->status_offset;

	return (struct span){at, at + (u->access == UNC_BY_MSR ? 1 : 4)};
}

static void add(struct area *a, uint64_t first, uint64_t bytes)
{
	const struct span s = {first, first + bytes};

	if (s.first < a->all.first)
		a->all.first = s.first;
	if (s.end > a->all.end)
		a->all.end = s.end;
	a->span[a->n++] = s;
}

/* As many counters as the record lists, not only those in use. */
static void measure(const struct unc_box_type *t, struct unc_unit *u, struct area *a)
{
	const uint64_t at = unc_unit_offset(u);
	const bool msr = t->space == UNC_IN_MSR;
	const uint64_t dword = msr ? 1 : 4, qword = msr ? 1 : 8;

	a->unit = u;
	a->all = status_of(u);
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
	for (unsigned i = 0; i < a->n; i++)
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

/* MSRs are per package, config spaces per device, physical addresses are global. */
static int by_space(const struct unc_unit *a, const struct unc_unit *b)
{
	if (a->access != b->access)
		return a->access < b->access ? -1 : 1;
	if (a->access == UNC_BY_MSR && a->package != b->package)
		return a->package < b->package ? -1 : 1;
	return (a->pci > b->pci) - (a->pci < b->pci);
}

static const struct unc_box_type *type_of(const struct unc_discovered *f, const struct unc_unit *u)
{
	for (unsigned t = 0; t < f->n_types; t++)
		if (f->types[t].number == u->type && f->types[t].row == u->row)
			return &f->types[t].type;
	return NULL;
}

/* ---- neighbours of an address ---- */

static int by_address(const void *a, const void *b)
{
	const struct area *x = ((const struct sorted *)a)->area,
			  *y = ((const struct sorted *)b)->area;
	const int space = by_space(x->unit, y->unit);

	return space ? space : (x->all.first > y->all.first) - (x->all.first < y->all.first);
}

static void sort(struct areas *all)
{
	for (size_t i = 0; i < all->n; i++)
		all->sorted[i].area = &all->area[i];
	if (all->n)
		qsort(all->sorted, all->n, sizeof(*all->sorted), by_address);
	for (size_t i = 0; i < all->n; i++) {
		struct sorted *s = &all->sorted[i];

		s->end = s->area->all.end;
		if (i && by_space(s[-1].area->unit, s->area->unit) == 0 && s[-1].end > s->end)
			s->end = s[-1].end;
	}
}

/* How many spans are in lower spaces, or begin before an address in the same space. */
static size_t count_before(const struct areas *all, const struct unc_unit *place, uint64_t address)
{
	size_t low = 0, high = all->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct area *a = all->sorted[middle].area;
		const int space = by_space(a->unit, place);

		if (space < 0 || (space == 0 && a->all.first < address))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * The next record that may overlap a span in the space of a place, or NULL. at: count_before()
 * of the span's end.
 */
static const struct area *next_near(const struct areas *all, const struct unc_unit *place,
				    const struct span *s, size_t *at)
{
	while (*at > 0) {
		const struct sorted *near = &all->sorted[--*at];

		if (by_space(near->area->unit, place) != 0 || near->end <= s->first)
			return NULL;
		if (!near->area->unit->why && overlap(&near->area->all, s))
			return near->area;
	}
	return NULL;
}

/* The same box may be listed twice; another one is lost. */
static void refuse(struct unc_unit *u, const struct unc_unit *earlier)
{
	u->why = "an earlier record has the same registers";
	u->lost =
		u->type != earlier->type || u->id != earlier->id || u->control != earlier->control;
}

static void check(const struct areas *all, const struct area *a)
{
	size_t at = count_before(all, a->unit, a->all.end);
	const struct area *near;

	if (meets_itself(a))
		unc_unit_lose(a->unit, "its registers overlap each other");
	while (!a->unit->why && (near = next_near(all, a->unit, &a->all, &at)))
		if (near->unit < a->unit && meet(near, a))
			refuse(a->unit, near->unit);
}

/* ---- status registers ---- */

/* Whether a span overlaps another one; place gives the space. */
static bool is_taken(const struct areas *all, const struct unc_unit *place, const struct span *s)
{
	size_t at = count_before(all, place, s->end);
	const struct area *near;

	while ((near = next_near(all, place, s, &at))) {
		const struct span status = status_of(near->unit);

		if (near->unit != place && near->unit->status && overlap(&status, s))
			return true;
		for (unsigned j = 0; j < near->n; j++)
			if (overlap(&near->span[j], s))
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

static uint32_t summary_of(const struct unc_discovered *f, const struct areas *all,
			   const struct unc_unit *u)
{
	const struct unc_discovery_table *t = &f->tables[u->table];
	const struct unc_unit place = {.access = UNC_BY_MSR, .package = t->package, .pci = -1};
	const uint64_t msr = t->control + t->status_offset + u->position / 64;
	const struct span s = {msr, msr + 1};

	if (t->access != UNC_BY_MSR || t->control == 0 || u->position / 64 >= t->n_status ||
	    !unc_msr_fits(msr) || is_global_control(f, t->package, msr) ||
	    is_taken(all, &place, &s))
		return 0;
	return (uint32_t)msr;
}

/* 64 records, usually consecutive ones, have their bits in one register. */
static void find_summaries(const struct unc_discovered *f, const struct areas *all)
{
	const struct unc_unit *last = NULL;

	for (size_t i = 0; i < all->n; i++) {
		struct unc_unit *u = all->area[i].unit;

		if (u->why)
			continue;
		if (last && last->table == u->table && last->position / 64 == u->position / 64)
			u->summary = last->summary;
		else
			u->summary = summary_of(f, all, u);
		last = u;
	}
}

static void find_statuses(const struct areas *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct unc_unit *u = all->area[i].unit;
		const struct span s = status_of(u);

		if (!u->why && unc_status_fits(u) && !is_taken(all, u, &s))
			u->status = u->status_offset;
	}
}

static void measure_all(const struct unc_discovered *f, struct areas *all)
{
	for (size_t i = 0; i < f->units.n; i++) {
		struct unc_unit *u = &f->units.unit[i];

		if (!u->why)
			measure(type_of(f, u), u, &all->area[all->n++]);
	}
	sort(all);
}

int unc_discovered_overlaps(const struct unc_discovered *f)
{
	const size_t room = f->units.n ? f->units.n : 1;
	struct areas all = {0, malloc(room * sizeof(*all.area)),
			    malloc(room * sizeof(*all.sorted))};
	const bool memory = all.area && all.sorted;

	if (memory) {
		measure_all(f, &all);
		for (size_t i = 0; i < all.n; i++)
			check(&all, &all.area[i]);
		find_statuses(&all);
		find_summaries(f, &all);
	}
	free(all.area);
	free(all.sorted);
	return memory ? 0 : UNCORE_ENOMEM;
}
