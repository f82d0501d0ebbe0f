/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_list.c - names that perf has in addition to fields: of its lists, and name=. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "event/foreign.h"
#include "shared/perf_formats.h"

const char *unc_perf_listed(const struct unc_names *names, const char *text, size_t len)
{
	for (const struct unc_perf_listed *e = unc_perf_events; *e->platforms; e++)
		if (strlen(e->name) == len && strncasecmp(e->name, text, len) == 0 &&
		    unc_is_among(e->platforms, names->machine->platform->name))
			return e->event;
	return NULL;
}

/* The end of a value: a quoted one may contain any character. */
static const char *end_of_value(const char *text)
{
	const char *end = *text == '\'' || *text == '"' ? strchr(text + 1, *text) : NULL;

	return end ? end + 1 : text + strcspn(text, ",/");
}

bool unc_perf_without_name(const char *text, char *out, size_t len)
{
	const char *begin = strchr(text, '/'), *end;

	while (begin && strncasecmp(begin + 1, "name=", 5) != 0)
		begin = strpbrk(begin + 1, ",/");
	if (!begin || begin - text >= (long)len)
		return false;
	end = end_of_value(begin + strlen(",name="));
	if (*begin == '/' && *end == ',')
		begin++, end++;
	else if (*begin == '/')
		begin++;
	snprintf(out, len, "%.*s%s", (int)(begin - text), text, end);
	return true;
}
