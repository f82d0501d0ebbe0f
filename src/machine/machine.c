/*
 * machine.c - packages and boxes of a machine.
 *
 * Package map: facts/<platform>.md 8.  A box that cannot be reached stays in
 * the list with the reason why.
 */
#include "machine/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/boxes.h"
#include "machine/found.h"
#include "regs/regs.h"

/* ---- platform ---- */

static bool has_model(const struct unc_platform *p, const struct unc_topology *topo)
{
	for (size_t i = 0; i < sizeof(p->models) && p->models[i]; i++)
		if (p->family == topo->family && p->models[i] == topo->model)
			return true;
	return false;
}

int unc_platform_unknown(const struct unc_topology *topo, struct unc_err *err)
{
	return unc_fail(err, UNCORE_ENOSUPP,
			"no uncore counters are known for this CPU (%s family %u model %u); the "
			"README lists the supported Xeons",
			*topo->vendor ? topo->vendor : "unknown vendor", topo->family, topo->model);
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

int unc_logical_package(const struct unc_machine *m, unsigned physical)
{
	for (unsigned i = 0; i < m->n_packages; i++)
		if (m->package_ids[i] == physical)
			return (int)i;
	return -1;
}

static int add_package(struct unc_machine *m, unsigned physical)
{
	unsigned *ids, i;

	if (unc_logical_package(m, physical) >= 0)
		return 0;
	ids = realloc(m->package_ids, (m->n_packages + 1) * sizeof(*ids));
	if (!ids)
		return UNCORE_ENOMEM;
	m->package_ids = ids;
	for (i = m->n_packages++; i > 0 && ids[i - 1] > physical; i--)
		ids[i] = ids[i - 1];
	ids[i] = physical;
	return 0;
}

int unc_package_of_cpu(const struct unc_machine *m, unsigned cpu)
{
	for (size_t i = 0; i < m->topo.n_cpus; i++)
		if (m->topo.cpus[i].id == cpu)
			return unc_logical_package(m, m->topo.cpus[i].package);
	return -1;
}

/* ---- PCI bus -> package ---- */

/* The UBox of a package knows its node id and which package has which node id. */
static int package_of_ubox(struct unc_machine *m, struct unc_hw *hw, unsigned unit)
{
	uint64_t node, map;

	if (!unc_config_read(hw, unit, m->platform->nodeid_offset, &node) ||
	    !unc_config_read(hw, unit, m->platform->gidnidmap_offset, &map))
		return -1;
	for (unsigned i = 0; i < 8; i++)
		if (((map >> (3 * i)) & 7) == (node & 7))
			return unc_logical_package(m, i);
	return -1;
}

/*
 * The package of the nearest bus with a UBox, on the platform's side of this
 * one; only_own: of this very bus.
 */
static int package_of_bus(const struct unc_machine *m, const struct unc_pci *pci, bool only_own)
{
	int best = -1, package = -1;

	for (size_t i = 0; i < m->topo.n_pci; i++) {
		const struct unc_pci *u = &m->topo.pci[i];
		const int away =
			m->platform->inherit_higher ? u->bus - pci->bus : pci->bus - u->bus;

		if (u->device != m->platform->ubox_device || u->segment != pci->segment ||
		    u->package < 0 || away < 0 || (only_own && away > 0) ||
		    (best >= 0 && away >= best))
			continue;
		best = away;
		package = u->package;
	}
	return package;
}

/*
 * The UBox on the same bus is certain.  The NUMA node comes before the nearest
 * UBox: with a hidden UBox that could be another package's.
 */
static void map_buses(struct unc_machine *m, struct unc_hw *hw)
{
	struct unc_topology *t = &m->topo;

	const bool single = !m->platform->ubox_device && !m->platform->found;

	for (unsigned i = 0; i < t->n_pci && single; i++)
		t->pci[i].package = 0;
	if (single)
		return;
	for (unsigned i = 0; i < t->n_pci; i++)
		if (m->platform->ubox_device && t->pci[i].device == m->platform->ubox_device)
			t->pci[i].package = package_of_ubox(m, hw, i);
	for (unsigned i = 0; i < t->n_pci; i++) {
		struct unc_pci *p = &t->pci[i];

		if (p->package < 0)
			p->package = package_of_bus(m, p, true);
		if (p->package < 0 && p->near >= 0)
			p->package = unc_logical_package(m, (unsigned)p->near);
		if (p->package < 0)
			p->package = package_of_bus(m, p, false);
	}
}

/* ---- boxes ---- */

/* package -1: among those of which nobody knows where they belong. */
static int find_pci(const struct unc_machine *m, const struct unc_box *b, int package, bool extra)
{
	for (const struct unc_pci_id *id = b->type->pci_ids; id && id->device; id++) {
		if (id->index != b->index || id->extra != extra)
			continue;
		for (unsigned i = 0; i < m->topo.n_pci; i++)
			if (m->topo.pci[i].device == id->device &&
			    (!id->devfn || m->topo.pci[i].devfn == id->devfn) &&
			    m->topo.pci[i].package == package)
				return (int)i;
	}
	return -1;
}

struct unc_box *unc_machine_add(struct unc_machine *m, struct unc_hw *hw,
				const struct unc_box_type *type, unsigned package, unsigned index)
{
	struct unc_box *boxes = m->boxes;

	if ((m->n_boxes & (m->n_boxes - 1)) == 0) {
		boxes = realloc(boxes, (m->n_boxes ? 2 * m->n_boxes : 1) * sizeof(*boxes));
		if (!boxes)
			return NULL;
		m->boxes = boxes;
	}
	boxes += m->n_boxes++;
	*boxes = (struct unc_box){
		.type = type,
		.index = (uint16_t)index,
		.package = (uint16_t)package,
		.first = (uint32_t)m->n_counters,
		.offset = type->offsets ? type->offsets[index] : type->stride * index,
		.pci = -1,
		.extra = -1,
		.map = -1,
	};
	if (type->space == UNCORE_PCI) {
		boxes->pci = find_pci(m, boxes, (int)package, false);
		boxes->extra = find_pci(m, boxes, (int)package, true);
	}
	if (type->memory)
		unc_box_locate(m, hw, boxes);
	m->n_counters += type->n_counters + 1u; /* the last one is the fixed counter */
	return boxes;
}

/* A box for each CPU of a package. */
static int add_cpus(struct unc_machine *m, struct unc_hw *hw, const struct unc_box_type *type,
		    unsigned package)
{
	for (size_t i = 0; i < m->topo.n_cpus; i++)
		if (m->topo.cpus[i].package == m->package_ids[package] &&
		    !unc_machine_add(m, hw, type, package, m->topo.cpus[i].id))
			return UNCORE_ENOMEM;
	return 0;
}

static int add_boxes_of(struct unc_machine *m, struct unc_hw *hw, const struct unc_box_type *type,
			unsigned package)
{
	const unsigned n = type->arch ? 0 : unc_boxes_in_package(m, hw, type, package);

	for (unsigned i = 0; i < n; i++)
		if (!unc_machine_add(m, hw, type, package, i))
			return UNCORE_ENOMEM;
	return type->arch ? add_cpus(m, hw, type, package) : 0;
}

static int add_boxes(struct unc_machine *m, struct unc_hw *hw)
{
	int r = 0;

	for (unsigned t = 0; r == 0 && m->types[t]; t++) {
		if (unc_found_boxes(m, hw, t, &r))
			continue;
		for (unsigned p = 0; r == 0 && p < m->n_packages; p++)
			r = add_boxes_of(m, hw, m->types[t], p);
	}
	return r;
}

size_t unc_boxes_of(const struct unc_machine *m, const struct unc_box_type *type, size_t *begin)
{
	size_t i = 0;

	while (i < m->n_boxes && m->boxes[i].type != type)
		i++;
	*begin = i;
	while (i < m->n_boxes && m->boxes[i].type == type)
		i++;
	return i;
}

/* ---- can they be reached? ---- */

void unc_probe_failed(struct unc_probe *probe, struct unc_hw *hw, const struct uncore_op *op,
		      int error)
{
	if (probe->first_error)
		return;
	probe->first_error = error;
	hw->ops->explain(hw, op, error, probe->why, sizeof(probe->why));
}

const char *unc_absence(int error)
{
	switch (-error) {
	case EACCES:
	case EPERM:
		return "its registers may not be accessed with these rights";
	case EROFS:
		return "the msr module refuses to write its registers (msr.allow_writes=off)";
	case ENODATA:
		return "only the first 64 bytes of its config space are readable with these rights";
	case ERANGE:
		return "only the first 256 bytes of its config space are there: no MMCONFIG";
	case ENOENT:
		return "its register device does not exist";
	case EFAULT:
		return "its address is in the main memory, where no registers are";
	default:
		return "its registers do not answer";
	}
}

static unsigned unit_of(const struct unc_box *b)
{
	const int unit = b->type->space == UNCORE_MMIO ? b->map : b->pci;

	return unit < 0 ? 0 : (unsigned)unit;
}

static struct uncore_op probe_op(const struct unc_box *b)
{
	const struct unc_box_type *t = b->type;

	return (struct uncore_op){
		.kind = UNCORE_READ,
		.space = (uint8_t)t->space,
		.width = t->space == UNCORE_MSR ? 64 : 32,
		.package = b->package,
		.unit = (uint16_t)unit_of(b),
		.address = unc_box_address(b),
	};
}

static size_t at_least(size_t bytes, size_t end)
{
	return bytes > end ? bytes : end;
}

/* Behind the address of an MMIO box: its controls and counters, fixed ones included. */
static size_t mmio_bytes(const struct unc_box_type *t)
{
	size_t bytes = t->memory ? 0x100 : at_least(t->fixed.ctl + 4u, t->fixed.ctr + 8u);

	bytes = at_least(bytes, t->ctl + (size_t)t->ctl_step * t->n_counters);
	return at_least(bytes, t->ctr + (size_t)t->ctr_step * t->n_counters);
}

static int open_box(struct unc_box *b, struct unc_hw *hw)
{
	switch (b->type->space) {
	case UNCORE_MSR:
		return hw->ops->open_msr(hw, b->package);
	case UNCORE_PCI:
		return hw->ops->open_pci(hw, (unsigned)b->pci);
	default:
		b->map = hw->ops->map(hw, b->package, b->offset, mmio_bytes(b->type));
		return b->map < 0 ? b->map : 0;
	}
}

/* A box that has been idle since the start may read so, too; see unc_memory.certain. */
static bool reads_zero(const struct unc_box *b, struct unc_hw *hw)
{
	struct uncore_op op = probe_op(b);
	uint64_t value = 0;

	for (op.address = b->offset; op.address < b->offset + mmio_bytes(b->type); op.address += 4)
		if (hw->ops->read(hw, &op, &value) < 0 || value)
			return false;
	return true;
}

static const char *no_device(const struct unc_machine *m, const struct unc_box *b)
{
	return find_pci(m, b, -1, false) < 0
		       ? "its PCI device is hidden by the firmware or fused off"
		       : "which package its PCI device belongs to is not known: the UBox is hidden, "
			 "or may not be read with these rights";
}

static void probe_box(const struct unc_machine *m, struct unc_box *b, struct unc_hw *hw,
		      struct unc_probe *probe)
{
	struct uncore_op op;
	uint64_t value = 0;
	int r;

	if (b->absent)
		return;
	if (b->type->space == UNCORE_PCI && b->pci < 0) {
		b->absent = no_device(m, b);
		return;
	}
	r = open_box(b, hw);
	op = probe_op(b);
	if (r == 0)
		r = hw->ops->read(hw, &op, &value);
	if (r < 0) {
		b->absent = unc_absence(r);
		unc_probe_failed(probe, hw, &op, r);
	} else if (b->type->space != UNCORE_MSR && (uint32_t)value == UINT32_MAX) {
		b->absent = "its registers read as all ones: the device is dead or disabled";
	} else if (unc_box_uncertain(b) && reads_zero(b, hw)) {
		b->absent = "its registers read as zero: this part does not have it";
	}
	if (b->extra >= 0 && hw->ops->open_pci(hw, (unsigned)b->extra) < 0)
		b->extra = -1;
}

/* Why a machine with discovery tables, or that might have some, has no boxes. */
static int no_boxes_found(const struct unc_machine *m, struct unc_err *err)
{
	for (unsigned i = 0; i < m->found->n_tables; i++) {
		const struct unc_table *t = &m->found->tables[i];
		const struct unc_pci *p = &m->topo.pci[t->device];

		if (t->why)
			return unc_fail(err, UNCORE_ENOSUPP,
					"the discovery table of PCI device %04x:%02x:%02x.%x "
					"cannot be used: %s",
					p->segment, p->bus, p->devfn >> 3, p->devfn & 7u, t->why);
	}
	return unc_fail(err, UNCORE_ENOSUPP,
			"no discovery table of %s tells of a box that can be used (%u tables)",
			m->platform->title, m->found->n_tables);
}

/* A CPU that nobody has named, and that tells nothing of itself either. */
static bool is_unknown(const struct unc_machine *m)
{
	return !unc_platform_named(m->platform) && m->found && m->found->n_tables == 0;
}

static int check_reachable(const struct unc_machine *m, const struct unc_probe *probe,
			   struct unc_err *err)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (!m->boxes[i].absent && !m->boxes[i].type->arch)
			return 0;
	if (is_unknown(m) && !probe->first_error)
		return unc_platform_unknown(&m->topo, err);
	if (m->topo.hypervisor && (!probe->first_error || probe->first_error == -EIO))
		return unc_fail(err, UNCORE_ENOSUPP,
				"this virtual machine has no uncore registers; count on the host");
	if (probe->first_error)
		return unc_fail(err, unc_code_of_errno(probe->first_error), "%s", probe->why);
	if (m->found)
		return no_boxes_found(m, err);
	return unc_fail(err, UNCORE_ENOSUPP, "none of the uncore devices of %s is visible",
			m->platform->title);
}

