/* SPDX-License-Identifier: BSD-3-Clause */
/* model.h - the events that `uncore top` counts, and their values. */
#ifndef TOP_MODEL_H
#define TOP_MODEL_H

#include "command/top/view.h"

#ifdef __cplusplus
extern "C" {
#endif

struct top_model;

/*
 * Find the machine's metrics without counting yet. interval: time between two reads, s.  Exits if
 * memory is exhausted.
 */
struct top_model *top_model_new(struct uncore *u, double interval);
void top_model_free(struct top_model *model);

/*
 * Start all events that can be counted; refused events become notes of the view.  Returns 0, or the
 * library's error if no event can be counted; uncore_errmsg() has the reason.
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
