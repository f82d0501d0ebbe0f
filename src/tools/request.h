/* SPDX-License-Identifier: BSD-3-Clause */
/* request.h - what `uncore stat` was asked for. */
#ifndef UNC_TOOLS_REQUEST_H
#define UNC_TOOLS_REQUEST_H

#include "tools.h"

struct request {
	const char **names; /* events */
	size_t n;
	long interval_ms;      /* 0: the total only */
	unsigned multiplex_us; /* 0: events have to fit */
	double duration;       /* seconds, 0: until the command ends or SIGINT */
	bool json;
	const char *separator; /* of fields of a line for each count; NULL: for people */
	const char *file;
	bool append;
	long pid;       /* until this process ends; 0: none */
	char **command; /* NULL: none */
	struct stop_after stop_after;
};

/* Read the command line; an exit status.  The names are to be freed. */
int read_request(struct request *r, int argc, char **argv, const char **machine);

/* The events of its names: one for each box, or package, where these are to be told apart. */
struct counted {
	unsigned *ids;
	size_t n;
	struct stop_after stop_after; /* by their places in here */
};

/* An exit status, after a message; the ids are to be freed. */
int find_counted(struct uncore *u, const struct request *r, struct counted *c);

/* Count one more event. */
void add_name(struct request *r, const char *name);

#endif
