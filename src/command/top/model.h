/* SPDX-License-Identifier: BSD-3-Clause */
/* model.h - what `uncore top` counts, and what becomes of the counts. */
#ifndef TOP_MODEL_H
#define TOP_MODEL_H

#include "command/top/view.h"

#ifdef __cplusplus
extern "C" {
#endif

struct top_model;

/* Finds the metrics that the machine has; counts nothing yet.  Ends the program without memory. */
struct top_model *top_model_new(struct uncore *u);
void top_model_free(struct top_model *model);

/*
 * Count what can be counted: what is refused is a note of the view.  0, or the library's code if
 * nothing is left; uncore_errmsg() has its reason.
 */
int top_model_start(struct top_model *model);

/* Read the counts since the last call or the start.  Read errors become notes. */
struct top_view *top_model_read(struct top_model *model);

/* Restore the registers.  0, or the library's first failure. */
int top_model_stop(struct top_model *model);

#ifdef __cplusplus
}
#endif
#endif
