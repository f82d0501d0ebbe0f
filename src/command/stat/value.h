/* SPDX-License-Identifier: BSD-3-Clause */
/* value.h - the value of a row as text. */
#ifndef UNC_TOOLS_VALUE_H
#define UNC_TOOLS_VALUE_H

#include "counts.h"

#define NOT_COUNTED "<not counted>"

/* For programs: all digits.  The caller frees it. */
char *raw_value(const struct row *row, const struct result *result);
/* For people: thousands separated by commas, frequencies in GHz.  The caller frees it. */
char *shown_value(const struct row *row, const struct result *result);
/* The units of shown_value(). */
const char *shown_units(const struct row *row);
/* "+- 1.25 %", or "" if it is unknown.  The caller frees it. */
char *deviation_text(double deviation);

#endif
