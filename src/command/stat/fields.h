/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.h - counts for programs: -x as perf stat has it, --csv, and --influx. */
#ifndef UNC_TOOLS_FIELDS_H
#define UNC_TOOLS_FIELDS_H

#include "counts.h"

/* The first line of --csv, which names the columns; perf's fields have none. */
void print_fields_heading(const struct counts *c, bool deviations);
/* The counts of an interval, of all the time, or means of runs. */
void print_fields(const struct counts *c, const struct reading *r, const struct result *results);

/*
 * influx.c: a line for each count, in the line protocol of InfluxDB: the event without its place,
 * the tags hostname, type (node, socket or hwthread), type-id, box, die and unit, the fields value
 * and rate, and the time.
 */
void print_influx(const struct counts *c, const struct reading *r, const struct result *results);

#endif
