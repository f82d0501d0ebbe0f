/* SPDX-License-Identifier: BSD-3-Clause */
/* differences.h - how the findings of a phase differ from those of the whole run. */
#ifndef EXPLAIN_DIFFERENCES_H
#define EXPLAIN_DIFFERENCES_H

#include <stdbool.h>
#include <stddef.h>

#include "command/explain/diagnoses.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a list has the same diagnosis of the same package. */
bool findings_have(const struct findings *list, const struct finding *found);
/* Whether a finding of the whole run can be missing in a phase: not a sentence about other times.
 */
bool is_of_phases(const struct finding *found);
/*
 * The findings that only one of the lists has: "+links/0 -memory-latency/1 "; "" without any.  To
 * be freed.
 */
char *differences_of(const struct findings *whole, const struct findings *part);

#ifdef __cplusplus
}
#endif
#endif
