/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slices.c - number of L3 cache slices of a package (docs/hardware/snbep.md), from two sources
 * that need no privileges.
 */
#include "machine/boxes.h"

#include "hw/regs.h"
#include "machine/machine.h"

#define SETS_OF_SLICE 2048
#define MAX_CACHES    8 /* of a CPU */
#define MAX_L3        8 /* of a package; Cluster-on-Die has two */

unsigned unc_slices_by_functions(const struct unc_machine *m, const struct unc_box_type *type,
				 unsigned package)
{
	const unsigned first = type->slice_ids[0], last = type->slice_ids[1];
	unsigned n = 0, highest = first;

	for (size_t i = 0; i < m->topo.n_pci; i++) {
		const struct unc_pci *p = &m->topo.pci[i];

		if (p->package != (int)package || p->device < first || p->device > last)
			continue;
		n++;
		highest = p->device > highest ? p->device : highest;
	}
	/* a gap: some are hidden */
	return first == last || n == highest - first + 1 ? n : 0;
}

struct l3 {
	unsigned sets;
	unsigned id; /* shared by CPUs with the same id */
};

/* SDM vol. 2A, CPUID: leaf 4 has a subleaf for each cache, leaf 0BH the APIC id in EDX. */
static bool l3_of_cpu(struct unc_hw *hw, unsigned cpu, struct l3 *l3)
{
	uint32_t cache[4] = {0}, topology[4] = {0};

	for (uint32_t i = 0; (cache[0] >> 5 & 7) != 3; i++)
		if (i == MAX_CACHES || unc_ask_cpuid(hw, cpu, 4, i, cache) < 0 ||
		    (cache[0] & 0x1f) == 0)
			return false;
	if (unc_ask_cpuid(hw, cpu, 0xb, 0, topology) < 0)
		return false;
	l3->sets = cache[2] + 1;
	l3->id = topology[3] / ((cache[0] >> 14 & 0xfff) + 1);
	return true;
}

static bool is_in(const struct l3 *known, unsigned n, unsigned id)
{
	for (unsigned i = 0; i < n; i++)
		if (known[i].id == id)
			return true;
	return false;
}

unsigned unc_slices_by_cache(const struct unc_machine *m, struct unc_hw *hw, unsigned package)
{
	struct l3 known[MAX_L3], l3;
	unsigned n = 0, sets = 0;

	for (size_t i = 0; i < m->topo.n_cpus; i++) {
		const struct unc_cpu *cpu = &m->topo.cpus[i];

		if (unc_logical_package(&m->topo, cpu->package) != (int)package)
			continue;
		if (!l3_of_cpu(hw, cpu->id, &l3))
			return 0;
		if (is_in(known, n, l3.id))
			continue;
		if (n == MAX_L3)
			return 0;
		known[n++] = l3;
		sets += l3.sets;
	}
	return sets % SETS_OF_SLICE ? 0 : sets / SETS_OF_SLICE;
}

/* ---- the share of memory that belongs to a slice of the last-level cache ---- */

/* 0: a slice is missing, so their number is not that of the hash. */
static unsigned slices_of_package(const struct unc_machine *m, const struct unc_box *slice)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct unc_box *b = &m->boxes[i];

		if (b->type != slice->type || b->socket != slice->socket)
			continue;
		if (b->absent)
			return 0;
		n++;
	}
	return n;
}

static const struct unc_slice_lines *find_lines(const struct unc_machine *m,
						const struct unc_box *slice)
{
	const struct unc_slice_lines *l = unc_slice_lines;
	const unsigned n = m->n_dies > 1 ? 0 : slices_of_package(m, slice);

	while (l->platform && (l->platform != m->platform || l->slices != n ||
			       strcmp(l->kind, slice->type->name) != 0))
		l++;
	return l->platform ? l : NULL;
}

double unc_line_share(const struct unc_machine *m, const struct unc_box *slice)
{
	const struct unc_slice_lines *l = find_lines(m, slice);
	unsigned first = 0, all = 0, own = 0;

	for (size_t i = 0; l && l->runs[i].slices; i++) {
		const unsigned n = l->runs[i].slices, lines = l->runs[i].lines;

		if (slice->number >= first && slice->number < first + n)
			own = lines;
		all += n * lines;
		first += n;
	}
	return own ? (double)own / all : 0;
}
