/* SPDX-License-Identifier: BSD-3-Clause */
/* list_error.c - errors in a file of events, with their position. */
#include <stdarg.h>
#include <stdio.h>

#include "event/list_file.h"

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
