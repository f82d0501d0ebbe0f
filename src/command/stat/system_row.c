/* SPDX-License-Identifier: BSD-3-Clause */
/* system_row.c - see system_row.h. */
#include "command/stat/system_row.h"

#include <stdlib.h>
#include <string.h>

/* Cut ":box=3" or ":pkg=1" out of a name. */
static void cut_qualifier(char *name, const char *qualifier)
{
	char *begin = strstr(name, qualifier), *end;

	if (!begin)
		return;
	end = begin + 1 + strcspn(begin + 1, ":");
	memmove(begin, end, strlen(end) + 1);
}

/*
 * Whether the rows cover the whole system, so that their sum is the system's count.  This includes
 * the same single box of each package, but not several single boxes.
 */
static bool is_whole(struct uncore *u, const char *name, size_t rows)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};

	if (!strcasestr(name, "pkg=*") || uncore_machine(u, &machine) < 0 || machine.packages < 2)
		return false;
	return rows == machine.packages || strcasestr(name, "box=*");
}

/* Means cannot be added, and a sum of clocks is not a clock. */
static bool has_sum(const struct row *row)
{
	return !row->real && strcmp(row->units, "cycles") != 0;
}

void add_system_row(struct uncore *u, struct wanted *w, const char *name, size_t *rows, size_t n)
{
	struct row *last = n ? &w->rows[rows[n - 1]] : NULL;
	char *label;

	if (!last || last->system || !has_sum(last) || !is_whole(u, name, n)) {
		free(rows);
		return;
	}
	label = text_of("%s", last->name);
	if (strcasestr(name, "box=*"))
		cut_qualifier(label, ":box=");
	cut_qualifier(label, ":pkg=");
	last->system = need_memory(1, sizeof(*last->system));
	*last->system = (struct system){text_and(label, " (system)"), rows, n};
}

void free_system_row(struct row *row)
{
	if (!row->system)
		return;
	free(row->system->label);
	free(row->system->rows);
	free(row->system);
}
