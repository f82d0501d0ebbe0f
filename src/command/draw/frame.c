/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c - see frame.h. */
#include "command/draw/frame.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/draw/axis.h"

#define WIDTH       760.0
#define LEAST_WIDTH 400.0
#define LINE        16.0 /* px from a line of text to the next one */
#define LARGE_MEAN  8.0  /* px of a letter of usual text, large and bold, and small */
#define SMALL_MEAN  6.2
#define TIME_TICKS  (draw_width(r) < DRAW_NARROW ? 5 : 8)

double draw_length(const char *text)
{
	return DRAW_LETTER * (double)strlen(text);
}

double draw_duration(const struct draw_record *r)
{
	return r->n_intervals && r->ends[r->n_intervals - 1] > 0 ? r->ends[r->n_intervals - 1] : 1;
}

double draw_width(const struct draw_record *r)
{
	const double px = r->look.width_mm * 96 / 25.4;

	return px <= 0 ? WIDTH : px < LEAST_WIDTH ? LEAST_WIDTH : px;
}

/* ---- texts of several lines ---- */

/* Returns the height; out NULL: nothing is written. */
static double put_text(FILE *out, const struct draw_record *r, double y, const char *text,
		       bool bold)
{
	const size_t room = (size_t)((draw_width(r) - 16) / (bold ? LARGE_MEAN : SMALL_MEAN));
	double height = 0;

	while (*text) {
		const size_t n = folded_length(text, room);
		char *line = text_of("%.*s", (int)n, text);

		if (out && bold)
			svg_bold(out, (struct svg_point){8, y + height}, SVG_START, DRAW_LARGE,
				 line);
		else if (out)
			svg_text(out, (struct svg_point){8, y + height}, SVG_START, DRAW_SMALL,
				 line);
		free(line);
		height += LINE;
		text += n;
		text += strspn(text, " ");
	}
	return height;
}

/* ---- head and foot ---- */

static char *machine_of(const struct draw_record *r)
{
	return text_of("%s%s", r->simulated ? "SIMULATED " : "", r->machine);
}

static char *title_of(const struct draw_record *r)
{
	return r->look.title ? text_of("%s", r->look.title) : machine_of(r);
}

/* The machine is always named: a title must not hide that it is simulated. */
static char *remarks_of(const struct draw_record *r, const char *what)
{
	char *machine = machine_of(r);
	char *text = text_of("%s%s%s%s%s", r->look.title ? machine : "", r->look.title ? ": " : "",
			     what, r->simulated ? "; counts do not describe a real machine" : "",
			     r->estimates ? "; estimates: events were multiplexed" : "");

	free(machine);
	return text;
}

static double put_head(FILE *out, const struct draw_record *r, const char *what)
{
	char *title = title_of(r), *remarks = remarks_of(r, what);
	double y = 17;

	y += put_text(out, r, y, title, true);
	y += put_text(out, r, y, remarks, false);
	free(remarks);
	free(title);
	return y - 9;
}

double draw_head_height(const struct draw_record *r, const char *what)
{
	return put_head(NULL, r, what);
}

double draw_foot_height(const struct draw_record *r)
{
	return r->look.caption && r->look.made ? 6 + put_text(NULL, r, 0, r->look.made, false) : 0;
}

void draw_head(FILE *out, const struct draw_record *r, double height, const char *what)
{
	char *title = title_of(r);

	svg_begin(out, draw_width(r), height, r->look.width_mm, title);
	if (r->look.made)
		svg_metadata(out, r->look.made);
	put_head(out, r, what);
	free(title);
}

void draw_foot(FILE *out, const struct draw_record *r, double height)
{
	if (draw_foot_height(r) > 0)
		put_text(out, r, height - draw_foot_height(r) + 10, r->look.made, false);
	svg_finish(out);
}

/* ---- time ---- */

void draw_time(FILE *out, const struct draw_record *r, struct svg_box box, bool lines, bool numbers)
{
	const struct draw_axis axis = draw_axis_until(draw_duration(r), TIME_TICKS);
	const double bottom = box.y + box.height;
	char text[DRAW_TICK];

	for (unsigned i = 0; i < axis.n; i++) {
		const double x = box.x + box.width * (i * axis.step) / axis.high;

		if (lines && i > 0)
			svg_line(out, (struct svg_point){x, box.y}, (struct svg_point){x, bottom},
				 DRAW_GREY, 0.5);
		svg_line(out, (struct svg_point){x, bottom}, (struct svg_point){x, bottom + 4},
			 "black", 1);
		if (numbers)
			svg_text(out, (struct svg_point){x, bottom + 15}, SVG_MIDDLE, DRAW_SMALL,
				 draw_tick_text(text, &axis, i));
	}
	if (numbers)
		svg_text(out, (struct svg_point){box.x + box.width / 2, bottom + 29}, SVG_MIDDLE,
			 DRAW_SMALL, "time, s");
}