/* facts/spr-discovery.md 1: what the machine tells about itself. */
static int read_tables(struct unc_machine *m, struct unc_hw *hw, struct unc_probe *probe)
{
	int r;

	m->found = calloc(1, sizeof(*m->found));
	if (!m->found)
		return UNCORE_ENOMEM;
	r = unc_tables_read(m, hw, m->found, probe);
	if (r == 0)
		r = unc_found_types(m, hw, m->found);
	return r < 0 ? r : unc_tables_globals(m, hw, m->found);
}

const char *unc_machine_warning(const struct unc_machine *m)
{
	if (!m->found)
		return NULL;
	for (unsigned i = 0; i < m->found->n_tables; i++)
		if (m->found->tables[i].why)
			return "a discovery table is damaged, so the boxes that it tells of are "
			       "missing (uncore show prints the table)";
	if (m->found->n_tables == 0)
		return "there is no discovery table, so the boxes that it would tell of are "
		       "missing: the firmware hides it, or PCI config space cannot be read beyond "
		       "256 bytes";
	return NULL;
}

int unc_machine_build(struct unc_machine *m, const struct unc_platform *platform, struct unc_hw *hw,
		      struct unc_err *err)
{
	struct unc_probe probe = {.first_error = 0};
	int r = 0;

	m->platform = platform;
	m->types = platform->types;
	for (size_t i = 0; r == 0 && i < m->topo.n_cpus; i++)
		r = add_package(m, m->topo.cpus[i].package);
	if (r == 0)
		map_buses(m, hw);
	if (r == 0 && platform->found)
		r = read_tables(m, hw, &probe);
	if (r == 0)
		r = unc_core_find(m, hw);
	if (r == 0)
		r = add_boxes(m, hw);
	if (r < 0)
		return unc_fail(err, r, "out of memory for the list of boxes");
	for (size_t i = 0; i < m->n_boxes; i++)
		if (!m->boxes[i].type->arch)
			probe_box(m, &m->boxes[i], hw, &probe);
	unc_core_probe(m, hw);
	return check_reachable(m, &probe, err);
}

void unc_machine_free(struct unc_machine *m)
{
	unc_topology_free(&m->topo);
	unc_core_free(m);
	free(m->package_ids);
	free(m->boxes);
	free(m->globals);
	unc_found_free(m->found);
	memset(m, 0, sizeof(*m));
}
