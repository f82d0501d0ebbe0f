/* SPDX-License-Identifier: BSD-3-Clause */
/* pictures.c - `uncore stat --svg`, `--heatmap`: intervals are noted, and drawn at the end. */
#include "pictures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/slices.h"
#include "command/draw/picture.h"

#define MOST_LINES 8 /* more are hard to distinguish */

bool wants_pictures(const struct request *r)
{
	return r->pictures.svg || r->pictures.heatmap;
}

bool has_look(const struct pictures *p)
{
	return p->lines || p->title || p->n_labels || p->width_mm > 0 || p->caption;
}

/* ---- options ---- */

bool read_size(struct pictures *p, const char *text)
{
	char *end;

	p->width_mm = strtod(text, &end);
	return end > text && (!*end || strcmp(end, "mm") == 0) && p->width_mm >= LEAST_MM &&
	       p->width_mm <= MOST_MM;
}

/* ---- files ---- */

/* Checked before counting starts, since it may take hours. */
static int check_picture(const char *name)
{
	const int error = name ? draw_check_file(name) : 0;

	if (error)
		say_file(name, error);
	else if (name && draw_is_other_format(name))
		say("%s: pictures are written as SVG, PDF or PNG: end the name in .svg, .pdf or .png",
		    name);
	else if (name && draw_format_of(name) && !draw_has_converter())
		say("%s: PDF and PNG require rsvg-convert (Debian package librsvg2-bin): install "
		    "it, or write an SVG file",
		    name);
	else
		return TOOL_OK;
	return TOOL_FAILED;
}

int check_pictures(const struct request *r)
{
	const int status = check_picture(r->pictures.svg);

	return status == TOOL_OK ? check_picture(r->pictures.heatmap) : status;
}

/* ---- the record ---- */

static void label_rows(struct draw_record *record, const struct pictures *p)
{
	for (size_t i = 0; i < p->n_labels && i < record->n; i++)
		record->series[i].label = p->labels[i];
	if (p->n_labels > record->n)
		say("--label: %zu labels for %zu line%s: the last ones are not used", p->n_labels,
		    record->n, plural((unsigned)record->n));
}

void begin_pictures(struct draw_record *record, const struct request *r, const struct counts *c)
{
	const struct wanted *w = c->wanted;

	record->machine = c->machine.title;
	record->simulated = c->machine.simulated;
	record->look = (struct draw_look){r->pictures.title, r->pictures.width_mm, r->pictures.made,
					  r->pictures.caption};
	for (size_t i = 0; i < w->n_rows; i++) {
		const struct row *row = &w->rows[i];

		draw_add_series(record, row_label(row), row->units, row->real);
		if (!row->formula)
			record->series[i].expected =
				expected_of_slice(c->u, w->basket.events[row->event].id);
	}
	label_rows(record, &r->pictures);
}

void note_interval(struct draw_record *record, const struct counts *c, const struct reading *r,
		   const struct result *results)
{
	const size_t n = c->wanted->n_rows;
	double *values = need_memory(n, sizeof(*values));

	for (size_t i = 0; i < n; i++) {
		const struct row *row = &c->wanted->rows[i];

		values[i] =
			row->real ? results[i].value : (double)results[i].count / row->rate_divisor;
	}
	record->estimates = c->multiplexed;
	draw_add_interval(record, values, r->at);
	free(values);
}

static int write_picture(const char *name, void (*draw)(FILE *, const struct draw_record *),
			 const struct draw_record *record)
{
	const int error = name ? draw_file(name, draw, record) : 0;

	if (error == EIO && draw_format_of(name))
		say("%s: rsvg-convert failed", name);
	else if (error)
		say("%s: %s", name, strerror(error));
	return error ? TOOL_FAILED : TOOL_OK;
}

/* More lines than can be distinguished become rows of shades. */
static int write_lines(const struct pictures *p, const struct draw_record *record)
{
	const size_t lines = draw_most_lines(record);

	if (!p->svg || p->lines || lines <= MOST_LINES)
		return write_picture(p->svg, draw_lines, record);
	say("%s: a heat map, because it has %zu lines with one unit; --lines draws lines", p->svg,
	    lines);
	return write_picture(p->svg, draw_heatmap, record);
}

int write_pictures(const struct request *r, const struct draw_record *record)
{
	int lines, heatmap;

	if (!wants_pictures(r))
		return TOOL_OK;
	if (!record->n_intervals) {
		say("no counts to draw");
		return TOOL_FAILED;
	}
	lines = write_lines(&r->pictures, record);
	heatmap = write_picture(r->pictures.heatmap, draw_heatmap, record);
	return lines ? lines : heatmap;
}
