/* SPDX-License-Identifier: BSD-3-Clause */
/* system_row.h - the sum that a table shows below the rows of all packages. */
#ifndef UNC_TOOLS_SYSTEM_ROW_H
#define UNC_TOOLS_SYSTEM_ROW_H

#include "command/stat/wanted.h"

/*
 * Give the last of n rows, which show the parts of the event `name`, a system row if they are all
 * packages.  Takes the list of their numbers, which is to be freed otherwise.
 */
void add_system_row(struct uncore *u, struct wanted *w, const char *name, size_t *rows, size_t n);
void free_system_row(struct row *row);

#endif
