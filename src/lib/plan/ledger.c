/* SPDX-License-Identifier: BSD-3-Clause */
/* ledger.c - see ledger.h. */
#include "plan/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "hw/regs.h"

bool unc_ledger_make(struct unc_ledger *l, unsigned n_groups)
{
	*l = (struct unc_ledger){.n_groups = n_groups};
	l->last = calloc(n_groups, sizeof(*l->last));
	return l->last != NULL;
}

void unc_ledger_free(struct unc_ledger *l)
{
	free(l->at);
	free(l->ops);
	free(l->backs);
	free(l->last);
	free(l->shown);
	free(l->failed);
	*l = (struct unc_ledger){.n = 0};
}

/* ---- memory ---- */

static void link_entry(struct unc_ledger *l, size_t i)
{
	struct unc_ledger_entry *e = &l->at[i];

	e->previous = l->last[e->group];
	l->last[e->group] = i + 1;
}

/* Pointers to entries are invalid then. */
static void close_gaps(struct unc_ledger *l)
{
	size_t n = 0;

	memset(l->last, 0, l->n_groups * sizeof(*l->last));
	for (size_t i = 0; i < l->n; i++) {
		if (l->at[i].gone)
			continue;
		l->at[n] = l->at[i];
		link_entry(l, n++);
	}
	l->n = n;
}

/* Restoring must not need memory: there is an operation for each entry. */
static bool have_room(struct unc_ledger *l)
{
	size_t room;
	struct unc_op *ops;
	struct unc_back *backs;

	if (l->n < l->room)
		return true;
	close_gaps(l);
	room = l->n;
	if (l->room && l->n <= l->room / 2)
		return true;
	if (!unc_room_for_one((void **)&l->at, l->n, &room, sizeof(*l->at)))
		return false;
	ops = realloc(l->ops, room * sizeof(*ops));
	if (!ops)
		return false;
	l->ops = ops;
	backs = realloc(l->backs, room * sizeof(*backs));
	if (!backs)
		return false;
	l->backs = backs;
	l->room = room;
	return true;
}

/* ---- find ---- */

/* An entry whose value is written regardless of the contents is separate from one that is saved. */
static struct unc_ledger_entry *find_noted(struct unc_ledger *l, unsigned group,
					   const struct unc_op *op, unsigned flags)
{
	for (size_t i = l->last[group]; i; i = l->at[i - 1].previous) {
		struct unc_ledger_entry *e = &l->at[i - 1];

		if (!e->gone && unc_same_register(&e->op, op) &&
		    !((e->flags ^ flags) & UNC_SAVED_CLEARED))
			return e;
	}
	return NULL;
}

struct unc_ledger_entry *unc_ledger_next(struct unc_ledger *l, unsigned group,
					 const struct unc_ledger_entry *e)
{
	size_t i = e ? e->previous : l->last[group];

	while (i && (l->at[i - 1].gone || !l->at[i - 1].saved))
		i = l->at[i - 1].previous;
	return i ? &l->at[i - 1] : NULL;
}

struct unc_ledger_entry *unc_ledger_find(struct unc_ledger *l, unsigned group,
					 const struct unc_op *op)
{
	struct unc_ledger_entry *e = find_noted(l, group, op, 0);

	return e && e->saved ? e : NULL;
}

bool unc_ledger_has(const struct unc_ledger *l, const struct unc_op *op)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct unc_ledger_entry *e = &l->at[i];

		if (!e->gone && unc_same_register(&e->op, op) &&
		    (!e->op.mask || !op->mask || e->op.mask & op->mask))
			return true;
	}
	return false;
}

/* ---- note and save ---- */

/* Bits that are not saved may hold another value by now than when they were noted. */
static void note_bits(struct unc_ledger *l, struct unc_ledger_entry *e, const struct unc_op *op,
		      uint64_t value, unsigned flags)
{
	const uint64_t changed = (e->op.mask ? op->mask : UINT64_MAX) & ~e->saved;
	const uint64_t before = (e->before & ~changed) | (value & changed);
	const uint64_t mask = e->op.mask ? e->op.mask | op->mask : 0;

	l->changed |= before != e->before || mask != e->op.mask || (flags & ~e->flags);
	e->before = before;
	e->op.mask = mask;
	e->flags |= flags;
}

