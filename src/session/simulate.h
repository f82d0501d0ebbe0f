/* SPDX-License-Identifier: BSD-3-Clause */
/* simulate.h - a simulated machine in the place of a recorded one; src/session only. */
#ifndef UNC_SIMULATE_H
#define UNC_SIMULATE_H

#include <stdbool.h>

#include "uncore.h"

/* Whether a machine's name asks for it: "file:FILE:simulate". */
bool unc_is_to_simulate(const char *machine);

/* Opens the simulated machine of that name. */
typedef int unc_open_simulated(struct uncore *u, void *arg, const char *machine);

/*
 * Have the machine opened that is most like the recorded one; warns of what it has in another
 * number.  0, or a code of uncore_open() with its message.
 */
int unc_simulate(struct uncore *u, const char *machine, unc_open_simulated *open, void *arg);

#endif
