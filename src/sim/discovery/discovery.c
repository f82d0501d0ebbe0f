/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discovery.c - discovery tables: their location and contents (docs/hardware/discovery.md), and
 * the ways in which a spec can damage them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/discovery/discovered.h"

#define SLOTS    1023    /* of a table, at most */
#define FIELDS   3       /* words of a record in use */
#define SPACE    0x20000 /* size of a BAR */
#define PAGE     0x1000
#define ALL_ONES UINT64_MAX
#define EVERY    5 /* units between empty slots */

/* Extended capabilities, each pointing to the next one. */
#define CAP_FIRST     0x100
#define CAP_TELEMETRY 0x100 /* same type as CAP_PMON, but another entry */
#define CAP_OTHER     0x120
#define CAP_PMON      0x148
#define CAP_TPMI      0x160
#define ID_DVSEC      0x23
#define ID_OTHER      0x1e
#define ID_VSEC       0x0b

#define TPMI_AT    0x20000 /* after the table */
#define TPMI_BYTES 0x2000

enum sim_damage {
	GOOD,
	ZERO_STRIDE,
	ONES,
	MANY_UNITS,
	OVERLAP,
	BEYOND,
	BAR_IO,
	BAR_ZERO,
	NO_DVSEC,
	LOOP,
	NONZERO_OFFSET,
	NONSENSE
};

static const struct {
	const char *name;
	enum sim_damage damage;
} damages[] = {
	{"good", GOOD},
	{"zero_stride", ZERO_STRIDE},
	{"ones", ONES},
	{"many_units", MANY_UNITS},
	{"overlap", OVERLAP},
	{"beyond", BEYOND},
	{"bar_io", BAR_IO},
	{"bar_zero", BAR_ZERO},
	{"no_dvsec", NO_DVSEC},
	{"loop", LOOP},
	{"nonzero_offset", NONZERO_OFFSET},
	{"nonsense", NONSENSE},
};

bool sim_discovery_damage(struct sim *sim, const char *name)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		if (strcmp(name, damages[i].name) == 0) {
			sim->damage = damages[i].damage;
			return true;
		}
	}
	return false;
}

void sim_discovery_report(const char *name, char *err, size_t errlen)
{
	int used = snprintf(err, errlen, "invalid machine option table=%s: use one of", name);

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++)
		if (used >= 0 && (size_t)used < errlen)
			used += snprintf(err + used, errlen - (size_t)used, "%s%s",
					 i == 0 ? " " : ", ", damages[i].name);
}

/* ---- location ---- */

static uint64_t bar_address(const struct sim *sim, unsigned package, unsigned table)
{
	const struct sim_discovery *discovery = sim->platform->discovery;

	return discovery->address + discovery->package_step * package +
	       discovery->table_step * table;
}

static bool has_tpmi(const struct sim *sim, unsigned table)
{
	const struct sim_discovery *discovery = sim->platform->discovery;

	return discovery->tpmi && table == discovery->tables - 1;
}

/* A dword of a BAR: the one with that number or the next one. */
static uint32_t bar(const struct sim *sim, unsigned number, uint64_t address, uint32_t offset)
{
	const struct sim_discovery *discovery = sim->platform->discovery;
	uint32_t first = 0x10 + 4U * number;

	if (offset == first)
		return (uint32_t)address | (discovery->wide ? 0x4 : 0);
	return offset == first + 4 && discovery->wide ? (uint32_t)(address >> 32) : 0;
}

static uint32_t table_bar(const struct sim *sim, unsigned package, unsigned table, uint32_t offset)
{
	const struct sim_discovery *discovery = sim->platform->discovery;
	uint32_t dword = bar(sim, discovery->bar, bar_address(sim, package, table), offset);

	if (sim->damage == BAR_ZERO)
		return 0;
	if (sim->damage == BAR_IO && offset == 0x10 + 4U * discovery->bar)
		return (dword & ~0xfU) | 1;
	return dword;
}

static uint32_t bars(const struct sim *sim, unsigned package, unsigned table, uint32_t offset)
{
	uint32_t dword = table_bar(sim, package, table, offset);

	if (has_tpmi(sim, table))
		dword |= bar(sim, sim->platform->discovery->tpmi_bar,
			     bar_address(sim, package, table) + TPMI_AT, offset);
	return dword;
}

