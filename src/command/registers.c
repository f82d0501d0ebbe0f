/* SPDX-License-Identifier: BSD-3-Clause */
/* registers.c - `uncore show -v`: boxes with their registers, discovery tables. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools.h"

/* ---- boxes ---- */

static void print_addresses(const struct screen *s, const char *title, char *text)
{
	if (*text)
		print_row(s, 4, title, 14, text);
	free(text);
}

/* Addresses of one kind. */
static void print_kind(const struct screen *s, struct uncore *u, unsigned box,
		       enum uncore_register which, const char *title)
{
	char *text = text_of("%s", "");
	struct uncore_op_info op = {.size = sizeof(op)};

	for (unsigned i = 0; uncore_register(u, box, which, i, &op) == 1; i++)
		if (op.fixed)
			text = text_and(text, "%sfixed %#" PRIx64, i ? ", " : "", op.address);
		else
			text = text_and(text, "%s%#" PRIx64, i ? " " : "", op.address);
	print_addresses(s, title, text);
}

static void print_box(const struct screen *s, struct uncore *u, unsigned i,
		      const struct uncore_box_info *b)
{
	char name[BOX_NAME];
	const int at = fprintf(s->out, "  %-8s %-18s ", box_name(name, b->kind, b->index),
			       *b->location ? b->location : "-");
	char *text = b->absent
			     ? text_of("%s: %s", b->unreached ? "not reached" : "absent", b->absent)
			     : text_of("%u counter%s of %u bits%s", b->counters,
				       b->counters == 1 ? "" : "s", b->width,
				       b->fixed ? " and a fixed one" : "");

	print_folded(s, (unsigned)at, 6, text);
	free(text);
	if (b->absent)
		return;
	print_kind(s, u, i, UNCORE_CONTROL, "controls");
	print_kind(s, u, i, UNCORE_COUNTER, "counters");
	print_kind(s, u, i, UNCORE_FILTER, "filters");
}

static void print_packages(const struct screen *s, struct uncore *u,
			   const struct uncore_machine_info *m)
{
	struct uncore_box_info box = {.size = sizeof(box)};

	for (unsigned p = 0; p < m->packages * m->dies; p++) {
		fprintf(s->out, "\npackage %u", p / m->dies);
		fprintf(s->out, m->dies > 1 ? ", die %u\n" : "\n", p % m->dies);
		for (unsigned i = 0; i < m->boxes && uncore_box(u, i, &box) == 1; i++)
			if (box.package * m->dies + box.die == p)
				print_box(s, u, i, &box);
	}
}

/* ---- discovery tables ---- */

/* "package 1 (its root bus)" */
static char *package_text(const struct uncore_discovery_table_info *t)
{
	if (!t->basis)
		return text_of("package unknown");
	return text_of("package %u (%s%s)", t->package, t->assumed ? "assumed from " : "",
		       t->basis);
}

static void print_table(const struct screen *s, const struct uncore_discovery_table_info *t,
			unsigned number)
{
	char *package = package_text(t);

	fputc('\n', s->out);
	if (strncmp(t->device, "msr", 3) == 0)
		print_paragraph(s, 0, "discovery table %u: %s, %s, at %#" PRIx64, number, package,
				t->device, t->address);
	else
		print_paragraph(s, 0, "discovery table %u: %s, PCI device %s, BAR %u at %#" PRIx64,
				number, package, t->device, t->bar, t->address);
	free(package);
	print_paragraph(s, 2,
			"%u records of %u bytes, %u of them empty; global control %s, %u global "
			"status registers at offset %u",
			t->slots, t->stride, t->empty, *t->control ? t->control : "none",
			t->n_status, t->status_offset);
	if (t->damage)
		print_paragraph(s, 2, "DAMAGED: %s", t->damage);
}

static void print_unit(const struct screen *s, struct uncore *u,
		       const struct uncore_discovered_unit_info *r)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	char name[BOX_NAME] = "no box";
	char *text;

	if (r->box >= 0 && uncore_box(u, (unsigned)r->box, &box) == 1)
		box_name(name, box.kind, box.index);
	text = text_of("record %u: type %u, id %u, %s, width %u, %u registers, control offset %u, "
		       "counter offset %u, status offset %u, position %u: %s%s%s",
		       r->slot, r->type, r->id, r->location, r->width, r->counters,
		       r->control_offset, r->counter_offset, r->status_offset, r->position, name,
		       r->refused ? ": ignored, " : "", r->refused ? r->refused : "");
	print_item(s, text);
	free(text);
}

static void print_tables(const struct screen *s, struct uncore *u)
{
	struct uncore_discovery_table_info t = {.size = sizeof(t)};
	struct uncore_discovered_unit_info r = {.size = sizeof(r)};

	for (unsigned i = 0; uncore_discovery_table(u, i, &t) == 1; i++) {
		print_table(s, &t, i);
		for (unsigned k = 0; uncore_discovered_unit(u, k, &r) == 1; k++)
			if (r.table == i)
				print_unit(s, u, &r);
	}
}

void print_registers(const struct screen *s, struct uncore *u)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};

	uncore_machine(u, &machine);
	print_packages(s, u, &machine);
	print_tables(s, u);
}
