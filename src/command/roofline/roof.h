/* SPDX-License-Identifier: BSD-3-Clause */
/* roof.h - the most operations and bytes a second of all packages. */
#ifndef ROOFLINE_ROOF_H
#define ROOFLINE_ROOF_H

#include <stdbool.h>

#include "command/roofline/operations.h"
#include "uncore.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof {
	double memory; /* bytes a second; NAN: unknown */
	bool measured; /* by `uncore ceilings`; false: the theoretical peak of the channels */
	double operations[PRECISIONS][WIDTHS]; /* a second; NAN: not measured */
};

/* reads: the share of reads in the bytes, by which the measured bandwidth differs. */
void roof_find(struct roof *roof, struct uncore *u, double reads);

/* Of the widest vectors that were measured; NAN: none. */
double roof_operations(const struct roof *roof, enum precision precision);
/* The most operations a second at that many operations per byte; NAN: unknown. */
double roof_at(const struct roof *roof, enum precision precision, double intensity);

#ifdef __cplusplus
}
#endif
#endif
