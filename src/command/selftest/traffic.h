/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h - counting while traffic of known size runs; src/command/selftest only. */
#ifndef SELFTEST_TRAFFIC_H
#define SELFTEST_TRAFFIC_H

#include "testee.h"

#define LINE 64

/* The CPUs of a package that run loads: on different cores, if it has two. */
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
 * What events count while the load runs, and above what they count in as much time without it.
 * 0, a code of the library, or NO_LOAD: the load has told why.
 */
#define NO_LOAD 1
int count_load(const struct traffic *x, struct selftest_load *load, const unsigned *ids, size_t n,
	       int64_t *counts);
int gain_of(const struct traffic *x, struct selftest_load *load, const unsigned *ids, size_t n,
	    double *gained);

/* An event of one package: 0, or a code of the library. */
int event_of(const struct traffic *x, const char *name, unsigned package, unsigned *id);

/* What was the worst so far, and how it was seen. */
struct worst_gain {
	double difference;
	char seen[256];
};
/* A gain that should be `expected`, as a part of what was moved. */
void note_gain(struct worst_gain *w, double gained, double expected, double moved,
	       const char *where);

/* A check with a load in each package, one after the other, until it passes or TRIES is reached. */
struct load_check {
	enum selftest_kernel kernel;
	bool remote; /* its memory is the next package's */
	double tolerance;
	/* One look, with a load of the package that is ready: 0, a code of the library, NO_LOAD */
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
