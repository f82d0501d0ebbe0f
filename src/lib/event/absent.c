/* SPDX-License-Identifier: BSD-3-Clause */
/* absent.c - why this machine lacks an event or umask that other machines have. */
#include <stdio.h>
#include <string.h>

#include "event/name_space.h"

/* The event's box has no counters on this machine. */
static int unlocated(struct unc_names *names, const char *text)
{
	for (const struct unc_unlocated *u = unc_unlocated; u->platform; u++)
		if (u->platform == names->machine->platform &&
		    strncasecmp(text, u->prefix, strlen(u->prefix)) == 0)
			return unc_fail(names->err, UNCORE_ENOEVENT,
					"%s is an event of the %s, whose registers are not "
					"documented: %s",
					text, u->box, u->why);
	return 0;
}

static bool has_kind(const struct unc_names *names, const char *kind)
{
	for (unsigned i = 0; i < names->n_pmus; i++)
		if (strcmp(names->pmus[i].type->name, kind) == 0)
			return true;
	return false;
}

int unc_why_no_memory(struct unc_names *names, const char *text)
{
	for (const struct unc_memory_events *m = unc_memory_events; *m->prefix; m++)
		if (strncasecmp(text, m->prefix, strlen(m->prefix)) == 0 &&
		    !has_kind(names, m->kind))
			return unc_fail(names->err, UNCORE_ENOEVENT,
					"%s counts %s, which is not present on this machine (%s): "
					"the event is available on %s",
					text, m->memory, names->machine->platform->title, m->has);
	return 0;
}

/* ---- CPUs of another stepping ---- */

/* The event of that name in a table, for any stepping. */
static const struct unc_row *find_row(const struct unc_row *row, const char *event)
{
	for (; row && *row->name; row++)
		if (!row->umask && strcasecmp(row->name, event) == 0)
			return row;
	return NULL;
}

static const struct unc_row *row_named(const struct unc_names *names, const char *event)
{
	const struct unc_row *row = find_row(names->machine->platform->desc->more, event);

	for (unsigned i = 0; !row && i < names->n_pmus; i++)
		row = find_row(names->pmus[i].type->rows, event);
	return row;
}

static int is_of_later(struct unc_names *names, const char *what, unsigned stepping)
{
	const struct unc_machine *m = names->machine;

	return unc_fail(names->err, UNCORE_ENOEVENT,
			"%s is only supported by %s (stepping %u and later): this CPU has stepping "
			"%u",
			what, m->platform->desc->later ? m->platform->desc->later : "later CPUs",
			stepping, m->topo.stepping);
}

static int later_event(struct unc_names *names, const char *text)
{
	const struct unc_alias *aliases = names->machine->platform->desc->aliases;
	const struct unc_row *row = row_named(names, text);
	char other[UNCORE_NAME_MAX + 1];
	unsigned next = 0;

	while (!row && unc_alias_event(aliases, text, &next, other))
		row = row_named(names, other);
	if (!row || row->stepping <= names->machine->topo.stepping)
		return 0;
	return is_of_later(names, text, row->stepping);
}

static int skipped(struct unc_names *names, const char *event, const char *umask)
{
	const char *why = unc_lists_skipped(names->lists, event, umask);

	return why ? unc_fail(names->err, UNCORE_EATTR, "%s%s%s cannot be used: %s", event,
			      umask ? "." : "", umask ? umask : "", why)
		   : 0;
}

int unc_why_absent(struct unc_names *names, const char *text)
{
	int r = skipped(names, text, NULL);

	if (r == 0)
		r = unlocated(names, text);
	if (r == 0)
		r = unc_why_no_memory(names, text);
	return r == 0 ? later_event(names, text) : r;
}

int unc_why_no_umask(struct unc_names *names, const char *event, const char *umask)
{
	const struct unc_row *row = row_named(names, event);
	char name[2 * UNCORE_NAME_MAX];
	const int r = skipped(names, event, umask);

	if (r < 0)
		return r;
	while (row && *(++row)->name && row->umask) {
		if (strcasecmp(row->name, umask) != 0 ||
		    row->stepping <= names->machine->topo.stepping)
			continue;
		snprintf(name, sizeof(name), "umask %s of %s", umask, event);
		return is_of_later(names, name, row->stepping);
	}
	return 0;
}
