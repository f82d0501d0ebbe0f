/* SPDX-License-Identifier: BSD-3-Clause */
/* erratum.c - known errors of events; events/errata.def. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "event/name_space.h"

static bool is_in_list(const char *list, const char *word)
{
	const size_t len = strlen(word);

	for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
		if (strncmp(list, word, len) == 0 && strchr(" ", list[len]))
			return true;
	return false;
}

static bool is_about(const struct unc_erratum *e, const struct unc_machine *m)
{
	return m->topo.stepping >= e->first && m->topo.stepping <= e->last &&
	       is_in_list(e->platforms, m->platform->name);
}

const struct unc_erratum *unc_erratum_at(const struct unc_machine *m, unsigned i)
{
	for (const struct unc_erratum *e = unc_errata; *e->platforms; e++)
		if (is_about(e, m) && i-- == 0)
			return e;
	return NULL;
}

/* Without box, package and modifiers: the parts that have a value. */
static void copy_name(char name[UNCORE_NAME_MAX + 1], const char *event, size_t len)
{
	size_t n = 0;

	for (size_t part; len > 0; event += part, len -= part) {
		part = 1;
		while (part < len && event[part] != ':')
			part++;
		if (!memchr(event, '=', part) && n + part <= UNCORE_NAME_MAX) {
			memcpy(name + n, event, part);
			n += part;
		}
	}
	name[n] = '\0';
}

/* The characters before the first wildcard are compared first: most rows differ there. */
static bool matches(const char *pattern, const char *name)
{
	return strncmp(pattern, name, strcspn(pattern, "*?")) == 0 &&
	       fnmatch(pattern, name, 0) == 0;
}

static const struct unc_erratum *find(const struct unc_machine *m, const char *event, size_t len)
{
	char name[UNCORE_NAME_MAX + 1];

	copy_name(name, event, len);
	for (const struct unc_erratum *e = unc_errata; *e->platforms; e++)
		if (matches(e->events, name) && is_about(e, m))
			return e;
	return NULL;
}

const struct unc_erratum *unc_erratum_of(const struct unc_machine *m, const char *event,
					 const char *formula)
{
	const struct unc_erratum *found = find(m, event, strlen(event));

	for (const char *word = formula; !found && (word = strstr(word, "UNC_"));) {
		const size_t len = strcspn(word, " ()[]");

		found = find(m, word, len);
		word += len;
	}
	return found;
}
