/* SPDX-License-Identifier: BSD-3-Clause */
/* expression.h - formulas of counts, such as "64*UNC_M_CAS_COUNT.RD/seconds". */
#ifndef COMMAND_EXPRESSION_H
#define COMMAND_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

struct expression_name {
	char *text;
	size_t at; /* characters before it, where it is first */
};

/*
 * Numbers, names, + - * / and brackets, with optional blanks.  A name begins with a letter or _,
 * followed by letters, digits, _ and the characters . : = of event names.  "seconds" is the time.
 */
struct expression {
	struct expression_step *steps; /* in order of evaluation, operands first */
	size_t n;
	struct expression_name *names; /* without duplicates */
	size_t n_names;
	unsigned height; /* operands without an operator yet, while parsing */
};

/* Position and cause of a syntax error. */
struct expression_error {
	size_t at; /* characters before the error */
	const char *why;
};

/*
 * "bw=64*..." has a label, "UNC_M_CAS_COUNT:RD:box=0" has none.  Returns the length of the text
 * before the =, including blanks after the label; 0: no label.
 */
size_t expression_label(const char *text);

/* Parse a text without a label; false: see error.  Free it also after an error. */
bool expression_read(struct expression *e, const char *text, struct expression_error *error);
void expression_free(struct expression *e);

/* Evaluate with a value for each name.  A division by 0 gives NaN or infinity. */
double expression_value(const struct expression *e, const double *values, double seconds);

#endif
