/* SPDX-License-Identifier: BSD-3-Clause */
/* simulate.h - simulate a machine like a recorded one; for src/lib/set only. */
#ifndef UNC_SIMULATE_H
#define UNC_SIMULATE_H

#include <stdbool.h>

#include "uncore.h"

/* Whether the name of a machine requests it: "file:FILE:simulate". */
bool unc_is_to_simulate(const char *machine);

#define UNC_SPEC 512

/*
 * Open the recorded machine, and find the most similar simulated one: spec. 0, or an error of
 * uncore_open() with its message. recorded must be closed in both cases.
 */
int unc_recorded_open(struct uncore *u, const char *machine, struct uncore **recorded,
		      char spec[UNC_SPEC]);
/* Warn of numbers in which u differs from the recorded machine. */
void unc_recorded_compare(struct uncore *u, const struct uncore *recorded);

#endif
