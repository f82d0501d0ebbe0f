/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.h - layout and register programs as one public struct uncore_plan. */
#ifndef UNC_COMPLETE_H
#define UNC_COMPLETE_H

#include "plan/overflow.h"

#ifdef __cplusplus
extern "C" {
#endif

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
