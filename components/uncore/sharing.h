/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    sharing.h
 * @ingroup papi_components
 * @brief   What a process is told of others that count on the machine; after papi.h.
 */
#ifndef UNCORE_SHARING_H
#define UNCORE_SHARING_H

#include <stdatomic.h>
#include <stdbool.h>

#include "uncore_inspect.h"

/* Of one initialisation; zero at its begin. */
struct sharing {
	atomic_uint told;      /* warnings */
	atomic_bool started;   /* an event set was, and ... */
	atomic_bool has_owned; /* ... one of its events was counted here */
};

/* Print the warnings that have come since the last time. */
void sharing_warn(struct sharing *sharing, struct uncore *u, bool verbose);
/* A set has started. */
void sharing_note(struct sharing *sharing, struct uncore_set *set);
/* At the end: with UNCORE_SHARE=owner all counts of a process may be 0. */
void sharing_end(const struct sharing *sharing, bool verbose);

#endif
