/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.h - pictures of a record, as SVG. */
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include <stdio.h>

#include "command/draw/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lines over time: a panel for each unit, a line for each event. */
void draw_lines(FILE *out, const struct draw_record *record);

/*
 * Heat map: a row per event and box over time, sorted by package and box; a panel for each event
 * counted in several boxes or packages.  The mean of each row is shown at the right.
 */
void draw_heatmap(FILE *out, const struct draw_record *record);

/*
 * Write a picture to a file, which is replaced atomically.  Returns 0 or errno.  Other files than
 * regular ones (a device) are written in place.
 */
int draw_file(const char *name, void (*draw)(FILE *, const struct draw_record *),
	      const struct draw_record *record);

/* 0, or the errno with which writing this file would fail. */
int draw_check_file(const char *name);

#ifdef __cplusplus
}
#endif
#endif
