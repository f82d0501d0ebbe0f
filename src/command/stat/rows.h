/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - counts as rows for all forms (emit/emit.h). */
#ifndef UNC_TOOLS_STAT_ROWS_H
#define UNC_TOOLS_STAT_ROWS_H

#include "command/emit/emit.h"
#include "command/stat/counts.h"
#include "command/stat/timeline.h"

enum rows_kind { ROWS_INTERVAL, ROWS_TOTAL, ROWS_RUN, ROWS_MEAN };

struct counts_rows {
	const struct counts *counts;
	enum rows_kind kind;
	const struct reading *r;
	const struct result *results; /* one per row */
	unsigned runs;             /* the number of the run; of means: the number of runs; else 0 */
	double deviation;          /* of the time of several runs */
	bool deviations;           /* means of several runs will be shown */
	struct timeline *timeline; /* of intervals */
};

/* Of struct counts_rows. */
extern const struct rows_class counts_class;

/* counts_json.c, fields.c, samples.c */
struct json_object *counts_object(const void *of);
bool counts_heading(const void *of, struct cells *cells);
bool counts_line(const void *of, size_t i, struct cells *cells);
bool counts_sample(const void *of, size_t i, struct metric_sample *sample);

#endif
