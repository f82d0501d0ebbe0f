/* SPDX-License-Identifier: BSD-3-Clause */
/* request.h - the options of `uncore stat`. */
#ifndef UNC_TOOLS_REQUEST_H
#define UNC_TOOLS_REQUEST_H

#include "command/tools.h"

/* An event, formula, metric or metric group on the command line. */
struct asked {
	const char *text;
	bool metric;     /* metric or metric group; otherwise an event or a formula */
	unsigned braces; /* {A,B}: events with the same number share their windows; 0: none */
};

/* The rows of an event whose name does not select them. */
enum per { PER_MACHINE, PER_PACKAGE, PER_NODE, PER_CHANNEL, PER_BOX };

/* A table; the fields of perf stat; a column for each row; a line for each row; InfluxDB. */
enum layout { LAYOUT_TABLE, LAYOUT_PERF, LAYOUT_CSV, LAYOUT_LONG, LAYOUT_INFLUX };

/* Pictures of the counts, and how they look. */
struct pictures {
	const char *svg, *heatmap; /* files; NULL: none */
	bool lines;                /* --svg draws lines, however many they are */
	const char *title;
	const char **labels; /* of the rows, in order */
	size_t n_labels;
	double width_mm;
	bool caption;
	char *made; /* where, when and by which command line; owned */
};

struct request {
	struct asked *asked;
	size_t n;
	unsigned braces; /* pairs of braces so far */
	bool defaults;   /* the default answer: nothing was chosen */
	bool metrics;    /* has metrics, which may be multiplexed without --multiplex */
	enum per per;
	long interval_ms;      /* 0: the total only */
	bool quiet;            /* intervals are drawn but not printed */
	bool multiplex;        /* also events that are not metrics */
	unsigned multiplex_us; /* 0: chosen by the load of the computer */
	double duration;       /* seconds, 0: until the command ends or SIGINT */
	bool timeout;          /* ... which also ends the command */
	unsigned repeat;       /* number of runs; 0: one run without means */
	bool json;
	enum layout layout;
	const char *separator;      /* between fields; NULL: a table */
	const struct emitter *form; /* of the counts, by these three */
	const char *file;
	bool append;
	struct pictures pictures;
	long pid;         /* until this process ends; 0: none */
	char **command;   /* NULL: none */
	bool roofline[2]; /* count operations in double, single precision: enum precision */
	bool share;       /* also count the part of the command */
	struct stop_after stop_after;
};

extern const struct unc_option stat_options[];

/* Whether operations of the command are counted, too. */
static inline bool wants_roofline(const struct request *r)
{
	return r->roofline[0] || r->roofline[1];
}

/* Read the command line; an exit status.  The caller frees asked. */
int read_request(struct request *r, int argc, char **argv, const char **machine);

/* Count one more event, formula, metric or group. */
void add_asked(struct request *r, struct asked asked);

/*
 * defaults.c: metrics of memory, links, PCIe, frequency and power, as far as they can be counted
 * here, or else events of the CPUs.  An exit status, after a message.
 */
#define DEFAULTS_MOST 16
int find_defaults(struct uncore *u, struct asked list[DEFAULTS_MOST], size_t *n);

#endif
