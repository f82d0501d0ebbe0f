/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * claim.c - claim the counters of a run: check that no other process or tool uses them, save their
 * registers, program, start.
 */
#include <stdlib.h>
#include <string.h>

#include "claim/others.h"
#include "claim/stop_after.h"

/* ---- before the first write: read the registers of the run ---- */

/* A register that is saved as a whole is neither read nor checked again. */
static bool is_known(struct uncore *u, const struct unc_ops *save, size_t i)
{
	const struct unc_ledger_entry *known =
		unc_ledger_find(&u->ledger, save->scope[i].group, &save->op[i]);

	return known && !known->op.mask;
}

static void drop_known(struct uncore *u, struct unc_ops *save)
{
	size_t n = 0;

	if (u->ledger.n == 0)
		return;
	for (size_t i = 0; i < save->n; i++) {
		if (is_known(u, save, i))
			continue;
		save->scope[n] = save->scope[i];
		save->op[n++] = save->op[i];
	}
	save->n = n;
}

/* UNCORE_EBUSY if a bit is set that must be 0: the value of a read of the save. */
static int check_free(const struct unc_run *run, const struct unc_ops *save, const uint64_t *values)
{
	for (size_t i = 0; i < save->n; i++)
		if (save->scope[i].box != UNC_NO_BOX && values[i] & save->op[i].value)
			return unc_busy_counter(run, save->scope[i].box, &save->op[i], values[i]);
	return 0;
}

/*
 * later: the registers of a run that will be claimed later are only noted for the journal.  Nothing
 * is saved after an error.
 */
static int save_registers(struct unc_run *run, bool later)
{
	struct uncore *u = run->u;
	struct unc_ops *ops = &run->program.phase[UNC_SAVE];
	uint64_t *values = calloc(ops->n + 1, sizeof(*values));
	size_t done;
	int r = 0;

	drop_known(u, ops);
	if (!values)
		r = unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for saved registers");
	else if (u->ledger.n_failed)
		r = unc_failed_refuse(u, ops->op, ops->n);
	if (r == 0)
		r = unc_others_check(run, ops, later);
	/* all boxes are read before any is checked, so that msr-safe can read them in one batch */
	if (r == 0)
		r = unc_run_list(u->hw, ops->op, ops->n, values, &done, &u->err);
	if (r == 0 && !u->force)
		r = check_free(run, ops, values);
	if (r == 0)
		r = unc_others_note(run, ops, values, later);
	if (r == 0 && !later)
		r = unc_others_write(u);
	for (size_t i = 0; r == 0 && !later && i < ops->n; i++)
		if (unc_op_is_saved(&ops->op[i]))
			unc_ledger_save(&u->ledger, ops->scope[i].group, &ops->op[i]);
	free(values);
	return r;
}

/*
 * ---- baselines: the values of its counters at which a run begins ----
 *
 * The reset of a box clears its counters, so a counter need not be read once a reset has been seen
 * to clear it.  Whether a counter that held 0 was cleared cannot be seen.  Nor need a counter be
 * read whose box a round of multiplexed events has just left frozen, once it has been seen to keep
 * its value.
 */

/* Counters that are read in one access if possible. */
struct batch {
	struct unc_claimed *claimed[UNC_BATCH_MAX];
	struct unc_counter *counters[UNC_BATCH_MAX];
	uint64_t held[UNC_BATCH_MAX]; /* their values at the last read */
	unsigned n;
};

/* In one access if possible; otherwise one by one, to find the register that fails. */
static int fold(struct uncore *u, struct unc_counter *const *counters, unsigned n, int64_t now)
{
	if (n > 1 && unc_fold(u->hw, counters, n, now) == 0)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		const int r = unc_fold(u->hw, &counters[i], 1, now);

		if (r < 0)
			return unc_op_failed(u->hw, &counters[i]->read, r, &u->err);
	}
	return 0;
}

static void learn(const struct unc_claimed *h, struct unc_counter *c, uint64_t held)
{
	if (h->reset && c->users == 1)
		c->clears = unc_last_raw(c) == 0 && (c->clears || held);
	else if (h->still)
		c->stands = unc_last_raw(c) == held;
}

/* The time of a read is between those of the previous and of this look at the clock. */
static int read_batch(struct uncore *u, struct batch *b, int64_t now, int64_t *before)
{
	const int r = fold(u, b->counters, b->n, now);
	const struct unc_bracket all = {*before, unc_hw_now(u->hw)};

	for (unsigned i = 0; i < b->n; i++) {
		b->counters[i]->looked = unc_bracket_part(all, i, b->n);
		b->claimed[i]->zero = atomic_load(&b->counters[i]->total);
		if (r == 0)
			learn(b->claimed[i], b->counters[i], b->held[i]);
	}
	*before = all.after;
	b->n = 0;
	return r;
}

static void add(struct batch *b, struct unc_claimed *h, struct unc_counter *c)
{
	b->claimed[b->n] = h;
	b->counters[b->n] = c;
	b->held[b->n++] = unc_last_raw(c);
	if (c->users == 1 && !h->still)
		unc_forget(c);
}

/* A counter that is loaded after the reset holds another value. */
static bool is_cleared(const struct unc_run *run, const struct unc_claimed *h,
		       const struct unc_counter *c)
{
	return h->reset && c->clears && c->users == 1 && !run->stop_after;
}

/* With the value that it is known to hold: that of the last read, or 0. */
static void begin_at(struct unc_claimed *h, struct unc_counter *c, int64_t now, int64_t time)
{
	if (h->reset) {
		unc_forget(c);
		unc_fold_zero(c, now);
	} else {
		unc_fold_still(c, now);
	}
	c->looked = (struct unc_bracket){time, time};
	h->zero = atomic_load(&c->total);
}

