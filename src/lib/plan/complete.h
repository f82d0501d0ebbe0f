/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.h - a plan: layout and register programs of a list of events on an idle machine. */
#ifndef UNC_COMPLETE_H
#define UNC_COMPLETE_H

#include "event/counted.h"
#include "plan/overflow.h"
#include "plan/rounds.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_PLAN_PHASES (UNCORE_PHASE_RESTORE + 1)

struct uncore_plan {
	const struct unc_machine *machine;
	struct unc_err *err;        /* of the handle, or NULL */
	struct unc_counted counted; /* the events of the layout, and the list they were made from */
	struct unc_layout layout;   /* with the conflict and its reason if it is not feasible */
	struct unc_rounds rounds;   /* if requested, of a plan that is not feasible */
	bool feasible;
	union {
		struct unc_ops phase[UNC_PLAN_PHASES]; /* by enum uncore_phase */
		struct {
			struct unc_ops setup, start, read, stop, restore;
		};
	};
};

/*
 * Plan the events of `counted`, which moves into the plan.  samples: what stops counting; NULL:
 * nothing does.
 *
 * @return 0 with *out (check `feasible`); UNCORE_ENODEV, or what unc_samples_assign() returns, with
 *         the reason in (*out)->layout.reason; UNCORE_ENOMEM (*out may be NULL).  Free with
 *         uncore_plan_free().
 */
int unc_plan_whole(const struct unc_machine *machine, struct unc_counted *counted,
		   struct unc_samples *samples, struct uncore_plan **out);

#ifdef __cplusplus
}
#endif
#endif
