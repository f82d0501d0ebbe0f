/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svg.h - the few elements of SVG 1.1 that pictures are made of.  Lengths are in px; text is black,
 * and is escaped.  ferror() reports write errors.
 */
#ifndef DRAW_SVG_H
#define DRAW_SVG_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

struct svg_point {
	double x, y;
};

struct svg_box {
	double x, y, width, height;
};

/* The head; width and height of the whole picture; mm: its printed width, 0: as many px. */
void svg_begin(FILE *out, double width, double height, double mm, const char *title);
/* A text that is not shown. */
void svg_metadata(FILE *out, const char *text);
void svg_finish(FILE *out);

/* A line of text whose base line is at y. */
void svg_text(FILE *out, struct svg_point at, enum svg_anchor anchor, double size,
	      const char *text);
void svg_bold(FILE *out, struct svg_point at, enum svg_anchor anchor, double size,
	      const char *text);
/* The same, rotated to read upwards. */
void svg_upwards(FILE *out, struct svg_point at, double size, const char *text);

void svg_rect(FILE *out, struct svg_box box, const char *colour);
/* The outline of a box. */
void svg_frame(FILE *out, struct svg_box box);
void svg_line(FILE *out, struct svg_point from, struct svg_point to, const char *colour,
	      double width);

/* A line through many points, "" or "6,3" dashed, with a name that is shown when pointed at. */
void svg_begin_curve(FILE *out, const char *colour, const char *dashes);
/* begins: start a new line at this point. */
void svg_point_to(FILE *out, struct svg_point to, int begins);
void svg_end_curve(FILE *out, const char *name);

/* Many rectangles of one colour. */
void svg_begin_area(FILE *out, const char *colour);
void svg_add_rect(FILE *out, struct svg_box box);
void svg_end_area(FILE *out);

#ifdef __cplusplus
}
#endif
#endif
