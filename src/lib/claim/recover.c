/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recover.c - give back what dead owners have left.
 *
 * Their journals are input: anybody who may write to the directory can have written them.  Each
 * write passes the map of PMON registers; only bits in it change, none of those that let
 * something count or interrupt is set, and nothing is touched that a living owner has.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claim/state.h"
#include "plan/plan.h"

/* What becomes of an entry. */
enum fate {
	KEEP, /* another package, or it cannot be done now */
	BACK,
	LEFT, /* it is somebody else's now, or no register of a counter */
};

struct entry {
	struct unc_op op;
	enum fate fate;
	bool there; /* it is a register of this machine */
	bool known; /* it has shown that it is still the owner's, or not */
	uint64_t held;
};

struct recovery {
	struct unc_share *s;
	const struct unc_journal *j;
	struct entry *entry; /* by number */
	char owner[UNC_OWNER_NAME];
	size_t n_back, n_left;
	size_t first; /* of what is noted: others are of earlier recoveries */
};

/* ---- what each entry is ---- */

static bool counts_here(const struct unc_share *s, unsigned package)
{
	if (s->others.counts[package])
		return true;
	for (size_t i = 0; i < s->ledger->n; i++) {
		const struct unc_entry *e = &s->ledger->at[i];

		if (!e->gone && e->op.space != UNCORE_CPU && e->op.package == package)
			return true;
	}
	return false;
}

/* In the bits that read back: as it was, as the owner wrote it, or as a reset leaves it. */
static bool is_owners(const struct unc_journal *j, const struct unc_saved *k, uint64_t value)
{
	const uint64_t bits = k->bits ? k->bits : UINT64_MAX;

	if (((value ^ k->before) & bits) == 0)
		return true;
	for (uint32_t i = 0; i < k->n_shown; i++) {
		const struct unc_shown *shown = &j->shown[k->shown + i];
		const uint64_t now = value & shown->mask & bits;

		if (now == (shown->value & bits) || now == 0)
			return true;
	}
	return k->n_shown == 0;
}

/* Registers in memory do not tell of which package they are, and a journal may be wrong. */
static void set_package(const struct unc_machine *m, struct unc_op *op)
{
	if (op->space != UNCORE_MMIO)
		return;
	for (size_t i = 0; i < m->n_boxes; i++)
		if (m->boxes[i].map == op->unit)
			op->package = m->boxes[i].package;
	for (unsigned i = 0; i < m->n_globals; i++)
		if (m->globals[i].space == UNCORE_MMIO && m->globals[i].unit == op->unit)
			op->package = m->globals[i].package;
}

/* A register that freezes all boxes of a package, whatever the journal says of it. */
static bool is_packages(const struct unc_machine *m, const struct unc_op *op)
{
	const struct unc_global *g = m->platform->desc->global;

	for (unsigned i = 0; i < m->n_globals; i++)
		if (unc_same_register(&m->globals[i], op))
			return true;
	return g && op->space == UNCORE_MSR && op->address == g->msr;
}

static bool has_control(const struct unc_machine *m, const struct unc_op *counter,
			struct unc_op *control)
{
	struct unc_op op;

	for (size_t i = 0; i < m->n_boxes && counter->space != UNCORE_CPU; i++) {
		const struct unc_box *b = &m->boxes[i];

		for (unsigned n = 0; !b->absent && n <= b->type->n_counters; n++)
			if (unc_register_op(m, b, UNCORE_COUNTER, n, &op) &&
			    unc_same_register(&op, counter))
				return unc_register_op(m, b, UNCORE_CONTROL, n, control);
	}
	return false;
}

static bool has_owner(const struct unc_share *s, const struct unc_op *op)
{
	struct unc_owner owner;

	/* a box's control may have a bit for each counter, of which others have some */
	return unc_share_owner(s, op, &owner) || unc_ledger_has(s->ledger, op);
}

/* By somebody who lives, or by this handle.  Counters are in no journal, but their controls are. */
static bool is_taken(const struct unc_share *s, const struct unc_op *op)
{
	struct unc_op control;

	return has_owner(s, op) ||
	       (has_control(s->machine, op, &control) && has_owner(s, &control));
}

