/* SPDX-License-Identifier: BSD-3-Clause */
/* number.h - numbers of `uncore top` as few characters. */
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

/* A unit for many numbers that stand side by side. */
struct top_scale {
	char unit[TOP_NUMBER_TEXT]; /* "GB/s" */
	double factor;
};

/* In which the largest has three digits at most before the point. */
struct top_scale top_scale_of(const struct top_metric *metric, double largest);
/* "23.1", without the unit; returns text. */
const char *top_scaled_text(char text[TOP_NUMBER_TEXT], const struct top_scale *scale,
			    const struct top_value *value);

#ifdef __cplusplus
}
#endif
#endif
