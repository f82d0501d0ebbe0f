/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.h - the expected share of a slice of the last-level cache. */
#ifndef COMMAND_SLICES_H
#define COMMAND_SLICES_H

#include "uncore.h"

/*
 * The expected count of a slice, relative to the mean of all slices, for an event that counts the
 * slice's lines while traffic is spread evenly over memory: 0.69 for a slice that owns 31 % fewer
 * lines.  0: unknown, not an event of one slice, or independent of the lines, such as clock cycles.
 */
double expected_of_slice(struct uncore *u, unsigned id);

#endif
