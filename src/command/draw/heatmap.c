/* SPDX-License-Identifier: BSD-3-Clause */
/* heatmap.c - shades for boxes over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/draw/axis.h"
#include "command/draw/frame.h"
#include "command/draw/palette.h"
#include "command/draw/picture.h"

#define WHAT    "uncore events by place and time"
#define MEAN    90.0  /* px for the number of a mean, without its bar */
#define BAR     60.0  /* the longest bar */
#define NO_BAR  15.0  /* ... of a narrow picture */
#define LINE    16.0  /* for a line of text */
#define TITLE   34.0  /* for an event's name and its colour bar */
#define GAP     4.0   /* below a panel and its time */
#define SCALE   120.0 /* the colour bar */
#define MIN_ROW 4.0
#define MAX_ROW 16.0
#define ROWS    400.0 /* px for the rows of a panel, if they can be that thin */
#define COLUMNS 400   /* further intervals are merged */
#define GREY    "#bbbbbb"

#define SEAM 0.4 /* px by which cells overlap, so that the background does not show */

/* One event in one box or package. */
struct row {
	size_t series;
	size_t base; /* length of its name without the qualifiers */
	long package, box;
};

/* Rows first..end of one event. */
struct panel {
	const struct draw_record *record;
	const struct row *rows;
	size_t n;
	double left, row, y; /* px */
	double low, high;    /* range of the shades */
	double most;         /* the largest mean */
	bool scaled;         /* each slice divided by its expected share */
	bool last;           /* the panel with the numbers of the time */
};

/* ---- rows ---- */

/* The number after ":box=" if it is a single one; -1: none.  A blank begins " of 2 packages". */
static long number_of(const char *name, const char *part)
{
	const char *at = strstr(name, part);
	char *end;
	long number;

	if (!at)
		return -1;
	number = strtol(at + strlen(part), &end, 10);
	return *end && *end != ':' && *end != ' ' ? -1 : number;
}

static size_t base_of(const char *name)
{
	const char *const parts[] = {":box=", ":pkg=", ":die=", ":cpu="};
	size_t base = strlen(name);

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *at = strstr(name, parts[i]);

		base = at && (size_t)(at - name) < base ? (size_t)(at - name) : base;
	}
	return base;
}

/* Keep the order of events; sort the rows of an event by package and box. */
static struct row *find_rows(const struct draw_record *r)
{
	struct row *rows = need_memory(r->n, sizeof(*rows));

	for (size_t i = 0; i < r->n; i++) {
		const char *name = r->series[i].name;

		rows[i] = (struct row){i, base_of(name), number_of(name, ":pkg="),
				       number_of(name, ":box=")};
		if (rows[i].box < 0)
			rows[i].box = number_of(name, ":cpu=");
	}
	return rows;
}

static bool same_event(const struct draw_record *r, const struct row *a, const struct row *b)
{
	const struct draw_series *x = &r->series[a->series], *y = &r->series[b->series];

	return a->base == b->base && (a->box < 0) == (b->box < 0) &&
	       strncmp(x->name, y->name, a->base) == 0 && draw_same_unit(x, y);
}

/* The row's position: after the earlier rows of the same event. */
static bool goes_before(const struct draw_record *r, const struct row *a, const struct row *b)
{
	if (!same_event(r, a, b))
		return false;
	return a->package != b->package ? a->package < b->package : a->box < b->box;
}

/* Group the rows by event, in order.  There are few, so insertion sort is sufficient. */
static void sort_rows(const struct draw_record *r, struct row *rows)
{
	for (size_t i = 1; i < r->n; i++) {
		const struct row row = rows[i];
		size_t to = i;

		for (size_t k = 0; k < i; k++)
			if (same_event(r, &rows[k], &row))
				to = k + 1;
		while (to > 0 && goes_before(r, &row, &rows[to - 1]))
			to--;
		memmove(&rows[to + 1], &rows[to], (i - to) * sizeof(*rows));
		rows[to] = row;
	}
}