static void look(struct recovery *r, uint32_t i)
{
	const struct unc_saved *k = &r->j->kept[i];
	const struct unc_machine *m = r->s->machine;
	struct entry *e = &r->entry[i];
	bool packages;
	int error;

	if (!unc_place_op(&m->topo, r->s->hw->pmon, &k->place, &e->op)) {
		e->fate = k->place.package < r->s->locks.n && !r->s->mine[k->place.package] ? KEEP
											    : LEFT;
		return;
	}
	e->there = true;
	set_package(m, &e->op);
	e->op.mask = k->bits;
	packages = is_packages(m, &e->op) || (k->flags & UNC_KEPT_PACKAGE);
	if (!r->s->mine[e->op.package] || (packages && counts_here(r->s, e->op.package)))
		return;
	if (is_taken(r->s, &e->op)) {
		e->fate = LEFT;
		return;
	}
	e->op.mask = 0;
	error = unc_run_op(r->s->hw, &e->op, &e->held);
	e->fate = error < 0 ? KEEP : is_owners(r->j, k, e->held) ? BACK : LEFT;
	e->known = error == 0 && k->n_shown > 0;
}

static bool is_kept(const struct recovery *r, const struct unc_op *op)
{
	const struct unc_place place = unc_place_of(&r->s->machine->topo, op);

	for (uint32_t i = 0; i < r->j->head.n_saved; i++)
		if (unc_place_compare(&r->j->kept[i].place, &place) == 0)
			return true;
	return false;
}

/* Somebody counts in the box with a counter that was not the owner's. */
static bool counts_in_box(const struct recovery *r, const struct unc_box *b)
{
	const struct unc_machine *m = r->s->machine;

	for (unsigned n = 0; n <= b->type->n_counters; n++) {
		struct unc_op op;
		uint64_t value;

		if (unc_register_op(m, b, UNCORE_CONTROL, n, &op) && !is_kept(r, &op) &&
		    unc_run_op(r->s->hw, &op, &value) == 0 &&
		    (value & unc_busy_bits(m, b->type, n)))
			return true;
	}
	return false;
}

/* A control of a whole box that others use by now is theirs. */
static void judge_box_controls(struct recovery *r)
{
	const struct unc_machine *m = r->s->machine;
	const struct unc_journal_head *head = &r->j->head;

	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct unc_box *b = &m->boxes[i];
		struct unc_op op;

		if (b->absent || b->type->arch || !r->s->mine[b->package] ||
		    !unc_register_op(m, b, UNCORE_UNIT_CONTROL, 0, &op) ||
		    unc_style_of(m, b->type)->per_counter || !is_kept(r, &op) ||
		    !counts_in_box(r, b))
			continue;
		for (uint32_t k = 0; k < head->n_saved; k++)
			if (r->entry[k].fate == BACK && unc_same_register(&r->entry[k].op, &op))
				r->entry[k].fate = LEFT;
	}
}

/* What cannot tell whose it is goes with the registers of its box that can. */
static void judge_groups(struct recovery *r)
{
	const uint32_t n_groups = unc_count_groups(r->s->machine);
	bool *left = calloc(n_groups, sizeof(*left));

	for (uint32_t i = 0; left && i < r->j->head.n_saved; i++)
		if (r->entry[i].known && r->entry[i].fate == LEFT && r->j->kept[i].group < n_groups)
			left[r->j->kept[i].group] = true;
	for (uint32_t i = 0; i < r->j->head.n_saved; i++) {
		const uint32_t group = r->j->kept[i].group;

		/* without memory nothing is certain */
		if (r->entry[i].fate == BACK && !r->entry[i].known &&
		    (!left || (group < n_groups && left[group])))
			r->entry[i].fate = left ? LEFT : KEEP;
	}
	free(left);
}

/* ---- giving back ---- */

static void note(struct recovery *r, const struct entry *e, uint64_t value)
{
	struct unc_share *s = r->s;
	struct unc_restored *all;

	if (s->n_restored >= 65536)
		return;
	all = realloc(s->restored, (s->n_restored + 1) * sizeof(*all));
	if (!all)
		return;
	s->restored = all;
	all = &all[s->n_restored++];
	*all = (struct unc_restored){
		.op = e->op, .held = e->held, .value = value, .left = e->fate == LEFT};
	memcpy(all->owner, r->owner, sizeof(all->owner));
}

static void give_back(struct recovery *r, uint32_t i)
{
	const struct unc_saved *k = &r->j->kept[i];
	const struct unc_pmon *pmon = r->s->hw->pmon;
	struct entry *e = &r->entry[i];
	struct unc_op op;
	uint64_t old;

	/* an entry before this one may have been of the same register */
	if (unc_run_op(r->s->hw, &e->op, &e->held) < 0) {
		e->fate = KEEP;
		return;
	}
	if (k->flags & UNC_KEPT_CLEARED)
		op = unc_place_clearing(pmon, &e->op, k->before);
	else if (!unc_place_restoring(pmon, &e->op, e->held, k->bits, k->before, &op) ||
		 (e->known && op.value == (op.mask ? e->held & op.mask : e->held)))
		return;
	if (unc_run_op(r->s->hw, &op, &old) < 0) {
		e->fate = KEEP;
		return;
	}
	r->n_back++;
	note(r, e, op.mask ? (e->held & ~op.mask) | op.value : op.value);
}

