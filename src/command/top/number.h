/* SPDX-License-Identifier: BSD-3-Clause */
/* number.h - short numbers for `uncore top`. */
#ifndef TOP_NUMBER_H
#define TOP_NUMBER_H

#include "command/top/view.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TOP_NUMBER_TEXT 40

/* "23.1 GB/s", "85.3 ns", "12.5 %", "~" in front of an estimate, "-" if unknown; returns text. */
const char *top_number_text(char text[TOP_NUMBER_TEXT], const struct top_metric *metric,
			    const struct top_value *value);

/* A common unit for several numbers. */
struct top_scale {
	char unit[TOP_NUMBER_TEXT]; /* "GB/s" */
	double factor;
};

/* The unit in which the largest has at most three digits before the point. */
struct top_scale top_scale_of(const struct top_metric *metric, double largest);
/* "23.1", without the unit; returns text. */
const char *top_scaled_text(char text[TOP_NUMBER_TEXT], const struct top_scale *scale,
			    const struct top_value *value);

#ifdef __cplusplus
}
#endif
#endif
