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
 * Events by time as shades: a row for each, those of boxes in the order of packages and boxes; a
 * panel for each event that is counted in several places.  At the right the mean of each row.
 */
void draw_heatmap(FILE *out, const struct draw_record *record);

/*
 * Write a picture into a file that is there as a whole or not at all.  0, or errno.  What is no
 * plain file (a device) is written into.
 */
int draw_file(const char *name, void (*draw)(FILE *, const struct draw_record *),
	      const struct draw_record *record);

/* 0, or the errno that says why no such file could be written. */
int draw_check_file(const char *name);

#ifdef __cplusplus
}
#endif
#endif
