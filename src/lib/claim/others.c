/* SPDX-License-Identifier: BSD-3-Clause */
/* others.c - see others.h. */
#include "claim/others.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "claim/stop_after.h"

/* ---- packages ---- */

void unc_run_packages(const struct unc_run *run, bool *packages)
{
	const struct unc_machine *m = &run->u->machine;

	for (size_t i = 0; i < run->layout.n; i++) {
		const struct unc_box *b = &m->boxes[run->layout.at[i].box];

		if (!b->type->free)
			packages[b->package] = true;
	}
}

static bool is_any(const struct uncore *u, const bool *packages)
{
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		if (packages[p])
			return true;
	return false;
}

static void see_shared(struct uncore *u)
{
	const bool *others = unc_share_others(u->share);

	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		u->shared[p] = u->opened[p] || (others && others[p]);
}

int unc_others_begin(struct uncore *u, const bool *packages)
{
	int r;

	if (!u->share || !is_any(u, packages))
		return 1;
	r = unc_share_take(u->share, u->hw, packages);
	if (r == 1)
		see_shared(u);
	return r;
}

/* ---- entries no longer needed in the journal ---- */

static bool is_failed(const struct uncore *u, const struct unc_op *op)
{
	for (size_t k = 0; k < u->ledger.n_failed; k++)
		if (unc_same_register(&u->ledger.failed[k].op, op))
			return true;
	return false;
}

static uint64_t needed_bits(void *arg, const struct unc_ledger_entry *e)
{
	struct uncore *u = arg;

	if (u->pinned[e->group] || (u->ledger.n_failed && is_failed(u, &e->op)))
		return UINT64_MAX;
	if (e->flags & UNC_SAVED_CLEARED)
		return unc_ledger_next(&u->ledger, e->group, NULL) ? UINT64_MAX : 0;
	return e->saved;
}

static bool is_used(const struct uncore *u, unsigned package)
{
	return u->counting[package] != 0 || u->opened[package] != 0;
}

/* Other processes still count in the package: the last one restores its registers. */
static void leave_to_others(struct uncore *u, unsigned package)
{
	const unsigned group = unc_group_of_package(&u->machine, package);

	if (unc_ledger_next(&u->ledger, group, NULL) && unc_share_leave(u->share, group) == 0)
		unc_ledger_forget(&u->ledger, group);
}

/* It was to be left to others, for which there was no memory; in the meantime they have ended. */
static bool is_unsettled(struct uncore *u, unsigned package)
{
	return u->behind[package] && !u->ledger.n_failed &&
	       unc_ledger_next(&u->ledger, unc_group_of_package(&u->machine, package), NULL);
}

void unc_others_prune(struct uncore *u)
{
	unc_ledger_prune(&u->ledger, needed_bits, u);
	if (u->share)
		unc_share_shorten(u->share);
}

void unc_others_end(struct uncore *u, const bool *packages)
{
	bool settled;

	for (unsigned p = 0; p < u->machine.topo.n_packages; p++) {
		if (!packages[p] || is_used(u, p))
			continue;
		if (u->shared[p])
			leave_to_others(u, p);
		else if (is_unsettled(u, p))
			unc_restore_package(u, p);
	}
	unc_others_prune(u);
	if (!u->share || !is_any(u, packages))
		return;
	settled = unc_share_settle(u->share, u->hw, packages);
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		u->behind[p] = packages[p] ? !settled : u->behind[p];
	unc_share_drop(u->share);
}

/* ---- names ---- */

static int no_memory(struct uncore *u)
{
	return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the journal");
}

int unc_others_claim(struct uncore *u, const void *by, const char *const *names, size_t n)
{
	if (!u->share || unc_share_name_events(u->share, by, names, n))
		return 0;
	return no_memory(u);
}

void unc_others_unclaim(struct uncore *u, const void *by)
{
	if (u->share)
		unc_share_unname_events(u->share, by);
}

/* ---- check for other processes ---- */

static bool exclusive(const struct unc_run *run, unsigned package)
{
	return run->stop_after &&
	       unc_samples_stop(&run->stop_after->samples, &run->u->machine, package);
}

void unc_others_unseen(const struct unc_run *run, const bool *packages)
{
	struct uncore *u = run->u;

	for (unsigned p = 0; u->share && p < u->machine.topo.n_packages; p++)
		u->shared[p] = u->shared[p] || (packages[p] && !exclusive(run, p));
}

