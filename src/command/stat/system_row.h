/* SPDX-License-Identifier: BSD-3-Clause */
/* system_row.h - what a table shows below the rows of all packages, or of several boxes. */
#ifndef UNC_TOOLS_SYSTEM_ROW_H
#define UNC_TOOLS_SYSTEM_ROW_H

#include "command/stat/counts.h"

/*
 * Have the last of n rows, which show the parts of the event `name`, followed by their sum if they
 * are all packages, and by least, mean and most of boxes.  Takes the list of their numbers, which
 * is to be freed otherwise.
 */
void add_system_row(struct uncore *u, struct wanted *w, const char *name, size_t *rows, size_t n);
void free_system_row(struct row *row);

enum summary_kind { SUMMARY_SUM, SUMMARY_MIN, SUMMARY_MEAN, SUMMARY_MAX, SUMMARY_KINDS };

struct summary {
	struct row row;
	struct result result;
	char *name; /* of the row; the caller frees it */
};

/* Whether the rows that end with `last` have that summary. */
bool find_summary(const struct row *last, enum summary_kind kind, const struct result *results,
		  struct summary *s);

#endif
