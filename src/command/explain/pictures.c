/* SPDX-License-Identifier: BSD-3-Clause */
/* pictures.c - see pictures.h. */
#include "command/explain/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/box.h"
#include "command/base/encode.h"
#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/draw/picture.h"
#include "command/draw/svg.h"

struct drawing {
	const struct explanation *e;
	struct draw_record record;
	/* of the series: their events, or n_lines for each package, one package after another */
	size_t *events;
	const struct line *lines;
	size_t n_lines;
};

/* ---- counts of an interval ---- */

/* An event's count in the interval that ends with a row, for all of its time; NAN: unknown. */
static double count_of(const struct explanation *e, size_t event, size_t row)
{
	const struct collection *c = e->counted;
	const struct span interval = {row - 1, row};

	return collection_rate(c, event, &interval, 1).value * (c->at[row] - c->at[row - 1]);
}

/* The sum over the events of a quantity in a package; NAN: not counted. */
static double sum_of(const struct explanation *e, enum quantity q, unsigned package, size_t row)
{
	const struct collection *c = e->counted;
	double sum = (double)NAN;

	for (size_t i = 0; i < c->basket.n_events; i++)
		if (c->events[i].quantity == q && c->events[i].package == package)
			sum = (isnan(sum) ? 0 : sum) + count_of(e, i, row);
	return sum;
}

/* ---- figures ---- */

static void begin_record(struct drawing *d, const struct explanation *e)
{
	*d = (struct drawing){.e = e};
	d->record.machine = e->machine.title;
	d->record.simulated = e->machine.simulated;
}

/* Inside a page, SVG has no declaration of XML.  Nothing is printed if nothing was drawn. */
static void end_figure(FILE *out, FILE *memory, char **svg, const char *title)
{
	const char *begin = fclose(memory) == 0 && *svg ? strstr(*svg, "<svg") : NULL;

	if (begin) {
		fputs("<h2>", out);
		put_xml(out, title);
		fputs("</h2>\n<figure role=\"img\" aria-label=\"", out);
		put_xml(out, title);
		fprintf(out, "\">\n%s</figure>\n", begin);
	}
	free(*svg);
}

static void print_figure(FILE *out, const struct drawing *d, const char *title,
			 void (*draw)(FILE *, const struct draw_record *))
{
	char *svg = NULL;
	size_t length;
	FILE *memory = open_memstream(&svg, &length);

	if (!memory)
		return;
	draw(memory, &d->record);
	end_figure(out, memory, &svg, title);
}

/* The value of a series in the interval that ends with a row. */
typedef double series_at(const struct drawing *d, size_t series, size_t row);

/* Whether any is above 0. */
static bool add_rows(struct drawing *d, series_at *value)
{
	const struct collection *c = d->e->counted;
	double *values = need_memory(d->record.n, sizeof(*values));
	bool any = false;

	for (size_t row = 1; d->record.n && row < c->rows; row++) {
		for (size_t i = 0; i < d->record.n; i++) {
			values[i] = value(d, i, row);
			any |= values[i] > 0;
		}
		draw_add_interval(&d->record, values, c->at[row] - c->at[0]);
	}
	free(values);
	return any;
}

/* ---- an event in each box, as a heat map ---- */

typedef bool chosen(const struct collected *event);

static bool is_memory(const struct collected *event)
{
	return event->quantity == Q_READ || event->quantity == Q_WRITE;
}

static bool is_slice(const struct collected *event)
{
	return event->quantity == Q_SLICES && event->box >= 0;
}

static double box_at(const struct drawing *d, size_t series, size_t row)
{
	return count_of(d->e, d->events[series], row);
}

