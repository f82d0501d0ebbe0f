/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read_discovery.c - read the discovery tables of a machine: the devices that have them, their
 * packages, and the registers that freeze all boxes of a package.
 *
 * docs/hardware/discovery.md; docs/hardware/spr.md.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "hw/regs.h"
#include "machine/boxes.h"
#include "machine/discovered.h"
#include "machine/region.h"
#include "machine/table_packages.h"

#define MAX_BARS  8 /* of one device */
#define MAX_UNITS 8192

bool unc_has_tables(const struct unc_pci *p)
{
	return p->device == 0x09a7 || p->device == 0x09a1;
}

bool unc_discovery_likely(const char *root)
{
	static const char usual[][11] = {"\t808609a7\t", "\t808609a1\t"};
	char *list = unc_read_all(root, "proc/bus/pci/devices");
	const bool likely = !list || strstr(list, usual[0]) || strstr(list, usual[1]);

	free(list);
	return likely;
}

/* ---- tables ---- */

static int add_table(struct unc_discovered *f, const struct unc_discovery_table *table)
{
	struct unc_discovery_table *tables;

	if (f->n_tables == UNC_MAX_TABLES)
		return 0;
	tables = realloc(f->tables, (f->n_tables + 1) * sizeof(*tables));
	if (!tables)
		return UNCORE_ENOMEM;
	f->tables = tables;
	tables[f->n_tables++] = *table;
	return 0;
}

/* UBoxes are certain, so that tables of offline packages need not be read. */
static bool has_uboxes(const struct unc_machine *m)
{
	return m->platform->desc->ubox_device != 0;
}

static int add_table_of_device(struct unc_machine *m, struct unc_hw *hw, struct unc_discovered *f,
			       unsigned device, const struct unc_discovery_bar *bar)
{
	const int near = unc_device_package(m, hw, device);
	const struct unc_discovery_table table = {
		.device = device,
		.package = near < 0 ? UINT16_MAX : (uint16_t)near,
		.bar = *bar,
		.why = bar->why,
	};

	return near == UNC_OFFLINE && has_uboxes(m) ? 0 : add_table(f, &table);
}

/* A table that exists, or may exist.  package: -1 if it is unknown. */
static int note_unread(struct unc_hw *hw, struct unc_discovered *f, const struct unc_op *op,
		       int error, int package)
{
	char why[512];

	hw->ops->explain(hw, op, error, why, sizeof(why));
	return unc_discovered_lack(
		f, error, package < 0 || package > 63 ? UNC_ALL_PACKAGES : UINT64_C(1) << package,
		"a discovery table cannot be read: %s", why);
}

static int look_at(struct unc_machine *m, struct unc_hw *hw, struct unc_discovered *f,
		   unsigned device, struct unc_probe *probe)
{
	struct unc_discovery_bar bars[MAX_BARS];
	struct unc_region region = unc_region_config(m, hw, device);
	const struct unc_bytes config = {unc_region_read_config, &region};
	int n = unc_ask_pci_file(hw, device), r = 0;

	if (n < 0) {
		region.error = n;
		region.op.address = 0x100;
	} else {
		n = unc_discovery_bars(&config, bars, MAX_BARS);
	}
	if (n < 0 && probe) {
		unc_probe_failed(probe, hw, &region.op, region.error);
		r = note_unread(hw, f, &region.op, region.error, unc_device_package(m, hw, device));
	}
	for (int i = 0; r == 0 && i < n; i++)
		r = add_table_of_device(m, hw, f, device, &bars[i]);
	return r;
}

/* Any device may have tables, but if the usual one has, only that is used. */
static int find_tables(struct unc_machine *m, struct unc_hw *hw, struct unc_discovered *f,
		       struct unc_probe *probe)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < m->topo.n_pci; i++)
		if (unc_has_tables(&m->topo.pci[i]))
			r = look_at(m, hw, f, i, probe);
	if (f->n_tables || probe->first_error)
		return r;
	for (unsigned i = 0; r == 0 && i < m->topo.n_pci; i++)
		if (!unc_has_tables(&m->topo.pci[i]))
			r = look_at(m, hw, f, i, NULL);
	return r;
}

/*
 * With UBoxes, the package is that of the bus (buses.c).  Without, tables are assigned to packages
 * in the order of their devices, as in Linux.
 */
static void settle_by_ubox(const struct unc_machine *m, struct unc_discovered *f)
{
	for (unsigned i = 0; i < f->n_tables; i++) {
		struct unc_discovery_table *t = &f->tables[i];

		t->basis = t->package == UINT16_MAX ? "the order of PCI devices"
						    : "its UBox or NUMA node";
		t->assumed = t->package == UINT16_MAX;
		if (t->package == UINT16_MAX)
			t->package = (uint16_t)(i * m->topo.n_packages / f->n_tables);
	}
}

