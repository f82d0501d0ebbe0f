/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_packages.c - the package of each discovery table that a PCI device locates.
 *
 * docs/hardware/discovery.md, "Package of a table": what the processor and the kernel say about
 * the bus, what the records exclude, and last the order of the devices.  Linux uses the NUMA
 * node, or the order; a wrong package counts boxes twice or not at all, so if two assignments are
 * possible, the package is unknown.
 */
#include <errno.h>
#include <stdlib.h>

#include "hw/regs.h"
#include "machine/boxes.h"
#include "machine/table_packages.h"

#define UNKNOWN      (-1)
#define MAX_PACKAGES 64 /* bits of a set of packages */

static const char by_root[] = "its root bus", by_node[] = "its NUMA node";
static const char by_elimination[] = "the packages of the other tables";
static const char by_order[] = "the order of PCI devices", by_being_alone[] = "the only one";

/* A source that names packages of tables. */
struct witness {
	const char *name;
	bool speaks, possible;
	int package[UNC_MAX_TABLES]; /* logical, UNC_OFFLINE, or UNKNOWN */
};

struct settling {
	const struct unc_machine *m;
	struct unc_discovered *f;
	unsigned n;       /* tables located by PCI devices */
	unsigned offline; /* packages that may be offline */
	struct unc_alike alike;
	struct witness root, node;
	int package[UNC_MAX_TABLES]; /* the result */
	const char *basis[UNC_MAX_TABLES];
	const char *why; /* packages are unknown */
};

/* ---- what the sources say ---- */

static int logical(const struct unc_machine *m, int physical)
{
	const int package = unc_logical_package(&m->topo, (unsigned)physical);

	return package < 0 ? UNC_OFFLINE : package;
}

/* A root bus names the package and not the die. */
static int package_by_root(const struct unc_machine *m, const struct unc_root_buses *buses,
			   unsigned device)
{
	const int physical = unc_root_buses_package(buses, &m->topo.pci[device]);

	return physical < 0 || m->n_dies > 1 ? UNKNOWN : logical(m, physical);
}

/*
 * A node without online CPUs may be one of memory, or a part of an online package.  Older
 * recordings lack tables near such nodes.
 */
static int package_by_node(struct unc_machine *m, struct unc_hw *hw,
			   const struct unc_discovery_table *t)
{
	const int package = unc_device_package(m, hw, t->device);

	if (package == UNC_OFFLINE && hw->where == UNC_RECORDED && t->error == -ENODATA)
		return UNC_OFFLINE;
	return package < 0 ? UNKNOWN : package;
}

static bool is_same_place(const struct settling *s, int a, int b)
{
	if (a < 0 || b < 0 || !s->m->platform->desc->table_msr)
		return a >= 0 && a == b;
	return s->m->dies[a].socket == s->m->dies[b].socket;
}

/* Whether no two tables of different packages are in one. */
static bool is_possible(const struct settling *s, const int *package)
{
	for (unsigned t = 0; t < s->n; t++)
		for (unsigned u = 0; u < t; u++)
			if (s->alike.differ[t] >> u & 1 && is_same_place(s, package[t], package[u]))
				return false;
	return true;
}

static void judge(const struct settling *s, struct witness *w)
{
	w->speaks = false;
	for (unsigned t = 0; t < s->n; t++)
		w->speaks |= w->package[t] != UNKNOWN;
	w->possible = w->speaks && is_possible(s, w->package);
}

static int ask(struct unc_machine *m, struct unc_hw *hw, struct settling *s)
{
	struct unc_root_buses *buses = malloc(sizeof(*buses));

	if (!buses)
		return UNCORE_ENOMEM;
	unc_root_buses_read(m, hw, buses);
	s->root.name = by_root;
	s->node.name = by_node;
	for (unsigned t = 0; t < s->n; t++) {
		const unsigned device = s->f->tables[t].device;

		s->root.package[t] = package_by_root(m, buses, device);
		s->node.package[t] = package_by_node(m, hw, &s->f->tables[t]);
	}
	free(buses);
	judge(s, &s->root);
	judge(s, &s->node);
	return 0;
}

/* ---- packages without an online CPU ---- */

/* Logical CPUs of a package: those that are online in one, or by CPUID's topology leaf. */
static unsigned cpus_per_package(const struct unc_machine *m, struct unc_hw *hw)
{
	uint32_t regs[4] = {0};
	unsigned most = 1;

	for (unsigned p = 0; p < m->topo.n_packages; p++) {
		const unsigned n = unc_cpus_online(m, p);

		most = n > most ? n : most;
	}
	if (m->topo.n_cpus && m->n_dies == 1 &&
	    unc_ask_cpuid(hw, m->topo.cpus[0].id, 0xb, 1, regs) == 0 &&
	    (regs[2] & 0xff00) == 0x200 && (regs[1] & 0xffff) > most)
		most = regs[1] & 0xffff;
	return most;
}

