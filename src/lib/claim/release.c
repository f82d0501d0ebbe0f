/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * release.c - release the counters of a run: freeze, read the final counts, check that the controls
 * still hold what the run wrote, restore.
 */
#include <errno.h>
#include <string.h>

#include "claim/stop_after.h"

/* ---- restore ---- */

/* Another tool has written the register: leave it as it is, unless it is shared by bits. */
static void forget_register(struct uncore *u, unsigned group, const struct unc_op *op)
{
	struct unc_ledger_entry *e = unc_ledger_find(&u->ledger, group, op);

	if (e && !e->op.mask)
		e->saved = 0;
}

/* Registers that another tool has changed are not restored. */
static void leave_taken(struct uncore *u, const struct unc_ops *check)
{
	for (size_t i = 0; i < check->n; i++) {
		const struct unc_op *op = &check->op[i];
		uint64_t value;

		if (op->space != UNCORE_CPU && unc_try(u, op, &value) == 0 &&
		    (value ^ op->value) & op->mask)
			forget_register(u, check->scope[i].group, op);
	}
}

static void leave_box_control(struct uncore *u, const struct unc_claims *claims,
			      const struct unc_job *j)
{
	const struct unc_op control = unc_box_op(j->machine, j->box, j->box->type->box_ctl);
	const unsigned box = (unsigned)(j->box - j->machine->boxes);

	if (unc_box_taken(claims, j) && j->before->n + j->before->paired == 0)
		forget_register(u, unc_group_of_box(j->machine, box), &control);
}

static void restore_package(struct uncore *u, unsigned package)
{
	const unsigned group = unc_group_of_package(&u->machine, package);
	struct unc_ledger_entry *e = NULL;

	while (!u->groups[group].taken && (e = unc_ledger_next(&u->ledger, group, e)))
		e->due = UINT64_MAX;
}

/* Restore packages without the program, for which there was no memory. */
static void restore_packages(struct uncore *u, const struct unc_claims *claims)
{
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		if (unc_ends_package(claims, p))
			restore_package(u, p);
}

/*
 * The bits of a restored register that read back: all of the controls of counters and of CPUs.
 * Registers of packages may be status bits, which a write of 1 clears; unc_look_back_packages().
 */
static uint64_t back_bits(const struct uncore *u, unsigned group, const struct unc_op *op)
{
	const struct unc_box_kind *kind = unc_kind_of(u, group);
	const struct unc_box *b = &u->machine.boxes[group];
	struct unc_op other;

	if (group >= u->machine.n_boxes)
		return 0;
	if (b->type->arch || unc_counter_of_control(b, op) >= 0)
		return UINT64_MAX;
	/* of filters and of the control of a box, those that have read back as written */
	for (unsigned f = 0; f < b->type->n_filters; f++) {
		other = unc_filter_op(&u->machine, b, f);
		if (unc_same_register(&other, op))
			return kind->filter[f].ones | kind->filter[f].zeros;
	}
	if (b->type->no_box_ctl)
		return 0;
	other = unc_box_op(&u->machine, b, b->type->box_ctl);
	return unc_same_register(&other, op) ? kind->shows : 0;
}

/* A switch of multiplexed events does not look back, because it would take too long. */
static int restore_due(struct uncore *u, int result, bool look_back)
{
	const struct unc_op *ops;
	const size_t n = unc_ledger_restore(&u->ledger, &ops);
	struct unc_back *backs = u->ledger.backs;

	result = unc_carry_out(u, ops, n, UNC_RESTORE, result);
	for (size_t i = 0; look_back && i < n; i++)
		if (!backs[i].bits)
			backs[i].bits = back_bits(u, backs[i].group, &ops[i]);
	return look_back ? unc_look_back(u, ops, backs, n, result) : result;
}

/* The register that freezes the boxes of a package: not a status, which a write of 1 clears. */
static bool freezes_package(const struct unc_machine *m, const struct unc_op *op)
{
	const struct unc_global *g = m->platform->desc->global;

	for (unsigned i = 0; i < m->n_globals; i++)
		if (unc_same_register(&m->globals[i], op))
			return true;
	return g && unc_is_msr(op) && op->address == g->msr;
}

/* Of packages, the bits that the freeze check relies on read back. */
int unc_look_back_packages(struct uncore *u, const struct unc_ops *leave, int result)
{
	for (size_t i = 0; i < leave->n; i++) {
		const unsigned group = leave->scope[i].group;
		const struct unc_back back = {group, unc_kind_of(u, group)->shows};

		if (freezes_package(&u->machine, &leave->op[i]))
			result = unc_look_back(u, &leave->op[i], &back, 1, result);
	}
	return result;
}

