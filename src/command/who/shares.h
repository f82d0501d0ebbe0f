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
};

struct shares {
	struct share *list;
	size_t n;
};

/* The share of an owner, added with zeros if necessary; valid until the next call. */
struct share *shares_of(struct shares *s, const char *owner);
void shares_free(struct shares *s);

/* a + b and a - b, of each value. */
void share_add(struct share_values *a, const struct share_values *b);
void share_subtract(struct share_values *a, const struct share_values *b);
double sum_of_packages(const double *values);

#ifdef __cplusplus
}
#endif
#endif
