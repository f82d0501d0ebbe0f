/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - text for the terminal, wrapped to its width. */
#ifndef UNC_TOOLS_SCREEN_H
#define UNC_TOOLS_SCREEN_H

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "command/base/text.h"

/* All functions print names and texts of other users so that a terminal shows them (encode.h). */

#define SCREEN_WIDE UINT_MAX /* nothing is folded */

struct screen {
	FILE *out;
	unsigned width; /* columns, or SCREEN_WIDE */
	bool endless;   /* no terminal and no COLUMNS: the heading of a long table is not repeated */
};

/*
 * The width in COLUMNS, limited to the width of the terminal `out`; 80 columns if both are
 * unknown.
 */
struct screen screen_of(FILE *out);

/*
 * Print text and end the line, with line ends between words where it would be too wide.
 * The first word is printed in column at, where the cursor is; further lines begin in column hang.
 * Text in brackets is not broken.
 */
void print_folded(const struct screen *s, unsigned at, unsigned hang, const char *text);

/* The same for a paragraph whose lines all begin in column indent. */
void print_paragraph(const struct screen *s, unsigned indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* An item below a heading: indented by two columns, further lines by six. */
void print_item(const struct screen *s, const char *text);

/* Print name and advance to the next column, on a new line if the name is too long. */
void print_name(const struct screen *s, unsigned indent, const char *name, unsigned column);

/* "  NAME      what it is, folded in its column" */
void print_row(const struct screen *s, unsigned indent, const char *name, unsigned column,
	       const char *text);

/* "uncore: ..." on standard error, folded if that is a terminal. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
