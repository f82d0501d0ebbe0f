/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * draws.h - runs that could have been: the rates of a run, changed at random by their
 * standard deviations.  The part of them that has a finding is its confidence.  src/command/explain
 * only.
 */
#ifndef EXPLAIN_DRAWS_H
#define EXPLAIN_DRAWS_H

#include <stdint.h>

#include "command/explain/facts.h"

#define DRAWS 200

/* Whether any rate has a deviation; without one all draws are the same. */
bool has_deviations(const struct facts *f);
/* One of them, with the boxes of f; free only `at`.  state: 0 at first. */
struct facts draw_facts(const struct facts *f, uint64_t *state);

#endif