/* A register of which nothing is saved is the latest to be changed. */
static void move_to_end(struct unc_ledger *l, struct unc_ledger_entry *e)
{
	if (e->saved || e == &l->at[l->n - 1])
		return;
	l->at[l->n] = *e;
	e->gone = true;
	link_entry(l, l->n++);
}

bool unc_ledger_note(struct unc_ledger *l, unsigned group, const struct unc_op *op, uint64_t value,
		     unsigned flags)
{
	struct unc_ledger_entry *e;

	if (!have_room(l))
		return false;
	e = find_noted(l, group, op, flags);
	if (e) {
		note_bits(l, e, op, value, flags);
		move_to_end(l, e);
		return true;
	}
	l->at[l->n] = (struct unc_ledger_entry){
		.op = *op,
		.before = op->mask ? value & op->mask : value,
		.since = l->now,
		.group = group,
		.flags = flags,
	};
	link_entry(l, l->n++);
	l->changed = true;
	return true;
}

void unc_ledger_save(struct unc_ledger *l, unsigned group, const struct unc_op *op)
{
	struct unc_ledger_entry *e = find_noted(l, group, op, 0);

	e->saved |= e->op.mask ? op->mask : UINT64_MAX;
}

/* ---- values that read back ---- */

static bool is_shown(const struct unc_ledger *l, const struct unc_ledger_entry *e,
		     struct unc_shown shown)
{
	for (uint32_t i = e->shown; i; i = l->shown[i - 1].previous)
		if (l->shown[i - 1].shown.mask == shown.mask &&
		    l->shown[i - 1].shown.value == shown.value)
			return true;
	return false;
}

bool unc_ledger_show(struct unc_ledger *l, unsigned group, const struct unc_op *op)
{
	const struct unc_shown shown = {op->mask, op->value & op->mask};
	struct unc_ledger_entry *e = find_noted(l, group, op, 0);

	if (!e || !shown.mask || is_shown(l, e, shown))
		return true;
	if (!unc_room_for_one((void **)&l->shown, l->n_shown, &l->room_shown, sizeof(*l->shown)))
		return false;
	l->shown[l->n_shown] = (struct unc_ledger_shown){shown, e->shown};
	e->shown = (uint32_t)++l->n_shown;
	e->n_shown++;
	l->changed = true;
	return true;
}

void unc_ledger_unshow(struct unc_ledger *l, unsigned group, const struct unc_op *op)
{
	struct unc_ledger_entry *e = find_noted(l, group, op, 0);

	if (!e || !e->shown)
		return;
	e->shown = e->n_shown = 0;
	l->changed = true;
}

/* ---- restore ---- */

/* A register that is saved as a whole is given up as a whole. */
static void give_up(struct unc_ledger_entry *e, uint64_t bits)
{
	e->saved &= e->op.mask ? ~bits : 0;
}

uint64_t unc_ledger_take(struct unc_ledger *l, unsigned group, const struct unc_op *op)
{
	struct unc_ledger_entry *e = unc_ledger_find(l, group, op);
	const uint64_t bits = op->mask ? op->mask : UINT64_MAX;
	uint64_t before;

	if (!e)
		return 0;
	before = e->before & e->saved & bits;
	give_up(e, bits);
	return before;
}

void unc_ledger_forget(struct unc_ledger *l, unsigned group)
{
	struct unc_ledger_entry *e = NULL;

	while ((e = unc_ledger_next(l, group, e)))
		e->saved = 0;
}

