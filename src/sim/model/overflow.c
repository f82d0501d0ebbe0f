/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow.c - freeze on overflow: a counter with SIM_CTL_OVF stops all boxes of its
 * package when it overflows, its own box first (docs/hardware/README.md).
 */
#include "sim/model/model.h"

#define BOX_FRZ_EN (UINT64_C(1) << 16)
#define BOX_OVF_EN (UINT64_C(1) << 17)

uint64_t sim_moment(const struct sim_box *box, double rate, uint64_t since, uint64_t now,
		    uint64_t need)
{
	uint64_t before = since;

	while (now - before > 1) {
		uint64_t middle = before + (now - before) / 2;

		if (sim_box_gain(box, rate, since, middle) >= need)
			now = middle;
		else
			before = middle;
	}
	return now;
}

static bool has_bits(const struct sim_box *box, uint64_t bits)
{
	const struct sim_kind *kind = box->kind;

	return kind->style == SIM_STYLE_D || kind->box_ctl == 0 || (box->box_ctl & bits) == bits;
}

uint64_t *sim_summary(const struct sim_box *box, unsigned counter, unsigned *bit)
{
	const struct sim_kind *kind = box->kind;
	struct sim_package *state = &box->sim->package[box->package];
	unsigned share = kind->summary_share != 0 ? kind->summary_share : 1;
	unsigned n = kind->summary + box->index / share;

	if (counter == SIM_FIXED) { /* ov_u_fixed, on all platforms that have it */
		*bit = 0;
		return kind->fixed_reports ? &state->status[0] : NULL;
	}
	if (kind->style == SIM_STYLE_D) {
		*bit = box->position % 64;
		return &state->summary[box->table][box->position / 64 % SIM_SUMMARY];
	}
	*bit = n % 64;
	if (kind->summary_none || box->index >= kind->summary_boxes)
		return NULL;
	return &state->status[n / 64];
}

static bool is_reported(const struct sim_box *box, unsigned counter)
{
	unsigned bit;
	const uint64_t *status = sim_summary(box, counter, &bit);

	return status != NULL && (*status >> bit & 1) != 0;
}

/* No overflow is reported before the bits of the last one are cleared. */
static bool can_report(const struct sim_box *box, unsigned i)
{
	const struct sim_kind *kind = box->kind;
	uint64_t control = i == SIM_FIXED ? box->fixed_ctl : box->control[i];
	unsigned bit = i == SIM_FIXED ? 0 : kind->fixed_first ? i + 1 : i;

	if (i == SIM_FIXED && !kind->fixed_reports)
		return false;
	return (control & SIM_CTL_OVF) != 0 && has_bits(box, BOX_OVF_EN) &&
	       (kind->status == 0 || (box->status >> bit & 1) == 0) && !is_reported(box, i);
}

/* Time at which counter i reports an overflow, if before `at`; else `at`. */
static uint64_t sooner(const struct sim_box *box, unsigned i, uint64_t at, uint64_t now)
{
	unsigned width = i == SIM_FIXED ? box->kind->fixed_width : box->kind->width;
	uint64_t held = i == SIM_FIXED ? box->fixed_ctr : box->counter[i];
	uint64_t need = (UINT64_C(1) << width) - held;
	double rate = can_report(box, i) ? sim_box_rate(box, i) : 0;
	uint64_t end = at < now ? at : now;

	if (rate > 0 && sim_box_gain(box, rate, box->since, end) >= need)
		return sim_moment(box, rate, box->since, end, need);
	return at;
}

/* The first time until `now` at which the box reports an overflow; else `now` + 1. */
static uint64_t first(const struct sim_box *box, uint64_t now)
{
	uint64_t at = now + 1;

	if (box->since >= now || sim_box_frozen(box))
		return at;
	for (unsigned i = 0; i < box->kind->n_counters; i++)
		at = sooner(box, i, at, now);
	return sooner(box, SIM_FIXED, at, now);
}

static void stop(struct sim *sim, const struct sim_box *source, uint64_t at)
{
	struct sim_box *boxes = &sim->boxes[source->package * sim->n_boxes];

	for (size_t i = 0; i < sim->n_boxes; i++) {
		struct sim_box *box = &boxes[i];

		if (box->table == source->table && has_bits(box, BOX_FRZ_EN))
			box->halt = at + (box == source ? SIM_STOP_OWN_NS : SIM_STOP_OTHERS_NS);
	}
	sim_core_report(sim, source->package,
			sim->package[source->package].control & sim->platform->global.pmi);
}

/* A discovery table's global control shows whether all its boxes are frozen. */
static void settle(struct sim *sim, unsigned package, unsigned table, uint64_t now)
{
	struct sim_box *boxes = &sim->boxes[package * sim->n_boxes];
	uint64_t last = 0;

	for (size_t i = 0; i < sim->n_boxes; i++)
		if (boxes[i].table == table && boxes[i].halt > last)
			last = boxes[i].halt;
	if (last == 0 || last > now)
		return;
	for (size_t i = 0; i < sim->n_boxes; i++)
		if (boxes[i].table == table)
			sim_box_catch_up(&boxes[i], now);
	sim->package[package].frozen |= 1U << table;
	sim_overflow_forget(sim, package, table);
}

static void look(struct sim *sim, unsigned package, unsigned table, uint64_t now)
{
	struct sim_box *boxes = &sim->boxes[package * sim->n_boxes], *source = NULL;
	uint64_t at = now + 1;

	for (size_t i = 0; i < sim->n_boxes; i++) {
		uint64_t when = boxes[i].table == table && boxes[i].halt == 0
					? first(&boxes[i], at <= now ? at : now)
					: now + 1;

		if (when < at && when <= now) {
			at = when;
			source = &boxes[i];
		}
	}
	if (source != NULL)
		stop(sim, source, at);
}

void sim_overflow_look(struct sim *sim, unsigned package, uint64_t now)
{
	if (sim->package[package].armed == 0)
		return;
	for (unsigned table = 0; table < SIM_TABLES; table++) {
		look(sim, package, table, now);
		if (sim->platform->discovery != NULL)
			settle(sim, package, table, now);
	}
}

void sim_overflow_forget(struct sim *sim, unsigned package, unsigned table)
{
	for (size_t i = 0; i < sim->n_boxes; i++) {
		struct sim_box *box = &sim->boxes[package * sim->n_boxes + i];

		if (box->table == table)
			box->halt = 0;
	}
}
