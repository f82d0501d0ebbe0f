/* SPDX-License-Identifier: BSD-3-Clause */
/* format_name.c - the canonical form of a parsed event name; docs/events.md. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "event/foreign.h"

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
 * A flag or threshold of 0 is the same as none; tf=0 and nf=0 are not, because they enable the
 * filter.
 */
bool unc_is_noop_part(const struct unc_part *part)
{
	return !part->umask && part->value == 0 && part->attr < UNC_OURS_ATTR &&
	       (part->flag || strcmp(part->name, "t") == 0 || strcmp(part->name, "c") == 0);
}

/* Boxes as a list, or as a mask if that is shorter. */
static void append_places(const struct unc_box_type *type, const struct unc_places *where,
			  bool mask, char *name, size_t *used)
{
	char numbers[UNC_NUMBERS_TEXT];

	if (where->boxes.n)
		append(name, used, type->arch ? ":cpu=%s" : ":box=%s",
		       mask ? unc_numbers_short_text(&where->boxes, numbers)
			    : unc_numbers_text(&where->boxes, numbers));
	if (where->packages.n)
		append(name, used, ":pkg=%s", unc_numbers_text(&where->packages, numbers));
	if (where->die >= 0)
		append(name, used, ":die=%d", where->die);
}

/* A name that is too long with a list of boxes has a mask. */
static bool format_places(const struct unc_box_type *type, const struct unc_places *where,
			  char *name, size_t used)
{
	for (int mask = 0; mask < 2; mask++) {
		size_t n = used;

		append_places(type, where, mask, name, &n);
		if (n <= UNCORE_NAME_MAX)
			return true;
	}
	return false;
}

bool unc_format_name(const struct unc_parsed *p, char name[UNCORE_NAME_MAX + 1])
{
	size_t used = 0;

	if (p->raw || p->base->qualified)
		append(name, &used, "%s::", p->pmu->name);
	append(name, &used, "%s", p->event);
	for (unsigned i = 0; i < p->n_parts; i++) {
		const struct unc_part *part = &p->parts[i];

		if (unc_is_noop_part(part))
			continue;
		if (part->umask)
			append(name, &used, ":%s", part->name);
		else if (part->attr >= UNC_OURS_ATTR)
			append(name, &used, ":%s=%#" PRIx64, part->name, part->value);
		else
			append(name, &used, ":%s=%" PRIu64, part->name, part->value);
	}
	if (p->port)
		append(name, &used, ":part=%u", p->port - 1);
	return format_places(p->pmu->type, &p->where, name, used);
}

void unc_raw_name(const struct unc_pmu *pmu, const uint64_t config[UNC_CONFIGS],
		  char own[UNC_OWN_NAME])
{
	int n = snprintf(own, UNC_OWN_NAME, "%s::RAW:config=%#" PRIx64, pmu->name, config[0]);

	for (unsigned i = 1; i < UNC_CONFIGS; i++)
		if (config[i])
			n += snprintf(own + n, UNC_OWN_NAME - (size_t)n, ":config%u=%#" PRIx64, i,
				      config[i]);
}

bool unc_format_raw_name(const struct unc_pmu *pmu, const struct unc_event *ev,
			 char name[UNCORE_NAME_MAX + 1])
{
	uint64_t config[UNC_CONFIGS];
	char raw[UNC_OWN_NAME];
	size_t used = 0;

	unc_event_config(ev, config);
	unc_raw_name(pmu, config, raw);
	append(name, &used, "%s", raw);
	return format_places(ev->type, &ev->where, name, used);
}

const char *unc_event_word(const struct unc_entry *listed)
{
	return listed->qualified ? strstr(listed->name, "::") + 2 : listed->name;
}
