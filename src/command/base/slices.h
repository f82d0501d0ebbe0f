/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.h - what a slice of the last-level cache is expected to count. */
#ifndef COMMAND_SLICES_H
#define COMMAND_SLICES_H

#include "uncore.h"

/*
 * What traffic spread evenly over memory makes a slice count of an event that counts its own lines,
 * compared with the mean of all slices: 0.69 for a slice that owns 31 % fewer lines.  0: not known,
 * or not an event of one slice, or not one that follows the lines, such as clock cycles.
 */
double expected_of_slice(struct uncore *u, unsigned id);

#endif
