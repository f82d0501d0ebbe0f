/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h - what pictures have in common: title, sizes of letters, axis of time. */
#ifndef DRAW_FRAME_H
#define DRAW_FRAME_H

#include "command/draw/record.h"
#include "command/draw/svg.h"

#define DRAW_WIDTH  760.0
#define DRAW_HEAD   40.0 /* px for the title */
#define DRAW_LARGE  13.0 /* px of letters */
#define DRAW_SMALL  11.0
#define DRAW_LETTER 7.2 /* px that a small one takes at most, of names in capitals */
#define DRAW_GREY   "#d0d0d0"

/* Begin a picture and put its title: the machine, and what is to be known of its numbers. */
void draw_head(FILE *out, const struct draw_record *record, double height, const char *what);

/* How long it took, in s; where a moment is between x and x + width. */
double draw_duration(const struct draw_record *record);

/* Ticks and numbers of the time below a box; lines: also through it. */
void draw_time(FILE *out, const struct draw_record *record, struct svg_box box, bool lines);

/* Px that a small text takes. */
double draw_length(const char *text);

#endif