/* How many packages may be offline, if all have as many CPUs. */
static unsigned packages_offline(const struct unc_machine *m, struct unc_hw *hw)
{
	const unsigned each = cpus_per_package(m, hw);
	const unsigned all = (unsigned)m->topo.n_cpus + m->topo.n_offline;
	const unsigned packages = (all + each - 1) / each;

	if (m->topo.n_offline == 0 || packages <= m->topo.n_packages)
		return 0;
	return packages - m->topo.n_packages;
}

/* ---- elimination ---- */

static void set(struct settling *s, unsigned t, int package, const char *basis)
{
	s->package[t] = package;
	s->basis[t] = basis;
}

/* The table and all that belong to packages other than it. */
static uint64_t class_of(const struct settling *s, unsigned t)
{
	return s->alike.differ[t] | UINT64_C(1) << t;
}

/* The online packages in which a table with these others could be. */
static uint64_t places_left(const struct settling *s, uint64_t tables)
{
	uint64_t left = 0;

	for (unsigned p = 0; p < s->m->topo.n_packages && p < MAX_PACKAGES; p++) {
		bool taken = false;

		for (unsigned u = 0; u < s->n; u++)
			taken |= tables >> u & 1 && is_same_place(s, s->package[u], (int)p);
		left |= (uint64_t)!taken << p;
	}
	return left;
}

static unsigned count_as(const struct settling *s, uint64_t tables, int package)
{
	unsigned n = 0;

	for (unsigned u = 0; u < s->n; u++)
		n += tables >> u & 1 && s->package[u] == package;
	return n;
}

/*
 * A table whose place is the only one left.  An online package has its tables: a table is that of
 * an offline package only if all online ones have theirs.
 */
static bool eliminate(struct settling *s, unsigned t)
{
	const uint64_t tables = class_of(s, t), left = places_left(s, tables);
	const unsigned offline = count_as(s, tables, UNC_OFFLINE);

	if (left == 0 && s->m->topo.n_packages <= MAX_PACKAGES) {
		set(s, t, UNC_OFFLINE, by_elimination);
		return true;
	}
	if (left & (left - 1) || offline < s->offline || count_as(s, tables, UNKNOWN) > 1)
		return false;
	set(s, t, __builtin_ctzll(left),
	    s->m->topo.n_packages == 1 ? by_being_alone : by_elimination);
	return true;
}

static void eliminate_all(struct settling *s)
{
	bool found = true;

	while (found) {
		found = false;
		for (unsigned t = 0; t < s->n; t++)
			if (s->package[t] == UNKNOWN && s->alike.same[t] < 0)
				found |= eliminate(s, t);
	}
}

/* ---- the order of devices ---- */

static unsigned count_distinct(const struct settling *s)
{
	unsigned n = 0;

	for (unsigned t = 0; t < s->n; t++)
		n += s->alike.same[t] < 0;
	return n;
}

static bool agrees(const struct settling *s, const int *package)
{
	for (unsigned t = 0; t < s->n; t++)
		if (s->package[t] != UNKNOWN && s->package[t] != package[t])
			return false;
	return is_possible(s, package);
}

/* Only if each package has as many tables, and none is offline. */
static void assume_order(struct settling *s)
{
	const unsigned tables = count_distinct(s), packages = s->m->topo.n_packages;
	int package[UNC_MAX_TABLES] = {0};
	unsigned i = 0;

	if (s->m->topo.n_offline || packages == 0 || tables % packages)
		return;
	for (unsigned t = 0; t < s->n; t++) {
		package[t] = s->alike.same[t] < 0 ? (int)(i * packages / tables)
						  : package[s->alike.same[t]];
		i += s->alike.same[t] < 0;
	}
	if (!agrees(s, package))
		return;
	for (unsigned t = 0; t < s->n; t++)
		if (s->package[t] == UNKNOWN)
			set(s, t, package[t], by_order);
}

/* ---- all of it ---- */

static void take(struct settling *s, const struct witness *w)
{
	for (unsigned t = 0; t < s->n && w->possible; t++)
		if (s->package[t] == UNKNOWN && w->package[t] != UNKNOWN)
			set(s, t, w->package[t], w->name);
}

static bool contradict(const struct settling *s)
{
	for (unsigned t = 0; t < s->n; t++)
		if (s->root.package[t] != UNKNOWN && s->node.package[t] != UNKNOWN &&
		    s->root.package[t] != s->node.package[t])
			return true;
	return false;
}

static bool is_disproved(const struct witness *w)
{
	return w->speaks && !w->possible;
}

static void copy_to_twins(struct settling *s)
{
	for (unsigned t = 0; t < s->n; t++)
		if (s->alike.same[t] >= 0)
			set(s, t, s->package[s->alike.same[t]], s->basis[s->alike.same[t]]);
}

