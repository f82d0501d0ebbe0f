/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spans.c - when each counter of a run started and stopped, and the mean over the counters of each
 * event.  Rates, and whether a window of a multiplexed list is usable, depend on it, because a
 * thread may be descheduled between any two accesses.
 */
#include <math.h>
#include <string.h>

#include "claim/run.h"

static int64_t middle(struct unc_bracket m)
{
	return m.before + (m.after - m.before) / 2;
}

static struct unc_reset_group *group_of(const struct unc_run *run, const struct unc_claimed *h)
{
	return &run->u->groups[unc_group_of_box(&run->u->machine, h->box)];
}

static struct unc_counter *counter_of(const struct unc_run *run, const struct unc_claimed *h)
{
	return unc_counter_of(run->u, h->box, h->assignment.counter);
}

/* ---- times of operations ---- */

/* How many operations from i on share one time: those of a group, or of one batch. */
static size_t stretch(const struct unc_hw *hw, const struct unc_ops *ops, size_t i)
{
	size_t end = i + 1;

	if (hw->batch > 1)
		return ops->n - i < hw->batch ? ops->n - i : hw->batch;
	while (end < ops->n && ops->scope[end].group == ops->scope[i].group)
		end++;
	return end - i;
}

static void begin_phase(struct unc_run *run)
{
	const int64_t now = unc_hw_now(run->u->hw);

	for (size_t i = 0; i < run->n_claimed; i++)
		group_of(run, &run->claimed[i])->acted = (struct unc_bracket){0, 0};
	run->acted = (struct unc_bracket){now, now};
}

static void note(struct unc_run *run, const struct unc_scope *scope, size_t n)
{
	const struct unc_bracket all = {run->acted.after, unc_hw_now(run->u->hw)};

	run->acted.after = all.after;
	for (size_t i = 0; i < n; i++) {
		struct unc_bracket *acted = &run->u->groups[scope[i].group].acted;
		const struct unc_bracket part = unc_bracket_part(all, (unsigned)i, (unsigned)n);

		if (!acted->after)
			acted->before = part.before;
		acted->after = part.after;
	}
}

/* ---- spans ---- */

/* From the operations on its box, or from the last read if other runs use the counter, too. */
static struct unc_bracket moment_of(const struct unc_run *run, const struct unc_claimed *h,
				    bool own, bool frozen)
{
	const struct unc_bracket acted = group_of(run, h)->acted;

	if (!own || !acted.after)
		return counter_of(run, h)->looked;
	return frozen ? run->acted : acted;
}

/* The claimed counter of an entry of the layout; both are sorted by box. */
static const struct unc_claimed *claimed_of(const struct unc_run *run, size_t entry, size_t *first)
{
	const struct unc_box_event *at = &run->layout.at[entry];
	size_t i;

	while (run->claimed[*first].box != at->box)
		++*first;
	for (i = *first; run->claimed[i].assignment.counter != at->assignment.counter;)
		i++;
	return &run->claimed[i];
}

static void begin_events(struct unc_run *run)
{
	size_t first = 0;

	memset(run->spans, 0, run->n * sizeof(*run->spans));
	run->doubt = 0;
	for (size_t i = 0; i < run->layout.n; i++) {
		struct unc_span *s = &run->spans[run->layout.at[i].event];
		const struct unc_span *of = &claimed_of(run, i, &first)->span;

		s->from += of->from - run->began;
		s->doubt += of->doubt;
		s->counters++;
	}
	for (size_t e = 0; e < run->n; e++) {
		struct unc_span *s = &run->spans[e];

		if (!s->counters)
			continue;
		s->from = run->began + s->from / s->counters;
		if (s->doubt > run->doubt * s->counters)
			run->doubt = s->doubt / s->counters;
		s->doubt = 0;
	}
}

static void begin_spans(struct unc_run *run)
{
	const int64_t now = run->acted.after;
	int64_t sum = 0;

	run->doubt = 0;
	for (size_t i = 0; i < run->n_claimed; i++) {
		struct unc_claimed *h = &run->claimed[i];
		const bool own = counter_of(run, h)->users == 1;
		const struct unc_bracket m = moment_of(run, h, own, run->program.frozen);

		/* the uncertainty of the middle */
		h->span = (struct unc_span){.from = middle(m),
					    .doubt = (double)((m.after - m.before + 1) / 2)};
		sum += h->span.from - now;
		if (h->span.doubt > run->doubt)
			run->doubt = h->span.doubt;
	}
	/* the middle of the counters' times */
	sum = run->n_claimed ? sum / (int64_t)run->n_claimed : 0;
	run->began = run->program.frozen ? now : now + sum;
	/* only the spans of windows are used */
	if (run->own_changes)
		begin_events(run);
}