/* Nothing but numbers of a box and its package: ":box=3:pkg=1", not " of 2 packages". */
static bool is_place(const char *qualifiers, const struct row *row)
{
	const size_t colons = row->box >= 0 ? 2 : 1;
	size_t n = 0;

	for (const char *c = qualifiers; *c; c++)
		n += *c == ':';
	return row->package >= 0 && n == colons && !strchr(qualifiers, ' ') &&
	       !strstr(qualifiers, ":cpu=");
}

/* "channel 3, socket 1, node 2" */
static char *place_text(const struct draw_series *series, const struct row *row)
{
	char *text = text_of("socket %ld", row->package);

	if (row->box >= 0) {
		free(text);
		text = text_of("%s %ld, socket %ld", series->place ? series->place : "box",
			       row->box, row->package);
	}
	return series->node ? text_and(text, ", node %s", series->node) : text;
}

static char *label_of(const struct draw_record *r, const struct row *row)
{
	const char *name = r->series[row->series].name, *label = r->series[row->series].label;

	if (label)
		return text_of("%s", label);
	if (is_place(name + row->base, row))
		return place_text(&r->series[row->series], row);
	return text_of("%s", name[row->base] ? name + row->base + 1 : "all");
}

/* ---- values ---- */

/* The mean of intervals from..to, weighted by their time. */
static double value_of(const struct draw_record *r, size_t series, size_t from, size_t to)
{
	double sum = 0, time = 0;

	for (size_t i = from; i < to; i++) {
		const double value = draw_value(r, series, i);
		const double length = r->ends[i] - draw_begin(r, i);

		if (isnan(value))
			continue;
		sum += value * length;
		time += length;
	}
	return sum / time;
}

static size_t intervals_of_column(const struct draw_record *r)
{
	return (r->n_intervals + COLUMNS - 1) / COLUMNS;
}

static size_t end_of_column(const struct draw_record *r, size_t from)
{
	const size_t to = from + intervals_of_column(r);

	return to < r->n_intervals ? to : r->n_intervals;
}

/* Scaling requires the expected share of every row. */
static bool is_scaled(const struct panel *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!(p->record->series[p->rows[i].series].expected > 0))
			return false;
	return true;
}

static double scale_of_row(const struct panel *p, size_t i)
{
	return p->scaled ? 1 / p->record->series[p->rows[i].series].expected : 1;
}

#define NEARLY_NOTHING 5e-5

/* Never with an exponent; to be freed. */
static char *three_digits(double value)
{
	if (fabs(value) < NEARLY_NOTHING)
		return text_of("0");
	return text_of(fabs(value) < 999.5 ? "%.3g" : "%.0f", value);
}

static double mean_of_row(const struct panel *p, size_t i)
{
	return draw_mean(p->record, p->rows[i].series) * scale_of_row(p, i);
}

/* The value of the column that begins with interval k. */
static double value_of_row(const struct panel *p, size_t i, size_t k)
{
	return value_of(p->record, p->rows[i].series, k, end_of_column(p->record, k)) *
	       scale_of_row(p, i);
}

static void find_range(struct panel *p)
{
	const struct draw_record *r = p->record;

	p->low = INFINITY;
	for (size_t i = 0; i < p->n; i++) {
		p->most = fmax(p->most, mean_of_row(p, i));
		for (size_t k = 0; k < r->n_intervals; k = end_of_column(r, k)) {
			const double x = value_of_row(p, i, k);

			p->low = fmin(p->low, x);
			p->high = fmax(p->high, x);
		}
	}
	/* noise between equal boxes must not look like a difference */
	p->low = fmin(p->low, p->high / 2);
}

static unsigned shade_of(const struct panel *p, double x)
{
	const double part = p->high > p->low ? (x - p->low) / (p->high - p->low) : 0;

	return (unsigned)fmin(fmax(part * DRAW_SHADES, 0), DRAW_SHADES - 1);
}

