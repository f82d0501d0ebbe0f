/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c - see frame.h. */
#include "command/draw/frame.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/draw/axis.h"

#define TIME_TICKS 8

double draw_length(const char *text)
{
	return DRAW_LETTER * (double)strlen(text);
}

double draw_duration(const struct draw_record *r)
{
	return r->n_intervals && r->ends[r->n_intervals - 1] > 0 ? r->ends[r->n_intervals - 1] : 1;
}

void draw_head(FILE *out, const struct draw_record *r, double height, const char *what)
{
	char *title = text_of("%s%s", r->simulated ? "SIMULATED " : "", r->machine);
	char *below = text_of("%s%s%s", what,
			      r->simulated ? "; counts do not describe a real machine" : "",
			      r->estimates ? "; estimates: events were multiplexed" : "");

	svg_begin(out, DRAW_WIDTH, height, title);
	svg_bold(out, (struct svg_point){8, 17}, SVG_START, DRAW_LARGE, title);
	svg_text(out, (struct svg_point){8, 33}, SVG_START, DRAW_SMALL, below);
	free(below);
	free(title);
}

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
