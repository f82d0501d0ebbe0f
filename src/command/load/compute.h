/* SPDX-License-Identifier: BSD-3-Clause */
/* compute.h - floating-point operations in the registers of one CPU, of known number. */
#ifndef LOAD_COMPUTE_H
#define LOAD_COMPUTE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct compute {
	bool single;   /* precision; false: double */
	unsigned bits; /* of a vector: 128, 256 or 512; 0: scalar */
};

/* Whether this processor has such vectors. */
bool compute_can(const struct compute *c);

/*
 * Do n rounds, and return the number of operations of them all; a fused multiply-add is two.  Each
 * element of the chains begins as 1, and a round makes factor * element + 1 of it; without fused
 * multiply-adds, factor * element in one half of the chains and element + 1 in the other.  value
 * receives the first element of the first chain.
 */
double compute_run(const struct compute *c, double factor, size_t n, double *value);
/* Whether a round is of fused multiply-adds. */
bool compute_is_fused(const struct compute *c);

#ifdef __cplusplus
}
#endif
#endif