/* ---- one panel ---- */

static double bar_of(const struct draw_record *r)
{
	return draw_width(r) < DRAW_NARROW ? NO_BAR : BAR;
}

/* In a narrow picture the colours are below the texts, not to their right. */
static double below_texts(const struct panel *p)
{
	return draw_width(p->record) < DRAW_NARROW ? LINE * (p->scaled ? 2 : 1) : 0;
}

static struct svg_box box_of(const struct panel *p)
{
	return (struct svg_box){p->left, p->y + TITLE + below_texts(p),
				draw_width(p->record) - p->left - MEAN - bar_of(p->record),
				p->row * (double)p->n};
}

/* Draw the cells of a shade; DRAW_SHADES: cells without a value.  False if no cell has it.
 */
static bool put_shade(FILE *out, const struct panel *p, unsigned shade, const char *colour)
{
	const struct draw_record *r = p->record;
	const struct svg_box box = box_of(p);
	const double px = box.width / draw_duration(r);
	bool any = false;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0, to; k < r->n_intervals; k = to) {
			double x;

			to = end_of_column(r, k);
			x = value_of_row(p, i, k);
			if ((isnan(x) ? DRAW_SHADES : shade_of(p, x)) != shade)
				continue;
			if (!any)
				svg_begin_area(out, colour);
			any = true;
			svg_add_rect(out,
				     (struct svg_box){box.x + px * draw_begin(r, k),
						      box.y + p->row * (double)i,
						      px * (r->ends[to - 1] - draw_begin(r, k)) +
							      (to < r->n_intervals ? SEAM : 0),
						      p->row});
		}
	if (any)
		svg_end_area(out);
	return any;
}

static void put_cells(FILE *out, const struct panel *p)
{
	char colour[DRAW_COLOUR];

	for (unsigned shade = 0; shade < DRAW_SHADES; shade++)
		put_shade(out, p, shade, draw_viridis(colour, shade));
	put_shade(out, p, DRAW_SHADES, "white");
}

/* Draw as many labels as fit. */
static void put_labels(FILE *out, const struct panel *p)
{
	const struct svg_box box = box_of(p);
	const size_t each = (size_t)ceil((DRAW_SMALL + 1) / p->row);

	for (size_t i = 0; i < p->n; i += each) {
		char *label = label_of(p->record, &p->rows[i]);

		svg_text(out, (struct svg_point){box.x - 6, box.y + p->row * ((double)i + 0.5) + 4},
			 SVG_END, DRAW_SMALL, label);
		free(label);
	}
}

static void put_means(FILE *out, const struct panel *p, const struct draw_scale *scale)
{
	const struct svg_box box = box_of(p);
	const size_t each = (size_t)ceil((DRAW_SMALL + 1) / p->row);
	const double x = box.x + box.width + 10, longest = bar_of(p->record);
	char *title = draw_width(p->record) < DRAW_NARROW ? text_of("mean")
							  : text_of("mean, %s", scale->unit);

	svg_text(out, (struct svg_point){x, box.y - 6}, SVG_START, DRAW_SMALL, title);
	free(title);
	for (size_t i = 0; i < p->n; i++) {
		const double mean = mean_of_row(p, i);
		const double y = box.y + p->row * (double)i;
		char *text;

		if (isnan(mean))
			continue;
		if (p->most > 0)
			svg_rect(out,
				 (struct svg_box){x, y + 0.5, longest * fmax(mean, 0) / p->most,
						  p->row - 1},
				 GREY);
		if (i % each)
			continue;
		text = three_digits(mean * scale->factor);
		svg_text(out, (struct svg_point){x + longest + 5, y + p->row / 2 + 4}, SVG_START,
			 DRAW_SMALL, text);
		free(text);
	}
}

