/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    overflow.h
 * @ingroup papi_components
 * @brief   Software overflow for PAPI_overflow() and PAPI_profil(), in addition to PAPI's timer,
 * which fires 100 times per second of CPU time.
 */
#ifndef UNCORE_OVERFLOW_H
#define UNCORE_OVERFLOW_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

/* First member of a control state, where the signal handler finds it.  All zeros: idle. */
struct overflow_timer {
	volatile bool counting;     /* set at start, cleared at stop */
	volatile unsigned restarts; /* number of starts and resets */
	volatile bool dispatching;  /* the signal handler is reading */
	bool armed;                 /* the timer below exists */
	pid_t pid; /* a forked child inherits no timers, but may create one with the same id */
	timer_t id;
};

/* The event set of a control state if this thread runs it with software overflow, else NULL. */
EventSetInfo_t *_uncore_overflow_set(int component, const struct overflow_timer *timer);

/*
 * Correct PAPI's data about an event set before it starts (NULL: a set without overflow).  Returns
 * NULL or the reason why the set must not start: PAPI would crash or report wrong samples.
 */
const char *_uncore_overflow_prepare(EventSetInfo_t *set);

/* Adjust the deadlines to a reset; counts, by position, are those before it. */
void _uncore_overflow_rebase(EventSetInfo_t *set, const long long *counts);

/* Send the calling thread a signal after each interval of its CPU time, or stop doing so. */
void _uncore_overflow_start_timer(struct overflow_timer *timer, unsigned generation);
void _uncore_overflow_stop_timer(struct overflow_timer *timer);

/* The signal handler.  Timers of other generations were created before PAPI_shutdown(). */
void _uncore_overflow_signal(int component, unsigned generation, hwd_siginfo_t *si, void *ucontext);

#endif
