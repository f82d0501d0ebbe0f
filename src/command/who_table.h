/* SPDX-License-Identifier: BSD-3-Clause */
/* who_table.h - print the shares of `uncore who`. */
#ifndef UNC_WHO_TABLE_H
#define UNC_WHO_TABLE_H

#include "command/who/report.h"
#include "screen.h"

void print_shares(const struct screen *s, const struct report *r);

#endif
