/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c - events over time as lines, a panel for each unit. */
#include <math.h>
#include <stdlib.h>

#include "command/base/text.h"
#include "command/draw/axis.h"
#include "command/draw/frame.h"
#include "command/draw/legend.h"
#include "command/draw/palette.h"
#include "command/draw/picture.h"

#define LEFT     70.0 /* px to the left of a panel's box */
#define RIGHT    20.0
#define ABOVE    12.0
#define PANEL    190.0 /* the height of its box */
#define LEGEND   15.0  /* for a row of names */
#define SHARED   14.0  /* for what they share, above the box */
#define SAMPLE   32.0  /* length of a line in the legend */
#define WHAT     "uncore events over time"
#define TICKS    5
#define HEADROOM 1.02
#define PX_PEAKS 2.0 /* closer points are merged into their minimum and maximum */

/* The width of a panel's box. */
static double box_width(const struct draw_record *r)
{
	return draw_width(r) - LEFT - RIGHT;
}

/* The events of one unit. */
struct panel {
	size_t *series;
	size_t n, columns, rows; /* of its legend */
	struct draw_legend legend;
	double y, below;
};

struct panels {
	struct panel *list;
	size_t n;
};

static struct panel *panel_for(const struct draw_record *r, struct panels *p, size_t series)
{
	for (size_t i = 0; i < p->n; i++)
		if (draw_same_unit(&r->series[p->list[i].series[0]], &r->series[series]))
			return &p->list[i];
	p->list = need_more(p->list, p->n + 1, sizeof(*p->list));
	p->list[p->n] = (struct panel){.n = 0};
	return &p->list[p->n++];
}

static void lay_out_legend(const struct draw_record *r, struct panel *p)
{
	double longest = 0;

	draw_legend_new(&p->legend, r, p->series, p->n);
	for (size_t i = 0; i < p->n; i++)
		longest = fmax(longest, draw_length(p->legend.names[i]));
	p->columns = (size_t)fmax(1, floor(box_width(r) / (longest + SAMPLE + 16)));
	p->columns = p->columns < p->n ? p->columns : p->n;
	p->rows = p->columns ? (p->n + p->columns - 1) / p->columns : 1;
}

static struct panels find_panels(const struct draw_record *r, double *height)
{
	struct panels p = {.n = 0};

	for (size_t i = 0; i < r->n; i++) {
		struct panel *panel = panel_for(r, &p, i);

		panel->series = need_more(panel->series, panel->n + 1, sizeof(*panel->series));
		panel->series[panel->n++] = i;
	}
	*height = draw_head_height(r, WHAT);
	for (size_t i = 0; i < p.n; i++) {
		struct panel *panel = &p.list[i];

		lay_out_legend(r, panel);
		panel->y = *height + ABOVE + (panel->legend.shared ? SHARED : 0);
		panel->below = i + 1 < p.n ? DRAW_CLOSER : DRAW_BELOW;
		*height = panel->y + PANEL + panel->below + LEGEND * (double)panel->rows;
	}
	*height += 8 + draw_foot_height(r);
	return p;
}

/* ---- one panel ---- */

static double largest(const struct draw_record *r, const struct panel *p)
{
	double most = 0;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < r->n_intervals; k++)
			most = fmax(most, draw_value(r, p->series[i], k));
	return most;
}

static void put_axis(FILE *out, const struct draw_axis *axis, const char *unit, struct svg_box box)
{
	char text[DRAW_TICK];

	for (unsigned i = 0; i < axis->n; i++) {
		const double y = box.y + box.height * (1 - i * axis->step / axis->high);

		if (i > 0)
			svg_line(out, (struct svg_point){box.x, y},
				 (struct svg_point){box.x + box.width, y}, DRAW_GREY, 0.5);
		svg_line(out, (struct svg_point){box.x - 4, y}, (struct svg_point){box.x, y},
			 "black", 1);
		svg_text(out, (struct svg_point){box.x - 7, y + 4}, SVG_END, DRAW_SMALL,
			 draw_tick_text(text, axis, i));
	}
	svg_upwards(out, (struct svg_point){box.x - 52, box.y + box.height / 2}, DRAW_SMALL, unit);
}

/* Coordinates of an event's values. */
struct curve {
	FILE *out;
	const struct draw_record *record;
	size_t series;
	struct svg_box box;
	double high; /* value at the upper end of the box */
	bool begins; /* the next point starts a new line */
};

static void put_value(struct curve *c, double x, double value)
{
	const double y = c->box.y + c->box.height * (1 - value / c->high);

	svg_point_to(c->out, (struct svg_point){x, fmax(y, c->box.y)}, c->begins);
	c->begins = false;
}

