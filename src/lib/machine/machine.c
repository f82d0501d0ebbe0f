/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.c - packages and boxes of a machine.
 *
 * A box that cannot be accessed stays in the list with the reason.
 */
#include "machine/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "hw/regs.h"
#include "machine/boxes.h"
#include "machine/discovered.h"
#include "machine/tpmi.h"

/* ---- platform ---- */

static bool has_model(const struct unc_platform *p, const struct unc_topology *topo)
{
	for (size_t i = 0; i < sizeof(p->models) && p->models[i]; i++)
		if (p->family == topo->family && p->models[i] == topo->model)
			return true;
	return false;
}

/* Only x86 CPUs have a vendor and a family in the kernel's list. */
static void describe_cpu(char *out, size_t size, const struct unc_topology *topo)
{
	struct utsname system;

	if (!*topo->vendor && uname(&system) == 0 && strcmp(system.machine, "x86_64") != 0)
		snprintf(out, size, "%s", system.machine);
	else
		snprintf(out, size, "%s family %u model %u",
			 *topo->vendor ? topo->vendor : "unknown vendor", topo->family,
			 topo->model);
}

int unc_platform_unknown(const struct unc_topology *topo, struct unc_err *err)
{
	char cpu[128];

	describe_cpu(cpu, sizeof(cpu), topo);
	return unc_fail(
		err, UNCORE_ENOSUPP,
		"no uncore counters are known for this CPU (%s); the README lists the supported "
		"Xeons%s",
		cpu, unc_sim_hint());
}

int unc_platform_find(const struct unc_topology *topo, const struct unc_platform **out,
		      struct unc_err *err)
{
	const struct unc_platform *any = NULL;

	*out = NULL;
	for (unsigned i = 0; unc_platforms[i] && strcmp(topo->vendor, "GenuineIntel") == 0; i++) {
		if (has_model(unc_platforms[i], topo))
			*out = unc_platforms[i];
		else if (!unc_platform_named(unc_platforms[i]))
			any = unc_platforms[i];
	}
	*out = *out ? *out : any;
	return *out ? 0 : unc_platform_unknown(topo, err);
}

/* ---- packages ---- */

/* ---- boxes ---- */

/* A box for each CPU of a package. */
static int add_cpus(struct unc_machine *m, struct unc_hw *hw, const struct unc_box_type *type,
		    unsigned package)
{
	for (size_t i = 0; i < m->topo.n_cpus; i++)
		if (m->topo.cpus[i].package == m->topo.package_ids[package] &&
		    !unc_machine_add(m, hw, type, package, m->topo.cpus[i].id))
			return UNCORE_ENOMEM;
	return 0;
}

static int add_boxes_of(struct unc_machine *m, struct unc_hw *hw, const struct unc_box_type *type,
			unsigned package)
{
	struct unc_number number;

	if (type->arch)
		return add_cpus(m, hw, type, package);
	number = unc_boxes_in_package(m, hw, type, package);
	for (unsigned i = 0; i < number.n; i++) {
		struct unc_box *box = unc_machine_add(m, hw, type, package, i);

		if (!box)
			return UNCORE_ENOMEM;
		box->basis = number.basis;
		box->beyond = number.cores && i >= number.cores;
	}
	return 0;
}

static int add_boxes(struct unc_machine *m, struct unc_hw *hw)
{
	int r = 0;

	for (unsigned t = 0; r == 0 && m->types[t]; t++) {
		if (unc_discovered_boxes(m, hw, t, &r) || unc_tpmi_boxes(m, hw, t, &r))
			continue;
		for (unsigned p = 0; r == 0 && p < m->topo.n_packages; p++)
			r = add_boxes_of(m, hw, m->types[t], p);
	}
	return r;
}

/* ---- the machine ---- */

/* Why a machine with discovery tables, or that may have them, has no boxes. */
static int no_boxes_found(const struct unc_machine *m, struct unc_err *err)
{
	for (unsigned i = 0; i < m->discovered->n_tables; i++) {
		const struct unc_discovery_table *t = &m->discovered->tables[i];
		char name[UNC_TABLE_NAME];

		if (!t->basis && !t->why)
			return unc_fail(err, UNCORE_ENODEV, "no box can be used: %s",
					m->discovered->lack);
		if (t->why)
			return unc_fail(err, UNCORE_ENOSUPP,
					"the discovery table of %s%s cannot be used: %s",
					t->msr ? "" : "PCI device ", unc_table_name(name, m, t),
					t->why);
	}
	if (m->topo.unread && m->discovered->n_tables == 0)
		return unc_fail(err, unc_code_of_errno(m->topo.unread),
				"the PCI devices cannot all be listed, so no discovery table of %s "
				"was found: %s: %s",
				m->platform->title, m->topo.unread_file, strerror(-m->topo.unread));
	return unc_fail(err, UNCORE_ENOSUPP,
			"no discovery table of %s contains a usable box (%u tables)",
			m->platform->title, m->discovered->n_tables);
}

/* An unknown CPU without discovery tables. */
static bool is_unknown(const struct unc_machine *m)
{
	return !unc_platform_named(m->platform) && m->discovered && m->discovered->n_tables == 0;
}

static int check_reachable(const struct unc_machine *m, const struct unc_probe *probe,
			   struct unc_err *err)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (!m->boxes[i].absent && unc_is_uncore(m->boxes[i].type))
			return 0;
	if (is_unknown(m) && !probe->first_error)
		return unc_platform_unknown(&m->topo, err);
	if (m->topo.hypervisor && (!probe->first_error || probe->first_error == -EIO))
		return unc_fail(err, UNCORE_ENOSUPP,
				"this virtual machine has no uncore registers; count on the host");
	if (probe->first_error)
		return unc_fail(err, unc_code_of_errno(probe->first_error), "%s", probe->why);
	if (m->discovered)
		return no_boxes_found(m, err);
	return unc_fail(err, UNCORE_ENOSUPP, "none of the uncore devices of %s is visible",
			m->platform->title);
}