uint64_t sim_discovery_address(const struct sim *sim, unsigned package)
{
	return sim->damage == BAR_ZERO ? 0 : bar_address(sim, package, 0);
}

static uint32_t header(unsigned id, unsigned next)
{
	return id | UINT32_C(1) << 16 | next << 20;
}

/* An Intel-specific capability: the type of its entries and their BAR. */
static uint32_t vendor_capability(unsigned at, unsigned next, unsigned entry, uint32_t where)
{
	switch (at) {
	case 0x0:
		return header(ID_DVSEC, next);
	case 0x4:
		return UINT32_C(0x8086) | UINT32_C(0x10) << 20;
	case 0x8:
		return entry | UINT32_C(1) << 16 | UINT32_C(8) << 24;
	default:
		return where;
	}
}

/* The same with the older type of capability, whose id is in another dword. */
static uint32_t tpmi_capability(unsigned at, uint32_t where)
{
	switch (at) {
	case 0x0:
		return header(ID_VSEC, 0);
	case 0x4:
		return UINT32_C(0x42) | UINT32_C(0x10) << 20;
	case 0x8:
		return sim_tpmi_features() << 16 | UINT32_C(2) << 24;
	default:
		return where;
	}
}

uint32_t sim_discovery_config(const struct sim *sim, unsigned package, unsigned table,
			      uint32_t offset)
{
	const struct sim_discovery *discovery = sim->platform->discovery;
	uint32_t where = discovery->bar | (sim->damage == NONZERO_OFFSET ? 0x1000U : 0);
	unsigned last = sim->damage == LOOP ? CAP_OTHER : sim->damage == NO_DVSEC ? 0 : CAP_PMON;

	if (offset == 0x04)
		return UINT32_C(0x00100006); /* decodes memory, has capabilities */
	if (offset >= 0x10 && offset < 0x28)
		return bars(sim, package, table, offset);
	if (offset >= CAP_TELEMETRY && offset < CAP_TELEMETRY + 0x10)
		return vendor_capability(offset - CAP_TELEMETRY, CAP_OTHER, 2, 0x8000 | 3);
	if (offset == CAP_OTHER)
		return header(ID_OTHER, last);
	if (last == CAP_PMON && offset >= CAP_PMON && offset < CAP_PMON + 0x10)
		return vendor_capability(offset - CAP_PMON, has_tpmi(sim, table) ? CAP_TPMI : 0, 1,
					 where);
	if (has_tpmi(sim, table) && offset >= CAP_TPMI && offset < CAP_TPMI + 0x10)
		return tpmi_capability(offset - CAP_TPMI, discovery->tpmi_bar);
	return 0;
}

/* ---- contents ---- */

struct table {
	struct sim *sim;
	unsigned package, number;
	uint64_t *words;
	unsigned slots, units;
};

static void put_slot(struct table *table, uint64_t first, uint64_t second, uint64_t third)
{
	uint64_t *record =
		table->words + (size_t)++table->slots * table->sim->platform->discovery->stride;

	record[0] = first;
	record[1] = second;
	record[2] = third;
}

static void put_empty(struct table *table)
{
	uint64_t value = table->slots % 2 == 0 ? 0 : ALL_ONES;

	put_slot(table, value, value, value);
}

/* Bus, device and function of the box's registers, with their offset, also of a hidden device. */
static uint64_t pci_address(const struct sim *sim, const struct sim_box *box)
{
	uint64_t enable = sim->platform->discovery->enable ? UINT64_C(1) << 31 : 0;
	struct sim_pci pci;

	if (!sim_box_function(sim, box, &pci))
		return 0;
	return enable | (uint64_t)(pci.segment & 7) << 28 | (uint64_t)pci.bus << 20 |
	       (uint64_t)pci.devfn << 12 | box->kind->box_ctl;
}

static uint32_t msr_shift(const struct sim_box *box)
{
	return box->kind->offsets != NULL ? box->kind->offsets[box->index]
					  : box->kind->stride * box->index;
}

