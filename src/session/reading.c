/* SPDX-License-Identifier: BSD-3-Clause */
/* reading.c - which registers a running set reads, and for which events. */
#include <stdlib.h>
#include <string.h>

#include "session/core.h"

/* Side by side in the config space of one device. */
static bool adjacent(const struct unc_counter *a, const struct unc_counter *b)
{
	return a->read.space == UNCORE_PCI && b->read.space == UNCORE_PCI &&
	       a->read.unit == b->read.unit && b->read.address == a->read.address + 8;
}

/* One access reads both, and the n - 1 before them. */
static bool together(const struct unc_hw *hw, const struct unc_counter *a,
		     const struct unc_counter *b, unsigned n)
{
	if (unc_is_msr(&b->read))
		return unc_is_msr(&a->read) && n < hw->batch;
	return n < UNC_RUN_MAX && adjacent(a, b);
}

static void add_tap(const struct unc_hw *hw, struct unc_reading *r, struct unc_counter *c)
{
	struct unc_access *last = r->n_accesses ? &r->accesses[r->n_accesses - 1] : NULL;
	const unsigned tap = (unsigned)r->n_taps++;

	r->taps[tap] = (struct unc_tap){c, (unsigned)r->n_users, 0};
	if (last && together(hw, r->taps[tap - 1].counter, c, last->n_taps))
		last->n_taps++;
	else
		r->accesses[r->n_accesses++] = (struct unc_access){tap, 1};
}

static void free_one(struct unc_reading *r)
{
	free(r->taps);
	free(r->accesses);
	free(r->users);
	free(r);
}

static void add_place(struct uncore *u, struct unc_reading *r, const struct unc_place *place)
{
	struct unc_counter *c = unc_counter_of(u, place->box, place->setting.counter);

	if (r->n_taps == 0 || r->taps[r->n_taps - 1].counter != c)
		add_tap(u->hw, r, c);
	r->users[r->n_users++] = place->event;
	r->taps[r->n_taps - 1].n_users++;
}

static bool is_msr_box(const struct uncore *u, unsigned box)
{
	const enum uncore_space space = u->machine.boxes[box].type->space;

	return space == UNCORE_MSR || space == UNCORE_CPU;
}

/*
 * The places of a layout are in the order of boxes and counters; kinds of boxes with
 * MSRs and others alternate, and all MSRs come first.
 */
static struct unc_reading *make(struct uncore *u, const struct unc_layout *l)
{
	struct unc_reading *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->taps = calloc(l->n, sizeof(*r->taps));
	r->accesses = calloc(l->n, sizeof(*r->accesses));
	r->users = calloc(l->n, sizeof(*r->users));
	if (!r->taps || !r->accesses || !r->users) {
		free_one(r);
		return NULL;
	}
	for (int msr = 1; msr >= 0; msr--)
		for (size_t i = 0; i < l->n; i++)
			if (is_msr_box(u, l->places[i].box) == (msr == 1))
				add_place(u, r, &l->places[i]);
	return r;
}

static bool same(const struct unc_reading *a, const struct unc_reading *b)
{
	return a->n_taps == b->n_taps && a->n_users == b->n_users &&
	       memcmp(a->taps, b->taps, a->n_taps * sizeof(*a->taps)) == 0 &&
	       memcmp(a->users, b->users, a->n_users * sizeof(*a->users)) == 0;
}

int unc_reading_make(struct uncore *u, struct uncore_set *set)
{
	struct unc_reading *old = atomic_load(&set->reading);
	struct unc_reading *new = make(u, &set->layout);

	if (!new)
		return UNCORE_ENOMEM;
	if (old && same(old, new)) {
		free_one(new);
		return 0;
	}
	new->retired = old;
	atomic_store(&set->reading, new);
	return 0;
}

void unc_reading_free(struct uncore_set *set)
{
	struct unc_reading *r = atomic_load(&set->reading);

	while (r) {
		struct unc_reading *next = r->retired;

		free_one(r);
		r = next;
	}
	atomic_store(&set->reading, NULL);
}
