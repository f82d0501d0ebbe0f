/* SPDX-License-Identifier: BSD-3-Clause */
/* wanted.h - the events that `uncore stat` counts, and the rows it shows. */
#ifndef UNC_TOOLS_WANTED_H
#define UNC_TOOLS_WANTED_H

#include "command/base/basket.h"
#include "command/base/expression.h"
#include "request.h"

struct operand {
	unsigned event; /* index into the counted events */
	bool real;
};

/* "bw=64*UNC_M_CAS_COUNT.RD/seconds" */
struct formula {
	char *label;
	const char *text; /* after the label */
	struct expression expression;
	struct operand *operands; /* of its names */
};

/* The rows of the boxes or packages of one event, which tables summarize. */
struct system {
	char *name; /* without a single box or package */
	size_t *rows, n;
	const char *sum; /* what their sum is called; NULL: none is shown */
	bool spread;     /* boxes: least, mean and most */
};

/* A row of the output. */
struct row {
	const char *name;
	char *label;         /* label in tables, with the summed packages; NULL: the name */
	char *devices;       /* "eth2, nvme0" whose traffic it is; NULL: unknown, or none */
	char node[24];       /* name of the NUMA node; "": not by node */
	uint64_t counters;   /* added up unchanged; 0: unknown, scaled, or not a sum */
	double rate_divisor; /* of struct uncore_sum */
	char units[16];
	bool real;
	unsigned event;          /* index into the counted events */
	struct formula *formula; /* formula of several events; NULL: the event itself */
	/* of an event with a known error; NULL: none is known */
	struct uncore_event_info *erratum;
	struct system *system; /* summarized in tables below this row; NULL: none */
};

struct wanted {
	struct basket basket; /* each event once */
	struct row *rows;
	size_t n_rows;
	struct stop_after stop_after; /* by index into the basket */
	unsigned multiplex_us;        /* 0: all events must fit */
	bool unasked;                 /* multiplexing without --multiplex: metrics do not fit */
	bool widened;                 /* windows are longer than usual: the computer is busy */
};

/* The name of a row in tables. */
const char *row_label(const struct row *row);

/* Returns an exit status, after a message.  Free it also after a failure, before the handle. */
int find_wanted(struct uncore *u, const struct request *r, struct wanted *w);
void free_wanted(struct wanted *w);

#endif
