/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.c - facts from counts: rates over the time that was counted, and their errors. */
#include <math.h>
#include <string.h>

#include "command/base/box.h"
#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/base/window.h"
#include "command/explain/collect.h"

/* ---- the rate of an event ---- */

static const struct sample *sample_at(const struct collection *c, size_t row, size_t event)
{
	return &c->samples[row * c->basket.n_events + event];
}

static bool has_window(const struct sample *s)
{
	return s->error > UNCORE_ERROR_NO_WINDOW;
}

/* The first window of known length also represents the time before it. */
static double count_at(const struct collection *c, size_t row, size_t event)
{
	const struct sample *s = sample_at(c, row, event);

	for (size_t later = row + 1; !has_window(s) && later < c->rows; later++) {
		const struct sample *first = sample_at(c, later, event);

		if (has_window(first))
			return per_second(first->count, first->seconds) * s->seconds;
	}
	return s->count;
}

#define UNSEEN 0.5 /* of the rate: traffic may begin or end between two registers of a read */

/* An event in some spans together. */
struct sum {
	double count, seconds, counted;
	double missed; /* standard error of the windows, by the memory traffic; absolute, and ... */
	double likely; /* ... a smaller one, for a probability */
	double uncertain; /* of the count, since the times of the reads are */
};

/*
 * A register is read at an unknown moment of a read, but at the same one each time, unless the read
 * was delayed: as much is missing at the end as at the start, except where the traffic changes.
 */
static double uncertain_at(const struct collected *event, const struct sample *s, double rate)
{
	const double shortest = 1e-9 * (double)event->shortest_ns;
	const double delay = s->took_ns ? 1e-9 * (double)s->took_ns - shortest : 0;

	return s->shift * rate + delay / 2 * fmax(s->local, rate) +
	       shortest * (UNSEEN * rate + fabs(s->local - rate) / 2);
}

/* Absolute: s of traffic at the event's rate. */
static void add_missed(struct sum *sum, const struct collection *c, size_t event,
		       const struct sample *a, const struct sample *b)
{
	const struct collected *e = &c->events[event];
	const double seconds = b->seconds - a->seconds;
	struct pace *pace;

	if (e->windows.rounds < 2) /* without multiplexing a package need not have been looked at */
		return;
	pace = &c->paces[e->package];
	sum->missed =
		hypot(sum->missed, seconds * pace_error(pace, a->seconds, b->seconds, e->windows));
	sum->likely = hypot(sum->likely,
			    seconds * pace_likely_error(pace, a->seconds, b->seconds, e->windows));
}

#define ALL_TIME (1 - 1e-6)

static bool is_multiplexed(const struct sample *s)
{
	return s->counted < ALL_TIME * s->seconds;
}

/*
 * A window that is open during a read may have begun later than it seems, so a read in the first
 * windows may be far off.  The start is not: the counts of multiplexed events begin there.
 */
static struct sample first_sample(const struct collection *c, size_t event, const struct span *span)
{
	const struct sample *a = sample_at(c, span->from, event);
	const bool from_start =
		span->from == 0 && !c->replayed && is_multiplexed(sample_at(c, span->to, event));

	return (struct sample){
		.count = from_start ? 0 : count_at(c, span->from, event),
		.seconds = from_start ? 0 : a->seconds,
		.counted = from_start ? 0 : a->counted,
	};
}

static struct sum sum_spans(const struct collection *c, size_t event, const struct span *spans,
			    size_t n)
{
	struct sum sum = {.count = 0};

	for (size_t i = 0; i < n; i++) {
		const struct sample *a = sample_at(c, spans[i].from, event);
		const struct sample *b = sample_at(c, spans[i].to, event);
		const struct sample first = first_sample(c, event, &spans[i]);

		sum.count += count_at(c, spans[i].to, event) - first.count;
		sum.seconds += b->seconds - first.seconds;
		sum.counted += b->counted - first.counted;
		add_missed(&sum, c, event, a, b);
	}
	for (size_t i = 0; i < n; i++)
		sum.uncertain += uncertain_at(&c->events[event], sample_at(c, spans[i].from, event),
					      per_second(sum.count, sum.seconds)) +
				 uncertain_at(&c->events[event], sample_at(c, spans[i].to, event),
					      per_second(sum.count, sum.seconds));
	return sum;
}

/* Student's t of 95 % for the standard error of n windows. */
static double t_of_windows(double n)
{
	static const double t[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26};
	const size_t i = n > 2 ? (size_t)n - 2 : 0;

	return i < sizeof(t) / sizeof(*t) ? t[i] : 2.1;
}

#define CORRELATED 2 /* windows of slow changes resemble each other, so fewer of them count */

/* Relative, of the windows of a part of the run; last: the whole run. */
static double deviation_of_windows(const struct sample *last, double counted)
{
	const double of_run = last->count > 0 ? last->error / last->count : 0;

	return of_run * sqrt(last->counted / counted);
}

/* Relative, of an estimate; last: the whole run.  NAN: unknown. */
static double error_of_windows(const struct collected *event, const struct sample *last,
			       double counted)
{
	const double length = event->windows.length;
	const double windows = length > 0 ? counted / length : 2;

	if (last->error < 0)
		return (double)NAN;
	return t_of_windows(windows) * hypot(CORRELATED * deviation_of_windows(last, counted),
					     LENGTH_DOUBT / sqrt(sqrt(windows)));
}

