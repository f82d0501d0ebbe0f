/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recover.c - restore the registers of processes that ended without doing so.
 *
 * Their journals are untrusted input: any user with write access to the directory can have written
 * them.  Each write is checked against the map of PMON registers: only bits in the map change, no
 * bit that enables counting or an interrupt is set, and registers of running owners are not
 * touched.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "claim/state.h"
#include "plan/plan.h"

/* The fate of an entry. */
enum fate {
	POSTPONE, /* it is in a package that is not locked, or an access failed */
	RESTORE,
	LEAVE, /* another process uses it now, or it is not a PMON register */
};

struct entry {
	struct unc_op op;
	enum fate fate;
	bool present; /* this machine has the register */
	bool known;   /* its value shows whether the owner wrote it last */
	uint64_t held;
};

struct recovery {
	struct unc_share *s;
	const struct unc_journal *j;
	struct entry *entry;               /* by index in the journal */
	const struct unc_saved **by_place; /* the journal's registers, sorted */
	bool *changed;           /* by group: another tool has changed one of its registers */
	struct unc_ops unfreeze; /* of all packages, where that state cannot be read */
	char owner[UNC_OWNER_NAME];
	size_t n_done, n_left;
	size_t first; /* index into s->restored: those before are of earlier recoveries */
};

/* ---- decide what happens to each entry ---- */

static bool counts_here(const struct unc_share *s, unsigned package)
{
	if (s->others.counts[package])
		return true;
	for (size_t i = 0; i < s->ledger->n; i++) {
		const struct unc_ledger_entry *e = &s->ledger->at[i];

		if (!e->gone && e->op.space != UNCORE_CPU && e->op.package == package)
			return true;
	}
	return false;
}

/* In the bits that read back: the previous value, one that the owner writes, or that of a reset. */
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

/* The address of a memory-mapped register does not identify its package; do not trust the journal.
 */
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

/* A register that freezes all boxes of a package, whatever the journal says. */
static bool is_packages(const struct unc_machine *m, const struct unc_op *op)
{
	const struct unc_global *g = m->platform->desc->global;

	for (unsigned i = 0; i < m->n_globals; i++)
		if (unc_same_register(&m->globals[i], op))
			return true;
	return g && op->space == UNCORE_MSR && op->address == g->msr;
}

/* False for most boxes, without the addresses of their registers: there may be thousands of boxes.
 */
static bool may_have(const struct unc_box *b, const struct unc_op *counter)
{
	return b->package == counter->package && !b->absent &&
	       unc_interface_space(b->type->space) == counter->space &&
	       (counter->space != UNCORE_PCI || b->pci == counter->unit) &&
	       (counter->space != UNCORE_MMIO || b->map == counter->unit);
}

static bool has_control(const struct unc_machine *m, const struct unc_op *counter,
			struct unc_op *control)
{
	struct unc_op op;

	for (size_t i = 0; i < m->n_boxes && counter->space != UNCORE_CPU; i++) {
		const struct unc_box *b = &m->boxes[i];

		for (unsigned n = 0; may_have(b, counter) && n <= b->type->n_counters; n++)
			if (unc_register_op(m, b, UNCORE_COUNTER, n, &op) &&
			    unc_same_register(&op, counter))
				return unc_register_op(m, b, UNCORE_CONTROL, n, control);
	}
	return false;
}

static bool has_owner(const struct unc_share *s, const struct unc_op *op)
{
	struct unc_owner owner;

	/* a box control may have a bit per counter, and other processes may use some of them */
	return unc_share_owner(s, op, &owner) || unc_ledger_has(s->ledger, op);
}

/* By a running process or this handle.  Journals list the controls of counters, not the counters.
 */
static bool is_taken(const struct unc_share *s, const struct unc_op *op)
{
	struct unc_op control;

	return has_owner(s, op) ||
	       (has_control(s->machine, op, &control) && has_owner(s, &control));
}

static void look(struct recovery *r, uint32_t i)
{
	const struct unc_saved *k = &r->j->saved[i];
	const struct unc_machine *m = r->s->machine;
	struct entry *e = &r->entry[i];
	bool packages;
	int error;

	if (!unc_place_op(&m->topo, r->s->hw->pmon, &k->place, &e->op)) {
		e->fate = k->place.package < r->s->locks.n && !r->s->mine[k->place.package]
				  ? POSTPONE
				  : LEAVE;
		return;
	}
	e->present = true;
	set_package(m, &e->op);
	e->op.mask = k->bits;
	packages = is_packages(m, &e->op) || (k->flags & UNC_SAVED_PACKAGE);
	if (!r->s->mine[e->op.package] || (packages && counts_here(r->s, e->op.package)))
		return;
	if (is_taken(r->s, &e->op)) {
		e->fate = LEAVE;
		return;
	}
	e->op.mask = 0;
	error = unc_run_op(r->s->hw, &e->op, &e->held);
	e->fate = error < 0 ? POSTPONE : is_owners(r->j, k, e->held) ? RESTORE : LEAVE;
	e->known = error == 0 && k->n_shown > 0;
}

