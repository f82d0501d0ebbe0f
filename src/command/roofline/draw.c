/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * draw.c - the roofline (Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance
 * Model", CACM 52 (2009)): operations a second over operations per byte, on logarithmic axes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/draw/frame.h"
#include "command/draw/palette.h"
#include "command/emit/emit.h"
#include "command/roofline/roofline.h"

#define HEIGHT 380.0
#define LEFT   70.0
#define RIGHT  20.0
#define LEGEND 16.0 /* px of a line */
#define WHAT   "roofline of floating-point operations"

/* The ranges of both axes, as powers of two and of ten. */
struct view {
	FILE *out;
	const struct roofline *r;
	struct svg_box box;
	double low_x, high_x, low_y, high_y; /* log2 and log10 */
	double legend_y;
	size_t colour;
};

/* ---- ranges ---- */

static void include(struct view *v, double intensity, double rate)
{
	if (!(intensity > 0) || !(rate > 0))
		return;
	v->low_x = fmin(v->low_x, floor(log2(intensity)) - 1);
	v->high_x = fmax(v->high_x, ceil(log2(intensity)) + 1);
	v->low_y = fmin(v->low_y, floor(log10(rate)));
	v->high_y = fmax(v->high_y, ceil(log10(rate) + 0.1));
}

static void include_part(struct view *v, const struct roofline_part *part)
{
	for (enum precision p = 0; p < PRECISIONS; p++)
		if (v->r->precision[p])
			include(v, part_intensity(part, p), part_rate(part, p));
}

static void find_ranges(struct view *v)
{
	v->low_x = -4;
	v->high_x = 4;
	v->low_y = v->high_y = 9;
	include_part(v, &v->r->whole);
	for (size_t i = 0; i < v->r->n_phases; i++)
		include_part(v, &v->r->phases[i]);
	for (size_t i = 0; i < v->r->n_regions; i++)
		include_part(v, &v->r->regions[i]);
	for (enum precision p = 0; p < PRECISIONS; p++)
		for (unsigned w = 0; w < WIDTHS && v->r->precision[p]; w++) {
			const double most = v->r->roof.operations[p][w];

			include(v, most / v->r->roof.memory, most);
		}
	include(v, 1, v->r->roof.memory);
}

static struct svg_point place(const struct view *v, double intensity, double rate)
{
	const struct svg_box *b = &v->box;

	return (struct svg_point){
		b->x + b->width * (log2(intensity) - v->low_x) / (v->high_x - v->low_x),
		b->y + b->height * (v->high_y - log10(rate)) / (v->high_y - v->low_y)};
}

/* ---- axes ---- */

static void draw_axes(const struct view *v)
{
	const struct svg_box *b = &v->box;

	for (int i = (int)v->low_x; i <= (int)v->high_x; i++) {
		const double x = i;
		const struct svg_point at = place(v, exp2(x), pow(10, v->low_y));
		char *text = x < 0 ? text_of("1/%.0f", exp2(-x)) : text_of("%.0f", exp2(x));

		svg_line(v->out, (struct svg_point){at.x, b->y}, at, DRAW_GREY, 0.5);
		svg_text(v->out, (struct svg_point){at.x, at.y + 15}, SVG_MIDDLE, DRAW_SMALL, text);
		free(text);
	}
	for (int i = (int)v->low_y; i <= (int)v->high_y; i++) {
		const double y = i;
		const struct svg_point at = place(v, exp2(v->low_x), pow(10, y));
		char *text = text_of("%g", pow(10, y - 9));

		svg_line(v->out, at, (struct svg_point){b->x + b->width, at.y}, DRAW_GREY, 0.5);
		svg_text(v->out, (struct svg_point){at.x - 6, at.y + 4}, SVG_END, DRAW_SMALL, text);
		free(text);
	}
	svg_frame(v->out, *b);
	svg_text(v->out, (struct svg_point){b->x + b->width / 2, b->y + b->height + 31}, SVG_MIDDLE,
		 DRAW_SMALL, "operations per byte of memory");
	svg_upwards(v->out, (struct svg_point){16, b->y + b->height / 2}, DRAW_SMALL, "GFLOP/s");
}

/* A line of the legend: a mark, or a dash, and its text. */
static void draw_legend(struct view *v, const char *colour, double mark, const char *text)
{
	const struct svg_point at = {v->box.x + 12, v->legend_y};

	if (mark > 0)
		svg_rect(v->out, (struct svg_box){at.x - mark / 2, at.y - mark / 2, mark, mark},
			 colour);
	else
		svg_line(v->out, (struct svg_point){at.x - 8, at.y},
			 (struct svg_point){at.x + 8, at.y}, colour, 1.5);
	svg_text(v->out, (struct svg_point){at.x + 14, at.y + 4}, SVG_START, DRAW_SMALL, text);
	v->legend_y += LEGEND;
}

/* ---- roofs ---- */

/* The part of the line rate = bandwidth * intensity that is inside, up to a rate. */
static void draw_memory(struct view *v)
{
	const double bandwidth = v->r->roof.memory;
	double most = pow(10, v->high_y), from = exp2(v->low_x), to;
	char rate[RATE_TEXT], *text;

	if (!(bandwidth > 0))
		return;
	for (enum precision p = 0; p < PRECISIONS; p++) {
		const double roof = roof_operations(&v->r->roof, p);

		most = v->r->precision[p] && roof > 0 ? fmin(most, roof) : most;
	}
	from = fmax(from, pow(10, v->low_y) / bandwidth);
	to = fmin(exp2(v->high_x), most / bandwidth);
	if (from >= to)
		return;
	text = text_of("memory, %s (%s)", rate_text(rate, "bytes", bandwidth, 1),
		       v->r->roof.measured ? "measured" : "theoretical");
	svg_begin_curve(v->out, "black", v->r->roof.measured ? "" : "6,3");
	svg_point_to(v->out, place(v, from, bandwidth * from), 1);
	svg_point_to(v->out, place(v, to, bandwidth * to), 0);
	svg_end_curve(v->out, text);
	draw_legend(v, "black", 0, text);
	free(text);
}

static void draw_width_roof(struct view *v, enum precision precision, unsigned width)
{
	const double most = v->r->roof.operations[precision][width], right = exp2(v->high_x);
	const double from =
		fmax(exp2(v->low_x), v->r->roof.memory > 0 ? most / v->r->roof.memory : 0);
	const char *colour = draw_line_colour(v->colour + width);
	char *text;

	if (!(most > 0) || from >= right)
		return;
	text = text_of("%s precision, %s, %.4g GFLOP/s", precision_names[precision],
		       width_names[width], 1e-9 * most);
	svg_begin_curve(v->out, colour, precision == PRECISION_DOUBLE ? "" : "6,3");
	svg_point_to(v->out, place(v, from, most), 1);
	svg_point_to(v->out, place(v, right, most), 0);
	svg_end_curve(v->out, text);
	draw_legend(v, colour, 0, text);
	free(text);
}

/* ---- points ---- */

static void draw_point(struct view *v, const struct roofline_part *part, enum precision precision,
		       const char *name, double size)
{
	const double intensity = part_intensity(part, precision);
	const double rate = part_rate(part, precision);
	const char *colour = draw_line_colour(v->colour++);
	struct svg_point at;
	char *text;

	if (!(intensity > 0) || !(rate > 0))
		return;
	at = place(v, intensity, rate);
	svg_rect(v->out, (struct svg_box){at.x - size / 2, at.y - size / 2, size, size}, colour);
	text = text_of("%s%s: %.3g per byte, %.3g GFLOP/s", name,
		       precision == PRECISION_SINGLE ? ", single" : "", intensity, 1e-9 * rate);
	draw_legend(v, colour, size, text);
	free(text);
}

static void draw_points(struct view *v, enum precision precision)
{
	draw_point(v, &v->r->whole, precision, "run", 12);
	for (size_t i = 0; i < v->r->n_phases; i++) {
		char *name = text_of("phase %zu", i + 1);

		draw_point(v, &v->r->phases[i], precision, name, 7);
		free(name);
	}
	for (size_t i = 0; i < v->r->n_regions; i++)
		draw_point(v, &v->r->regions[i], precision, v->r->regions[i].name, 9);
}

static size_t legend_lines(const struct roofline *r)
{
	size_t n = 1;

	for (enum precision p = 0; p < PRECISIONS; p++)
		n += r->precision[p] ? WIDTHS + 1 + r->n_phases + r->n_regions : 0;
	return n;
}

static void draw_roofline(const void *of, FILE *out)
{
	const struct roofline_picture *picture = of;
	const struct draw_record *record = &picture->record;
	const struct roofline *r = picture->roofline;
	const double head = draw_head_height(record, WHAT) + 10, foot = draw_foot_height(record);
	const double legend = LEGEND * (double)legend_lines(r);
	const double height = head + HEIGHT + 50 + legend + foot;
	struct view v = {.out = out,
			 .r = r,
			 .box = {LEFT, head, draw_width(record) - LEFT - RIGHT, HEIGHT},
			 .legend_y = head + HEIGHT + 52};

	find_ranges(&v);
	draw_head(out, record, height, WHAT);
	draw_axes(&v);
	draw_memory(&v);
	for (enum precision p = 0; p < PRECISIONS; p++) {
		for (unsigned w = 0; w < WIDTHS && r->precision[p]; w++)
			draw_width_roof(&v, p, w);
	}
	v.colour += WIDTHS;
	for (enum precision p = 0; p < PRECISIONS; p++)
		if (r->precision[p])
			draw_points(&v, p);
	draw_foot(out, record, height);
}

const struct rows_class roofline_pictures = {.draw = draw_roofline};
