/* SPDX-License-Identifier: BSD-3-Clause */
/* pictures.c - `uncore stat --svg`, `--heatmap`: intervals are noted, and drawn at the end. */
#include "pictures.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/slices.h"
#include "command/draw/picture.h"

bool wants_pictures(const struct request *r)
{
	return r->svg || r->heatmap;
}

/* Checked before counting starts, since it may take hours. */
static int check_file(const char *name)
{
	const int error = name ? draw_check_file(name) : 0;

	if (error)
		say("%s: %s", name, strerror(error));
	return error ? TOOL_FAILED : TOOL_OK;
}

int check_pictures(const struct request *r)
{
	const int status = check_file(r->svg);

	return status == TOOL_OK ? check_file(r->heatmap) : status;
}

void begin_pictures(struct draw_record *record, const struct counts *c)
{
	const struct wanted *w = c->wanted;

	record->machine = c->machine.title;
	record->simulated = c->machine.simulated;
	for (size_t i = 0; i < w->n_rows; i++) {
		const struct row *row = &w->rows[i];

		draw_add_series(record, row_label(row), row->units, row->real);
		if (!row->formula)
			record->series[i].expected =
				expected_of_slice(c->u, w->basket.events[row->event].id);
	}
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

	if (error)
		say("%s: %s", name, strerror(error));
	return error ? TOOL_FAILED : TOOL_OK;
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
	lines = write_picture(r->svg, draw_lines, record);
	heatmap = write_picture(r->heatmap, draw_heatmap, record);
	return lines ? lines : heatmap;
}
