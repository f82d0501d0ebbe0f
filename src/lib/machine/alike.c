/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alike.c - compare the records of discovery tables.  MSRs are per package, so tables that list
 * the same ones are of different packages.  Addresses of PCI devices and memory are global, so
 * tables that list the same ones are one table listed twice.
 *
 * Diamond Rapids has no MSRs in its tables; box ids of the I/O dies of a package differ
 * (docs/hardware/dmr.md).
 */
#include <stdlib.h>

#include "machine/table_packages.h"

#define ACCESS(key) ((unsigned)((key) >> 62))

/* The sorted keys of a table's records. */
struct keys {
	size_t n;
	const uint64_t *key;
};

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t key_of(const struct unc_unit *u, bool by_id)
{
	if (by_id)
		return (uint64_t)u->type << 16 | u->id;
	return (uint64_t)u->access << 62 | (u->control & (UINT64_MAX >> 2));
}

static unsigned segment_of(const struct unc_machine *m, const struct unc_discovery_table *t)
{
	return m->topo.pci[t->device].segment;
}

/* Records have three bits for a segment, so PCI addresses of two segments may look the same. */
static bool look_same(const struct unc_machine *m, const struct unc_discovery_table *a,
		      const struct unc_discovery_table *b)
{
	const unsigned x = segment_of(m, a), y = segment_of(m, b);

	return x != y && (x & 7) == (y & 7);
}

static size_t count(const struct keys *k, unsigned accesses)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		n += accesses >> ACCESS(k->key[i]) & 1;
	return n;
}

/* How many records with these access methods are the same in both. */
static size_t count_common(const struct keys *a, const struct keys *b, unsigned accesses)
{
	size_t common = 0;

	for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
		common += a->key[i] == b->key[j] && accesses >> ACCESS(a->key[i]) & 1;
		if (a->key[i] < b->key[j])
			i++;
		else if (a->key[i] > b->key[j])
			j++;
		else
			i++, j++;
	}
	return common;
}

/* Whether most of these records of one of the tables are also in the other. */
static bool shares_most(const struct keys *a, const struct keys *b, unsigned accesses)
{
	const size_t x = count(a, accesses), y = count(b, accesses);

	return 2 * count_common(a, b, accesses) > (x < y ? x : y);
}

/* The same of both tables. */
static bool is_copy(const struct keys *a, const struct keys *b, unsigned accesses)
{
	const size_t x = count(a, accesses), y = count(b, accesses);

	return 2 * count_common(a, b, accesses) > (x > y ? x : y);
}

static void compare(const struct unc_machine *m, const struct unc_discovered *f,
		    const struct keys *keys, unsigned t, unsigned u, struct unc_alike *to)
{
	const bool by_id = m->platform->desc->table_msr;
	unsigned global = 1u << UNC_BY_MMIO;

	if (!look_same(m, &f->tables[t], &f->tables[u]))
		global |= 1u << UNC_BY_PCI;
	if ((f->tables[t].bar.base && f->tables[t].bar.base == f->tables[u].bar.base) ||
	    (!by_id && is_copy(&keys[t], &keys[u], global))) {
		if (to->same[u] < 0)
			to->same[u] = (int)t;
	} else if (shares_most(&keys[t], &keys[u], 1u << UNC_BY_MSR)) {
		to->differ[t] |= UINT64_C(1) << u;
		to->differ[u] |= UINT64_C(1) << t;
	}
}

static void fill(const struct unc_discovered *f, bool by_id, unsigned n, uint64_t *key,
		 struct keys *keys)
{
	size_t i = 0;

	for (unsigned t = 0; t < n; t++) {
		keys[t] = (struct keys){0, key + i};
		for (; i < f->units.n && f->units.unit[i].table == t; i++)
			key[i] = key_of(&f->units.unit[i], by_id);
		keys[t].n = (size_t)(key + i - keys[t].key);
		if (keys[t].n)
			qsort(key + i - keys[t].n, keys[t].n, sizeof(*key), by_value);
	}
}

int unc_tables_compare(const struct unc_machine *m, const struct unc_discovered *f, unsigned n,
		       struct unc_alike *to)
{
	uint64_t *key = malloc((f->units.n + 1) * sizeof(*key));
	struct keys keys[UNC_MAX_TABLES];

	if (!key)
		return UNCORE_ENOMEM;
	fill(f, m->platform->desc->table_msr, n, key, keys);
	for (unsigned t = 0; t < n; t++) {
		to->differ[t] = 0;
		to->same[t] = -1;
	}
	for (unsigned u = 0; u < n; u++)
		for (unsigned t = 0; t < u; t++)
			compare(m, f, keys, t, u, to);
	free(key);
	return 0;
}
