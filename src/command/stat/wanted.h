/* SPDX-License-Identifier: BSD-3-Clause */
/* wanted.h - what `uncore stat` counts, and what it shows of it. */
#ifndef UNC_TOOLS_WANTED_H
#define UNC_TOOLS_WANTED_H

#include "command/base/basket.h"
#include "command/base/expression.h"
#include "request.h"

struct operand {
	unsigned event; /* in the list of what is counted */
	bool real;
};

/* "bw=64*UNC_M_CAS_COUNT.RD/seconds" */
struct formula {
	char *label;
	const char *text; /* behind the label */
	struct expression expression;
	struct operand *operands; /* of its names */
};

/* The sum of the rows of all packages. */
struct system {
	char *label;
	size_t *rows, n;
};

/* What a line of the output is about. */
struct row {
	const char *name;
	char *label;         /* for people: with the packages that are summed; NULL: the name */
	double counters;     /* whose counts are summed; 0: unknown, or not a sum */
	double rate_divisor; /* of struct uncore_sum */
	char units[16];
	bool real;
	unsigned event;          /* in the list of what is counted */
	struct formula *formula; /* of several; NULL: the event */
	struct system *system;   /* shown in tables below this row; NULL: no sum */
};

struct wanted {
	struct basket basket; /* each event once */
	struct row *rows;
	size_t n_rows;
	struct stop_after stop_after; /* by their places in the basket */
	unsigned multiplex_us;        /* 0: all fit, or have to */
	bool unasked;                 /* multiplexing without --multiplex: metrics do not fit */
};

/* How a row is called where it is not read by programs. */
const char *row_label(const struct row *row);

/* An exit status, after a message; to be freed either way, before the handle. */
int find_wanted(struct uncore *u, const struct request *r, struct wanted *w);
void free_wanted(struct wanted *w);

#endif
