/* SPDX-License-Identifier: BSD-3-Clause */
/* exports.h - what the exporter counts: series, and who of them is counted at this moment. */
#ifndef EXPORTER_EXPORTS_H
#define EXPORTER_EXPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/base/basket.h"
#include "command/exporter/families.h"
#include "uncore_inspect.h"

#define SERIES_MAX    200    /* default of --max-series */
#define WINDOW_US     100000 /* multiplexing window: a switch costs hundreds of register accesses */
#define SHARE_SECONDS 60     /* as long shares change; asking for them is one more reading */
#define RETRY_SECONDS 5      /* between two looks at what is not counted */
#define GROUP_WINDOWS 4      /* at most, of a group of metrics */
#define OWN_SAMPLES   4      /* uncore_info and the exporter's own metrics */

/* Receives a message about each change. */
struct listener {
	void (*tell)(void *context, const char *text);
	void *context;
};

void tell(const struct listener *listener, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

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
	char *own_name, *own_help; /* of an event, to be freed; NULL: of a metric */
};

/* Series that are counted, or refused, together: those of a group in one package. */
struct part {
	char *labels; /* `group="memory",package="0"` */
	char *what;   /* "memory of package 0", for people */
	double share; /* fraction of the time it is counted: 1, or less if multiplexed */
	char *told;   /* why it is not counted, NULL: it is */
};

struct series {
	size_t family;
	char *labels;    /* `package="0"` */
	bool known;      /* it was read since counting began */
	double divisor;  /* of a mean: counters that its event is the sum of; else 1 */
	int64_t value;   /* counts of all runs, which never shrink; a gauge's bits */
	int64_t carried; /* counts of the runs before this one */
};

/* When a unit of the basket was started, and when its shares were asked for at last. */
struct unit_times {
	double since, shared;
};

struct exports {
	struct uncore *u;
	struct uncore_machine_info machine;
	struct listener listener;
	unsigned max_series;
	struct exported_family *families;
	struct part *parts;
	struct series *series;
	size_t n_families, n_parts, n_series;
	/* Its parts and events are those above; a unit for each package, and one of the gauges. */
	struct basket basket;
	struct unit_times *times; /* of each unit */
	unsigned windows;
	unsigned left_out; /* series, because of max_series */
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

/* Start all parts that can be counted and report the others.  Returns the number started. */
size_t exports_start(struct exports *e);

/* Read all counts; what was lost is started again. */
void exports_read(struct exports *e);

/* When it is time: whether counters were taken, and what is refused can be counted by now. */
void exports_look(struct exports *e);

/* Seconds until then. */
double exports_wait(const struct exports *e);

#endif
