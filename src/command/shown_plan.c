/* SPDX-License-Identifier: BSD-3-Clause */
/* shown_plan.c - a plan as those show it who go through its lists more than once. */
#include <stdlib.h>
#include <string.h>

#include "tools.h"

const char *const phase_names[N_PHASES] = {
	[UNCORE_PHASE_SETUP] = "setup",     [UNCORE_PHASE_START] = "start",
	[UNCORE_PHASE_READ] = "read",       [UNCORE_PHASE_STOP] = "stop",
	[UNCORE_PHASE_RESTORE] = "restore",
};

/* Room for element n of a list that grows by one at a time. */
static void *with_room(void *list, size_t n, size_t size)
{
	void *larger;

	if (n & (n - 1)) /* it doubles at 0, 1, 2, 4, ... */
		return list;
	larger = need_memory(n ? 2 * n : 1, size);
	if (n)
		memcpy(larger, list, n * size);
	free(list);
	return larger;
}

static void take_assignments(struct shown_plan *shown, const struct uncore_plan *plan)
{
	struct uncore_assignment_info one = {.size = sizeof(one)};
	size_t n = 0;

	for (; uncore_plan_assignment(plan, (unsigned)n, &one) == 1; n++) {
		shown->assignments = with_room(shown->assignments, n, sizeof(one));
		shown->assignments[n] = one;
	}
	shown->n_assignments = n;
}

static void take_phase(struct shown_phase *shown, const struct uncore_plan *plan,
		       enum uncore_phase phase)
{
	struct uncore_op_info one = {.size = sizeof(one)};
	size_t n = 0;

	for (; uncore_plan_op(plan, phase, (unsigned)n, &one) == 1; n++) {
		shown->op = with_room(shown->op, n, sizeof(one));
		shown->op[n] = one;
	}
	shown->n = n;
}

static void take_conflict(struct shown_plan *shown, const struct uncore_plan *plan)
{
	unsigned event;
	size_t n = 0;

	for (; uncore_plan_conflict(plan, (unsigned)n, &event) == 1; n++) {
		shown->conflict = with_room(shown->conflict, n, sizeof(event));
		shown->conflict[n] = event;
	}
	shown->n_conflict = n;
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
