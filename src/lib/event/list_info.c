/* SPDX-License-Identifier: BSD-3-Clause */
/* list_info.c - the processor of an event list; docs/events.md. */
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "event/list_file.h"
#include "event/list_info.h"

/* Processors without a platform here: their units have the same names as those of servers. */
static const char other_processors[] =
	"Snow ?Ridge|Grand ?Ridge|Core ?\\(TM\\)|Intel (Atom|Pentium|Celeron)|"
	"(Sandy|Ivy) ?Bridge|Haswell|Broadwell|Skylake|"
	"(Rocket|Alder|Raptor|Meteor|Arrow|Lunar|Panther|Nova) ?Lake";

static bool matches(const char *info, const char *pattern)
{
	regex_t regex;
	bool match;

	if (!pattern || regcomp(&regex, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
		return false;
	match = regexec(&regex, info, 0, NULL, 0) == 0;
	regfree(&regex);
	return match;
}

/* "Xeon(R) 6" and "Xeon 6" are the same; "Core(TM)" marks the list of a client processor. */
static void strip_marks(char *to, const char *from)
{
	size_t n = 0;

	for (; *from && n < UNC_LIST_INFO_MAX - 1; from++) {
		if (strncasecmp(from, "(R)", 3) == 0)
			from += 2;
		else
			to[n++] = *from;
	}
	to[n] = '\0';
}

enum unc_list_for unc_list_for(const struct unc_platform *platform, const char *info)
{
	char text[UNC_LIST_INFO_MAX];

	strip_marks(text, info);
	if (matches(text, platform->desc->lists))
		return UNC_LIST_OURS;
	for (unsigned i = 0; unc_platforms[i]; i++)
		if (matches(text, unc_platforms[i]->desc->lists))
			return UNC_LIST_OTHERS;
	return matches(text, other_processors) ? UNC_LIST_OTHERS : UNC_LIST_UNKNOWN;
}

/* ---- errors in a file of events, with their position ---- */

/* Positions are mostly asked for in ascending order, so lines are counted only once. */
static unsigned line_of(struct unc_list_file *f, size_t at)
{
	if (f->line == 0 || at < f->line_at) {
		f->line = 1;
		f->line_at = 0;
	}
	for (; f->line_at < at && f->line_at < f->size; f->line_at++)
		f->line += f->text[f->line_at] == '\n';
	return f->line;
}

int unc_list_fail(struct unc_list_file *f, size_t at, const char *format, ...)
{
	char reason[UNCORE_ERRMSG_MAX / 2];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return unc_fail(f->err, UNCORE_EINVAL, "%s:%u: %s", f->path, line_of(f, at),
			f->from->quiet
				? "invalid event list: details are hidden because this program "
				  "runs with elevated privileges"
				: reason);
}

const char *unc_list_quote(const struct unc_list_file *f, const char *text)
{
	return f->from->quiet ? "..." : text;
}

int unc_list_leave_out(struct unc_list_file *f)
{
	if (++f->n_left > UNC_LIST_MAX_LEFT)
		return 0;
	return unc_warnings_add(f->warnings, UNCORE_WARNING_EVENT_LISTS, "%s; ignoring this event",
				f->err->text);
}
