/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    means.h
 * @ingroup papi_components
 * @brief   Means that a tool would read as integers; include papi.h first.
 *
 * The value of a mean is a double (PAPI_DATATYPE_FP64).  TAU, Score-P, Extrae and PAPI's high-level
 * API ignore the data type: they subtract the bits of two doubles and print the result as a count.
 */
#ifndef UNCORE_MEANS_H
#define UNCORE_MEANS_H

#include <stdbool.h>

#include "library.h"

#define MEANS_TEXT 512

/**
 * Whether a variable of one of these tools names an event whose value is a double.  Locks are the
 * caller's, as for uncore_event().
 *
 * @param ids  numbers of n events
 * @param why  receives the reason: the event, the variable, and what to count instead
 */
bool _uncore_means_refused(struct uncore *u, const unsigned *ids, unsigned n, char *why,
			   size_t len);

/** Whether such a variable is set: if not, no event is refused.  Takes no lock. */
bool _uncore_means_possible(void);

#endif
