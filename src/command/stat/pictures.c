/* SPDX-License-Identifier: BSD-3-Clause */
/* pictures.c - `uncore stat --svg`, `--heatmap`: intervals are noted, and drawn at the end. */
#include "pictures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/box.h"
#include "command/base/gain.h"
#include "command/base/node_labels.h"
#include "command/base/slices.h"
#include "command/base/text.h"
#include "command/draw/picture.h"
#include "command/emit/emit.h"
#include "command/roofline/roofline.h"

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

static char *copy_of(const char *text)
{
	return text ? text_of("%s", text) : NULL;
}

void begin_pictures(struct draw_record *record, const struct request *r, const struct counts *c)
{
	const struct wanted *w = c->wanted;
	struct node_labels nodes;

	read_node_labels(c->u, &nodes);
	record->machine = c->machine.title;
	record->simulated = c->machine.simulated;
	record->look = (struct draw_look){r->pictures.title, r->pictures.width_mm, r->pictures.made,
					  r->pictures.caption};
	for (size_t i = 0; i < w->n_rows; i++) {
		const struct row *row = &w->rows[i];
		unsigned id;

		draw_add_series(record, row_label(row), row->units, row->real);
		if (row->formula)
			continue;
		id = w->basket.events[row->event].id;
		record->series[i].expected = expected_of_slice(c->u, id);
		record->series[i].place = place_of_kind(box_kind_of(c->u, id));
		record->series[i].node = copy_of(node_of_event(&nodes, c->u, id));
	}
	free_node_labels(&nodes);
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
		if (has_no_window(&results[i].times))
			values[i] = (double)NAN;
	}
	record->estimates = c->multiplexed;
	draw_add_interval(record, values, r->at);
	free(values);
}

static const struct draw_record *record_of(const void *of)
{
	return of;
}

static const struct rows_class pictures = {.picture = record_of};

static void emit_picture(const struct emitter *form, FILE *out, const struct rows_class *type,
			 const struct draw_record *record)
{
	const struct rows rows = {type, record};
	const struct emission to = {.out = out};

	emit_rows(form, &to, &rows);
}

static void emit_lines(FILE *out, const struct draw_record *record)
{
	emit_picture(&lines_emitter, out, &pictures, record);
}

static void emit_shades(FILE *out, const struct draw_record *record)
{
	emit_picture(&heatmap_emitter, out, &pictures, record);
}

/* The record begins a struct roofline_picture. */
static void emit_roofline(FILE *out, const struct draw_record *record)
{
	emit_picture(&lines_emitter, out, &roofline_pictures, record);
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
		return write_picture(p->svg, emit_lines, record);
	say("%s: a heat map, because it has %zu lines with one unit; --lines draws lines", p->svg,
	    lines);
	return write_picture(p->svg, emit_shades, record);
}

static int write_roofline(const struct pictures *p, const struct draw_record *record,
			  const struct roofline *roofline)
{
	const struct roofline_picture picture = {*record, roofline};

	if (!p->svg || roofline)
		return write_picture(p->svg, emit_roofline, &picture.record);
	say("%s: no roofline to draw", p->svg);
	return TOOL_FAILED;
}

int write_pictures(const struct request *r, const struct draw_record *record,
		   const struct roofline *roofline)
{
	int lines, heatmap;

	if (!wants_pictures(r))
		return TOOL_OK;
	if (!record->n_intervals) {
		say("no counts to draw");
		return TOOL_FAILED;
	}
	lines = wants_roofline(r) ? write_roofline(&r->pictures, record, roofline)
				  : write_lines(&r->pictures, record);
	heatmap = write_picture(r->pictures.heatmap, emit_shades, record);
	return lines ? lines : heatmap;
}
