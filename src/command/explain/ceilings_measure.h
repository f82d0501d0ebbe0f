/* SPDX-License-Identifier: BSD-3-Clause */
/* ceilings_measure.h - measure what the memory of a machine can do, by loads on all of its cores.
 */
#ifndef EXPLAIN_CEILINGS_MEASURE_H
#define EXPLAIN_CEILINGS_MEASURE_H

#include "command/explain/ceilings.h"

/* A CPU of each core, in a package. */
struct core_list {
	int *cpus;
	size_t n;
};

/*
 * Measure each ceiling for that many seconds; a remote one only with several packages.  False: why
 * has the reason.  Accesses no register.
 */
bool ceilings_measure(struct ceilings *c, const struct core_list *packages, unsigned n,
		      double seconds, char *why, size_t len);

#endif