/*
 * Relative, of an estimate.  Its windows do not show what lies between them, and show slow changes
 * as if they were random; the memory traffic shows no change between two looks.  One overestimates
 * what the other underestimates: their geometric mean is near the deviation of many runs.
 */
static double deviation_of_estimate(const struct collected *event, const struct sample *last,
				    double counted, double missed)
{
	const double length = event->windows.length;
	const double windows = length > 0 ? counted / length : 2;
	const double seen = deviation_of_windows(last, counted);

	return hypot(missed > 0 ? sqrt(seen * missed) : seen,
		     LENGTH_DOUBT / UNIFORM / sqrt(windows));
}

#define PACE 2 /* standard errors */

struct rate collection_rate(const struct collection *c, size_t event, const struct span *spans,
			    size_t n)
{
	const struct rate unknown = {(double)NAN, (double)NAN, (double)NAN, false};
	const struct sum sum = sum_spans(c, event, spans, n);
	const struct sample *last = sample_at(c, spans[n - 1].to, event);
	const double missed = per_second(sum.missed, sum.seconds);
	const double uncertain = per_second(sum.uncertain, sum.seconds);
	struct rate rate = {.value = per_second(sum.count, sum.seconds),
			    .multiplexed = sum.counted < ALL_TIME * sum.seconds};

	if (!(sum.counted > 0))
		return unknown;
	if (c->events[event].real)
		return (struct rate){.value = last->count};
	if (rate.multiplexed) {
		rate.error =
			rate.value * hypot(error_of_windows(&c->events[event], last, sum.counted),
					   PACE * missed);
		rate.deviation =
			rate.value * deviation_of_estimate(&c->events[event], last, sum.counted,
							   per_second(sum.likely, sum.seconds));
	}
	rate.error = hypot(rate.error, uncertain);
	rate.deviation = hypot(rate.deviation, uncertain / UNIFORM);
	return isnan(rate.error) ? unknown : rate;
}

/* ---- facts ---- */

static struct box_facts *boxes_of(struct package_facts *p, enum quantity q)
{
	if (q == Q_SLICES)
		return &p->slices;
	return q == Q_STACK_READ || q == Q_STACK_WRITE ? &p->stacks : &p->channels;
}

static struct box_fact *fact_of_box(struct box_facts *boxes, const struct collected *e)
{
	const size_t box = (size_t)e->box;

	if (box >= boxes->n) {
		boxes->at = need_more(boxes->at, box + 1, sizeof(*boxes->at));
		boxes->at[box] = (struct box_fact){.number = e->number,
						   .expected = e->expected,
						   .devices = e->devices,
						   .port = e->port,
						   .node = e->node};
		boxes->n = box + 1;
	}
	return &boxes->at[box];
}

/* Boxes of an event are added in order, those of READ before those of WRITE; so are their errors.
 */
static void add_fact(const struct collection *c, struct facts *facts, size_t i, struct rate rate)
{
	const struct collected *e = &c->events[i];
	struct package_facts *p = &facts->at[e->package];
	const double rest = e->box > 0 ? p->rate[e->quantity] : 0;
	const double error = e->box > 0 ? p->error[e->quantity] : 0;
	const double deviation = e->box > 0 ? p->deviation[e->quantity] : 0;

	p->name[e->quantity] = c->names[e->quantity];
	p->window[e->quantity] = rate.multiplexed ? c->basket.events[i].window : 0;
	p->rate[e->quantity] = rest + rate.value;
	p->error[e->quantity] = error + rate.error;
	p->deviation[e->quantity] = deviation + rate.deviation;
	if (e->box >= 0) {
		struct box_facts *boxes = boxes_of(p, e->quantity);

		if (!boxes->kind)
			boxes->kind = box_kind_of(c->u, c->basket.events[i].id);
		fact_of_box(boxes, e)->rate += rate.value;
	}
}

static void add_clock(const struct clocks *clocks, struct facts *facts, unsigned package)
{
	struct package_facts *p = &facts->at[package];

	p->name[Q_DCLK] = CLOCK_EVENT;
	p->rate[Q_DCLK] = clocks->at[package].value;
	p->error[Q_DCLK] = clocks->at[package].error;
	p->deviation[Q_DCLK] = clocks->at[package].error / UNIFORM;
}

void collection_facts(const struct collection *c, const struct span *spans, size_t n,
		      struct facts *facts)
{
	const size_t from = spans[0].from, to = spans[n - 1].to;

	*facts = (struct facts){.begin = c->at[from], .end = c->at[to], .packages = c->packages};
	facts->at = need_memory(c->packages, sizeof(*facts->at));
	for (unsigned p = 0; p < c->packages; p++) {
		for (unsigned q = 0; q < QUANTITIES; q++)
			facts->at[p].rate[q] = facts->at[p].error[q] = facts->at[p].deviation[q] =
				(double)NAN;
		memcpy(facts->at[p].lacking, c->lacking + (size_t)p * QUANTITIES,
		       sizeof(facts->at[p].lacking));
		facts->at[p].before = facts->at[p].before_error = (double)NAN;
		if (c->clocks)
			add_clock(c->clocks, facts, p);
	}
	for (size_t i = 0; i < c->basket.n_events; i++)
		if (c->basket.parts[c->basket.events[i].part].up &&
		    c->events[i].quantity != Q_CORE_READS)
			add_fact(c, facts, i, collection_rate(c, i, spans, n));
}