static int take_baselines(struct unc_run *run)
{
	struct uncore *u = run->u;
	const unsigned most = u->hw->batch ? u->hw->batch : 1;
	const int64_t now = unc_clock(u->hw);
	int64_t before = unc_hw_now(u->hw);
	struct batch b = {.n = 0};
	int r = 0;

	for (size_t i = 0; r == 0 && i < run->n_claimed; i++) {
		struct unc_claimed *h = &run->claimed[i];
		struct unc_counter *c = unc_counter_of(u, h->box, h->assignment.counter);

		if (is_cleared(run, h, c) || (h->still && c->stands))
			begin_at(h, c, now, before);
		else
			add(&b, h, c);
		if (b.n == most)
			r = read_batch(u, &b, now, &before);
	}
	return r == 0 && b.n ? read_batch(u, &b, now, &before) : r;
}

/* ---- claim ---- */

/* From here on the counters are claimed; unc_release() releases them. */
static void enter(const struct unc_run *run)
{
	struct uncore *u = run->u;

	for (size_t i = 0; i < run->n_claimed; i++) {
		struct unc_claimed *h = &run->claimed[i];
		const struct unc_use *use = &u->uses[h->box];

		h->still = use->held && unc_held(use, h->assignment.counter);
	}
	for (size_t i = 0; i < run->n_claimed; i++) {
		struct unc_claimed *h = &run->claimed[i];
		const struct unc_box *b = &u->machine.boxes[h->box];
		struct unc_use *use = &u->uses[h->box];
		struct unc_counter *c = unc_counter_of(u, h->box, h->assignment.counter);

		/* The counters of a box are adjacent; the first one finds it idle. */
		if (i > 0 && h->box == h[-1].box)
			h->reset = h[-1].reset;
		else
			h->reset = unc_will_reset(&u->machine, b->type, use);
		c->hidden += run->own_changes != NULL;
		if (c->users++ > 0)
			continue;
		use->at[use->n++] = h->assignment;
		u->counting[b->package] += unc_freezes(b, b->package);
	}
	for (size_t i = 0; i < run->n_claimed; i++)
		u->uses[run->claimed[i].box].held = 0;
	unc_count_change(run);
}

/* A register that an earlier run could not restore must not be saved as its previous value. */
static int refuse_failed(const struct unc_run *run)
{
	struct uncore *u = run->u;
	const struct unc_ops *start = &run->program.phase[UNC_START];
	int r = unc_failed_refuse(u, start->op, start->n);

	for (size_t i = 0; r == 0 && i < run->n_claimed; i++) {
		const struct unc_claimed *h = &run->claimed[i];

		r = unc_failed_refuse(u, &unc_counter_of(u, h->box, h->assignment.counter)->read,
				      1);
	}
	return r;
}

/* Writes no register. */
static int prepare(struct unc_run *run, bool later)
{
	struct uncore *u = run->u;
	struct unc_claims claims;
	int r = 0;

	run->claimed = unc_claimed_make(&run->layout, u->uses, &run->n_claimed);
	run->n_left = run->n_claimed;
	claims = unc_claims_of(run);
	unc_program_free(&run->program);
	if (!run->claimed || !unc_program_enter(&run->program, &claims) ||
	    !unc_reading_make(&run->reading, u->hw, &u->machine, u->counters, &run->layout) ||
	    unc_freeze_check_make(run) < 0)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the counters of a set");
	if (u->ledger.n_failed)
		r = refuse_failed(run);
	return r < 0 ? r : save_registers(run, later);
}

/* The counters of the last start, which unc_tidy() needs until others are claimed. */
struct last {
	struct unc_claimed *claimed;
	size_t n;
};

static struct last set_aside(struct unc_run *run)
{
	const struct last last = {run->claimed, run->n_left};

	run->claimed = NULL;
	return last;
}

static void bring_back(struct unc_run *run, struct last last)
{
	free(run->claimed);
	run->claimed = last.claimed;
	run->n_left = last.n;
	run->n_claimed = 0;
	unc_freeze_check_free(run);
	unc_program_free(&run->program);
}

int unc_claim_later(struct unc_run *run)
{
	const struct last last = set_aside(run);
	const int r = prepare(run, true);

	bring_back(run, last);
	return r;
}

int unc_claim(struct unc_run *run)
{
	const struct last last = set_aside(run);
	int r = prepare(run, false);

	if (r < 0) {
		bring_back(run, last);
		return r;
	}
	free(last.claimed);
	if (run->stop_after)
		run->stop_after->claimed = true;
	for (enum unc_phase phase = UNC_SETUP; r == 0 && phase <= UNC_LOAD; phase++)
		r = unc_run_phase(run, phase);
	if (r == 0)
		r = unc_learn_filters(run);
	enter(run);
	if (r == 0)
		r = take_baselines(run);
	return r;
}

bool unc_stands_still(const struct unc_run *run)
{
	struct uncore *u = run->u;

	for (size_t i = 0; i < run->n_claimed; i++) {
		const struct unc_claimed *h = &run->claimed[i];

		if (u->machine.boxes[h->box].type->free ||
		    unc_counter_of(u, h->box, h->assignment.counter)->users > 1)
			return false;
	}
	return true;
}

int unc_go(struct unc_run *run)
{
	struct uncore *u = run->u;
	const int r = unc_spans_start(run);

	for (size_t i = 0; i < run->n_claimed; i++)
		atomic_store(
			&unc_counter_of(u, run->claimed[i].box, run->claimed[i].assignment.counter)
				 ->running,
			true);
	if (r < 0)
		return r;
	run->counts = true;
	unc_freeze_check_learn(run);
	return r;
}
