/* SPDX-License-Identifier: BSD-3-Clause */
/* shown_plan.c - a plan as those show it who go through its lists more than once. */
#include <stdlib.h>

#include "tools.h"

const char *const phase_names[N_PHASES] = {
	[UNCORE_PHASE_SETUP] = "setup",     [UNCORE_PHASE_START] = "start",
	[UNCORE_PHASE_READ] = "read",       [UNCORE_PHASE_STOP] = "stop",
	[UNCORE_PHASE_RESTORE] = "restore",
};

static void take_assignments(struct shown_plan *shown, const struct uncore_plan *plan)
{
	struct uncore_assignment_info one = {.size = sizeof(one)};

	while (uncore_plan_assignment(plan, (unsigned)shown->n_assignments, &one) == 1)
		shown->n_assignments++;
	shown->assignments = need_memory(shown->n_assignments, sizeof(one));
	for (unsigned i = 0; i < shown->n_assignments; i++) {
		shown->assignments[i].size = sizeof(one);
		uncore_plan_assignment(plan, i, &shown->assignments[i]);
	}
}

static void take_phase(struct shown_phase *shown, const struct uncore_plan *plan,
		       enum uncore_phase phase)
{
	struct uncore_op_info one = {.size = sizeof(one)};

	while (uncore_plan_op(plan, phase, (unsigned)shown->n, &one) == 1)
		shown->n++;
	shown->op = need_memory(shown->n, sizeof(one));
	for (unsigned i = 0; i < shown->n; i++) {
		shown->op[i].size = sizeof(one);
		uncore_plan_op(plan, phase, i, &shown->op[i]);
	}
}

static void take_conflict(struct shown_plan *shown, const struct uncore_plan *plan)
{
	unsigned event;

	while (uncore_plan_conflict(plan, (unsigned)shown->n_conflict, &event) == 1)
		shown->n_conflict++;
	shown->conflict = need_memory(shown->n_conflict, sizeof(event));
	for (unsigned i = 0; i < shown->n_conflict; i++)
		uncore_plan_conflict(plan, i, &shown->conflict[i]);
}

void look_at_plan(struct shown_plan *shown, const struct uncore_plan *plan)
{
	*shown = (struct shown_plan){.info = {.size = sizeof(shown->info)}};
	uncore_plan_info(plan, &shown->info);
	take_assignments(shown, plan);
	take_conflict(shown, plan);
	for (unsigned i = 0; i < N_PHASES; i++)
		take_phase(&shown->phase[i], plan, (enum uncore_phase)i);
}

void free_shown_plan(struct shown_plan *shown)
{
	free(shown->assignments);
	free(shown->conflict);
	for (unsigned i = 0; i < N_PHASES; i++)
		free(shown->phase[i].op);
}