/* docs/hardware/dmr.md, "Tables": Linux, too, skips a die whose register has no address. */
static int look_at_msr(struct unc_hw *hw, struct unc_discovered *f, uint32_t msr, unsigned package,
		       struct unc_probe *probe)
{
	const struct unc_op op = unc_msr_op(package, msr);
	struct unc_discovery_table table = {
		.msr = msr, .package = (uint16_t)package, .basis = "the register of its die"};
	int r = unc_ask_msr_file(hw, package);

	if (r == 0)
		r = unc_read_twice(hw, &op, &table.bar.base);
	if (r < 0 && r != -EIO) {
		unc_probe_failed(probe, hw, &op, r);
		if (note_unread(hw, f, &op, r, (int)package) < 0)
			return UNCORE_ENOMEM;
	}
	if (r < 0 || table.bar.base == 0)
		return 0;
	if (table.bar.base >> 52 || table.bar.base % 8)
		table.why = "the register with its address has no physical address";
	return add_table(f, &table);
}

static int find_tables_by_msr(const struct unc_machine *m, struct unc_hw *hw,
			      struct unc_discovered *f, struct unc_probe *probe)
{
	const uint32_t msr = m->platform->desc->table_msr;
	int r = 0;

	for (unsigned p = 0; msr && r == 0 && p < m->topo.n_packages; p++)
		r = look_at_msr(hw, f, msr, p, probe);
	return r;
}

static int read_as(struct unc_hw *hw, struct unc_discovered *f, unsigned i, unsigned package,
		   uint64_t bytes)
{
	struct unc_discovery_table *t = &f->tables[i];
	struct unc_region region = unc_region_memory(hw, package, t->bar.base);
	const struct unc_bytes memory = {unc_region_read_memory, &region};
	const int r = unc_discovery_table_read(&memory, bytes, t, (uint16_t)i, &f->units);
	char why[512];

	t->error = region.error;
	if (r < 0 || region.error >= 0)
		return r;
	hw->ops->explain(hw, &region.op, region.error, why, sizeof(why));
	free(t->unread);
	t->unread = strdup(why);
	return t->unread ? 0 : UNCORE_ENOMEM;
}

/* The simulated machine has the memory of each package for itself: another one may have it. */
static int read_anywhere(const struct unc_machine *m, struct unc_hw *hw, struct unc_discovered *f,
			 unsigned i, uint64_t bytes)
{
	struct unc_discovery_table *t = &f->tables[i];
	const unsigned first = t->package == UINT16_MAX ? 0 : t->package;
	const size_t before = f->units.n;
	int r = read_as(hw, f, i, first, bytes);

	for (unsigned p = 0; r == 0 && p < m->topo.n_packages; p++) {
		if (t->error != -ENXIO || f->units.n > before)
			break;
		if (p == first)
			continue;
		t->why = NULL;
		r = read_as(hw, f, i, p, bytes);
	}
	return r;
}

static int read_table(const struct unc_machine *m, struct unc_hw *hw, struct unc_discovered *f,
		      unsigned i)
{
	struct unc_discovery_table *t = &f->tables[i];
	uint64_t bytes = 0;

	if (t->why)
		return 0;
	if (f->units.n > MAX_UNITS) {
		t->why = "the tables before it have more records than a machine has boxes";
		return 0;
	}
	if (!t->msr)
		bytes = unc_ask_bar(hw, t->device, t->bar.number, t->bar.base);
	return read_anywhere(m, hw, f, i, bytes);
}

const char *unc_table_name(char name[UNC_TABLE_NAME], const struct unc_machine *m,
			   const struct unc_discovery_table *t)
{
	if (t->msr)
		snprintf(name, UNC_TABLE_NAME, "msr %#x", t->msr);
	else
		unc_pci_name(name, &m->topo.pci[t->device]);
	return name;
}

static bool has_units(const struct unc_discovered *f, unsigned table)
{
	for (size_t i = 0; i < f->units.n; i++)
		if (f->units.unit[i].table == table)
			return true;
	return false;
}

/* Sums may lack boxes of a table that is not read to its end.  One in main memory is invalid. */
static int lack_of_table(const struct unc_machine *m, struct unc_discovered *f, unsigned i,
			 struct unc_probe *probe)
{
	const struct unc_discovery_table *t = &f->tables[i];
	const uint64_t packages = t->package < 64 ? UINT64_C(1) << t->package : UNC_ALL_PACKAGES;
	char name[UNC_TABLE_NAME];

