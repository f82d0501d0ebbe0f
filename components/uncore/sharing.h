/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    sharing.h
 * @ingroup papi_components
 * @brief   Messages about other processes that count on the machine; include papi.h first.
 */
#ifndef UNCORE_SHARING_H
#define UNCORE_SHARING_H

#include <stdatomic.h>
#include <stdbool.h>

#include "library.h"

/* State of one initialization; all zeros at its begin. */
struct sharing {
	atomic_uint reported;  /* number of warnings printed */
	atomic_bool started;   /* an event set was started */
	atomic_bool has_owned; /* an event was counted by this process */
};

/* Print warnings added since the last call. */
void _uncore_sharing_warn(struct sharing *sharing, struct uncore *u, bool verbose);
/* Record that a set was started. */
void _uncore_sharing_note(struct sharing *sharing, struct uncore_set *set);
/* A tool's message about a refused start has no reason, so this one is printed; once a process. */
void _uncore_sharing_refused(int code, struct uncore *u, bool verbose);
/* At the end, report if all counts are 0 because another process counted. */
void _uncore_sharing_end(const struct sharing *sharing, bool verbose);

#endif
