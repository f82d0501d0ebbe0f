/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * judge.h - the rows of the table of diagnoses: each returns its confidence, 0 below CONFIDENT, and
 * its texts.  Each one needs its counts: comparisons with what was not counted (NAN) are false, so
 * its confidence is 0.  src/command/explain only.
 */
#ifndef EXPLAIN_JUDGE_H
#define EXPLAIN_JUDGE_H

#include <math.h>

#include "command/base/rate.h"
#include "command/explain/diagnoses.h"

#define LITTLE_MEMORY 1e9 /* bytes a second that are not worth a word */

/* A package that is judged. */
struct judged {
	const struct facts *facts;
	unsigned package;
	const struct package_facts *p;
	struct limit limit;                      /* of its memory */
	double used;                             /* the part of it in use */
	const struct package_ceilings *ceilings; /* NULL: not measured */
};

struct texts {
	char *sentence, *evidence;
};

/* 0 up to low, 1 from high on, linear between them; 0 for NAN. */
static inline double ramp(double value, double low, double high)
{
	const double part = (value - low) / (high - low);

	return part > 0 ? fmin(part, 1) : 0;
}

static inline const char *bandwidth(char text[RATE_TEXT], double bytes)
{
	return rate_text(text, "bytes", bytes, 1);
}

static inline double percent(double share)
{
	return 100 * share;
}

double judge_bandwidth(const struct judged *v, struct texts *t);
double judge_one_package(const struct judged *v, struct texts *t);
double judge_latency(const struct judged *v, struct texts *t);
double judge_empty_channel(const struct judged *v, struct texts *t);
double judge_cluster(const struct judged *v, struct texts *t);
double judge_channels(const struct judged *v, struct texts *t);
double judge_remote(const struct judged *v, struct texts *t);
double judge_links(const struct judged *v, struct texts *t);
double judge_write_allocate(const struct judged *v, struct texts *t);
double judge_pages(const struct judged *v, struct texts *t);
double judge_cache(const struct judged *v, struct texts *t);
double judge_directory(const struct judged *v, struct texts *t);
double judge_slice(const struct judged *v, struct texts *t);
double judge_slow_memory(const struct judged *v, struct texts *t);
double judge_remote_bandwidth(const struct judged *v, struct texts *t);
double judge_cache_bandwidth(const struct judged *v, struct texts *t);
double judge_contradiction(const struct judged *v, struct texts *t);
double judge_devices(const struct judged *v, struct texts *t);
double judge_device_misses(const struct judged *v, struct texts *t);
double judge_pmem(const struct judged *v, struct texts *t);
double judge_hbm(const struct judged *v, struct texts *t);
double judge_frequency(const struct judged *v, struct texts *t);
double judge_heat(const struct judged *v, struct texts *t);
double judge_others(const struct judged *v, struct texts *t);

#endif
