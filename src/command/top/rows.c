/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - rows of characters and styles; see parts.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/encode.h"
#include "command/base/text.h"
#include "command/top/parts.h"

void rows_new(struct top_rows *r)
{
	const size_t end = ++r->n * r->width;

	r->text = need_more(r->text, end, 1);
	r->style = need_more(r->style, end, 1);
	memset(r->text + end - r->width, ' ', r->width);
	memset(r->style + end - r->width, TOP_PLAIN, r->width);
}

void rows_put(struct top_rows *r, unsigned column, unsigned style, const char *format, ...)
{
	va_list args;
	char *given, *text;
	size_t len;

	va_start(args, format);
	given = text_of_list(format, args);
	va_end(args);
	text = terminal_cells(given);
	free(given);
	len = column < r->width ? r->width - column : 0;
	len = strlen(text) < len ? strlen(text) : len;
	if (len) {
		const size_t at = (r->n - 1) * r->width + column;

		memcpy(r->text + at, text, len);
		memset(r->style + at, (int)style, len);
	}
	free(text);
}

void rows_put_folded(struct top_rows *r, unsigned style, const char *given)
{
	char *const cells = terminal_cells(given);
	unsigned indent = 0;

	for (const char *text = cells; *text;) {
		const size_t len = folded_length(text, r->width - indent);

		rows_new(r);
		rows_put(r, indent, style, "%.*s", (int)len, text);
		text += len;
		text += strspn(text, " ");
		indent = 2;
	}
	free(cells);
}

unsigned rows_fit(const struct top_rows *r, unsigned width)
{
	return r->width >= LABEL + width ? (r->width - LABEL) / width : 1;
}
