/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow_source.c - which counter stopped the package: first the global status, which has a bit
 * per box or per group of boxes, then the boxes' own, which have a bit per counter;
 * docs/hardware/README.md, "Freeze on overflow".
 *
 * A status bit is set by every overflow, even by one that stopped nothing.  So the control is
 * checked, too, for whether it reports overflows.
 */
#include "claim/stop_after.h"

static void add(struct unc_stop_after *stop_after, const struct unc_machine *m, unsigned box,
		int counter, enum uncore_reported_by reported_by)
{
	const struct unc_box *b = &m->boxes[box];
	struct uncore_overflow_source source = {
		.event = -1,
		.package = b->socket,
		.kind = b->type->name,
		.box = b->number,
		.counter = counter,
		.reported_by = reported_by,
	};

	for (unsigned i = 0; i < stop_after->samples.n; i++)
		if (stop_after->samples.at[i].box == box &&
		    (int)stop_after->samples.at[i].counter == counter)
			source.event = (int)stop_after->samples.at[i].event;
	if (stop_after->n_sources < UNC_OVERFLOW_SOURCES)
		stop_after->source[stop_after->n_sources++] = source;
}

static bool read_op(struct uncore *u, const struct unc_op *op, uint64_t *value)
{
	return unc_run_op(u->hw, op, value) == 0;
}

/* A box with a status register: each counter has a bit. */
static void ask_counters(struct uncore *u, struct unc_stop_after *stop_after, unsigned box)
{
	const struct unc_box *b = &u->machine.boxes[box];
	struct unc_shows shows;
	uint64_t status, control;

	unc_shows(&u->machine, box, 0, &shows);
	if (!read_op(u, &shows.box, &status))
		return;
	for (unsigned c = 0; c < b->type->n_counters; c++) {
		const struct unc_op op = unc_control_op(&u->machine, b, c);

		if (status & shows.box_bit << c && read_op(u, &op, &control) &&
		    control & shows.enable)
			add(stop_after, &u->machine, box, (int)c, UNCORE_BY_BOX);
	}
}

/* A sample is identified by its own count; the fixed counter has its own bit. */
static bool is_sample(struct uncore *u, const struct unc_stop_after *stop_after, unsigned box)
{
	const unsigned fixed = u->machine.boxes[box].type->n_counters;

	for (unsigned i = 0; i < stop_after->samples.n; i++)
		if (stop_after->samples.at[i].box == box &&
		    stop_after->samples.at[i].counter != fixed &&
		    unc_sample_reached(u, stop_after, i))
			return true;
	return false;
}

static void ask_fixed(struct uncore *u, struct unc_stop_after *stop_after, unsigned box)
{
	const struct unc_box *b = &u->machine.boxes[box];
	const unsigned fixed = b->type->n_counters;
	struct unc_shows shows;
	struct unc_op control;
	uint64_t global, value;

	unc_shows(&u->machine, box, fixed, &shows);
	if (!shows.enable || !shows.global_bit)
		return;
	control = unc_control_op(&u->machine, b, fixed);
	if (read_op(u, &shows.global, &global) && global & shows.global_bit &&
	    read_op(u, &control, &value) && value & shows.enable)
		add(stop_after, &u->machine, box, (int)fixed, UNCORE_BY_PACKAGE);
}

static void ask_box(struct uncore *u, struct unc_stop_after *stop_after, unsigned box)
{
	struct unc_shows shows;
	uint64_t global;

	unc_shows(&u->machine, box, 0, &shows);
	if (!shows.enable || (!shows.global_bit && !shows.box_bit))
		return;
	if (shows.global_bit &&
	    (!read_op(u, &shows.global, &global) || !(global & shows.global_bit)))
		return;
	if (shows.box_bit)
		ask_counters(u, stop_after, box);
	else if (!is_sample(u, stop_after, box))
		add(stop_after, &u->machine, box, -1, UNCORE_BY_PACKAGE);
}

static bool is_reported(const struct unc_stop_after *stop_after, unsigned event)
{
	for (unsigned i = 0; i < stop_after->n_sources; i++)
		if (stop_after->source[i].event == (int)event)
			return true;
	return false;
}

void unc_overflow_sources_read(struct uncore *u, struct unc_stop_after *stop_after)
{
	const struct unc_machine *m = &u->machine;

	stop_after->n_sources = 0;
	for (unsigned i = 0; i < m->n_boxes; i++)
		if (!m->boxes[i].absent && unc_freezes(&m->boxes[i], m->boxes[i].package) &&
		    unc_samples_stop(&stop_after->samples, m, m->boxes[i].package)) {
			ask_fixed(u, stop_after, i);
			ask_box(u, stop_after, i);
		}
	for (unsigned i = 0; i < stop_after->samples.n; i++) {
		const struct unc_sample *s = &stop_after->samples.at[i];

		if (unc_sample_reached(u, stop_after, i) && !is_reported(stop_after, s->event))
			add(stop_after, m, s->box, (int)s->counter, UNCORE_BY_COUNTER);
	}
}