	if (t->error && !has_units(f, i) && !probe->first_error) {
		probe->first_error = t->error;
		snprintf(probe->why, sizeof(probe->why), "%s", t->unread);
	}
	if (t->error && t->error != -EFAULT)
		return unc_discovered_lack(f, t->error, packages,
					   "a discovery table cannot be read: %s", t->unread);
	if (t->why)
		return unc_discovered_lack(
			f, -ENODEV, packages, "the discovery table of %s%s is damaged: %s",
			t->msr ? "" : "PCI device ", unc_table_name(name, m, t), t->why);
	return 0;
}

/* Records of a package whose tables are found without others. */
static void set_packages(struct unc_discovered *f)
{
	for (size_t i = 0; i < f->units.n; i++)
		f->units.unit[i].package = f->tables[f->units.unit[i].table].package;
}

int unc_discovery_read(struct unc_machine *m, struct unc_hw *hw, struct unc_discovered *f,
		       struct unc_probe *probe)
{
	int r = find_tables(m, hw, f, probe);

	if (has_uboxes(m))
		settle_by_ubox(m, f);
	if (r == 0)
		r = find_tables_by_msr(m, hw, f, probe);
	for (unsigned i = 0; r == 0 && i < f->n_tables; i++)
		r = read_table(m, hw, f, i);
	if (r == 0 && has_uboxes(m))
		set_packages(f);
	else if (r == 0)
		r = unc_table_packages(m, hw, f);
	for (unsigned i = 0; r == 0 && i < f->n_tables; i++)
		r = lack_of_table(m, f, i, probe);
	return r;
}

/* ---- all boxes of a package ---- */

enum unc_space unc_unit_space(const struct unc_unit *u)
{
	return u->access == UNC_BY_MSR   ? UNC_IN_MSR
	       : u->access == UNC_BY_PCI ? UNC_IN_PCI
					 : UNC_IN_MMIO;
}

/* Open the register of a table; false: it is invalid. */
static bool open_global(struct unc_machine *m, struct unc_hw *hw,
			const struct unc_discovery_table *t, struct unc_op *op)
{
	const struct unc_unit as_unit = {.access = t->access, .control = t->control};
	int r;

	if (t->control == 0 || t->access == UNC_BY_NOTHING || unc_address_refusal(&as_unit))
		return false;
	*op = (struct unc_op){
		.kind = UNCORE_READ,
		.space = (uint8_t)unc_interface_space(unc_unit_space(&as_unit)),
		.width = t->access == UNC_BY_MSR ? 64 : 32,
		.package = t->package,
		.address = unc_unit_offset(&as_unit),
	};
	if (t->access == UNC_BY_MSR)
		return unc_ask_msr_file(hw, t->package) == 0;
	r = t->access == UNC_BY_PCI ? unc_unit_device(m, &as_unit)
				    : unc_ask_mapping(hw, t->package, t->control, 4);
	if (r < 0)
		return false;
	op->unit = (uint16_t)r;
	if (t->access == UNC_BY_MMIO)
		return true;
	op->devfn = m->topo.pci[r].devfn;
	return unc_ask_pci_file(hw, (unsigned)r) == 0;
}

/* A duplicate, or one more than a package can have. */
static bool superfluous(const struct unc_machine *m, const struct unc_op *op)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->n_globals; i++) {
		if (unc_same_register(&m->globals[i], op))
			return true;
		n += m->globals[i].package == op->package;
	}
	return n == UNC_MAX_GLOBALS;
}

/*
 * A global control that freezes no box, or does not respond, is not needed: each box has its own
 * freeze.
 */
static bool wanted(const struct unc_discovered *f, unsigned table)
{
	for (size_t i = 0; i < f->units.n; i++)
		if (f->units.unit[i].table == table && !f->units.unit[i].why)
			return true;
	return false;
}

int unc_discovery_globals(struct unc_machine *m, struct unc_hw *hw, const struct unc_discovered *f)
{
	struct unc_op op;
	uint64_t value;

	m->globals = calloc(f->n_tables ? f->n_tables : 1, sizeof(*m->globals));
	if (!m->globals)
		return UNCORE_ENOMEM;
	for (unsigned i = 0; i < f->n_tables; i++)
		if (wanted(f, i) && open_global(m, hw, &f->tables[i], &op) &&
		    !superfluous(m, &op) && unc_read_twice(hw, &op, &value) == 0 &&
		    (uint32_t)value != UINT32_MAX)
			m->globals[m->n_globals++] = op;
	return 0;
}