/* Boxes that a freeze of the package does not stop do not disturb other processes. */
static bool is_frozen_with(const struct unc_run *run, unsigned package)
{
	for (size_t i = 0; i < run->layout.n; i++)
		if (unc_freezes(&run->u->machine.boxes[run->layout.at[i].box], package))
			return true;
	return false;
}

static int check_packages(const struct unc_run *run)
{
	struct uncore *u = run->u;
	int r = 0;

	for (unsigned p = 0; r == 0 && p < u->machine.topo.n_packages; p++)
		if (is_frozen_with(run, p))
			r = unc_share_package(u->share, p, exclusive(run, p));
	return r;
}

/*
 * Multiplexed windows and sets that stop by themselves change registers without holding the lock.
 * No other process may change other bits of such a register: each would overwrite the other's.
 */
static bool takes_whole(const struct unc_run *run, bool later)
{
	return later || run->stop_after;
}

int unc_others_check(const struct unc_run *run, const struct unc_ops *save, bool later)
{
	struct uncore *u = run->u;
	const bool whole = takes_whole(run, later);
	struct unc_owner who;
	int r = u->share ? check_packages(run) : 0;

	for (size_t i = 0; u->share && r == 0 && i < save->n; i++) {
		struct unc_op op = save->op[i];

		if (save->scope[i].box == UNC_NO_BOX || !unc_op_is_saved(&op))
			continue;
		op.mask = whole ? 0 : op.mask;
		if (unc_share_owner(u->share, &op, &who))
			r = unc_busy_box(run, save->scope[i].box, &who);
	}
	return r;
}

/* ---- record of changes ---- */

static bool note_saved(const struct unc_run *run, const struct unc_ops *save,
		       const uint64_t *values, bool later)
{
	const unsigned of_box = takes_whole(run, later) ? UNC_SAVED_WHOLE : 0;
	bool ok = true;

	for (size_t i = 0; ok && i < save->n; i++) {
		const struct unc_op *op = &save->op[i];
		unsigned flags = save->scope[i].box == UNC_NO_BOX ? UNC_SAVED_PACKAGE : of_box;

		if (!unc_op_is_saved(op))
			continue;
		if (run->stop_after && exclusive(run, op->package))
			flags |= UNC_SAVED_EXCLUSIVE;
		ok = unc_ledger_note(&run->u->ledger, save->scope[i].group, op, values[i], flags);
	}
	return ok;
}

/* Loaded counters and overflow bits are cleared at the end. */
static bool note_cleared(const struct unc_run *run)
{
	const struct unc_ops *clear = &run->program.phase[UNC_CLEAR];
	const struct unc_ops *load = &run->program.phase[UNC_LOAD];
	struct unc_ledger *ledger = &run->u->ledger;
	const unsigned group =
		run->stop_after
			? unc_group_of_box(&run->u->machine, run->stop_after->samples.at[0].box)
			: 0;
	bool ok = true;

	for (size_t i = 0; ok && i < clear->n; i++)
		ok = unc_ledger_note(ledger, group, &clear->op[i], clear->op[i].value,
				     UNC_SAVED_CLEARED);
	for (size_t i = 0; ok && i < load->n; i++)
		ok = unc_ledger_note(ledger, group, &load->op[i], 0, UNC_SAVED_CLEARED);
	return ok;
}

/*
 * A counter added to a running box is cleared first, with its event set but not enabled; the
 * process may be killed in between.
 */
static bool show_disabled(struct uncore *u, unsigned group, const struct unc_op *op)
{
	const struct unc_pmon_register *reg = unc_pmon_find(u->hw->pmon, op);
	struct unc_op disabled = *op;

	if (!reg || !(op->value & reg->starts))
		return true;
	disabled.value &= ~reg->starts;
	return unc_ledger_show(&u->ledger, group, &disabled);
}

static bool note_shown(const struct unc_run *run)
{
	struct uncore *u = run->u;
	const struct unc_claims claims = unc_claims_of(run);
	struct unc_ops look = {.n = 0};
	bool ok;

	unc_program_look(&look, &claims);
	ok = !look.failed;
	for (size_t i = 0; ok && i < look.n; i++)
		ok = unc_ledger_show(&u->ledger, look.scope[i].group, &look.op[i]) &&
		     show_disabled(u, look.scope[i].group, &look.op[i]);
	unc_ops_free(&look);
	return ok;
}

