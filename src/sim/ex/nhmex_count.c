/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_count.c - Xeon 7500 and E7: conditions for counting, overflow, and the freeze
 * that an overflow may cause (docs/hardware/nhmex.md, docs/hardware/README.md).
 */
#include "sim/ex/nhmex.h"

#define WIDTH   48
#define MODULUS (UINT64_C(1) << WIDTH)

/* rst_all must be cleared before anything counts. */
static bool running(const struct nhmex_package *own)
{
	return (own->global & (NHMEX_EN_ALL | NHMEX_RST_ALL)) == NHMEX_EN_ALL;
}

static bool is_fixed(const struct sim_box *box, unsigned slot)
{
	return slot == NHMEX_FIXED && sim_nhmex_type(box) == NHMEX_W;
}

static bool enabled(const struct sim_box *box, unsigned slot)
{
	uint64_t ubox = sim_nhmex_package(box->sim, box->package)->global & NHMEX_U_EN;
	uint64_t enables = sim_nhmex_type(box) == NHMEX_U ? ubox : box->box_ctl;
	uint64_t bit = is_fixed(box, slot) ? 1 : sim_nhmex_layout(box)->enable;

	return (enables & sim_nhmex_bit(box, slot)) != 0 && (box->control[slot] & bit) != 0;
}

static double rate(const struct sim_box *box, unsigned slot)
{
	uint64_t control = box->control[slot];
	struct sim_signal signal;

	if (!enabled(box, slot))
		return 0;
	if (is_fixed(box, slot))
		return box->kind->clock_hz(box);
	if (!sim_nhmex_select(box, slot, control, sim_nhmex_box(box)->sub, &signal))
		return 0;
	return sim_signal_rate(&signal, box->kind, control, false);
}

static bool sends_pmi(const struct sim_box *box, unsigned slot)
{
	/* The fixed counter's control has the enable bit only. */
	return !is_fixed(box, slot) && (box->control[slot] & sim_nhmex_layout(box)->pmi) != 0;
}

/* The U-Box has no status register, only a bit in the global one. */
static void overflow(struct sim_box *box, unsigned slot)
{
	struct nhmex_package *own = sim_nhmex_package(box->sim, box->package);
	uint64_t summary = UINT64_C(1) << sim_nhmex_summary(box);

	sim_nhmex_box(box)->status |= sim_nhmex_bit(box, slot);
	if (sim_nhmex_type(box) == NHMEX_U)
		own->status |= summary;
	if (!sends_pmi(box, slot))
		return;
	sim_nhmex_box(box)->signalled |= sim_nhmex_bit(box, slot);
	own->status |= summary;
}

static void count(struct sim_box *box, uint64_t end)
{
	for (unsigned i = 0; i < sim_nhmex_layout(box)->slots; i++) {
		uint64_t sum = box->counter[i] + sim_box_gain(box, rate(box, i), box->since, end);

		box->counter[i] = sum % MODULUS;
		if (sum >= MODULUS)
			overflow(box, i);
	}
	box->since = end;
}

/* The first moment until `now` when a counter of the box sends a PMI; else `now` + 1. */
static uint64_t first_pmi(const struct sim_box *box, uint64_t now)
{
	uint64_t at = now + 1;

	for (unsigned i = 0; i < sim_nhmex_layout(box)->slots; i++) {
		uint64_t need = MODULUS - box->counter[i];
		double hz;

		if (!sends_pmi(box, i) || !enabled(box, i) || box->since >= now)
			continue;
		hz = rate(box, i);
		if (sim_box_gain(box, hz, box->since, now) >= need)
			at = now = sim_moment(box, hz, box->since, now, need);
	}
	return at;
}

/* The PMI reaches the U-Box after a delay; it then stops all boxes at once. */
static void await_pmi(struct sim *sim, unsigned package, uint64_t now)
{
	struct nhmex_package *own = sim_nhmex_package(sim, package);
	uint64_t at = now + 1;

	if ((own->global & NHMEX_FRZ_ALL) == 0 || own->stop != 0)
		return;
	for (size_t i = 0; i < sim->n_boxes; i++) {
		uint64_t when = first_pmi(&sim->boxes[package * sim->n_boxes + i], now);

		at = when < at ? when : at;
	}
	if (at <= now)
		own->stop = at + SIM_STOP_OTHERS_NS;
}

static void catch_up_all(struct sim *sim, unsigned package, uint64_t now)
{
	struct nhmex_package *own = sim_nhmex_package(sim, package);
	struct sim_box *boxes = &sim->boxes[package * sim->n_boxes];
	uint64_t end;

	await_pmi(sim, package, now);
	end = own->stop != 0 && own->stop < now ? own->stop : now;
	for (size_t i = 0; i < sim->n_boxes; i++) {
		if (boxes[i].since < end)
			count(&boxes[i], end);
		boxes[i].since = now;
	}
	if (own->stop != 0 && own->stop <= now) {
		own->global &= ~NHMEX_EN_ALL;
		own->stop = 0;
	}
}

void sim_nhmex_catch_up(struct sim *sim, unsigned package, struct sim_box *box, uint64_t now)
{
	struct nhmex_package *own = sim_nhmex_package(sim, package);

	if (!running(own)) {
		for (size_t i = 0; i < sim->n_boxes; i++)
			sim->boxes[package * sim->n_boxes + i].since = now;
		return;
	}
	/* Process a counter that freezes the others before them. */
	if (box == NULL || (own->global & NHMEX_FRZ_ALL) != 0)
		catch_up_all(sim, package, now);
	else if (box->since < now)
		count(box, now);
}

double sim_nhmex_rate(const struct sim_box *box, unsigned slot)
{
	if (!running(sim_nhmex_package(box->sim, box->package)) ||
	    slot >= sim_nhmex_layout(box)->slots)
		return 0;
	return rate(box, slot);
}
