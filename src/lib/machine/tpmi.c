/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tpmi.c - registers of energy and uncore frequency that are not MSRs (docs/hardware/power.md,
 * "TPMI"): a capability of a PCI device points to a list of features, which points to their
 * instances, which contain domains or clusters.  All of it is only read.
 */
#include "machine/tpmi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hw/regs.h"
#include "machine/boxes.h"
#include "machine/discovered.h"
#include "machine/region.h"

#define MAX_DEVICES   64
#define MAX_LISTS     4 /* of one device */
#define MAX_INSTANCES 32
#define MAX_PLACES    256
#define MAX_READS     10000 /* limit for a damaged list */
#define DOMAIN_BYTES  128
#define CLUSTER_BYTES 16 /* bytes of a cluster that are read */
#define NO_VERSION    0xff

struct place {
	uint16_t package;
	struct unc_tpmi_kind kind;
	uint64_t base; /* physical address of the domain or cluster */
	unsigned bytes;
};

struct unc_tpmi {
	unsigned n, reads;
	struct place place[MAX_PLACES];
	int error; /* of the first register that could not be read, with the reason */
	char *why;
};

/* ---- reading an instance ---- */

struct instance {
	struct unc_tpmi *tpmi;
	struct unc_region memory; /* from its first register on */
	uint64_t bytes;
};

static int read_qword(struct instance *of, uint64_t offset, uint64_t *value)
{
	*value = 0;
	if (offset + 8 > of->bytes || of->tpmi->reads++ >= MAX_READS)
		return 0;
	return unc_region_read_memory(&of->memory, offset, 64, value);
}

static bool overlaps(const struct place *a, const struct place *b)
{
	return a->base < b->base + b->bytes && b->base < a->base + a->bytes;
}

/* A duplicate in a damaged list would be counted twice. */
static void add_place(struct instance *of, struct unc_tpmi_kind kind, uint64_t offset,
		      unsigned bytes)
{
	struct unc_tpmi *t = of->tpmi;
	const struct place place = {
		.package = of->memory.op.package,
		.kind = kind,
		.base = of->memory.base + offset,
		.bytes = bytes,
	};

	for (unsigned i = 0; i < t->n; i++)
		if (overlaps(&t->place[i], &place))
			return;
	if (t->n < MAX_PLACES)
		t->place[t->n++] = place;
}

/* Domains follow each other: package and memory, if they have a unit and a counter. */
static int look_at_energy(struct instance *of)
{
	const uint64_t wanted = 1u << 1 | 1u << 7; /* numbers of the registers */
	struct unc_tpmi_kind kind = {.feature = UNC_TPMI_RAPL};
	uint64_t head, next;
	int r = 0;

	for (uint64_t at = 0; r == 0 && at + DOMAIN_BYTES <= of->bytes; at += next) {
		r = read_qword(of, at, &head);
		next = (head >> 16 & 0xff ? head >> 16 & 0xff : 1) * DOMAIN_BYTES;
		if (r < 0 || (head & 0xff) == NO_VERSION || (head >> 32 & wanted) != wanted)
			continue;
		kind.of = head >> 8 & 0xff;
		if (kind.of == UNC_TPMI_PACKAGE || kind.of == UNC_TPMI_MEMORY)
			add_place(of, kind, at, DOMAIN_BYTES);
	}
	return r;
}

/* An older version does not list the contents of a cluster; assume cores. */
static bool has_cores(uint64_t status)
{
	const uint64_t agents = status >> 23 & 0xf;

	return agents == 0 || agents & 1;
}

static int look_at_frequency(struct instance *of)
{
	struct unc_tpmi_kind kind = {.feature = UNC_TPMI_FREQUENCY};
	uint64_t head = 0, offsets = 0, status = 0;
	int r = read_qword(of, 0, &head);

	if (r == 0)
		r = read_qword(of, 8, &offsets);
	for (unsigned i = 0; r == 0 && (head & 0xff) != NO_VERSION && i < 8; i++) {
		const uint64_t at = (offsets >> 8 * i & 0xff) * 8;

		if (!(head >> (8 + i) & 1) || at == 0 || at + CLUSTER_BYTES > of->bytes)
			continue;
		r = read_qword(of, at, &status);
		kind.of = has_cores(status) ? UNC_TPMI_CORES : UNC_TPMI_IO;
		if (r == 0)
			add_place(of, kind, at, CLUSTER_BYTES);
	}
	return r;
}

/* ---- lists of features ---- */

static void note_unread(struct unc_tpmi *t, const struct unc_region *r)
{
	char why[512];

	if (t->error)
		return;
	r->hw->ops->explain(r->hw, &r->op, r->error, why, sizeof(why));
	t->error = r->error;
	t->why = strdup(why);
}

/* Its discovery table could be that of several packages. */
static void note_unplaced(struct unc_tpmi *t)
{
	if (t->error)
		return;
	t->error = -ENODEV;
	t->why = strdup("the package of a PCI device with TPMI is unknown");
}

struct list {
	struct unc_region memory; /* from its first entry on */
	uint64_t bytes;           /* size; UINT64_MAX: unknown */
};

/* An entry: id, number and size (in dwords) of the instances, and their offset (in KiB). */
static int look_at_feature(struct unc_tpmi *t, const struct list *list, uint64_t entry)
{
	const unsigned feature = entry & 0xff, n = entry >> 8 & 0xff;
	const uint64_t begin = (entry >> 32 & 0xffff) * 1024, bytes = (entry >> 16 & 0xffff) * 4;
	struct instance of = {.tpmi = t, .memory = list->memory, .bytes = bytes};
	int r = 0;

	of.memory.base += begin;
	for (unsigned i = 0; r == 0 && i < n && i < MAX_INSTANCES; i++) {
		if (begin + (i + 1) * bytes > list->bytes)
			break;
		if (feature == UNC_TPMI_RAPL)
			r = look_at_energy(&of);
		else if (feature == UNC_TPMI_FREQUENCY)
			r = look_at_frequency(&of);
		if (r < 0)
			note_unread(t, &of.memory);
		of.memory.base += of.bytes;
	}
	return r;
}