static void decide(struct settling *s)
{
	for (unsigned t = 0; t < s->n; t++)
		set(s, t, UNKNOWN, NULL);
	if (s->root.possible && s->node.possible && contradict(s)) {
		s->why = "the root bus and the NUMA node of its PCI device name different packages";
		return;
	}
	take(s, &s->root);
	take(s, &s->node);
	if (!is_possible(s, s->package)) {
		for (unsigned t = 0; t < s->n; t++)
			set(s, t, UNKNOWN, NULL);
		s->why = "root buses and NUMA nodes contradict the records";
		return;
	}
	eliminate_all(s);
	s->why = is_disproved(&s->root) || is_disproved(&s->node)
			 ? "the root buses or NUMA nodes of PCI devices put two tables with the "
			   "same registers in one package"
			 : "neither the root bus nor the NUMA node of its PCI device names it";
	if (!is_disproved(&s->root) && !is_disproved(&s->node))
		assume_order(s);
	copy_to_twins(s);
}

/* ---- the result ---- */

static void move(struct settling *s)
{
	struct unc_discovered *f = s->f;

	for (unsigned t = 0; t < s->n; t++) {
		struct unc_discovery_table *table = &f->tables[t];

		table->offline = s->package[t] == UNC_OFFLINE;
		table->package = s->package[t] < 0 ? UINT16_MAX : (uint16_t)s->package[t];
		table->basis = s->basis[t];
		table->assumed = s->basis[t] == by_order;
		s->m->topo.pci[table->device].package =
			s->package[t] == UNKNOWN ? UNC_UNPLACED : s->package[t];
	}
}

/* Tables of offline packages describe no box of this machine. */
static void remove_offline(struct unc_discovered *f)
{
	uint16_t number[UNC_MAX_TABLES] = {0};
	unsigned n = 0;
	size_t k = 0;

	for (unsigned t = 0; t < f->n_tables; t++) {
		number[t] = (uint16_t)n;
		if (f->tables[t].offline) {
			number[t] = UINT16_MAX;
			free(f->tables[t].unread);
		} else {
			f->tables[n++] = f->tables[t];
		}
	}
	for (size_t i = 0; i < f->units.n; i++) {
		struct unc_unit u = f->units.unit[i];

		u.table = number[u.table];
		if (u.table == UINT16_MAX)
			continue;
		u.package = f->tables[u.table].package;
		if (u.package == UINT16_MAX && !u.why)
			u.why = "the package of its table is unknown";
		f->units.unit[k++] = u;
	}
	f->units.n = k;
	f->n_tables = n;
}

/* Tables that are listed twice are one. */
static unsigned count_in(const struct settling *s, int package)
{
	unsigned n = 0;

	for (unsigned t = 0; t < s->n; t++)
		n += s->package[t] == package && s->alike.same[t] < 0;
	return n;
}

static int lack_unknown(struct settling *s, unsigned t)
{
	char name[UNC_TABLE_NAME];

	return unc_discovered_lack(s->f, -ENODEV, places_left(s, class_of(s, t)),
				   "the package of the discovery table of PCI device %s is "
				   "unknown: %s",
				   unc_table_name(name, s->m, &s->f->tables[t]), s->why);
}

/* All packages have as many tables: one with fewer, or none, lacks one. */
static int lack_missing(struct settling *s)
{
	const struct unc_machine *m = s->m;
	unsigned most = s->n > 0;
	int r = 0;

	for (unsigned p = 0; p < m->topo.n_packages; p++)
		most = count_in(s, (int)p) > most ? count_in(s, (int)p) : most;
	for (unsigned p = 0; r == 0 && p < m->topo.n_packages; p++)
		if (count_in(s, (int)p) < most)
			r = unc_discovered_lack(s->f, -ENODEV,
						p < MAX_PACKAGES ? UINT64_C(1) << p : 0,
						"package %u has %u of the %u discovery tables of a "
						"package",
						m->dies[p].socket, count_in(s, (int)p), most);
	return r;
}

static unsigned count_by_pci(const struct unc_discovered *f)
{
	unsigned n = 0;

	while (n < f->n_tables && !f->tables[n].msr)
		n++;
	return n;
}

int unc_table_packages(struct unc_machine *m, struct unc_hw *hw, struct unc_discovered *f)
{
	struct settling *s = calloc(1, sizeof(*s));
	int r = s ? 0 : UNCORE_ENOMEM;

	if (r == 0) {
		s->m = m;
		s->f = f;
		s->n = count_by_pci(f);
		s->offline = packages_offline(m, hw);
		r = unc_tables_compare(m, f, s->n, &s->alike);
	}
	if (r == 0)
		r = ask(m, hw, s);
	if (r == 0) {
		decide(s);
		move(s);
		for (unsigned t = 0; r == 0 && t < s->n; t++)
			if (s->package[t] == UNKNOWN)
				r = lack_unknown(s, t);
		remove_offline(f);
		if (r == 0 && !m->platform->desc->table_msr)
			r = lack_missing(s);
	}
	free(s);
	return r;
}
