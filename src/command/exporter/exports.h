/* SPDX-License-Identifier: BSD-3-Clause */
/* exports.h - what the exporter counts: series, and who of them is counted at this moment. */
#ifndef EXPORTER_EXPORTS_H
#define EXPORTER_EXPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/exporter/families.h"
#include "uncore_inspect.h"

#define SERIES_MAX    200    /* unless somebody asks for more */
#define WINDOW_US     100000 /* of events that take turns: a switch costs hundreds of accesses */
#define SHARE_SECONDS 60     /* as long shares change; asking for them is one more reading */
#define RETRY_SECONDS 5      /* between two looks at what is not counted */

/* Who is told what happens: a sentence. */
struct listener {
	void (*tell)(void *context, const char *text);
	void *context;
};

struct exports_options {
	const char *groups;        /* "memory,latency", "none"; NULL: all */
	const char *const *events; /* further ones, each for all packages unless it says which */
	size_t n_events;
	unsigned max_series; /* 0: SERIES_MAX */
	unsigned window_us;  /* 0: WINDOW_US */
	struct listener listener;
};

/* A family of this machine. */
struct exported_family {
	struct family family;
	char *own_name, *own_help; /* of an event, to be freed; NULL: of families.c */
};

/* Series that are counted, or refused, together: those of a group in one package. */
struct part {
	char *labels; /* `group="memory",package="0"` */
	char *what;   /* "memory of package 0", for people */
	size_t unit;  /* in the list below */
	bool gauges;  /* values of the moment */
	bool events;  /* of an event, not of metrics */
	bool up;      /* it is counted now */
	double share; /* of the time in which it is counted: 1, less if events take turns */
	int code;     /* of the library, why it is not; 0: it is */
	char *reason; /* why it is not, or was not at last; NULL: it always was */
};

struct series {
	unsigned id;
	size_t family, part; /* in the lists below */
	unsigned window;     /* as in uncore_set_assign_groups() */
	char *labels;        /* `package="0"` */
	bool known;          /* it was read since counting began */
	double divisor;      /* of a mean: counters that its event is the sum of; else 1 */
	int64_t value;       /* counts of all runs, which never shrink; a gauge's bits */
	int64_t carried;     /* counts of the runs before this one */
};

/* Series in a set. */
struct counting {
	struct uncore_set *set; /* NULL: nothing is counted */
	size_t *series;         /* of each value of the set */
	size_t n;
	int64_t *values;
	struct uncore_times *times;
	bool in_turns;
	double since, shared; /* when it was started, and when shares were asked for at last */
};

/*
 * What is started and stopped together: the counters of a package, or all gauges.  Packages have no
 * boxes in common, so none is in the way of another one.
 */
struct unit {
	bool apart; /* events have a set of their own, since one set cannot hold all */
	struct counting events, others;
};

struct exports {
	struct uncore *u;
	struct uncore_machine_info machine;
	struct listener listener;
	unsigned window_us, max_series;
	struct exported_family *families;
	struct part *parts;
	struct series *series;
	size_t n_families, n_parts, n_series;
	unsigned windows;
	unsigned left_out;  /* series, because of max_series */
	struct unit *units; /* one for each package, and that of the gauges */
	size_t n_units;
	uint64_t failed_reads, restarts;
	double read_seconds; /* that the last reading took */
	double next_look;    /* by CLOCK_MONOTONIC */
	unsigned warned;     /* warnings of the library that were told */
};

/*
 * Choose what is exported; nothing counts yet.  0; 1, after a sentence to the listener: a group
 * that is none, an event that is a mean; or why a name is none (uncore_errmsg()).
 */
int exports_open(struct exports **out, struct uncore *u, const struct exports_options *options);
void exports_close(struct exports *e);

/* Samples that a scrape has if all of them are counted. */
size_t exports_samples(const struct exports *e);

/* Count all that can be counted; the listener is told what cannot.  Returns how many parts do. */
size_t exports_start(struct exports *e);

/* Read all counts; what was lost is started again. */
void exports_read(struct exports *e);

/* When it is time: whether counters were taken, and what is refused can be counted by now. */
void exports_look(struct exports *e);

/* Seconds until then. */
double exports_wait(const struct exports *e);

#endif
