/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h - counting while traffic of known size runs; src/command/selftest only. */
#ifndef SELFTEST_TRAFFIC_H
#define SELFTEST_TRAFFIC_H

#include "testee.h"

#define LINE 64

/* The CPUs of a package that run loads, on different cores if possible. */
struct place {
	bool known;
	unsigned first, last;
};

struct traffic {
	struct testee *t;
	unsigned packages;
	struct place *at;
};

/*
 * Counts while the load runs, less the counts of the same time without it.  Returns 0, a library
 * error, or NO_LOAD: the load has set why.
 */
#define NO_LOAD 1
int count_load(const struct traffic *x, struct selftest_load *load, const unsigned *ids, size_t n,
	       int64_t *counts);
int gain_of(const struct traffic *x, struct selftest_load *load, const unsigned *ids, size_t n,
	    double *gained);

/* An event of one package: 0, or a code of the library. */
int event_of(const struct traffic *x, const char *name, unsigned package, unsigned *id);

/* The worst result so far, and its description. */
struct worst_gain {
	double difference;
	char seen[256];
};
/* Record a gain that should be `expected`, relative to the lines moved. */
void note_gain(struct worst_gain *w, double gained, double expected, double moved,
	       const char *where);

/* A check with a load in each package, one after the other, until it passes or TRIES is reached. */
struct load_check {
	enum selftest_kernel kernel;
	bool remote; /* uses the next package's memory */
	double tolerance;
	/* one try with the prepared load of a package: 0, a library error, or NO_LOAD */
	int (*look)(const struct traffic *x, struct selftest_load *load, unsigned package,
		    const void *arg, struct worst_gain *w);
	const void *arg;
};
unsigned memory_of(const struct traffic *x, unsigned package, bool remote);
void check_packages(const struct traffic *x, const struct load_check *c, char *what,
		    char *expected);

/* ---- checks ---- */

void check_channels(const struct traffic *x);
void check_home(const struct traffic *x);
void check_threads(const struct traffic *x);
void check_latency(const struct traffic *x);

#endif
