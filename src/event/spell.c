/* SPDX-License-Identifier: BSD-3-Clause */
/* spell.c - an event name that was taken apart, spelled in the one way; docs/events.md. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "event/name_space.h"

__attribute__((format(printf, 3, 4))) static void append(char *name, size_t *used,
							 const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = *used <= UNCORE_NAME_MAX
		    ? vsnprintf(name + *used, UNCORE_NAME_MAX + 1 - *used, format, args)
		    : 0;
	va_end(args);
	*used += n < 0 ? 0 : (size_t)n;
}

/*
 * Flags and thresholds of 0 are what their absence means; tf=0 and nf=0 are
 * not: they switch the filter on.
 */
bool unc_says_nothing(const struct unc_part *part)
{
	return !part->umask && part->value == 0 && part->attr < UNC_OURS_ATTR &&
	       (part->flag || strcmp(part->name, "t") == 0 || strcmp(part->name, "c") == 0);
}

bool unc_spell(const struct unc_parsed *p, char name[UNCORE_NAME_MAX + 1])
{
	char numbers[UNC_NUMBERS_TEXT];
	size_t used = 0;

	if (p->raw || p->base->qualified)
		append(name, &used, "%s::", p->pmu->name);
	append(name, &used, "%s", p->event);
	for (unsigned i = 0; i < p->n_parts; i++) {
		const struct unc_part *part = &p->parts[i];

		if (unc_says_nothing(part))
			continue;
		if (part->umask)
			append(name, &used, ":%s", part->name);
		else if (part->attr >= UNC_OURS_ATTR)
			append(name, &used, ":%s=%#" PRIx64, part->name, part->value);
		else
			append(name, &used, ":%s=%" PRIu64, part->name, part->value);
	}
	if (p->where.boxes.n)
		append(name, &used, p->pmu->type->arch ? ":cpu=%s" : ":box=%s",
		       unc_numbers_text(&p->where.boxes, numbers));
	if (p->where.packages.n)
		append(name, &used, ":pkg=%s", unc_numbers_text(&p->where.packages, numbers));
	if (p->where.die >= 0)
		append(name, &used, ":die=%d", p->where.die);
	return used <= UNCORE_NAME_MAX;
}

const char *unc_event_word(const struct unc_entry *listed)
{
	return listed->qualified ? strstr(listed->name, "::") + 2 : listed->name;
}