/* Intervals from..to as one value, or as two to preserve peaks. */
static void put_intervals(struct curve *c, size_t from, size_t to)
{
	double least = NAN, most = NAN;
	const double middle = (draw_begin(c->record, from) + c->record->ends[to - 1]) / 2;
	const double x = c->box.x + c->box.width * middle / draw_duration(c->record);

	for (size_t i = from; i < to; i++) {
		const double value = draw_value(c->record, c->series, i);

		least = fmin(least, value);
		most = fmax(most, value);
	}
	if (isnan(most)) {
		c->begins = true;
		return;
	}
	put_value(c, x, least);
	if (to - from > 1)
		put_value(c, x, most);
}

static void put_curve(struct curve *c, const struct draw_record *r, size_t step)
{
	for (size_t i = 0; i < r->n_intervals; i += step)
		put_intervals(c, i, i + step < r->n_intervals ? i + step : r->n_intervals);
	/* a single interval is drawn as a line, a point would be invisible */
	if (r->n_intervals == 1 && !c->begins)
		put_value(c, c->box.x + c->box.width, draw_value(r, c->series, 0));
}

static void begin_line(FILE *out, const struct panel *p, size_t i)
{
	svg_begin_curve(out, draw_line_colour(p->legend.styles[i].colour),
			draw_line_dashes(p->legend.styles[i].dashes));
}

static void put_curves(FILE *out, const struct draw_record *r, const struct panel *p,
		       struct svg_box box, double high)
{
	const double px = box.width / (double)(r->n_intervals ? r->n_intervals : 1);
	const size_t step = (size_t)fmax(1, ceil(PX_PEAKS / px - 1e-9));

	for (size_t i = 0; i < p->n; i++) {
		struct curve c = {out, r, p->series[i], box, high, true};

		begin_line(out, p, i);
		if (px >= PX_PEAKS)
			put_curve(&c, r, 1);
		else
			put_curve(&c, r, step);
		svg_end_curve(out, draw_label(&r->series[p->series[i]]));
	}
}

static void put_legend(FILE *out, const struct draw_record *r, const struct panel *p, double y)
{
	const double width = box_width(r) / (double)p->columns;

	for (size_t i = 0; i < p->n; i++) {
		const size_t column = i / p->rows;
		const double x = LEFT + width * (double)column;
		const double base = y + LEGEND * (double)(i % p->rows);

		begin_line(out, p, i);
		svg_point_to(out, (struct svg_point){x, base - 4}, 1);
		svg_point_to(out, (struct svg_point){x + SAMPLE - 6, base - 4}, 0);
		svg_end_curve(out, draw_label(&r->series[p->series[i]]));
		svg_text(out, (struct svg_point){x + SAMPLE, base}, SVG_START, DRAW_SMALL,
			 p->legend.names[i]);
	}
}

static void put_panel(FILE *out, const struct draw_record *r, const struct panel *p)
{
	const struct svg_box box = {LEFT, p->y, box_width(r), PANEL};
	const double most = largest(r, p);
	const struct draw_scale scale = draw_scale_of(&r->series[p->series[0]], most);
	const struct draw_axis axis = draw_axis_to(HEADROOM * most * scale.factor, TICKS);

	if (p->legend.shared)
		svg_text(out, (struct svg_point){box.x, box.y - 5}, SVG_START, DRAW_SMALL,
			 p->legend.shared);
	put_axis(out, &axis, scale.unit, box);
	draw_time(out, r, box, true, p->below > DRAW_CLOSER);
	svg_frame(out, box);
	put_curves(out, r, p, box, axis.high / scale.factor);
	put_legend(out, r, p, p->y + PANEL + p->below + 8);
}

size_t draw_most_lines(const struct draw_record *r)
{
	size_t most = 0;

	for (size_t i = 0; i < r->n; i++) {
		size_t n = 0;

		for (size_t k = 0; k < r->n; k++)
			n += draw_same_unit(&r->series[i], &r->series[k]);
		most = n > most ? n : most;
	}
	return most;
}

void draw_lines(FILE *out, const struct draw_record *r)
{
	double height;
	struct panels p = find_panels(r, &height);

	draw_head(out, r, height, WHAT);
	for (size_t i = 0; i < p.n; i++) {
		put_panel(out, r, &p.list[i]);
		free(p.list[i].series);
		draw_legend_free(&p.list[i].legend);
	}
	free(p.list);
	draw_foot(out, r, height);
}