void unc_restore_package(struct uncore *u, unsigned package)
{
	restore_package(u, package);
	restore_due(u, 0, true);
	unc_ledger_forget(&u->ledger, unc_group_of_package(&u->machine, package));
}

/* Without a counter in use a box stays frozen, until the next round starts it, or unc_tidy(). */
static bool stays_frozen(const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;

	return !j->before->n && !t->units && unc_is_reset(j->machine, t);
}

/* The counters of a box are no longer in use; hold: it stays frozen if it can. */
static void leave_box(struct uncore *u, const struct unc_job *j, bool hold)
{
	const unsigned box = (unsigned)(j->box - u->machine.boxes);
	struct unc_use *use = &u->uses[box];

	for (unsigned k = 0; k < j->n; k++)
		atomic_store(&unc_counter_of(u, box, j->assignments[k].counter)->running, false);
	if (hold && stays_frozen(j)) {
		use->held = use->n;
		use->n = 0;
	} else {
		*use = *j->before;
	}
}

/*
 * Leave the boxes, whose registers are due then.  keep: they stay saved for the next run; hold:
 * boxes stay frozen.
 */
static void leave_boxes(const struct unc_run *run, const struct unc_claims *claims, int result,
			bool keep, bool hold)
{
	struct uncore *u = run->u;
	struct unc_use then;
	struct unc_job j;

	for (size_t i = 0; unc_next_change(claims, UNC_LEAVING, &i, &then, &j);) {
		const bool cpu = j.box->type->arch != NULL;

		if (result == UNCORE_ESTOLEN && !cpu)
			leave_box_control(u, claims, &j);
		if (!keep || cpu || run->no_memory)
			unc_ledger_leave(&u->ledger, &j);
		leave_box(u, &j, hold);
	}
	if (run->no_memory)
		restore_packages(u, claims);
}

static void leave(struct unc_run *run, const struct unc_claims *claims)
{
	struct uncore *u = run->u;

	/* the registers of a package in which this handle no longer counts were restored, or are
	 * handed over */
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		if (unc_ends_package(claims, p))
			unc_ledger_forget(&u->ledger, unc_group_of_package(&u->machine, p));
	unc_count_change(run);
	for (size_t i = 0; i < run->n_claimed; i++) {
		const struct unc_claimed *h = &run->claimed[i];
		const struct unc_box *b = &u->machine.boxes[h->box];
		struct unc_counter *c = unc_counter_of(u, h->box, h->assignment.counter);

		if (--c->users == 0 && unc_freezes(b, b->package))
			u->counting[b->package]--;
		c->hidden -= run->own_changes != NULL;
	}
	run->n_claimed = 0;
	unc_freeze_check_free(run);
	unc_program_free(&run->program);
}

/* ---- entry point ---- */

/* The counters are frozen, so a failed read can be repeated. */
static int take_sums(struct unc_run *run, int64_t now, int result)
{
	struct uncore *u = run->u;
	const struct unc_reading *reading = atomic_load(&run->reading);
	struct unc_noted late;
	int r = -EIO, tries;

	for (tries = 0; r < 0 && tries < UNC_TRIES; tries++) {
		memset(run->sums, 0, run->n * sizeof(*run->sums));
		r = unc_reading_sum_timed(reading, u->hw, &u->err, run->sums, now);
	}
	run->summed = r == 0;
	run->missed = unc_missed_wrap_find(reading, atomic_load(&run->base_ns), unc_clock(u->hw),
					   &run->missed_wrap);
	run->counts = false;
	if (tries > 1 &&
	    (r == 0 || result < 0)) /* a retry succeeded, or this is not the first error */
		unc_err_take_late(&u->err, &late);
	if (r == 0 || result < 0)
		return result;
	unc_report_late(u);
	return UNCORE_EIO;
}

/* A register that another process has saved is 0 until unc_share_settle() restores it. */
int unc_leave_packages(struct uncore *u, struct unc_ops *leave, int result)
{
	for (size_t i = 0; i < leave->n; i++) {
		struct unc_op *op = &leave->op[i];

		if (op->saved)
			op->value = unc_ledger_take(&u->ledger, leave->scope[i].group, op);
	}
	return unc_carry_out(u, leave->op, leave->n, UNC_RESTORE, result);
}