/*
 * An owner may have ended while all boxes of a package were frozen, where that is no state of a
 * register that can be read.
 */
static void let_packages(struct recovery *r)
{
	const struct unc_machine *m = r->s->machine;
	const struct unc_global *g = m->platform->desc->global;

	for (unsigned p = 0; g && !g->state && p < r->s->locks.n; p++) {
		struct unc_ops ops = {.n = 0};
		bool counted = false;
		uint64_t old;

		for (uint32_t i = 0; i < r->j->head.n_saved; i++)
			counted |= r->entry[i].op.package == p &&
				   r->entry[i].op.space != UNCORE_CPU && r->entry[i].fate == BACK;
		if (!counted || !r->s->mine[p] || counts_here(r->s, p))
			continue;
		unc_program_global(&ops, m, p, false);
		for (size_t i = 0; i < ops.n; i++)
			unc_run_op(r->s->hw, &ops.op[i], &old);
		unc_ops_free(&ops);
	}
}

/* ---- what is told, and what is left of the journal ---- */

static void tell(struct recovery *r)
{
	const struct unc_restored *left = NULL;
	char since[32], location[UNC_DIE_NAME], more[256] = "";

	for (size_t i = r->s->n_restored; i-- > r->first && !left;)
		left = r->s->restored[i].left ? &r->s->restored[i] : NULL;
	if (left)
		snprintf(more, sizeof(more),
			 "; %zu %s left, since others have changed %s or their boxes, such as "
			 "%s, register %#" PRIx64 ", which holds %#" PRIx64,
			 r->n_left, r->n_left == 1 ? "was" : "were", r->n_left == 1 ? "it" : "them",
			 unc_op_location(location, r->s->machine, &left->op), left->op.address,
			 left->held);
	unc_warnings_add(&r->s->machine->warnings, UNCORE_WARNING_RECOVERY,
			 "%s, which counted since %s, ended without restoring its counters: "
			 "restored %zu registers%s",
			 r->owner, unc_since(since, r->j->head.since), r->n_back, more);
}

static void write_rest(struct recovery *r, const char *file)
{
	struct unc_journal rest = *r->j;
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->j->head.n_saved; i++)
		if (r->entry[i].fate == KEEP)
			rest.kept[n++] = r->j->kept[i];
	rest.head.n_saved = n;
	if (n == 0)
		unc_share_discard(r->s, file);
	else if (r->n_back || r->n_left)
		unc_share_rewrite(r->s, file, &rest);
}

/* A journal has each register once, and by a later version a few more that this one does not know.
 */
static bool is_too_long(const struct unc_share *s, uint32_t n)
{
	const struct unc_pmon *pmon = s->hw->pmon;
	size_t most = 0;

	for (size_t i = 0; i < pmon->n; i++)
		most += pmon->reg[i].space == UNCORE_CPU ? s->machine->topo.n_cpus : 1;
	return n > 16 * most;
}

void unc_recover(struct unc_share *s, struct unc_other *dead)
{
	struct recovery r = {.s = s, .j = &dead->journal, .first = s->n_restored};
	const uint32_t n = dead->journal.head.n_saved;

	if (is_too_long(s, n)) {
		unc_warnings_add(&s->machine->warnings, UNCORE_WARNING_RECOVERY,
				 "removed the journal %s/%s: it lists more registers than this "
				 "machine has",
				 s->dir.path, dead->file);
		unc_share_discard(s, dead->file);
		return;
	}
	r.entry = calloc((size_t)n + 1, sizeof(*r.entry));
	if (!r.entry)
		return;
	unc_owner_name(r.owner, &dead->journal.head);
	for (uint32_t i = 0; i < n; i++)
		look(&r, i);
	judge_box_controls(&r);
	judge_groups(&r);
	for (uint32_t i = n; i-- > 0;)
		if (r.entry[i].fate == BACK)
			give_back(&r, i);
	let_packages(&r);
	for (uint32_t i = 0; i < n; i++)
		if (r.entry[i].fate == LEFT) {
			r.n_left++;
			if (r.entry[i].there)
				note(&r, &r.entry[i], r.entry[i].held);
		}
	if ((r.n_back || r.n_left) && !(dead->journal.head.flags & UNC_JOURNAL_LEFT))
		tell(&r);
	write_rest(&r, dead->file);
	free(r.entry);
}
