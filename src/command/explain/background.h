/* SPDX-License-Identifier: BSD-3-Clause */
/* background.h - what the machine did before the program, and whether it still does just that. */
#ifndef EXPLAIN_BACKGROUND_H
#define EXPLAIN_BACKGROUND_H

#include "command/explain/collect.h"
#include "command/explain/diagnoses.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BACKGROUND_ROWS 5 /* after the first one */

/*
 * Whether a collection needs another row: a busy computer has few windows of known length, so the
 * memory traffic may be unknown where it is multiplexed.  Not forever.
 */
bool background_needs_row(const struct collection *c);
/*
 * The facts of a collection that was made before the program, and in each package the memory
 * traffic, its error, and how it changed.
 */
void background_facts(const struct collection *c, struct facts *before);
/* Add what was counted after the program. */
void background_join(struct facts *before, const struct facts *after);
/*
 * Tell the facts of a run what was counted before it: the error of that includes how much the
 * traffic of an interval of this length differs from the mean.
 */
void background_add(struct facts *run, const struct facts *before);
/*
 * Whether nothing changed when the program began: no memory traffic, no other one.  False if there
 * was nothing, or if the errors are too large.
 */
bool is_background(const struct facts *run, const struct facts *before);
/* Put the sentence that says so before the others, which then have no advice. */
void background_found(struct findings *list, const struct facts *run, const struct facts *before);

#ifdef __cplusplus
}
#endif
#endif
