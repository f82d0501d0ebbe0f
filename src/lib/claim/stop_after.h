/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stop_after.h - runs that stop after n occurrences of an event.
 *
 * In hardware: the event's counter is loaded so that it overflows at the n-th occurrence, which
 * stops all boxes of the package.  Otherwise by polling.  The counter is polled in both cases,
 * since the status registers are less well documented; they are read afterwards to find which
 * counter overflowed.  All functions require the handle's lock.
 */
#ifndef UNC_STOP_AFTER_H
#define UNC_STOP_AFTER_H

#include "claim/run.h"
#include "plan/overflow.h"

#define UNC_OVERFLOW_SOURCES 16 /* the most that are reported */

struct unc_stop_after {
	struct unc_samples samples;
	bool claimed;                /* the counters are claimed, and must be cleared */
	bool stopped;                /* all boxes are stopped: n was reached, or resuming failed */
	bool halted;                 /* some boxes were stopped by writes, and must stay stopped */
	uint64_t armed[UNC_SAMPLES]; /* totals when the counters were loaded */
	const char *not_stopped[UNC_SAMPLES]; /* what an overflow did not stop, as a sentence; or
						 NULL */
	char polling[UNC_SAMPLES][200];       /* reported by uncored: why a sample is polled */
	unsigned n_sources;
	struct uncore_overflow_source source[UNC_OVERFLOW_SOURCES];
};

static inline struct unc_counter *unc_sampled(struct uncore *u, const struct unc_sample *s)
{
	return unc_counter_of(u, s->box, s->counter);
}

/* ---- stop_after.c; without stop_after these functions do nothing ---- */

/* The totals include the values that the counters were loaded with. */
void unc_stop_after_armed(struct unc_run *run);
/* Read the samples' counters.  1: one of them has reached its n, 0: none, or an error. */
int unc_stop_after_look(struct unc_run *run);
/* Find which counter stopped the package; first of all at the end. */
int unc_stop_after_latch(struct unc_run *run);
/* Whether an overflow may have stopped the boxes of a package. */
bool unc_stop_after_stopped(struct unc_run *run, unsigned package);
/* Resume for another n. */
int unc_stop_after_rearm(struct unc_run *run);

/* ---- sample_end.c ---- */

/* Whether a sample has reached its n. */
bool unc_sample_reached(struct uncore *u, const struct unc_stop_after *stop_after, unsigned i);
/*
 * Read the samples' counters; stop those boxes of the run that are not stopped yet.  result: an
 * earlier error or 0, as in unc_carry_out().
 */
int unc_stop_after_fold(struct uncore *u, const struct unc_stop_after *stop_after);
int unc_stop_after_halt(const struct unc_run *run, int result);
/* Note what the overflows of samples that reached their n did not stop; then halt and fold. */
int unc_stop_after_check(struct unc_run *run);

/* overflow_source.c: read the status registers, the package's first; fills stop_after->source. */
void unc_overflow_sources_read(struct uncore *u, struct unc_stop_after *stop_after);

#endif
