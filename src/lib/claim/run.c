/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - memory of a run, and functions that all files of this folder need. */
#include "claim/run.h"

#include <stdlib.h>

#include "claim/stop_after.h"

struct unc_run *unc_run_new(struct uncore *u, size_t n)
{
	struct unc_run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->u = u;
	run->n = n;
	run->sums = calloc(n + 1, sizeof(*run->sums));
	run->spans = calloc(n + 1, sizeof(*run->spans));
	if (run->sums && run->spans)
		return run;
	free(run->sums);
	free(run->spans);
	free(run);
	return NULL;
}

void unc_run_free(struct unc_run *run)
{
	if (!run || unc_is_child(run->u))
		return;
	unc_reading_free(&run->reading);
	unc_program_free(&run->program);
	unc_freeze_check_free(run);
	unc_layout_free(&run->layout);
	free(run->claimed);
	free(run->stop_after);
	free(run->sums);
	free(run->spans);
	free(run);
}

struct unc_claims unc_claims_of(const struct unc_run *run)
{
	const struct uncore *u = run->u;

	return (struct unc_claims){
		.machine = &u->machine,
		.uses = u->uses,
		.counting = u->counting,
		.groups = u->groups,
		.shared = u->shared,
		.n = run->n_claimed,
		.claimed = run->claimed,
		.samples = run->stop_after ? &run->stop_after->samples : NULL,
	};
}

int unc_run_phase(const struct unc_run *run, enum unc_phase phase)
{
	const struct unc_ops *ops = &run->program.phase[phase];
	struct uncore *u = run->u;
	size_t done;

	return unc_run_list(u->hw, ops->op, ops->n, NULL, &done, &u->err);
}

void unc_count_change(const struct unc_run *run)
{
	struct uncore *u = run->u;

	for (size_t i = 0; i < run->n_claimed; i++) {
		const unsigned box = run->claimed[i].box;
		const struct unc_box *b = &u->machine.boxes[box];

		if (b->type->units)
			u->uses[unc_other_unit(b) - u->machine.boxes].paired = u->uses[box].n;
	}
	u->changes++;
	if (run->own_changes)
		++*run->own_changes;
}