int unc_spans_start(struct unc_run *run)
{
	const struct unc_ops *ops = &run->program.phase[UNC_START];
	struct uncore *u = run->u;
	int r = 0;

	begin_phase(run);
	for (size_t i = 0, n, done; r == 0 && i < ops->n; i += n) {
		n = stretch(u->hw, ops, i);
		r = unc_run_list(u->hw, ops->op + i, n, NULL, &done, &u->err);
		note(run, ops->scope + i, n);
	}
	begin_spans(run);
	return r;
}

int unc_spans_stop(struct unc_run *run, const struct unc_ops *stop, enum unc_carry how, int result)
{
	begin_phase(run);
	for (size_t i = 0, n; i < stop->n; i += n) {
		n = stretch(run->u->hw, stop, i);
		result = unc_carry_out(run->u, stop->op + i, n, how, result);
		note(run, stop->scope + i, n);
	}
	return result;
}

static void average_ends(struct unc_run *run)
{
	size_t first = 0;

	for (size_t i = 0; i < run->layout.n; i++)
		run->spans[run->layout.at[i].event].to +=
			claimed_of(run, i, &first)->span.to - run->ended;
	for (size_t e = 0; e < run->n; e++)
		if (run->spans[e].counters)
			run->spans[e].to = run->ended + run->spans[e].to / run->spans[e].counters;
}

/*
 * The rate of a counter is as accurate as the length of its own span.  The counter may have run for
 * as little as the length minus the uncertainty, and missed one count.  If that length is 0, a
 * count of 0 gives no rate.
 */
static void add_counter(struct unc_span *event, const struct unc_span *of, uint64_t count)
{
	const double length = (double)unc_span_length(of), least = length - of->doubt;

	if (least <= 0) {
		event->doubt = INFINITY;
		return;
	}
	event->count += (double)count * (double)unc_span_length(event) / length;
	event->doubt += (double)(count + 1) * of->doubt / least;
}

static void end_events(struct unc_run *run)
{
	size_t first = 0;

	average_ends(run);
	for (size_t i = 0; i < run->layout.n; i++) {
		const struct unc_claimed *h = claimed_of(run, i, &first);
		const uint64_t total = atomic_load(&counter_of(run, h)->total);

		add_counter(&run->spans[run->layout.at[i].event], &h->span, total - h->zero);
	}
	for (size_t e = 0; e < run->n; e++)
		run->spans[e].doubt *= (double)unc_span_length(&run->spans[e]) /
				       (run->spans[e].count + run->spans[e].counters);
}

void unc_spans_end(struct unc_run *run, bool frozen)
{
	const int64_t now = run->acted.before;
	int64_t sum = 0;

	for (size_t i = 0; i < run->n_claimed; i++) {
		struct unc_claimed *h = &run->claimed[i];
		const struct unc_bracket m = moment_of(run, h, h->last, frozen);

		h->span.to = middle(m);
		h->span.doubt += (double)((m.after - m.before + 1) / 2);
		sum += h->span.to - now;
	}
	sum = run->n_claimed ? sum / (int64_t)run->n_claimed : 0;
	run->ended = frozen ? now : now + sum;
	if (run->own_changes)
		end_events(run);
}

int unc_spans_count_at(struct unc_run *run, int64_t time, uint64_t *counts)
{
	struct uncore *u = run->u;
	const struct unc_reading *reading = atomic_load(&run->reading);
	size_t first = 0;
	int r;

	memset(run->sums, 0, run->n * sizeof(*run->sums));
	r = unc_reading_sum_timed(reading, u->hw, &u->err, run->sums, unc_clock(u->hw));
	for (size_t i = 0; r == 0 && i < run->layout.n; i++) {
		const struct unc_claimed *h = claimed_of(run, i, &first);
		const struct unc_counter *c = counter_of(run, h);
		const double count = (double)(atomic_load(&c->total) - h->zero);
		const double until = (double)(time - h->span.from);
		const double all = (double)(middle(c->looked) - h->span.from);

		if (all > 0)
			counts[run->layout.at[i].event] += (uint64_t)(count * until / all);
	}
	return r;
}