static void look_at_list(struct unc_tpmi *t, struct unc_hw *hw, unsigned device, unsigned package,
			 const struct unc_discovery_bar *bar)
{
	const uint64_t behind = unc_ask_bar(hw, device, bar->number, bar->base);
	struct list list = {unc_region_memory(hw, package, bar->base + bar->offset), UINT64_MAX};
	uint64_t entry = 0;
	int r = 0;

	if (behind)
		list.bytes = behind > bar->offset ? behind - bar->offset : 0;
	for (unsigned i = 0; r == 0 && i < bar->entries && t->reads++ < MAX_READS; i++) {
		if (8ull * (i + 1) > list.bytes)
			break;
		r = unc_region_read_memory(&list.memory, 8ull * i, 64, &entry);
		if (r < 0)
			note_unread(t, &list.memory);
		else if (entry != UINT64_MAX)
			r = look_at_feature(t, &list, entry);
	}
}

static unsigned find_devices(const struct unc_machine *m, unsigned device[MAX_DEVICES])
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->topo.n_pci && n < MAX_DEVICES; i++)
		if (unc_has_tables(&m->topo.pci[i]))
			device[n++] = i;
	return n;
}

/*
 * With UBoxes, the package of a device without a NUMA node follows from the order of the devices.
 * Without, discovery tables have settled that of their devices, and others are not guessed.
 */
static int find_package(struct unc_machine *m, struct unc_hw *hw, unsigned device, unsigned i,
			unsigned n)
{
	const bool settled = m->topo.pci[device].package != -1;
	const int package = unc_device_package(m, hw, device);

	if (package >= 0 || settled)
		return package;
	if (m->platform->desc->ubox_device)
		return package == UNC_OFFLINE ? package : (int)(i * m->topo.n_packages / n);
	return m->topo.n_packages == 1 && !m->topo.n_offline ? 0 : UNC_UNPLACED;
}

static void look_at_devices(struct unc_machine *m, struct unc_hw *hw)
{
	unsigned device[MAX_DEVICES];
	const unsigned n = find_devices(m, device);

	for (unsigned i = 0; i < n; i++) {
		struct unc_discovery_bar bars[MAX_LISTS];
		struct unc_region region = unc_region_config(m, hw, device[i]);
		const struct unc_bytes config = {unc_region_read_config, &region};
		const int package = find_package(m, hw, device[i], i, n);
		int k = unc_ask_pci_file(hw, device[i]);

		if (package == UNC_OFFLINE)
			continue;
		if (package < 0) {
			note_unplaced(m->tpmi);
			continue;
		}
		if (k < 0)
			region.error = k;
		else
			k = unc_tpmi_bars(&config, bars, MAX_LISTS);
		if (k < 0)
			note_unread(m->tpmi, &region);
		for (int b = 0; b < k; b++)
			if (!bars[b].why)
				look_at_list(m->tpmi, hw, device[i], (unsigned)package, &bars[b]);
	}
}

int unc_tpmi_read(struct unc_machine *m, struct unc_hw *hw)
{
	bool wanted = false;

	for (unsigned t = 0; m->types[t]; t++)
		wanted |= m->types[t]->tpmi != NULL;
	if (!wanted)
		return 0;
	m->tpmi = calloc(1, sizeof(*m->tpmi));
	if (!m->tpmi)
		return UNCORE_ENOMEM;
	look_at_devices(m, hw);
	return 0;
}

/* ---- boxes ---- */

static int add_absent(struct unc_machine *m, struct unc_hw *hw, const struct unc_box_type *type,
		      unsigned package)
{
	struct unc_box *b = unc_machine_add(m, hw, type, package, 0);

	if (!b)
		return UNCORE_ENOMEM;
	unc_box_mark(b, UNCORE_ABSENT_NO_TPMI);
	if (hw->where == UNC_RECORDED && m->tpmi->error == -ENODATA) {
		unc_box_mark(b, UNCORE_ABSENT_NOT_RECORDED);
	} else if (m->tpmi->error) {
		unc_box_mark(b, unc_absence(m->tpmi->error));
		unc_box_lost_for(b, m->tpmi->error, m->tpmi->why ? strdup(m->tpmi->why) : NULL);
	}
	return 0;
}

static int add_boxes(struct unc_machine *m, struct unc_hw *hw, const struct unc_box_type *type,
		     unsigned package)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->tpmi->n; i++) {
		const struct place *p = &m->tpmi->place[i];
		struct unc_box *b;

		if (p->package != package || p->kind.feature != type->tpmi->feature ||
		    p->kind.of != type->tpmi->of || n == type->n_boxes)
			continue;
		b = unc_machine_add(m, hw, type, package, n++);
		if (!b)
			return UNCORE_ENOMEM;
		b->offset = p->base;
	}
	return n ? 0 : add_absent(m, hw, type, package);
}

bool unc_tpmi_boxes(struct unc_machine *m, struct unc_hw *hw, unsigned type, int *r)
{
	if (!m->types[type]->tpmi)
		return false;
	for (unsigned p = 0; *r == 0 && p < m->topo.n_packages; p++)
		*r = add_boxes(m, hw, m->types[type], p);
	return true;
}

void unc_tpmi_free(struct unc_tpmi *t)
{
	if (t)
		free(t->why);
	free(t);
}
