/* SPDX-License-Identifier: BSD-3-Clause */
/* reading.c - which registers a running set reads, and for which events. */
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

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

static void add_addend(const struct unc_hw *hw, struct unc_reading *r, struct unc_counter *c)
{
	struct unc_access *last = r->n_accesses ? &r->accesses[r->n_accesses - 1] : NULL;
	const unsigned addend = (unsigned)r->n_addends++;

	r->addends[addend] = (struct unc_addend){c, (unsigned)r->n_users, 0};
	if (last && together(hw, r->addends[addend - 1].counter, c, last->n_addends))
		last->n_addends++;
	else
		r->accesses[r->n_accesses++] = (struct unc_access){addend, 1};
}

static void free_one(struct unc_reading *r)
{
	free(r->addends);
	free(r->accesses);
	free(r->users);
	free(r);
}

static void add_use(struct uncore *u, struct unc_reading *r, const struct unc_box_event *added)
{
	struct unc_counter *c = unc_counter_of(u, added->box, added->assignment.counter);

	if (r->n_addends == 0 || r->addends[r->n_addends - 1].counter != c)
		add_addend(u->hw, r, c);
	r->users[r->n_users++] = added->event;
	r->addends[r->n_addends - 1].n_users++;
}

static bool is_msr_box(const struct uncore *u, unsigned box)
{
	const enum uncore_space space = u->machine.boxes[box].type->space;

	return space == UNCORE_MSR || space == UNCORE_CPU;
}

/*
 * The entries of a layout are in the order of boxes and counters; kinds of boxes with
 * MSRs and others alternate, and all MSRs come first.
 */
static struct unc_reading *make(struct uncore *u, const struct unc_layout *l)
{
	struct unc_reading *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->addends = calloc(l->n, sizeof(*r->addends));
	r->accesses = calloc(l->n, sizeof(*r->accesses));
	r->users = calloc(l->n, sizeof(*r->users));
	if (!r->addends || !r->accesses || !r->users) {
		free_one(r);
		return NULL;
	}
	for (int msr = 1; msr >= 0; msr--)
		for (size_t i = 0; i < l->n; i++)
			if (is_msr_box(u, l->at[i].box) == (msr == 1))
				add_use(u, r, &l->at[i]);
	return r;
}

static bool same(const struct unc_reading *a, const struct unc_reading *b)
{
	return a->n_addends == b->n_addends && a->n_users == b->n_users &&
	       memcmp(a->addends, b->addends, a->n_addends * sizeof(*a->addends)) == 0 &&
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
