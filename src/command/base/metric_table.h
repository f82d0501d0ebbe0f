/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_table.h - the metrics (docs/metrics.md) as the command shows them. */
#ifndef COMMAND_METRIC_TABLE_H
#define COMMAND_METRIC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncore.h"

#define METRIC_GROUP_MAX 16 /* metrics of a group, or of a window of the exporter */

/* Named as in events/metrics/vocabulary.def, in the order of the table in metric_table.c. */
enum metric_group_id {
	GROUP_memory,
	GROUP_latency,
	GROUP_cache,
	GROUP_links,
	GROUP_pcie,
	GROUP_power,
	/* used by the exporter only */
	GROUP_dram,
	GROUP_energy,
	GROUP_frequency,
	METRIC_GROUPS
};

struct metric_group {
	const char *name;  /* "memory" */
	const char *title; /* "Memory bandwidth"; NULL: a group of the exporter only */
	unsigned exported; /* its position among the exporter's groups, from 1 */
	bool on_request;   /* exported only if --group names it */
};

/* How `uncore top` shows the boxes that a metric sums up. */
enum top_detail {
	TOP_SUM,    /* only the sum */
	TOP_NUMBER, /* a number per box */
	TOP_MAP     /* a heat map cell per box */
};

struct metric_window {
	enum metric_group_id group;
	uint8_t window, place; /* from 1; 0: none */
};

/* A row of the vocabulary, which explains these fields. */
struct metric_row {
	const char *name; /* "UNCORE_MEM_READ_BYTES" */
	const char *units, *text;
	bool real;                    /* a mean or a current value, not a count */
	uint8_t place[METRIC_GROUPS]; /* from 1; 0: not in this group */
	struct {
		const char *label; /* NULL: no column */
		enum top_detail detail;
		bool fallback; /* shown only as the map of map_of */
		enum metric_group_id map_of;
	} column;
	struct {
		const char *name, *help; /* NULL: no family, or the family of same_family */
		bool mean;
	} family;
	const struct metric_row *same_family;
	struct metric_window exported, otherwise;
};

/* In the order of the vocabulary; NULL after the last. */
const struct metric_row *metric_row(unsigned i);
/* Find a metric by its full name; NULL if unknown. */
const struct metric_row *metric_row_named(const char *name);

/* The groups of `uncore stat -M` and `uncore top`; NULL after the last. */
const struct metric_group *metric_group(unsigned i);
/* Find a group by name, ignoring case; NULL if unknown. */
const struct metric_group *metric_group_named(const char *name);
/* The exporter's groups in its order; NULL after the last. */
const struct metric_group *exported_group(unsigned i);
/* "memory, latency, cache" for either list; to be freed. */
char *metric_group_names(const struct metric_group *(*group)(unsigned));

/* The metrics of a group in order; metrics with the same place are alternatives. */
size_t metric_group_rows(const struct metric_group *group,
			 const struct metric_row *rows[METRIC_GROUP_MAX]);
uint8_t metric_place(const struct metric_row *row, const struct metric_group *group);

/* The metrics of an exporter window, numbered from 1, or of its alternative (otherwise). */
size_t metric_window_rows(const struct metric_group *group, uint8_t window, bool otherwise,
			  const struct metric_row *rows[METRIC_GROUP_MAX]);

/*
 * The events of a group's metrics that this machine has, in order.  Returns their number, or the
 * error of uncore_event() for a metric that cannot be used.
 */
int metric_group_events(struct uncore *u, const struct metric_group *group,
			unsigned ids[METRIC_GROUP_MAX]);

#endif
