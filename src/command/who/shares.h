/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.h - what each owner did in an interval. */
#ifndef WHO_SHARES_H
#define WHO_SHARES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WHO_PACKAGES 8          /* more than any supported machine has */
#define OWNER_OTHERS "(others)" /* threads of the kernel, and those that could not be monitored */

/* By package: of the last-level cache, that is, of the CPUs that caused the traffic. */
struct share_values {
	double total[WHO_PACKAGES];     /* bytes moved between the last-level cache and memory */
	double local[WHO_PACKAGES];     /* those of the package's own memory */
	double joules[WHO_PACKAGES];    /* of the cores */
	double occupancy[WHO_PACKAGES]; /* bytes in the last-level cache at the end */
};

struct share {
	char *owner;
	struct share_values values;
	double rate[WHO_PACKAGES];  /* bytes a second of the time in which `total` was counted */
	double doubt[WHO_PACKAGES]; /* ... that may be wrong because that time is not known better
				     */
	double mixed;               /* bytes of CPUs that others used, too: as much may be wrong */
};

struct shares {
	struct share *list;
	size_t n;
};

/* The share of an owner, added with zeros if necessary; valid until the next call. */
struct share *shares_of(struct shares *s, const char *owner);
void shares_free(struct shares *s);

/*
 * The time in which something was counted: read between two times before, and again between two
 * times, s.
 */
struct counted_time {
	double seconds, doubt;
};

struct looked_at {
	double before, after;
};

struct counted_time time_between(struct looked_at from, struct looked_at to);
/*
 * The error of a rate, bytes a second, since its time is uncertain; INFINITY: a quarter of the time
 * or more, so that the rate is not shown.
 */
double rate_doubt(double all_bytes, struct counted_time time);
/* Note the rate of bytes of a package, a part of all_bytes that were counted. */
void share_rate(struct share *share, unsigned package, double bytes, double all_bytes,
		struct counted_time time);

/* a + b and a - b, of each value. */
void share_add(struct share_values *a, const struct share_values *b);
void share_subtract(struct share_values *a, const struct share_values *b);
double sum_of_packages(const double *values);

#ifdef __cplusplus
}
#endif
#endif
