/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h - common parts of all pictures: title, font sizes, time axis. */
#ifndef DRAW_FRAME_H
#define DRAW_FRAME_H

#include "command/draw/record.h"
#include "command/draw/svg.h"

#define DRAW_NARROW 600.0 /* px: pictures below this width have larger boxes */
#define DRAW_LARGE  13.0  /* font size in px */
#define DRAW_SMALL  11.0
#define DRAW_LETTER 7.2 /* widest small letter in px; names are in capitals */
#define DRAW_GREY   "#d0d0d0"

/* Width of a picture in px: fonts keep their size on paper, down to 400 px. */
double draw_width(const struct draw_record *record);

/* Height of the title and of the caption in px. */
double draw_head_height(const struct draw_record *record, const char *what);
double draw_foot_height(const struct draw_record *record);

/*
 * Begin a picture with its title: the machine and remarks on its numbers; what: the kind of
 * picture.  height includes those of head and foot.
 */
void draw_head(FILE *out, const struct draw_record *record, double height, const char *what);
/* End it with its caption. */
void draw_foot(FILE *out, const struct draw_record *record, double height);

/* The duration in s; the position of a time between x and x + width. */
double draw_duration(const struct draw_record *record);

#define DRAW_BELOW  38.0 /* px for the numbers of the time axis */
#define DRAW_CLOSER 10.0 /* ... below the other panels, which only have its ticks */

/* Ticks of the time axis below a box; lines: also grid lines; numbers: also their labels. */
void draw_time(FILE *out, const struct draw_record *record, struct svg_box box, bool lines,
	       bool numbers);

/* Width of a small text in px. */
double draw_length(const char *text);

#endif
