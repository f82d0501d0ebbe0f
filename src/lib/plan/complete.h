/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.h - layout and register programs as one object: what uncore_plan() hands out. */
#ifndef UNC_COMPLETE_H
#define UNC_COMPLETE_H

#include "plan/overflow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event on a counter. */
struct unc_planned_assignment {
	unsigned event;   /* index into the list that was planned */
	unsigned counted; /* number of the event that is counted */
	unsigned package, die;
	const char *kind; /* box kind */
	unsigned box;     /* box number */
	unsigned counter;
	bool fixed;
	uint64_t control; /* control value without the enable bit */
};

struct uncore_plan {
	const struct unc_machine *machine;
	struct unc_err *err; /* of the handle; NULL: none */
	bool feasible;
	size_t n_assignments;
	struct unc_planned_assignment *assignments;
	size_t n_setup, n_start, n_read, n_stop, n_restore;
	struct unc_op *setup, *start, *read, *stop, *restore;
	size_t n_conflict;
	unsigned *conflict; /* indices of the smallest set of events that conflict */
	char reason[1024];  /* why, in one sentence */
};

/*
 * samples: what stops it by itself; NULL: nothing does.
 *
 * @return 0 with *out (look at feasible), UNCORE_ENODEV with *out->reason,
 *         the same with what unc_samples_assign() returns, UNCORE_ENOMEM (*out may be NULL).  Free
 * with uncore_plan_free().
 */
int unc_plan_whole(const struct unc_machine *machine, const struct unc_event *const *events,
		   const char *const *names, size_t n, struct unc_samples *samples,
		   struct uncore_plan **out);

#ifdef __cplusplus
}
#endif
#endif
