/* SPDX-License-Identifier: BSD-3-Clause */
/* operations.h - the core events that count floating-point operations, by processor.  A table. */
#ifndef ROOFLINE_OPERATIONS_H
#define ROOFLINE_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum precision { PRECISION_DOUBLE, PRECISION_SINGLE, PRECISIONS };

/* "double", "single" */
extern const char *const precision_names[PRECISIONS];

/* Of vectors; scalar operations are the first. */
enum width { WIDTH_SCALAR, WIDTH_128, WIDTH_256, WIDTH_512, WIDTHS };

extern const char *const width_names[WIDTHS];

struct operation_event {
	const char *name;    /* for libpfm4; NULL: this processor has none of this width */
	unsigned operations; /* of each count; a fused multiply-add counts twice */
};

struct operation_events {
	struct operation_event of[PRECISIONS][WIDTHS];
	const char *note; /* what is known to be wrong; NULL: nothing */
};

/* By the name of the platform ("skx"); NULL: why has the reason, as the end of a sentence. */
const struct operation_events *operation_events(const char *platform, const char **why);

/* The operations of that many counts. */
double operations_of(const struct operation_event *event, double counts);

#ifdef __cplusplus
}
#endif
#endif
