/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.c - see collect.h. */
#include "command/explain/collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/box.h"
#include "command/base/mean.h"
#include "command/base/rate.h"
#include "command/base/slices.h"
#include "command/base/text.h"
#include "uncore_inspect.h"

static const struct {
	unsigned part;
	const char *events[2];
} quantities[QUANTITIES] = {
#define QUANTITY(name, part, event, alternative) {part, {event, alternative}},
#include "command/explain/quantities.def"
#undef QUANTITY
};

#define MOST_BYTES ((size_t)64 << 20) /* of samples */
#define LEAST_ROWS 1000

#define PARTS QUANTITIES /* the most there can be, in a package */

static bool by_box(enum quantity q)
{
	return q == Q_READ || q == Q_WRITE || q == Q_SLICES;
}

/* ---- events ---- */

/* Current values are not multiplexed. */
static bool is_apart(enum quantity q)
{
	return q == Q_FASTEST;
}

static void miss(struct collection *c, const char *what, const char *why)
{
	char *line = text_of("%s: %s\n", what, why);

	if (!c->missing)
		c->missing = text_of("%s", "");
	if (!strstr(c->missing, line))
		c->missing = text_and(c->missing, "%s", line);
	free(line);
}

static void add_event(struct collection *c, unsigned id, struct collected is)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	const char *box = strstr(uncore_event_name(c->u, id), ":box=");
	const size_t part = is.package * PARTS + quantities[is.quantity].part;
	const size_t i = basket_add_event(&c->basket, part, id, (unsigned)part + 1);

	is.real = uncore_event_info(c->u, id, &info) == 0 && info.real;
	is.number = box ? (unsigned)strtoul(box + strlen(":box="), NULL, 10) : 0;
	is.expected = is.quantity == Q_SLICES ? expected_of_slice(c->u, id) : 0;
	c->events = need_more(c->events, i + 1, sizeof(*c->events));
	c->events[i] = is;
	if (is_apart(is.quantity))
		c->basket.parts[part].apart = c->basket.units[is.package].apart = true;
}

static bool add_boxes(struct collection *c, enum quantity q, const char *event, unsigned package)
{
	char *name = text_of("%s:box=*:pkg=%u", event, package);
	unsigned id, n = 0;

	while (uncore_event_part(c->u, name, n, &id) == 1)
		add_event(c, id,
			  (struct collected){.quantity = q, .package = package, .box = (int)n++});
	free(name);
	return n > 0;
}

static int add_package(struct collection *c, enum quantity q, const char *event, unsigned package)
{
	unsigned id;
	int code;

	if (by_box(q) && add_boxes(c, q, event, package))
		return 0;
	code = event_that_fits(c->u, &id, "%s:pkg=%u", event, package);
	if (code == 0)
		add_event(c, id, (struct collected){.quantity = q, .package = package, .box = -1});
	return code;
}

/* The first alternative that the machine has. */
static void add_quantity(struct collection *c, enum quantity q)
{
	char why[UNCORE_ERRMSG_MAX];

	for (size_t i = 0; i < 2 && quantities[q].events[i]; i++) {
		const char *event = quantities[q].events[i];
		int code = add_package(c, q, event, 0);

		for (unsigned p = 1; code == 0 && p < c->packages; p++)
			code = add_package(c, q, event, p);
		if (code == 0) {
			c->names[q] = event;
			return;
		}
		if (!is_not_here(code))
			miss(c, event, uncore_errmsg(c->u, why, sizeof(why)));
	}
}

void collection_new(struct collection *c, struct uncore *u, double interval)
{
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(u, &m);
	*c = (struct collection){.u = u, .packages = m.packages};
	basket_new(&c->basket, u, m.packages, UNCORE_MULTIPLEX_US);
	for (size_t i = 0; i < (size_t)PARTS * m.packages; i++)
		basket_add_part(&c->basket, i / PARTS);
	for (unsigned q = 0; q < QUANTITIES; q++)
		add_quantity(c, (enum quantity)q);
	basket_split_windows(&c->basket);
	c->basket.interval_us = interval * 1e6;
	c->most = MOST_BYTES / (c->basket.n_events + 1) / sizeof(*c->samples);
	c->most = c->most < LEAST_ROWS ? LEAST_ROWS : c->most;
}

void collection_free(struct collection *c)
{
	basket_free(&c->basket);
	free(c->events);
	free(c->missing);
	free(c->samples);
	free(c->at);
}

/* ---- counting ---- */

int collection_start(struct collection *c)
{
	bool any = false;

	for (unsigned p = 0; p < c->packages; p++)
		basket_start(&c->basket, p);
	for (size_t i = 0; i < c->basket.n_parts; i++) {
		any |= c->basket.parts[i].up && c->basket.parts[i].n;
		for (size_t e = 0; c->basket.parts[i].reason && e < c->basket.n_events; e++)
			if (c->basket.events[e].part == i)
				miss(c, c->names[c->events[e].quantity], c->basket.parts[i].reason);
	}
	return any ? 0 : UNCORE_ENODEV;
}

static int sample_set(struct collection *c, struct basket_set *s, struct sample *row)
{
	int code = basket_read(s);

	if (code == 0)
		code = basket_times(s);
	for (size_t i = 0; code == 0 && i < s->n; i++) {
		const bool real = c->events[s->events[i]].real;

		row[s->events[i]] = (struct sample){real ? uncore_real(s->values[i])
							 : (double)s->times[i].count,
						    (double)s->times[i].running_ns};
	}
	return code;
}