void unc_ledger_leave(struct unc_ledger *l, const struct unc_job *j)
{
	const bool idle = j->before->n + j->before->paired == 0;
	const unsigned box = (unsigned)(j->box - j->machine->boxes);
	const unsigned group = unc_group_of_box(j->machine, box);
	struct unc_ledger_entry *e = NULL;

	while ((e = unc_ledger_next(l, group, e)))
		e->due = idle ? UINT64_MAX : unc_own_bits(j, &e->op);
}

static uint64_t shown_bits(const struct unc_ledger *l, const struct unc_ledger_entry *e)
{
	uint64_t bits = 0;

	for (uint32_t i = e->shown; i; i = l->shown[i - 1].previous)
		bits |= l->shown[i - 1].shown.mask;
	return bits;
}

size_t unc_ledger_restore(struct unc_ledger *l, const struct unc_op **ops)
{
	size_t n = 0;

	for (size_t i = l->n; i-- > 0;) {
		struct unc_ledger_entry *e = &l->at[i];

		e->due &= e->saved;
		if (e->gone || !e->due)
			continue;
		l->backs[n] = (struct unc_back){e->group, e->shown ? shown_bits(l, e) & e->due : 0};
		l->ops[n++] = unc_op_restoring(&e->op, e->op.mask ? e->before & e->due : e->before,
					       e->due);
		give_up(e, e->due);
		e->due = 0;
	}
	*ops = l->ops;
	return n;
}

/* ---- the journal ---- */

/* Free the chains of removed entries, after close_gaps().  Without memory they stay. */
static void prune_shown(struct unc_ledger *l)
{
	struct unc_ledger_shown *all = malloc((l->n_shown + 1) * sizeof(*all));
	uint32_t n = 0;

	for (size_t i = 0; all && i < l->n; i++) {
		uint32_t from = l->at[i].shown, to = 0;

		for (; from; from = l->shown[from - 1].previous) {
			all[n] = (struct unc_ledger_shown){l->shown[from - 1].shown, to};
			to = ++n;
		}
		l->at[i].shown = to;
	}
	if (!all)
		return;
	free(l->shown);
	l->room_shown = l->n_shown + 1;
	l->shown = all;
	l->n_shown = n;
}

void unc_ledger_prune(struct unc_ledger *l, unc_ledger_needed *needed, void *arg)
{
	bool gone = false;

	for (size_t i = 0; i < l->n; i++) {
		struct unc_ledger_entry *e = &l->at[i];
		const uint64_t bits = e->op.mask ? e->op.mask : UINT64_MAX;
		const uint64_t rest = e->gone ? 0 : needed(arg, e) & bits;

		gone |= rest == 0;
		l->changed |= !e->gone && rest != bits && (rest == 0 || e->op.mask);
		e->gone = rest == 0;
		/* an entry of all bits is needed as a whole */
		if (rest && e->op.mask) {
			e->op.mask = rest;
			e->before &= rest;
		}
	}
	if (!gone)
		return;
	close_gaps(l);
	if (l->n_shown)
		prune_shown(l);
}

struct unc_saved unc_ledger_saved(const struct unc_ledger_entry *e, const struct unc_topology *topo)
{
	return (struct unc_saved){
		.place = unc_place_of(topo, &e->op),
		.flags = e->flags,
		.group = e->group,
		.bits = e->op.mask,
		.before = e->before,
		.since = e->since,
	};
}

void unc_ledger_count(const struct unc_ledger *l, uint32_t *n_saved, uint32_t *n_shown)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->at[i].gone)
			continue;
		++*n_saved;
		*n_shown += l->at[i].n_shown;
	}
}

void unc_ledger_journal(const struct unc_ledger *l, const struct unc_topology *topo,
			struct unc_saved *saved, struct unc_shown *shown)
{
	uint32_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct unc_ledger_entry *e = &l->at[i];

		if (e->gone)
			continue;
		*saved = unc_ledger_saved(e, topo);
		saved->shown = n;
		saved->n_shown = e->n_shown;
		for (uint32_t s = e->shown; s; s = l->shown[s - 1].previous)
			shown[n++] = l->shown[s - 1].shown;
		saved++;
	}
}
