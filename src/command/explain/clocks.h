/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.h - the DRAM clock of each package, for the theoretical peak of its memory.  It is counted
 * by itself before the run, so that it is the same for every run.
 */
#ifndef EXPLAIN_CLOCKS_H
#define EXPLAIN_CLOCKS_H

#include "command/base/basket.h"
#include "command/explain/facts.h"

#define CLOCK_EVENT "UNC_M_CLOCKTICKS"

struct clocks {
	struct basket basket; /* a unit is a package */
	struct clock_read {
		int64_t count, ns, took_ns;
	} * first;
	struct rate *at; /* of all channels of a package together */
};

/* Start to count; false: it cannot be counted in every package. */
bool clocks_start(struct clocks *c, struct uncore *u);
/* Stop after some time, and compute the rates; an error of the library. */
int clocks_stop(struct clocks *c);
void clocks_free(struct clocks *c);

/*
 * The most that the memory of each package can move, bytes a second, by its DRAM clock, which is
 * counted now for 0.02 s.  NULL: unknown.  To be freed.
 */
double *peaks_of_clocks(struct uncore *u);

#endif
