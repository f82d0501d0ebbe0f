/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    overflow.c
 * @ingroup papi_components
 * @brief   Software overflow for PAPI_overflow() and PAPI_profil().
 *
 * PAPI starts a process-wide interval timer and calls dispatch_timer() in the thread that receives
 * its signal.  This reads the counters and calls the user's handler if a counter has reached its
 * deadline.  PAPI 7.0 has the following defects, which are corrected here in a way that has no
 * effect where a version of PAPI corrects them itself:
 *
 * - Deadlines are set by PAPI_overflow() only.  After a restart or a reset, counts begin at 0 and
 *   would reach their deadlines much too late.
 * - A new deadline is set one threshold after the count that was read, not after the previous
 *   deadline, so every period is too long by the delay of the timer.
 * - PAPI_remove_event() moves events but does not update the indices of their overflows.
 * - All threads share one timer.  The first thread that stops its event set stops sampling in all
 *   of them.  Therefore each thread has a timer of its own in addition.
 *
 * The code that runs in the signal handler accesses the same data as PAPI's handler, in the same
 * thread.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "papi.h"

#include "papi_internal.h"
#include "papi_vector.h"

#include "extras.h"
#include "overflow.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define VECTOR_BITS  64  /* bits of PAPI's overflow vector, one per event */
#define WEIGHTED_MIN 255 /* PAPI divides by threshold / 255 */

static EventSetInfo_t *running(int component)
{
	const ThreadInfo_t *thread = _papi_hwi_lookup_thread(0);
	EventSetInfo_t *set = thread ? thread->running_eventset[component] : NULL;

	if (!set || !(set->state & PAPI_OVERFLOWING) ||
	    (set->overflow.flags & PAPI_OVERFLOW_HARDWARE))
		return NULL;
	return set;
}

EventSetInfo_t *_uncore_overflow_set(int component, const struct overflow_timer *timer)
{
	EventSetInfo_t *set = running(component);

	return set && set->ctl_state == (const hwd_control_state_t *)timer ? set : NULL;
}

/* ---- before a start ---- */

static int index_of(const EventSetInfo_t *set, int code)
{
	for (int i = 0; i < set->NumberOfEvents; i++)
		if ((int)set->EventInfoArray[i].event_code == code)
			return i;
	return -1;
}

/* PAPI indexes profiles by the event's index in the list of overflows. */
static const char *check_profile(const EventSetInfo_t *set, int i)
{
	const EventSetProfileInfo_t *profile = &set->profile;

	if (i >= profile->event_counter || profile->EventCode[i] != set->overflow.EventCode[i])
		return "PAPI_profil() and PAPI_overflow() cannot share an event set";
	if ((profile->flags & PAPI_PROFIL_WEIGHTED) && profile->threshold[i] < WEIGHTED_MIN)
		return "PAPI_PROFIL_WEIGHTED requires a threshold of at least 255";
	return NULL;
}

/* PAPI would compare the bits of a double with the threshold. */
static bool is_real(int code)
{
	PAPI_event_info_t info;

	return PAPI_get_event_info(code, &info) == PAPI_OK && info.data_type == PAPI_DATATYPE_FP64;
}

const char *_uncore_overflow_prepare(EventSetInfo_t *set)
{
	EventSetOverflowInfo_t *o = set ? &set->overflow : NULL;
	const char *why = NULL;

	if (!set)
		return NULL;
	/* PAPI_overflow() with threshold 0 for another event may have cleared the handler */
	if (!o->handler)
		return "no overflow handler: it was cleared when the overflow of another event was "
		       "disabled; call PAPI_overflow() again";
	for (int i = 0; !why && i < o->event_counter; i++) {
		const int index = index_of(set, o->EventCode[i]);
		const int position = index < 0 ? -1 : set->EventInfoArray[index].pos[0];

		if (position < 0 || position >= VECTOR_BITS)
			why = "only the first 64 events of an event set can overflow";
		else if (is_real(o->EventCode[i]))
			why = "means and ratios cannot overflow: remove their PAPI_overflow()";
		else if (set->state & PAPI_PROFILING)
			why = check_profile(set, i);
		o->EventIndex[i] = index;
		o->deadline[i] = o->threshold[i];
	}
	return why;
}

