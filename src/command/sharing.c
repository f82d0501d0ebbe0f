/* SPDX-License-Identifier: BSD-3-Clause */
/* sharing.c - other processes on the machine, for `show` and `restore`. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools.h"

void place_of_operation(char *text, size_t len, const struct uncore_op_info *op)
{
	if (op->space == UNCORE_PCI)
		snprintf(text, len, "PCI %04x:%02x:%02x.%x, register %#" PRIx64, op->segment,
			 op->bus, op->device, op->function, op->address);
	else if (op->space == UNCORE_CPU)
		snprintf(text, len, "CPU %u, MSR %#" PRIx64, op->cpu, op->address);
	else
		snprintf(text, len, "package %u, %s %#" PRIx64, op->package,
			 op->space == UNCORE_MSR ? "MSR" : "memory at", op->address);
}

static void print_owner(const struct screen *s, const struct uncore_owner_info *o)
{
	char when[TIME_TEXT], *text;

	text = text_of("%s, since %s, %u register%s: %s", o->name, text_of_time(when, o->since),
		       o->registers, plural(o->registers),
		       *o->events ? o->events : "events unknown");
	print_item(s, text);
	free(text);
}

/* If uncored owns the registers, list its clients, too. */
static void print_owners(const struct screen *s, struct uncore *u)
{
	struct uncore_owner_info o = {.size = sizeof(o)};
	bool served = false;

	for (unsigned i = 0; uncore_owner(u, i, &o) == 1; i++) {
		print_owner(s, &o);
		served |= strcmp(o.program, "uncored") == 0;
	}
	if (served)
		print_served(s);
}

void print_sharing(const struct screen *s, struct uncore *u)
{
	struct uncore_machine_info info = {.size = sizeof(info)};
	struct uncore_sharing_info sharing = {.size = sizeof(sharing)};
	struct uncore_owner_info o = {.size = sizeof(o)};

	if (uncore_machine(u, &info) == 0 && info.daemon) {
		fputs("\nother processes\n", s->out);
		if (print_served(s) == 0)
			print_item(s, "no known process counts through uncored");
		return;
	}
	if (uncore_sharing(u, &sharing) < 0 || (!sharing.journal && !sharing.missing))
		return;
	fputs("\nother processes\n", s->out);
	if (sharing.missing)
		print_item(s, sharing.missing);
	if (sharing.ended)
		print_paragraph(s, 2,
				"%u process%s ended without restoring registers: they are "
				"restored when counting next starts there, or by `uncore restore`",
				sharing.ended, sharing.ended == 1 ? " has" : "es have");
	print_owners(s, u);
	if (sharing.journal && uncore_owner(u, 0, &o) == 0)
		print_paragraph(s, 2, "no process is counting (journals: %s)", sharing.journal);
}