/* Counts are cumulative, so the others stay as they are.  The first two begin the run. */
static void thin_out(struct collection *c)
{
	const size_t n = c->basket.n_events;
	size_t to = 2;

	for (size_t from = 3; from < c->rows; from += 2, to++) {
		memcpy(&c->samples[to * n], &c->samples[from * n], n * sizeof(*c->samples));
		c->at[to] = c->at[from];
	}
	c->rows = to;
	c->thinned++;
}

int collection_sample(struct collection *c, double at)
{
	const size_t n = c->basket.n_events;
	int code = 0;

	if (c->rows >= c->most)
		thin_out(c);
	c->samples = need_more(c->samples, (c->rows + 1) * n, sizeof(*c->samples));
	c->at = need_more(c->at, c->rows + 1, sizeof(*c->at));
	memset(&c->samples[c->rows * n], 0, n * sizeof(*c->samples));
	for (size_t i = 0; code == 0 && i < c->basket.n_units; i++)
		for (size_t s = 0; code == 0 && s < 2; s++)
			code = sample_set(c, &c->basket.units[i].sets[s], &c->samples[c->rows * n]);
	c->at[c->rows] = at;
	c->rows += code == 0;
	return code;
}

void collection_stop(struct collection *c)
{
	for (size_t i = 0; i < c->basket.n_units; i++)
		basket_end(&c->basket.units[i]);
}

/* ---- facts ---- */

/* Per second of the time in which the event was counted. */
static double rate_in(const struct collection *c, size_t event, const struct span *spans, size_t n)
{
	const size_t events = c->basket.n_events;
	double count = 0, running_ns = 0;

	for (size_t i = 0; i < n; i++) {
		const struct sample *a = &c->samples[spans[i].from * events + event];
		const struct sample *b = &c->samples[spans[i].to * events + event];

		if (c->events[event].real && i + 1 == n)
			return b->running_ns > 0 ? b->count : (double)NAN;
		count += b->count - a->count;
		running_ns += b->running_ns - a->running_ns;
	}
	return per_second(count, 1e-9 * running_ns);
}

static double rate_of(const struct collection *c, size_t event, size_t from, size_t to)
{
	const struct span span = {from, to};

	return rate_in(c, event, &span, 1);
}

static struct box_fact *fact_of_box(struct box_facts *boxes, const struct collected *e)
{
	const size_t box = (size_t)e->box;

	if (box >= boxes->n) {
		boxes->at = need_more(boxes->at, box + 1, sizeof(*boxes->at));
		boxes->at[box] = (struct box_fact){.number = e->number, .expected = e->expected};
		boxes->n = box + 1;
	}
	return &boxes->at[box];
}

/* Boxes of an event are added in order, those of READ before those of WRITE. */
static void add_fact(const struct collection *c, struct facts *facts, size_t i, double rate)
{
	const struct collected *e = &c->events[i];
	struct package_facts *p = &facts->at[e->package];
	double *sum = &p->rate[e->quantity];

	p->name[e->quantity] = c->names[e->quantity];
	*sum = e->box > 0 ? *sum + rate : rate;
	if (e->box >= 0) {
		struct box_facts *boxes = e->quantity == Q_SLICES ? &p->slices : &p->channels;

		if (!boxes->kind)
			boxes->kind = box_kind_of(c->u, c->basket.events[i].id);
		fact_of_box(boxes, e)->rate += rate;
	}
}

/* Bytes of memory a second between two rows. */
static double memory_between(const struct collection *c, unsigned package, size_t from, size_t to)
{
	double sum = to > from ? 0 : (double)NAN;

	for (size_t i = 0; to > from && i < c->basket.n_events; i++)
		if (c->events[i].package == package &&
		    (c->events[i].quantity == Q_READ || c->events[i].quantity == Q_WRITE))
			sum += rate_of(c, i, from, to);
	return sum;
}

/* The rates of an interval, summed over the boxes, into the means of their quantities. */
static void add_interval(const struct collection *c, size_t row, struct mean *means)
{
	double *sums = need_memory((size_t)c->packages * QUANTITIES, sizeof(*sums));

	for (size_t i = 0; i < c->basket.n_events; i++)
		sums[c->events[i].package * QUANTITIES + c->events[i].quantity] +=
			rate_of(c, i, row, row + 1);
	for (size_t i = 0; i < (size_t)c->packages * QUANTITIES; i++)
		mean_add(&means[i], sums[i]);
	free(sums);
}

static void find_errors(const struct collection *c, const struct span *spans, size_t n,
			struct facts *facts)
{
	struct mean *means = need_memory((size_t)c->packages * QUANTITIES, sizeof(*means));

	for (size_t i = 0; i < n; i++)
		for (size_t row = spans[i].from; row < spans[i].to; row++)
			add_interval(c, row, means);
	for (unsigned p = 0; p < c->packages; p++)
		for (unsigned q = 0; q < QUANTITIES; q++) {
			const struct mean *m = &means[p * QUANTITIES + q];

			facts->at[p].error[q] = mean_deviation(m) / 100 * m->mean;
		}
	free(means);
}

void collection_facts(const struct collection *c, const struct span *spans, size_t n, size_t before,
		      struct facts *facts)
{
	const size_t from = spans[0].from, to = spans[n - 1].to;

	*facts = (struct facts){.begin = c->at[from], .end = c->at[to], .packages = c->packages};
	facts->at = need_memory(c->packages, sizeof(*facts->at));
	for (unsigned p = 0; p < c->packages; p++) {
		for (unsigned q = 0; q < QUANTITIES; q++)
			facts->at[p].rate[q] = facts->at[p].error[q] = (double)NAN;
		facts->at[p].before = memory_between(c, p, 0, before);
	}
	for (size_t i = 0; i < c->basket.n_events; i++)
		add_fact(c, facts, i, rate_in(c, i, spans, n));
	if (to > from + 1)
		find_errors(c, spans, n, facts);
}
