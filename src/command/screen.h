/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - text for people: as wide as what shows it. */
#ifndef UNC_TOOLS_SCREEN_H
#define UNC_TOOLS_SCREEN_H

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "command/base/text.h"

#define SCREEN_WIDE UINT_MAX /* nothing is folded */

struct screen {
	FILE *out;
	unsigned width; /* columns, or SCREEN_WIDE */
};

/*
 * As wide as COLUMNS says, but not wider than the terminal that out is; 80 columns where
 * neither tells.
 */
struct screen screen_of(FILE *out);

/*
 * Print text and end the line, with line ends between words where it would be too wide.
 * The first word comes in column at, where the cursor is; further lines begin in column hang.
 * What stands in brackets is kept together.
 */
void print_folded(const struct screen *s, unsigned at, unsigned hang, const char *text);

/* The same of a paragraph whose lines all begin in column indent. */
void print_paragraph(const struct screen *s, unsigned indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* One of several things below a heading: two columns in, further lines six. */
void print_item(const struct screen *s, const char *text);

/* Print name and go to the column behind it: on the next line if name is too long for it. */
void print_name(const struct screen *s, unsigned indent, const char *name, unsigned column);

/* "  NAME      what it is, folded in its column" */
void print_row(const struct screen *s, unsigned indent, const char *name, unsigned column,
	       const char *text);

/* "uncore: ..." on standard error, folded if that is a terminal. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
