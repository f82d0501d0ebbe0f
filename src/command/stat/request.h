/* SPDX-License-Identifier: BSD-3-Clause */
/* request.h - what `uncore stat` was asked for. */
#ifndef UNC_TOOLS_REQUEST_H
#define UNC_TOOLS_REQUEST_H

#include "command/tools.h"

/* What a word on the command line is. */
struct asked {
	const char *text;
	bool metric; /* or a group of them; otherwise an event or a formula */
};

/* Which lines an event has, unless its name says it. */
enum per { PER_MACHINE, PER_PACKAGE, PER_BOX };

struct request {
	struct asked *asked;
	size_t n;
	bool metrics; /* has metrics, which may be multiplexed without --multiplex */
	enum per per;
	long interval_ms;      /* 0: the total only */
	bool quiet;            /* intervals are drawn, and not printed */
	unsigned multiplex_us; /* 0: events have to fit */
	double duration;       /* seconds, 0: until the command ends or SIGINT */
	bool timeout;          /* ... which ends the command, too */
	unsigned repeat;       /* how many runs; 0: one, of which no mean is made */
	bool json;
	const char *separator; /* of fields of a line for each count; NULL: for people */
	const char *file;
	bool append;
	const char *svg, *heatmap; /* pictures; NULL: none */
	long pid;                  /* until this process ends; 0: none */
	char **command;            /* NULL: none */
	struct stop_after stop_after;
};

/* Read the command line; an exit status.  The caller frees asked. */
int read_request(struct request *r, int argc, char **argv, const char **machine);

/* Count one more event. */
void add_name(struct request *r, const char *name);

#endif
