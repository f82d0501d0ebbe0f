/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system_calls.h - counts the system calls that a function makes, in a traced child. For
 * tests (C++) and benchmarks (C).
 */
#ifndef SUPPORT_SYSTEM_CALLS_H
#define SUPPORT_SYSTEM_CALLS_H

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stops at the start and at the end of each call. -1: tracing is not possible. */
long system_call_stops(pid_t child);

/* run() ends the process unless it returns true. -1: it failed, or tracing is not possible. */
long system_calls_of(bool (*run)(void *), void *arg);

#ifdef __cplusplus
}
#endif

#endif
