/* SPDX-License-Identifier: BSD-3-Clause */
/* simulate.h - a simulated machine in the place of a recorded one; src/lib/set only. */
#ifndef UNC_SIMULATE_H
#define UNC_SIMULATE_H

#include <stdbool.h>

#include "uncore.h"

/* Whether a machine's name asks for it: "file:FILE:simulate". */
bool unc_is_to_simulate(const char *machine);

#define UNC_SPEC 512

/*
 * Open the recorded machine, and tell which simulated one is most like it: spec.  0, or a code of
 * uncore_open() with its message.  recorded has to be closed, whatever is returned.
 */
int unc_recorded_open(struct uncore *u, const char *machine, struct uncore **recorded,
		      char spec[UNC_SPEC]);
/* Warn of what u has in another number than the recorded machine. */
void unc_recorded_compare(struct uncore *u, const struct uncore *recorded);

#endif
