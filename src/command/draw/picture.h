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

/* The most lines in a panel of draw_lines(). */
size_t draw_most_lines(const struct draw_record *record);

/* "pdf" or "png" by the name of a file; NULL: SVG. */
const char *draw_format_of(const char *name);
/* Whether the name promises another format, which cannot be written. */
bool draw_is_other_format(const char *name);
/* Whether the program that makes them from SVG is installed. */
bool draw_has_converter(void);
/* Write a picture in such a format to a descriptor.  0 or errno; EIO: the converter failed. */
int draw_converted(const char *format, int to, void (*draw)(FILE *, const struct draw_record *),
		   const struct draw_record *record);

/*
 * Write a picture to a file, as SVG or in the format of its name, which is replaced atomically.
 * Returns 0 or errno.  Other files than regular ones (a device) are written in place.
 */
int draw_file(const char *name, void (*draw)(FILE *, const struct draw_record *),
	      const struct draw_record *record);

/* 0, or the errno with which writing this file would fail. */
int draw_check_file(const char *name);

#ifdef __cplusplus
}
#endif
#endif