static uint64_t mapped_address(const struct sim *sim, const struct sim_box *box)
{
	if (box->kind->address != NULL)
		return box->kind->address(sim, box->package, box->index);
	return sim_discovered_registers(sim, box->package) + box->kind->page +
	       (uint64_t)box->index * PAGE + box->kind->box_ctl;
}

static uint64_t unit_address(const struct sim *sim, const struct sim_box *box)
{
	switch (box->kind->access) {
	case SIM_BY_MSR:
		return box->kind->box_ctl + msr_shift(box);
	case SIM_BY_PCI:
		return pci_address(sim, box);
	default:
		return mapped_address(sim, box);
	}
}

/* Contents of the wrong records of a type: zeros, or an address without registers. */
static uint64_t broken_address(const struct sim_box *box)
{
	static const uint64_t wrong[] = {0, 0x318, ALL_ONES, 0x7ff09318};

	return wrong[box->index % (sizeof(wrong) / sizeof(wrong[0]))];
}

static bool broken(const struct sim *sim, const struct sim_box *box)
{
	const uint16_t *types = sim->platform->discovery->broken;

	for (unsigned i = 0; types != NULL && types[i] != 0; i++)
		if (types[i] == box->kind->type)
			return true;
	return false;
}

/* Ids: those of MSR boxes are in the order of addresses, others consecutive. */
static unsigned id_of(const struct sim *sim, const struct sim_box *box)
{
	const unsigned first = box->table == 1 && box->package % sim->dies > 0
				       ? sim->platform->discovery->later_ids
				       : 0;

	if (box->kind->ids != NULL)
		return box->kind->ids[box->index];
	if (box->kind->offsets != NULL)
		return box->kind->offsets[box->index] / 0x10U;
	return first + box->index;
}

static uint64_t layout_of(const struct sim_kind *kind)
{
	static const unsigned access[] = {[SIM_BY_MSR] = 0, [SIM_BY_MMIO] = 1, [SIM_BY_PCI] = 2};
	uint64_t status = kind->status != 0 ? kind->status - kind->box_ctl : 0;

	return kind->n_counters | (uint64_t)(kind->control - kind->box_ctl) << 8 |
	       (uint64_t)kind->width << 16 | (uint64_t)(kind->counter - kind->box_ctl) << 24 |
	       status << 32 | (uint64_t)access[kind->access] << 62;
}

static void put_unit(struct table *table, struct sim_box *box)
{
	const struct sim *sim = table->sim;
	uint64_t address = broken(sim, box) ? broken_address(box) : unit_address(sim, box);

	box->position = table->units++;
	put_slot(table, layout_of(box->kind), address,
		 box->kind->type | (uint64_t)id_of(sim, box) << 16 | (uint64_t)box->position << 32);
	if (table->units % EVERY == 0)
		put_empty(table);
}

static uint64_t control_address(const struct sim *sim, unsigned package)
{
	return sim_discovered_registers(sim, package) + sim->platform->discovery->control_page;
}

static void put_global(struct table *table)
{
	const struct sim_discovery *discovery = table->sim->platform->discovery;
	unsigned stride = table->sim->damage == ZERO_STRIDE ? 0 : discovery->stride;
	unsigned slots = table->slots;

	if (table->sim->damage == MANY_UNITS || table->sim->damage == BEYOND)
		slots = SLOTS;
	table->words[0] = (uint64_t)stride << 8 | (uint64_t)slots << 16;
	table->words[1] = discovery->control[table->number];
	if (table->number == 0 && discovery->control_page != 0) {
		table->words[0] |= UINT64_C(1) << 62; /* in memory */
		table->words[1] = control_address(table->sim, table->package);
	}
	if (discovery->control[table->number] != 0)
		table->words[2] = discovery->status_offset | (uint64_t)(table->units / 64 + 1) << 8;
}

/* The second unit has the registers of the first. */
static void damage_overlap(struct table *table)
{
	size_t stride = table->sim->platform->discovery->stride;

	table->words[2 * stride + 1] = table->words[stride + 1];
}

