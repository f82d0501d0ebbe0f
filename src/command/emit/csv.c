/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - rows as lines of cells: CSV, or with another separator as perf stat has them. */
#include <stdarg.h>

#include "command/base/encode.h"
#include "command/emit/emit.h"

static void begin_cell(struct cells *cells)
{
	if (cells->n++)
		fputs(cells->separator, cells->out);
}

void put_cell(struct cells *cells, const char *text)
{
	begin_cell(cells);
	put_csv(cells->out, text, cells->separator);
}

void put_number_cell(struct cells *cells, const char *format, ...)
{
	va_list args;

	begin_cell(cells);
	va_start(args, format);
	vfprintf(cells->out, format, args);
	va_end(args);
}

static void emit_names(const struct emission *to, const struct rows *rows)
{
	struct cells cells = {to->out, to->separator, 0};

	if (rows->type->heading && rows->type->heading(rows->of, &cells))
		fputc('\n', to->out);
}

static void emit_csv(const struct emission *to, const struct rows *rows)
{
	struct cells cells = {to->out, to->separator, 0};

	for (size_t i = 0; rows->type->line(rows->of, i, &cells); i++) {
		fputc('\n', to->out);
		cells.n = 0;
	}
}

const struct emitter csv_emitter = {"csv", emit_names, emit_csv};