int unc_others_write(struct uncore *u)
{
	const int r = u->share ? unc_share_write(u->share) : 0;

	if (r < 0)
		unc_ledger_prune(&u->ledger, needed_bits, u);
	return r;
}

int unc_others_note(const struct unc_run *run, const struct unc_ops *save, const uint64_t *values,
		    bool later)
{
	struct uncore *u = run->u;

	u->ledger.now = (uint64_t)time(NULL);
	if (!note_saved(run, save, values, later) ||
	    (u->share && !(note_cleared(run) && note_shown(run)))) {
		unc_ledger_prune(&u->ledger, needed_bits, u);
		return no_memory(u);
	}
	return 0;
}

/* ---- packages that stay open between windows ---- */

static int open_one(struct uncore *u, unsigned package)
{
	struct unc_ops save = {.n = 0}, let = {.n = 0};
	uint64_t values[8] = {0};
	size_t done;
	int r = 0;

	u->ledger.now = (uint64_t)time(NULL);
	unc_program_open_package(&save, &let, &u->machine, package);
	if (save.failed || let.failed || save.n > sizeof(values) / sizeof(*values))
		r = no_memory(u);
	/* a value that could not be restored must not be saved as the previous one */
	if (r == 0)
		r = unc_failed_refuse(u, let.op, let.n);
	if (r == 0)
		r = unc_run_list(u->hw, save.op, save.n, values, &done, &u->err);
	for (size_t i = 0; r == 0 && i < save.n; i++)
		if (!unc_ledger_note(&u->ledger, save.scope[i].group, &save.op[i], values[i],
				     UNC_SAVED_PACKAGE))
			r = no_memory(u);
	if (r == 0)
		r = unc_others_write(u);
	for (size_t i = 0; r == 0 && i < save.n; i++)
		unc_ledger_save(&u->ledger, save.scope[i].group, &save.op[i]);
	if (r == 0)
		r = unc_run_list(u->hw, let.op, let.n, NULL, &done, &u->err);
	unc_ops_free(&save);
	unc_ops_free(&let);
	return r;
}

int unc_package_open(struct uncore *u, const bool *packages)
{
	int r = 0;

	if (!unc_share_directory(u->share))
		return 0;
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++) {
		if (!packages[p])
			continue;
		if (r == 0 && !is_used(u, p) && !u->shared[p])
			r = open_one(u, p);
		u->opened[p]++;
	}
	see_shared(u);
	return r < 0 ? unc_package_close(u, packages, r) : 1;
}

/* A register that is not in the ledger was not changed by this handle. */
static void drop_unsaved(struct uncore *u, unsigned group, struct unc_ops *leave)
{
	size_t n = 0;

	for (size_t i = 0; i < leave->n; i++) {
		if (leave->op[i].saved && !unc_ledger_find(&u->ledger, group, &leave->op[i]))
			continue;
		leave->scope[n] = leave->scope[i];
		leave->op[n++] = leave->op[i];
	}
	leave->n = n;
}

/* Without memory for the program, the registers to restore are in the ledger. */
static int close_one(struct uncore *u, unsigned package, int result)
{
	const unsigned group = unc_group_of_package(&u->machine, package);
	struct unc_ops leave = {.n = 0};

	unc_program_close_package(&leave, &u->machine, package);
	if (leave.failed) {
		unc_ops_free(&leave);
		unc_restore_package(u, package);
		return result < 0 ? result : no_memory(u);
	}
	drop_unsaved(u, group, &leave);
	result = unc_leave_packages(u, &leave, result);
	result = unc_look_back_packages(u, &leave, result);
	unc_ledger_forget(&u->ledger, group);
	unc_ops_free(&leave);
	return result;
}

int unc_package_close(struct uncore *u, const bool *packages, int result)
{
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		if (packages[p])
			u->opened[p]--;
	see_shared(u);
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		if (packages[p] && !is_used(u, p) && !u->shared[p])
			result = close_one(u, p, result);
	return result;
}

void unc_others_keep(struct uncore *u, unsigned box, bool keep)
{
	u->pinned[unc_group_of_box(&u->machine, box)] += keep ? 1u : -1u;
}
