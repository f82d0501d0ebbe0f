/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.h - the counts of intervals, one line each. */
#ifndef UNC_TOOLS_TIMELINE_H
#define UNC_TOOLS_TIMELINE_H

#include "counts.h"

/* Initialize with zeros. */
struct timeline {
	unsigned lines; /* below the last heading */
};

/* Whether a line has room for all rows; otherwise print_interval() prints a line for each. */
bool timeline_fits(const struct counts *c);
/* Print the time and a value of each row, after a heading where one is due. */
void timeline_print(struct timeline *t, const struct counts *c, const struct reading *r,
		    const struct result *results);

#endif