static int compare_places(const void *a, const void *b)
{
	const struct unc_saved *const *x = a, *const *y = b;

	return unc_place_compare(&(*x)->place, &(*y)->place);
}

static bool is_in_journal(const struct recovery *r, const struct unc_op *op)
{
	const struct unc_saved key = {.place = unc_place_of(&r->s->machine->topo, op)}, *one = &key;

	return bsearch(&one, r->by_place, r->j->head.n_saved, sizeof(one), compare_places);
}

/* A counter of the box is enabled that was not the owner's. */
static bool counts_in_box(const struct recovery *r, const struct unc_box *b)
{
	const struct unc_machine *m = r->s->machine;

	for (unsigned n = 0; n <= b->type->n_counters; n++) {
		struct unc_op op;
		uint64_t value;

		if (unc_register_op(m, b, UNCORE_CONTROL, n, &op) && !is_in_journal(r, &op) &&
		    unc_run_op(r->s->hw, &op, &value) == 0 &&
		    (value & unc_busy_bits(m, b->type, n)))
			return true;
	}
	return false;
}

/* The control of a box that another tool uses now is not restored. */
static void judge_box_controls(struct recovery *r)
{
	const struct unc_machine *m = r->s->machine;
	const struct unc_journal_head *head = &r->j->head;

	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct unc_box *b = &m->boxes[i];
		struct unc_op op;

		if (b->absent || b->type->arch || !r->s->mine[b->package] ||
		    !unc_register_op(m, b, UNCORE_UNIT_CONTROL, 0, &op) ||
		    unc_style_of(m, b->type)->per_counter || !is_in_journal(r, &op) ||
		    !counts_in_box(r, b))
			continue;
		for (uint32_t k = 0; k < head->n_saved; k++)
			if (r->entry[k].fate == RESTORE && unc_same_register(&r->entry[k].op, &op))
				r->entry[k].fate = LEAVE;
	}
}

/* Registers that do not read back are decided by those of the same group that do. */
static void judge_groups(struct recovery *r)
{
	const uint32_t n_groups = unc_count_groups(r->s->machine);

	for (uint32_t i = 0; i < r->j->head.n_saved; i++)
		if (r->entry[i].known && r->entry[i].fate == LEAVE &&
		    r->j->saved[i].group < n_groups)
			r->changed[r->j->saved[i].group] = true;
	for (uint32_t i = 0; i < r->j->head.n_saved; i++) {
		const uint32_t group = r->j->saved[i].group;

		if (r->entry[i].fate == RESTORE && !r->entry[i].known && group < n_groups &&
		    r->changed[group])
			r->entry[i].fate = LEAVE;
	}
}

/* ---- restore ---- */

static void note(struct recovery *r, const struct entry *e, uint64_t value)
{
	struct unc_share *s = r->s;
	struct unc_restored *all;

	if (s->n_restored >= 65536 ||
	    !unc_room_for_one((void **)&s->restored, s->n_restored, &s->room_restored,
			      sizeof(*all)))
		return;
	all = &s->restored[s->n_restored++];
	*all = (struct unc_restored){
		.op = e->op, .held = e->held, .value = value, .left = e->fate == LEAVE};
	memcpy(all->owner, r->owner, sizeof(all->owner));
}

static void restore(struct recovery *r, uint32_t i)
{
	const struct unc_saved *k = &r->j->saved[i];
	const struct unc_pmon *pmon = r->s->hw->pmon;
	struct entry *e = &r->entry[i];
	struct unc_op op;
	uint64_t old;

	/* a previous entry may have restored the same register */
	if (unc_run_op(r->s->hw, &e->op, &e->held) < 0) {
		e->fate = POSTPONE;
		return;
	}
	if (k->flags & UNC_SAVED_CLEARED)
		op = unc_place_clearing(pmon, &e->op, k->before);
	else if (!unc_place_restoring(pmon, &e->op, e->held, k->bits, k->before, &op) ||
		 (e->known && op.value == (op.mask ? e->held & op.mask : e->held)))
		return;
	if (unc_run_op(r->s->hw, &op, &old) < 0) {
		e->fate = POSTPONE;
		return;
	}
	r->n_done++;
	note(r, e, op.mask ? (e->held & ~op.mask) | op.value : op.value);
}

static bool counted_here(const struct recovery *r, unsigned package)
{
	for (uint32_t i = 0; i < r->j->head.n_saved; i++)
		if (r->entry[i].op.package == package && r->entry[i].op.space != UNCORE_CPU &&
		    r->entry[i].fate == RESTORE)
			return true;
	return false;
}

