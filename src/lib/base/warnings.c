/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.c - see warnings.h. */
#include "warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "error.h"

int unc_warnings_add(struct unc_warnings *w, enum uncore_warning_code code, const char *format, ...)
{
	struct unc_warning *list = realloc(w->list, (w->n + 1) * sizeof(*list));
	va_list args;
	int r;

	if (!list)
		return UNCORE_ENOMEM;
	w->list = list;
	list[w->n].code = code;
	va_start(args, format);
	r = vasprintf(&list[w->n].text, format, args);
	va_end(args);
	if (r < 0)
		return UNCORE_ENOMEM;
	unc_no_controls(list[w->n++].text);
	return 0;
}

const struct unc_warning *unc_warning(const struct unc_warnings *w, unsigned i)
{
	return i < w->n ? &w->list[i] : NULL;
}

void unc_warnings_cut(struct unc_warnings *w, unsigned n)
{
	while (w->n > n)
		free(w->list[--w->n].text);
}

void unc_warnings_free(struct unc_warnings *w)
{
	unc_warnings_cut(w, 0);
	free(w->list);
	*w = (struct unc_warnings){.n = 0};
}
