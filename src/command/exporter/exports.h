/* SPDX-License-Identifier: BSD-3-Clause */
/* exports.h - the exported series, and whether each is currently counted. */
#ifndef EXPORTER_EXPORTS_H
#define EXPORTER_EXPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/base/basket.h"
#include "command/base/devices.h"
#include "command/base/node_labels.h"
#include "command/exporter/families.h"
#include "uncore_inspect.h"

#define SERIES_MAX    200    /* default of --max-series */
#define WINDOW_US     100000 /* shortest multiplexing window unless --window is given */
#define ACCESSES      500    /* of registers, a second, that switching windows may take */
#define SHARE_SECONDS 60     /* shares are updated for this long; each update costs a read */
#define RETRY_SECONDS 5      /* between two retries of refused parts */
#define GROUP_WINDOWS 4      /* maximum for a group of metrics */
#define OWN_SAMPLES   4      /* uncore_info and the exporter's own metrics */

/* Receives a message about each change. */
struct listener {
	void (*report)(void *context, const char *text);
	void *context;
};

void report_message(const struct listener *listener, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct exports_options {
	const char *groups; /* "memory,latency", "none"; NULL: all */
	/* additional events, for all packages unless the name selects one */
	const char *const *events;
	size_t n_events;
	unsigned max_series; /* 0: SERIES_MAX */
	unsigned window_us;  /* 0: WINDOW_US or longer, for ACCESSES */
	struct listener listener;
};

/* A family of this machine. */
struct exported_family {
	struct family family;
	char *own_name, *own_help; /* for an event, to be freed; NULL: for a metric */
};

/* Series that are counted or refused together: a group in one package. */
struct part {
	char *labels;          /* `group="memory",package="0"` */
	char *what;            /* "memory of package 0", for people */
	double share;          /* fraction of the time it is counted: 1, or less if multiplexed */
	char *reported_reason; /* last reported reason why it is not counted; NULL: counted */
};

struct series {
	size_t family;
	char *labels;    /* `package="0"` */
	bool known;      /* read at least once after its first window */
	double divisor;  /* of a mean: number of counters its event sums up; else 1 */
	int64_t value;   /* monotonic count over all runs, or the bits of a gauge */
	int64_t carried; /* counts of the runs before this one */
};

/* When a unit of the basket was started, and when its shares were last updated. */
struct unit_times {
	double since, shared;
};

struct owners_export;

struct exports {
	struct uncore *u;
	struct uncore_machine_info machine;
	struct listener listener;
	unsigned max_series;
	struct exported_family *families;
	struct part *parts;
	struct series *series;
	size_t n_families, n_parts, n_series;
	/* Has the parts and events above; one unit per package and one for the gauges. */
	struct basket basket;
	struct unit_times *times; /* of each unit */
	unsigned windows;
	unsigned left_out; /* series dropped because of max_series */
	uint64_t failed_reads, restarts;
	double read_seconds;          /* duration of the last read */
	double next_look;             /* by CLOCK_MONOTONIC */
	unsigned warned;              /* number of library warnings reported */
	struct owners_export *owners; /* traffic by owner; NULL: not exported */
	struct device_labels devices; /* at the beginning */
	struct node_labels nodes;     /* the same */
};

/*
 * Choose the exported series without counting yet.  Returns 0; 1 after a message to the listener:
 * unknown group, or event that is a mean; or the library's error for a name (uncore_errmsg()).
 */
int exports_open(struct exports **out, struct uncore *u, const struct exports_options *options);
void exports_close(struct exports *e);

/* Number of samples in a scrape if all parts are counted. */
size_t exports_samples(const struct exports *e);

/* Start all parts that can be counted and report the others.  Returns the number started. */
size_t exports_start(struct exports *e);

/* Read all counts; restart units whose counters were lost. */
void exports_read(struct exports *e);

/* Whether series i has a value to export: it is counted, and not an unknown mean. */
bool exports_is_shown(const struct exports *e, size_t i);

/* Periodically check whether counters were taken, and retry refused parts. */
void exports_look(struct exports *e);

/* Seconds until the next check. */
double exports_wait(const struct exports *e);

#endif
