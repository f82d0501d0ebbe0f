/* SPDX-License-Identifier: BSD-3-Clause */
/* legend.h - the names of the lines of a panel, and how each is drawn. */
#ifndef DRAW_LEGEND_H
#define DRAW_LEGEND_H

#include "command/draw/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a line: draw_line_colour(), draw_line_dashes(). */
struct draw_style {
	size_t colour, dashes;
};

struct draw_legend {
	size_t n;
	struct draw_style *styles;
	char **names; /* without what all names share */
	char *shared; /* "UNCORE_MEM_...:pkg=0"; NULL: nothing */
};

/*
 * For n series of a record.  If several packages are drawn each has a colour, and each kind of
 * event a pattern; otherwise each line has both.
 */
void draw_legend_new(struct draw_legend *legend, const struct draw_record *record,
		     const size_t *series, size_t n);
void draw_legend_free(struct draw_legend *legend);

#ifdef __cplusplus
}
#endif
#endif
