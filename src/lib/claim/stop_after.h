/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stop_after.h - runs that stop after n occurrences of an event.
 *
 * By hardware: the event's one counter is loaded so that its overflow comes with the n-th
 * occurrence and stops all boxes of the package.  Otherwise by polling.  Either way it is the
 * counter that is polled: of the status registers less is known, and they are asked afterwards
 * who it was.  All under the handle's lock.
 */
#ifndef UNC_STOP_AFTER_H
#define UNC_STOP_AFTER_H

#include "claim/run.h"
#include "plan/overflow.h"

#define UNC_OVERFLOW_SOURCES 16 /* the most that are told */

struct unc_stop_after {
	struct unc_samples samples;
	bool claimed;                /* the counters are ours: there is something to clear */
	bool stands;                 /* all boxes stand: n was reached, or could not be again */
	bool halted;                 /* some were stopped by hand, and are to stand */
	uint64_t armed[UNC_SAMPLES]; /* totals when the counters were loaded */
	const char *went_on[UNC_SAMPLES]; /* NULL, or what an overflow turned out not to stop */
	char told[UNC_SAMPLES][200];      /* by uncored: what its samples say of polling */
	unsigned n_sources;
	struct uncore_overflow_source source[UNC_OVERFLOW_SOURCES];
};

static inline struct unc_counter *unc_sampled(struct uncore *u, const struct unc_sample *s)
{
	return unc_counter_of(u, s->box, s->counter);
}

/* ---- stop_after.c; what takes a run does nothing for one without stop_after ---- */

/* Totals were brought to what the counters were loaded with. */
void unc_stop_after_armed(struct unc_run *run);
/* Read the samples' counters; has one of them counted its n?  1, 0, or an error. */
int unc_stop_after_look(struct unc_run *run);
/* Who stopped it, first of all at the end. */
int unc_stop_after_latch(struct unc_run *run);
/* The boxes of the package may stand because a counter told them to. */
bool unc_stop_after_stopped(struct unc_run *run, unsigned package);
/* Go on for as many again. */
int unc_stop_after_rearm(struct unc_run *run);

/* ---- sample_end.c ---- */

/* Whether a sample has counted its n. */
bool unc_sample_reached(struct uncore *u, const struct unc_stop_after *stop_after, unsigned i);
/*
 * Read the samples' counters; stop all boxes of the run, as far as they do not stand.  result: of
 * what was done before, as in unc_carry_out().
 */
int unc_stop_after_fold(struct uncore *u, const struct unc_stop_after *stop_after);
int unc_stop_after_halt(const struct unc_run *run, int result);
/* Of samples that were reached, note what their overflow did not stop; then halt and fold. */
int unc_stop_after_check(struct unc_run *run);

/* overflow_source.c: ask the status registers, the package's first; fills stop_after->source. */
void unc_overflow_sources_read(struct uncore *u, struct unc_stop_after *stop_after);

#endif