static void put_colours(FILE *out, const struct panel *p, const struct draw_scale *scale)
{
	const struct svg_box box = box_of(p);
	const double x = box.x + box.width - SCALE - 60, y = p->y + 4 + below_texts(p);
	char colour[DRAW_COLOUR];

	for (unsigned i = 0; i < DRAW_SHADES; i++)
		svg_rect(out,
			 (struct svg_box){x + SCALE * i / DRAW_SHADES, y,
					  SCALE / DRAW_SHADES + (i + 1 < DRAW_SHADES ? SEAM : 0),
					  10},
			 draw_viridis(colour, i));
	for (unsigned i = 0; i < 3; i++) {
		const double value = p->low + (p->high - p->low) * i / 2;
		char *text = three_digits(value * scale->factor);

		svg_line(out, (struct svg_point){x + SCALE * i / 2, y + 10},
			 (struct svg_point){x + SCALE * i / 2, y + 13}, "black", 1);
		svg_text(out, (struct svg_point){x + SCALE * i / 2, y + 24}, SVG_MIDDLE, DRAW_SMALL,
			 text);
		free(text);
	}
	svg_text(out, (struct svg_point){x + SCALE + 5, y + 9}, SVG_START, DRAW_SMALL, scale->unit);
}

static void put_panel(FILE *out, const struct panel *p)
{
	const struct draw_series *series = &p->record->series[p->rows[0].series];
	const struct draw_scale scale = draw_scale_of(series, p->high);
	char *name = text_of("%.*s", (int)p->rows[0].base, series->name);

	svg_bold(out, (struct svg_point){8, p->y + 13}, SVG_START, DRAW_SMALL, name);
	free(name);
	if (p->scaled)
		svg_text(out, (struct svg_point){8, p->y + 28}, SVG_START, DRAW_SMALL,
			 "scaled by the expected share of lines of each slice");
	put_colours(out, p, &scale);
	put_cells(out, p);
	svg_frame(out, box_of(p));
	put_labels(out, p);
	put_means(out, p, &scale);
	draw_time(out, p->record, box_of(p), false, p->last);
}

/* ---- all panels ---- */

static double longest_label(const struct draw_record *r, const struct row *rows)
{
	double longest = 0;

	for (size_t i = 0; i < r->n; i++) {
		char *label = label_of(r, &rows[i]);

		longest = fmax(longest, draw_length(label));
		free(label);
	}
	return fmin(longest, draw_width(r) / 3);
}

/* The panel whose first row is given. */
static struct panel panel_at(const struct draw_record *r, const struct row *rows, size_t first)
{
	struct panel p = {.record = r, .rows = rows + first};

	while (first + p.n < r->n && same_event(r, &rows[first], &rows[first + p.n]))
		p.n++;
	p.row = fmin(MAX_ROW, fmax(MIN_ROW, ROWS / (double)p.n));
	p.scaled = is_scaled(&p);
	find_range(&p);
	return p;
}

void draw_heatmap(FILE *out, const struct draw_record *r)
{
	struct row *rows = find_rows(r);
	struct panel *panels = need_memory(r->n ? r->n : 1, sizeof(*panels));
	double y = draw_head_height(r, WHAT) + 6;
	size_t n = 0;

	sort_rows(r, rows);
	for (size_t first = 0; first < r->n; first += panels[n++].n) {
		panels[n] = panel_at(r, rows, first);
		panels[n].left = longest_label(r, rows) + 14;
		panels[n].y = y;
		panels[n].last = first + panels[n].n == r->n;
		y += TITLE + below_texts(&panels[n]) + panels[n].row * (double)panels[n].n + GAP +
		     (panels[n].last ? DRAW_BELOW : DRAW_CLOSER);
	}
	y += draw_foot_height(r);
	draw_head(out, r, y, WHAT);
	for (size_t i = 0; i < n; i++)
		put_panel(out, &panels[i]);
	draw_foot(out, r, y);
	free(panels);
	free(rows);
}
