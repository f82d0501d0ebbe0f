/* SPDX-License-Identifier: BSD-3-Clause */
/* expression.h - what is reckoned from counts: "64*UNC_M_CAS_COUNT.RD/seconds". */
#ifndef COMMAND_EXPRESSION_H
#define COMMAND_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

struct expression_name {
	char *text;
	size_t at; /* characters before it, where it is first */
};

/*
 * Numbers, names, + - * / and brackets, with blanks wherever one likes.  A name begins with a
 * letter or _ and goes on with these, digits and the characters . : = of event names.  "seconds"
 * is the time.
 */
struct expression {
	struct expression_step *steps; /* in the order of reckoning, operands first */
	size_t n;
	struct expression_name *names; /* each once */
	size_t n_names;
	unsigned height; /* operands that wait for their operator, while it is read */
};

/* Position and cause of a syntax error. */
struct expression_error {
	size_t at; /* characters before the place */
	const char *why;
};

/*
 * "bw=64*..." has a label, "UNC_M_CAS_COUNT:RD:box=0" none: the length of what is before the =,
 * with blanks behind the label if there are some, 0 without one.
 */
size_t expression_label(const char *text);

/* Read a text without a label; false with the error.  To be freed either way. */
bool expression_read(struct expression *e, const char *text, struct expression_error *error);
void expression_free(struct expression *e);

/* Evaluate with a value for each name.  A division by 0 gives NaN or infinity. */
double expression_value(const struct expression *e, const double *values, double seconds);

#endif