/* Too many counters, overlapping or zero-width counters, an invalid access type. */
static void damage_nonsense(struct table *table)
{
	size_t stride = table->sim->platform->discovery->stride;
	uint64_t *first = table->words + stride;

	first[0] = (first[0] & ~UINT64_C(0xff)) | 0xff;
	first[stride] = (first[stride] & ~UINT64_C(0xff00ff00)) | UINT64_C(0x02000200);
	first[2 * stride] &= ~UINT64_C(0xff0000);
	first[3 * stride] |= UINT64_C(3) << 62;
	first[4 * stride] &= ~UINT64_C(0xff);
}

static void damage(struct table *table)
{
	unsigned words = SPACE / sizeof(*table->words);

	switch (table->sim->damage) {
	case OVERLAP:
		damage_overlap(table);
		break;
	case NONSENSE:
		damage_nonsense(table);
		break;
	case MANY_UNITS:
		while (table->slots < SLOTS)
			put_empty(table);
		break;
	case ONES:
		for (unsigned i = 0; i < words; i++)
			table->words[i] = ALL_ONES;
		break;
	default:
		break;
	}
}

static void fill_table(struct table *table)
{
	struct sim *sim = table->sim;

	for (size_t i = 0; i < sim->n_boxes; i++) {
		struct sim_box *box = &sim->boxes[table->package * sim->n_boxes + i];

		if (box->table == table->number)
			put_unit(table, box);
	}
	put_global(table);
	damage(table);
}

/* ---- physical addresses ---- */

static void add_window(struct sim *sim, struct sim_window window)
{
	sim->windows[sim->n_windows++] = window;
}

static void add_box_windows(struct sim *sim, struct sim_box *box)
{
	const struct sim_kind *kind = box->kind;
	uint64_t unit = mapped_address(sim, box);
	struct sim_window window = {.package = box->package,
				    .first = unit & ~UINT64_C(0xfff),
				    .size = PAGE,
				    .origin = unit - kind->box_ctl,
				    .box = box};

	add_window(sim, window);
	if (kind->free_every == 0 || box->index % kind->free_every != 0)
		return;
	window.first = window.origin + kind->free_page;
	add_window(sim, window);
}

static void add_tables(struct sim *sim)
{
	unsigned tables = sim->platform->discovery->tables;

	for (unsigned i = 0; i < sim->packages * tables; i++) {
		uint64_t *words = sim->words + (size_t)i * (SPACE / sizeof(*sim->words));
		struct table table = {
			.sim = sim, .package = i / tables, .number = i % tables, .words = words};

		fill_table(&table);
		add_window(sim, (struct sim_window){
					.package = table.package,
					.first = bar_address(sim, table.package, table.number),
					.size = sim->damage == BEYOND ? PAGE : SPACE,
					.words = words});
		if (has_tpmi(sim, table.number))
			add_window(sim, (struct sim_window){.package = table.package,
							    .first = bar_address(sim, table.package,
										 table.number) +
								     TPMI_AT,
							    .size = TPMI_BYTES,
							    .tpmi = true});
	}
}

int sim_discovery_build(struct sim *sim)
{
	const struct sim_discovery *discovery = sim->platform->discovery;
	size_t tables, most;

	if (discovery == NULL)
		return 0;
	tables = (size_t)sim->packages * discovery->tables;
	most = 2 * tables + sim->packages + sim->n_boxes * sim->packages * 2;
	sim->words = calloc(tables, SPACE);
	sim->windows = calloc(most, sizeof(*sim->windows));
	if (sim->words == NULL || sim->windows == NULL)
		return -ENOMEM;
	for (unsigned p = 0; p < sim->packages; p++)
		sim->package[p].frozen = discovery->frozen;
	add_tables(sim);
	for (unsigned p = 0; discovery->control_page != 0 && p < sim->packages; p++)
		add_window(sim, (struct sim_window){.package = p,
						    .first = control_address(sim, p),
						    .size = PAGE,
						    .control = true});
	for (size_t i = 0; i < sim->packages * sim->n_boxes; i++)
		if (sim->boxes[i].kind->access == SIM_BY_MMIO)
			add_box_windows(sim, &sim->boxes[i]);
	return 0;
}

const struct sim_window *sim_window_find(const struct sim *sim, unsigned package, uint64_t address)
{
	for (size_t i = 0; i < sim->n_windows; i++) {
		const struct sim_window *window = &sim->windows[i];

		if (window->package == package && address - window->first < window->size)
			return window;
	}
	return NULL;
}
