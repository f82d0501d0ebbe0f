/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_format.c - fields of perf's config words, as the format directory of a PMU has them. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/sysfs.h"
#include "event/foreign.h"
#include "shared/perf_formats.h"

bool unc_is_among(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = list; n && (at = strstr(at, word)); at += n)
		if (at > list && at[-1] == ' ' && at[n] == ' ')
			return true;
	return !*list;
}

const char *unc_perf_fields(const struct unc_platform *platform, const struct unc_box_type *type)
{
	const struct unc_perf_format *f = unc_perf_formats;

	while (!unc_is_among(f->platforms, platform->name) ||
	       !unc_is_among(f->kinds, type->sysfs_name))
		f++;
	return f->fields;
}

const char *unc_perf_word(const char *list, const char *word, size_t len, char behind)
{
	for (; list && *list; list += strcspn(list, " ") + 1)
		if (strncasecmp(list, word, len) == 0 && list[len] == behind)
			return list + len + 1;
	return NULL;
}

bool unc_perf_field(const struct unc_platform *platform, const struct unc_box_type *type,
		    const char *name, size_t len, struct unc_perf_field *f)
{
	static const char words[UNC_CONFIGS][8] = {"config", "config1", "config2"};

	for (unsigned i = 0; i < UNC_CONFIGS; i++)
		if (strlen(words[i]) == len && strncasecmp(name, words[i], len) == 0) {
			*f = (struct unc_perf_field){i, "0-63 "};
			return true;
		}
	*f = (struct unc_perf_field){
		0, unc_perf_word(unc_perf_fields(platform, type), name, len, '=')};
	if (f->ranges && f->ranges[1] == ':') {
		f->word = (unsigned)(f->ranges[0] - '0');
		f->ranges += 2;
	}
	return f->ranges != NULL;
}

uint64_t unc_perf_place(uint64_t value, const char *ranges, uint64_t *word)
{
	unsigned low, high;
	const char *at = ranges;

	while ((at = unc_next_range(at, &low, &high))) {
		const uint64_t mask = UINT64_MAX >> (63 - (high - low));

		*word = (*word & ~(mask << low)) | (value & mask) << low;
		value = high - low == 63 ? 0 : value >> (high - low + 1);
		if (at[-1] != ',')
			break;
	}
	return value;
}

/* ---- names that perf has in addition to fields: of its lists, and name= ---- */

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
