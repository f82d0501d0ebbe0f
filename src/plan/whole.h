/* whole.h - layout and register programs as one public struct uncore_plan. */
#ifndef UNC_WHOLE_H
#define UNC_WHOLE_H

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * @return 0 with *out (look at feasible), UNCORE_ENODEV with *out->reason,
 *         UNCORE_ENOMEM (*out may be NULL).  Free with uncore_plan_free().
 */
int unc_plan_whole(const struct unc_machine *machine, const struct unc_event *const *events,
		   const char *const *names, size_t n, struct uncore_plan **out);

#ifdef __cplusplus
}
#endif
#endif