/* Keep the rest of each period, so that frequent resets do not suppress samples. */
void _uncore_overflow_rebase(EventSetInfo_t *set, const long long *counts)
{
	EventSetOverflowInfo_t *o = &set->overflow;

	for (int i = 0; i < o->event_counter; i++)
		o->deadline[i] -= counts[set->EventInfoArray[o->EventIndex[i]].pos[0]];
	((struct overflow_timer *)set->ctl_state)->restarts++;
}

/* ---- per-thread timer ---- */

static clockid_t clock_of(int itimer)
{
	return itimer == ITIMER_REAL ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
}

/* If the timer cannot be created, PAPI's process-wide timer still produces some samples. */
void _uncore_overflow_start_timer(struct overflow_timer *timer, unsigned generation)
{
	struct sigevent event;
	const struct timespec interval = {.tv_sec = _papi_os_info.itimer_ns / 1000000000,
					  .tv_nsec = _papi_os_info.itimer_ns % 1000000000};
	const struct itimerspec every = {.it_interval = interval, .it_value = interval};

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = _papi_os_info.itimer_sig;
	/* gettid() requires glibc 2.30 */
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	event.sigev_value.sival_int = (int)generation;
	_uncore_overflow_stop_timer(timer);
	if (timer_create(clock_of(_papi_os_info.itimer_num), &event, &timer->id))
		return;
	timer->armed = true;
	timer->pid = getpid();
	timer_settime(timer->id, 0, &every, NULL);
}

void _uncore_overflow_stop_timer(struct overflow_timer *timer)
{
	if (timer->armed && timer->pid == getpid())
		timer_delete(timer->id);
	timer->armed = false;
}

/* ---- in the signal handler ---- */

/*
 * PAPI has set each deadline that had passed to one threshold after the count it read.  Move it to
 * the next multiple of the threshold after the previous deadline: what was counted until the timer
 * fired belongs to the period that has begun.
 */
static void keep_pace(EventSetOverflowInfo_t *o, const long long *before, int n)
{
	for (int i = 0; i < n; i++) {
		const long long threshold = o->threshold[i];
		const long long late = o->deadline[i] - threshold - before[i];

		if (o->deadline[i] != before[i] && late >= 0)
			o->deadline[i] = before[i] + (late / threshold + 1) * threshold;
	}
}

static void dispatch(EventSetInfo_t *set, hwd_siginfo_t *si, void *ucontext)
{
	struct overflow_timer *timer = (struct overflow_timer *)set->ctl_state;
	_papi_hwi_context_t context = {.si = si, .ucontext = (hwd_ucontext_t *)ucontext};
	ThreadInfo_t *thread = set->master;
	const int component = set->CmpIdx, n = set->overflow.event_counter;
	const unsigned restarts = timer->restarts;
	long long before[VECTOR_BITS];

	if (!timer->counting)
		return;
	memcpy(before, set->overflow.deadline, (size_t)n * sizeof(before[0]));
	timer->dispatching = true;
	_papi_hwi_dispatch_overflow_signal(&context, GET_OVERFLOW_ADDRESS(context), NULL, 0, 0,
					   &thread, component);
	/* the user's handler may have stopped or destroyed the event set */
	if (running(component) != set)
		return;
	timer->dispatching = false;
	/* it may also have restarted or reset it */
	if (timer->counting && timer->restarts == restarts)
		keep_pace(&set->overflow, before, n);
}

void _uncore_overflow_signal(int component, unsigned generation, hwd_siginfo_t *si, void *ucontext)
{
	const int before = errno;
	const bool stale = si->si_code == SI_TIMER && si->si_value.sival_int != (int)generation;
	EventSetInfo_t *set = stale ? NULL : running(component);

	if (set)
		dispatch(set, si, ucontext);
	errno = before;
}
