/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.h - counts for programs: -x as perf stat has it, and --csv. */
#ifndef UNC_TOOLS_FIELDS_H
#define UNC_TOOLS_FIELDS_H

#include "counts.h"

/* The first line of --csv, which names the columns; perf's fields have none. */
void print_fields_heading(const struct counts *c, bool deviations);
/* The counts of an interval, of all the time, or means of runs. */
void print_fields(const struct counts *c, const struct reading *r, const struct result *results);

#endif