/* docs/hardware/discovery.md, "Finding a table". */
static int read_tables(struct unc_machine *m, struct unc_hw *hw, struct unc_probe *probe)
{
	int r;

	m->discovered = calloc(1, sizeof(*m->discovered));
	if (!m->discovered)
		return UNCORE_ENOMEM;
	r = unc_discovery_read(m, hw, m->discovered, probe);
	if (r == 0)
		r = unc_discovered_types(m, hw, m->discovered);
	return r < 0 ? r : unc_discovery_globals(m, hw, m->discovered);
}

/* ---- what is missing ---- */

/* Compute dies announce their tables in a register, I/O dies in a PCI device. */
static int warn_of_sources(struct unc_machine *m)
{
	const uint32_t msr = m->platform->desc->table_msr;
	unsigned by_msr = 0;

	for (unsigned i = 0; i < m->discovered->n_tables; i++)
		by_msr += m->discovered->tables[i].msr != 0;
	if (msr && by_msr == 0)
		return unc_warnings_add(&m->warnings, UNCORE_WARNING_DISCOVERY,
					"MSR %#x reports no discovery table, so the boxes of the "
					"compute dies are missing",
					msr);
	if (by_msr && by_msr == m->discovered->n_tables)
		return unc_warnings_add(
			&m->warnings, UNCORE_WARNING_DISCOVERY,
			"no PCI device has a discovery table, so the boxes of the I/O dies are "
			"missing: the firmware hides it, or PCI config space cannot be read "
			"beyond 256 bytes");
	return 0;
}

static int warn_of_order(struct unc_machine *m)
{
	for (unsigned i = 0; i < m->discovered->n_tables; i++)
		if (m->discovered->tables[i].assumed)
			return unc_warnings_add(
				&m->warnings, UNCORE_WARNING_PACKAGES,
				"packages of discovery tables are assumed from the order of their "
				"PCI devices: neither their root buses nor their NUMA nodes name "
				"them");
	return 0;
}

static int warn_of_tables(struct unc_machine *m)
{
	int r;

	if (!m->discovered)
		return 0;
	for (unsigned i = 0; i < m->discovered->n_tables; i++)
		if (m->discovered->tables[i].why)
			return unc_warnings_add(
				&m->warnings, UNCORE_WARNING_DISCOVERY,
				"a discovery table is damaged, so its boxes are missing (uncore "
				"show prints the table)");
	if (m->discovered->n_tables == 0)
		return unc_warnings_add(
			&m->warnings, UNCORE_WARNING_DISCOVERY,
			"no discovery table found, so its boxes are missing: the firmware hides "
			"it, or PCI config space cannot be read beyond 256 bytes");
	r = warn_of_order(m);
	return r < 0 ? r : warn_of_sources(m);
}

/*
 * Slices without a core that do not respond, while the first one does: they are missing in
 * sums.
 */
static int warn_of_slices(struct unc_machine *m)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < m->n_boxes; i++) {
		const struct unc_box *b = &m->boxes[i], *first = b - b->index;

		if (b->beyond && b->absent && !b->unreached && !first->absent)
			r = unc_warnings_add(
				&m->warnings, UNCORE_WARNING_BOXES_MISSING,
				"%s%u of package %u, a slice of the L3 cache without a "
				"core, is missing in sums: %s",
				b->type->name, b->index, b->package, b->absent);
	}
	return r;
}

int unc_machine_build(struct unc_machine *m, const struct unc_platform *platform, struct unc_hw *hw,
		      struct unc_err *err)
{
	struct unc_probe probe = {.first_error = 0};
	int r = 0;

	m->platform = platform;
	m->types = platform->desc->types;
	for (size_t i = 0; r == 0 && i < m->topo.n_cpus; i++)
		r = unc_package_add(&m->topo, m->topo.cpus[i].package);
	if (r == 0)
		r = unc_dies_find(m);
	if (r == 0)
		r = unc_map_buses(m, hw);
	if (r == 0 && platform->desc->discovered)
		r = read_tables(m, hw, &probe);
	if (r == 0)
		r = unc_power_find(m);
	if (r == 0)
		r = unc_tpmi_read(m, hw);
	if (r == 0)
		r = unc_core_find(m, hw);
	if (r == 0)
		r = add_boxes(m, hw);
	if (r < 0)
		return unc_fail(err, r, "out of memory for the list of boxes");
	unc_dies_name(m);
	for (size_t i = 0; i < m->n_boxes; i++)
		if (unc_is_uncore(m->boxes[i].type))
			unc_box_probe(m, &m->boxes[i], hw, &probe);
	unc_power_probe(m, hw);
	unc_core_probe(m, hw);
	r = warn_of_tables(m);
	if (r == 0)
		r = warn_of_slices(m);
	if (r == 0)
		r = unc_warn_of_unreached(m);
	if (r < 0)
		return unc_fail(err, r, "out of memory for the list of warnings");
	return check_reachable(m, &probe, err);
}

void unc_machine_free(struct unc_machine *m)
{
	unc_topology_free(&m->topo);
	unc_core_free(m);
	free(m->with_power);
	unc_tpmi_free(m->tpmi);
	free(m->dies);
	for (size_t i = 0; i < m->n_boxes; i++) {
		free(m->boxes[i].why);
		free(m->boxes[i].extra_why);
	}
	free(m->boxes);
	free(m->ubox_why);
	free(m->globals);
	unc_discovered_free(m->discovered);
	unc_warnings_free(&m->warnings);
	memset(m, 0, sizeof(*m));
}
