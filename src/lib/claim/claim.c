/* SPDX-License-Identifier: BSD-3-Clause */
/* claim.c - claim the counters of a run: save registers, program, start. */
#include "claim/claim.h"

#include <stdlib.h>

#include "claim/others.h"
#include "claim/stop_after.h"

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

static int compose(struct unc_run *run)
{
	struct uncore *u = run->u;
	const struct unc_state state = unc_state_of(u);
	struct unc_claims claims;

	run->claimed = unc_claimed_make(&run->layout, u->uses, &run->n_claimed);
	run->n_left = run->n_claimed;
	claims = unc_claims_of(run);
	unc_program_free(&run->program);
	if (!run->claimed || !unc_program_enter(&run->program, &state, &claims) ||
	    !unc_reading_make(&run->reading, u->hw, &u->machine, u->counters, &run->layout) ||
	    unc_freeze_check_make(run) < 0)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the counters of a set");
	return 0;
}

/* Writes no register. */
static int prepare(struct unc_run *run, int (*save)(struct unc_run *run))
{
	int r = compose(run);

	if (r == 0)
		r = refuse_failed(run);
	return r < 0 ? r : save(run);
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
	const int r = prepare(run, unc_foresee);

	bring_back(run, last);
	return r;
}

int unc_claim(struct unc_run *run)
{
	const struct last last = set_aside(run);
	int r = prepare(run, unc_save);

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
		r = unc_take_baselines(run);
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