/*
 * An owner may have ended while all boxes of a package were frozen.  On platforms where that state
 * cannot be read, they are unfrozen.
 */
static void unfreeze_packages(struct recovery *r)
{
	uint64_t old;

	for (size_t i = 0; i < r->unfreeze.n; i++) {
		struct unc_op *op = &r->unfreeze.op[i];

		if (counted_here(r, op->package) && r->s->mine[op->package] &&
		    !counts_here(r->s, op->package))
			unc_run_op(r->s->hw, op, &old);
	}
}

/* ---- report, and shorten the journal ---- */

static void report(struct recovery *r)
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
			 r->owner, unc_since(since, r->j->head.since), r->n_done, more);
}

static void shorten(struct recovery *r, const char *file, uint32_t n)
{
	struct unc_journal rest = {.head = r->j->head};
	uint32_t next = 0;

	rest.head.n_saved = n;
	if (!unc_journal_lay_out(&r->s->text, &rest))
		return;
	for (uint32_t i = 0; i < r->j->head.n_saved; i++)
		if (r->entry[i].fate == POSTPONE)
			rest.saved[next++] = r->j->saved[i];
	memcpy(rest.shown, r->j->shown, rest.head.n_shown * sizeof(*rest.shown));
	memcpy(rest.names, r->j->names, rest.head.n_names);
	unc_share_rewrite(r->s, file, &rest.head);
}

static void write_rest(struct recovery *r, const char *file)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->j->head.n_saved; i++)
		n += r->entry[i].fate == POSTPONE;
	if (n == 0)
		unc_share_discard(r->s, file);
	else if (r->n_done || r->n_left)
		shorten(r, file, n);
}

/* A journal lists each register once; later versions may list some that this one does not know. */
static bool is_too_long(const struct unc_share *s, uint32_t n)
{
	const struct unc_pmon *pmon = s->hw->pmon;
	size_t most = 0;

	for (size_t i = 0; i < pmon->n; i++)
		most += pmon->reg[i].space == UNCORE_CPU ? s->machine->topo.n_cpus : 1;
	return n > 16 * most;
}

/* Allocate before the first register is written.  False if memory is short. */
static bool prepare(struct recovery *r)
{
	const struct unc_machine *m = r->s->machine;
	const struct unc_global *g = m->platform->desc->global;

	r->entry = calloc((size_t)r->j->head.n_saved + 1, sizeof(*r->entry));
	r->by_place = calloc((size_t)r->j->head.n_saved + 1, sizeof(*r->by_place));
	r->changed = calloc((size_t)unc_count_groups(m) + 1, sizeof(*r->changed));
	for (unsigned p = 0; g && !g->state && p < r->s->locks.n; p++)
		unc_program_global(&r->unfreeze, m, p, false);
	if (!r->entry || !r->by_place || !r->changed || r->unfreeze.failed)
		return false;
	for (uint32_t i = 0; i < r->j->head.n_saved; i++)
		r->by_place[i] = &r->j->saved[i];
	qsort(r->by_place, r->j->head.n_saved, sizeof(*r->by_place), compare_places);
	return true;
}

static void restore_all(struct recovery *r, const char *file)
{
	const uint32_t n = r->j->head.n_saved;

	for (uint32_t i = 0; i < n; i++)
		look(r, i);
	judge_box_controls(r);
	judge_groups(r);
	for (uint32_t i = n; i-- > 0;)
		if (r->entry[i].fate == RESTORE)
			restore(r, i);
	unfreeze_packages(r);
	for (uint32_t i = 0; i < n; i++)
		if (r->entry[i].fate == LEAVE) {
			r->n_left++;
			if (r->entry[i].present)
				note(r, &r->entry[i], r->entry[i].held);
		}
	if ((r->n_done || r->n_left) && !(r->j->head.flags & UNC_JOURNAL_LEFT))
		report(r);
	write_rest(r, file);
}

bool unc_recover(struct unc_share *s, struct unc_other *dead)
{
	struct recovery r = {.s = s, .j = &dead->journal, .first = s->n_restored};
	bool ok;

	if (is_too_long(s, dead->journal.head.n_saved)) {
		unc_warnings_add(&s->machine->warnings, UNCORE_WARNING_RECOVERY,
				 "removed the journal %s/%s: it lists more registers than this "
				 "machine has",
				 s->dir.path, dead->file);
		unc_share_discard(s, dead->file);
		return true;
	}
	unc_owner_name(r.owner, &dead->journal.head);
	ok = prepare(&r);
	if (ok)
		restore_all(&r, dead->file);
	free(r.entry);
	free(r.by_place);
	free(r.changed);
	unc_ops_free(&r.unfreeze);
	return ok;
}
