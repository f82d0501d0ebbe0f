/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    forked.h
 * @ingroup papi_components
 * @brief   Event sets of the parent process in a forked child.
 */
#ifndef UNCORE_FORKED_H
#define UNCORE_FORKED_H

#include <stdbool.h>

/* Before a fork; opens a library, which is safe neither in a child nor in a signal handler. */
void _uncore_forked_init(void);

/*
 * Whether PAPI_stop() is among the callers; false if the stack cannot be read.  Async-signal-safe.
 */
bool _uncore_is_in_stop(void);

/* Report once in a process that its parent's event sets cannot be read here. */
void _uncore_forked_report(void);

#endif