int unc_halt(struct unc_run *run, struct unc_program *leaving, int result)
{
	struct uncore *u = run->u;
	struct unc_claims claims = unc_claims_of(run);
	const bool ran = run->counts;
	struct unc_ops *stop = &leaving->phase[UNC_STOP];
	const int64_t now = unc_clock(u->hw);

	if (claims.samples && !run->stop_after->claimed)
		claims.samples = NULL;
	for (size_t i = 0; i < run->n_claimed; i++) {
		struct unc_claimed *h = &run->claimed[i];

		h->last = unc_counter_of(u, h->box, h->assignment.counter)->users == 1;
	}
	run->no_memory = !unc_program_leave(leaving, &claims);
	if (run->no_memory) {
		/* an incomplete one is worse than restoring from the ledger alone */
		unc_program_free(leaving);
		if (result == 0)
			result = unc_fail(&u->err, UNCORE_ENOMEM,
					  "out of memory for a register program");
	}
	result = unc_spans_stop(run, stop, ran ? UNC_COMPARE : UNC_HALT, result);
	result = unc_leave_packages(u, &leaving->phase[UNC_LEAVE], result);
	if (!ran)
		return result;
	result = take_sums(run, now, result);
	unc_spans_end(run, leaving->frozen);
	return result;
}

int unc_part(struct unc_run *run, struct unc_program *leaving, int halted, bool keep)
{
	struct uncore *u = run->u;
	const struct unc_claims claims = unc_claims_of(run);
	const struct unc_ops *check = &leaving->phase[UNC_CHECK];
	const struct unc_ops *disarm =
		run->no_memory ? &run->program.phase[UNC_CLEAR] : &leaving->phase[UNC_DISARM];
	bool hold; /* boxes stay frozen, unless something fails */

	if (halted == 0)
		halted = unc_carry_out(u, check->op, check->n, UNC_COMPARE, 0);
	/* do not touch a counter that another tool has reprogrammed */
	if (halted != UNCORE_ESTOLEN)
		halted = unc_carry_out(u, disarm->op, disarm->n, UNC_RESTORE, halted);
	if (run->stop_after)
		run->stop_after->claimed = false;
	if (halted == UNCORE_ESTOLEN)
		leave_taken(u, check);
	hold = keep && halted == 0 && !run->no_memory;
	leave_boxes(run, &claims, halted, keep, hold);
	halted = restore_due(u, halted, !keep);
	for (size_t i = 0; hold && halted < 0 && i < run->n_claimed; i++)
		u->uses[run->claimed[i].box].held = 0;
	if (!keep)
		halted = unc_look_back_packages(u, &leaving->phase[UNC_LEAVE], halted);
	leave(run, &claims);
	unc_program_free(leaving);
	return halted;
}

int unc_release(struct unc_run *run)
{
	struct unc_program leaving = {.frozen = false};
	const int halted = unc_halt(run, &leaving, 0);

	/* it has no counts, so there is nothing to check */
	unc_ops_free(&leaving.phase[UNC_CHECK]);
	return unc_part(run, &leaving, halted, false);
}

/* ---- registers left saved for the next run ---- */

/* The registers in use in a box, as if it had just been claimed. */
static void push_owned(struct uncore *u, const struct unc_box *b, struct unc_ops *ops)
{
	static const struct unc_use nothing;
	const struct unc_use *use = &u->uses[b - u->machine.boxes];
	const struct unc_job job = {&u->machine, b, &nothing, use, use->at, use->n};

	if (use->n)
		unc_program_save(ops, &job);
}

/* Saved bits of a register that no run uses. */
static uint64_t left_over(const struct unc_ops *owned, const struct unc_ledger_entry *e)
{
	for (size_t i = 0; i < owned->n; i++) {
		const struct unc_op *op = &owned->op[i];

		if (unc_same_register(op, &e->op) && unc_op_is_saved(op))
			return e->op.mask & ~op->mask;
	}
	return UINT64_MAX;
}

static int find_left_over(struct uncore *u, unsigned box, bool but_controls)
{
	const struct unc_box *b = &u->machine.boxes[box];
	struct unc_ops owned = {.n = 0};
	struct unc_ledger_entry *e = NULL;
	bool failed;

	u->uses[box].held = 0;
	push_owned(u, b, &owned);
	if (unc_other_unit(b) != b)
		push_owned(u, unc_other_unit(b), &owned);
	while (!owned.failed &&
	       (e = unc_ledger_next(&u->ledger, unc_group_of_box(&u->machine, box), e)))
		if (!but_controls || unc_counter_of_control(b, &e->op) < 0)
			e->due = left_over(&owned, e);
	failed = owned.failed;
	unc_ops_free(&owned);
	return failed ? unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a register program")
		      : 0;
}

int unc_tidy(const struct unc_run *run)
{
	struct uncore *u = run->u;
	int result = 0;

	for (size_t i = 0; i < run->n_left; i++) {
		const unsigned box = run->claimed[i].box;
		int r;

		if (i > 0 && run->claimed[i - 1].box == box)
			continue;
		r = find_left_over(u, box, u->uses[box].n > 0);
		result = result < 0 ? result : r;
	}
	return restore_due(u, result, false);
}

int unc_tidy_box(struct uncore *u, unsigned box)
{
	return restore_due(u, find_left_over(u, box, false), true);
}
