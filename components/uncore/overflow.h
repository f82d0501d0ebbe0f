/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    overflow.h
 * @ingroup papi_components
 * @brief   PAPI_overflow() and PAPI_profil() in software: what PAPI's own
 * timer, which comes 100 times a second of CPU time, leaves undone.
 */
#ifndef UNCORE_OVERFLOW_H
#define UNCORE_OVERFLOW_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

/* Of a control state, and first in it: the signal handler finds it there.  Zero: idle. */
struct overflow_watch {
	volatile bool counting;     /* set by whoever starts and stops */
	volatile unsigned restarts; /* starts and resets */
	volatile bool dispatching;  /* the signal handler reads */
	bool armed;                 /* the timer of the thread whose event set overflows */
	pid_t pid; /* a child has no timers, but may have others by the same number */
	timer_t timer;
};

/* The event set behind a control state, if this thread runs it and it overflows. */
EventSetInfo_t *overflow_set(int component, const struct overflow_watch *watch);

/*
 * Before an event set starts (NULL: one that does not overflow): repair PAPI's
 * notes about it.  NULL, or a sentence: what would crash or deceive.
 */
const char *overflow_prepare(EventSetInfo_t *set);

/* The counts, by position, are counted from zero again. */
void overflow_rebase(EventSetInfo_t *set, const long long *counts);

/* From here on the thread gets a signal for each interval of its own CPU time. */
void overflow_watch(struct overflow_watch *watch, unsigned generation);
void overflow_unwatch(struct overflow_watch *watch);

/* The signal handler.  Timers of other generations are from before PAPI_shutdown(). */
void overflow_signal(int component, unsigned generation, hwd_siginfo_t *si, void *ucontext);

#endif