static void print_boxes(FILE *out, const struct explanation *e, const char *title, chosen *is)
{
	const struct collection *c = e->counted;
	struct drawing d;

	begin_record(&d, e);
	d.events = need_memory(c->basket.n_events, sizeof(*d.events));
	for (size_t i = 0; i < c->basket.n_events; i++) {
		if (!is(&c->events[i]))
			continue;
		d.events[d.record.n] = i;
		draw_add_series(&d.record, uncore_event_name(c->u, c->basket.events[i].id),
				is_slice(&c->events[i]) ? "lookups" : "bytes", false);
		d.record.series[d.record.n - 1].expected = c->events[i].expected;
		d.record.series[d.record.n - 1].place =
			place_of_kind(box_kind_of(c->u, c->basket.events[i].id));
		if (c->events[i].node)
			d.record.series[d.record.n - 1].node = text_of("%s", c->events[i].node);
	}
	add_rows(&d, box_at);
	if (d.record.n_intervals)
		print_figure(out, &d, title, draw_heatmap);
	draw_free(&d.record);
	free(d.events);
}

/* ---- a value of each package over time, as lines ---- */

typedef double value_at(const struct explanation *e, unsigned package, size_t row);

static double traffic_at(const struct explanation *e, unsigned package, size_t row)
{
	return sum_of(e, Q_READ, package, row) + sum_of(e, Q_WRITE, package, row);
}

/* As a count of the interval, as the traffic is. */
static double limit_at(const struct explanation *e, unsigned package, size_t row)
{
	return memory_limit(&e->ceilings, &e->whole.facts, package).bytes *
	       (e->counted->at[row] - e->counted->at[row - 1]);
}

static double links_at(const struct explanation *e, unsigned package, size_t row)
{
	return sum_of(e, Q_LINK_USED, package, row) / sum_of(e, Q_LINK_SLOTS, package, row);
}

static double latency_at(const struct explanation *e, unsigned package, size_t row)
{
	const double clocks = sum_of(e, Q_UCLK, package, row);
	const double seconds = e->counted->at[row] - e->counted->at[row - 1];

	return sum_of(e, Q_IN_FLIGHT, package, row) / sum_of(e, Q_MISSES, package, row) /
	       per_second(clocks, seconds) * 1e9;
}

/* The lines of a figure: of each package, in this order. */
struct line {
	const char *name; /* "memory" */
	value_at *value;
	const char *units;
	bool real;
};

static double line_at(const struct drawing *d, size_t series, size_t row)
{
	return d->lines[series % d->n_lines].value(d->e, (unsigned)(series / d->n_lines), row);
}

static void print_lines(FILE *out, const struct explanation *e, const char *title,
			const struct line *lines, size_t n)
{
	char **labels = need_memory(e->whole.facts.packages * n, sizeof(*labels));
	struct drawing d;

	begin_record(&d, e);
	d.lines = lines;
	d.n_lines = n;
	for (unsigned p = 0; p < e->whole.facts.packages; p++)
		for (size_t i = 0; i < n; i++) {
			char *name = text_of("%s:pkg=%u", lines[i].name, p);

			labels[d.record.n] = text_of("%s, socket %u", lines[i].name, p);
			draw_add_series(&d.record, name, lines[i].units, lines[i].real);
			d.record.series[d.record.n - 1].label = labels[d.record.n - 1];
			free(name);
		}
	if (add_rows(&d, line_at))
		print_figure(out, &d, title, draw_lines);
	for (size_t i = 0; i < d.record.n; i++)
		free(labels[i]);
	free((void *)labels);
	draw_free(&d.record);
}

/* ---- all ---- */

static void print_roof(FILE *out, const struct explanation *e)
{
	char *svg = NULL;
	size_t length;
	FILE *memory = open_memstream(&svg, &length);

	if (!memory)
		return;
	draw_roof(memory, e);
	end_figure(out, memory, &svg, "Memory traffic and its limit by the share of reads");
}

void print_pictures(FILE *out, const struct explanation *e)
{
	static const struct line memory[] = {{"traffic", traffic_at, "bytes", false},
					     {"limit", limit_at, "bytes", false}};
	static const struct line links[] = {{"links in use", links_at, "ratio", true}};
	static const struct line latency[] = {{"demand read", latency_at, "ns", true}};

	print_roof(out, e);
	print_lines(out, e, "Memory traffic over time", memory, 2);
	print_boxes(out, e, "Memory traffic of each channel", is_memory);
	print_boxes(out, e, "Lookups of each cache slice", is_slice);
	print_lines(out, e, "Use of the links over time", links, 1);
	print_lines(out, e, "Time of a read of memory over time", latency, 1);
}
