/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.c - see warnings.h. */
#include "warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "error.h"

int unc_warnings_add(struct unc_warnings *w, const char *format, ...)
{
	char **texts = realloc(w->texts, (w->n + 1) * sizeof(*texts));
	va_list args;
	int r;

	if (!texts)
		return UNCORE_ENOMEM;
	w->texts = texts;
	va_start(args, format);
	r = vasprintf(&texts[w->n], format, args);
	va_end(args);
	if (r < 0)
		return UNCORE_ENOMEM;
	unc_no_controls(texts[w->n++]);
	return 0;
}

const char *unc_warning(const struct unc_warnings *w, unsigned i)
{
	return i < w->n ? w->texts[i] : NULL;
}

void unc_warnings_cut(struct unc_warnings *w, unsigned n)
{
	while (w->n > n)
		free(w->texts[--w->n]);
}

void unc_warnings_free(struct unc_warnings *w)
{
	unc_warnings_cut(w, 0);
	free(w->texts);
	*w = (struct unc_warnings){.n = 0};
}
