/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_table.h - the metrics (docs/metrics.md) as the command shows them. */
#ifndef COMMAND_METRIC_TABLE_H
#define COMMAND_METRIC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncore.h"

#define METRIC_GROUP_MAX 16 /* metrics of a group, or of a window of the exporter */

/* Names as in events/metrics/vocabulary.def; metric_table.c describes them in this order. */
enum metric_group_id {
	GROUP_memory,
	GROUP_latency,
	GROUP_cache,
	GROUP_links,
	GROUP_pcie,
	GROUP_power,
	/* of the exporter only */
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

/* How `uncore top` shows the boxes that a metric is the sum of. */
enum top_detail {
	TOP_SUM,    /* not at all */
	TOP_NUMBER, /* a number for each */
	TOP_MAP     /* a cell of a heat map for each */
};

struct metric_window {
	enum metric_group_id group;
	uint8_t window, place; /* from 1; 0: none */
};

/* A row of the vocabulary, which explains these fields. */
struct metric_row {
	const char *name; /* "UNCORE_MEM_READ_BYTES" */
	const char *units, *text;
	bool real;                    /* a mean, or a value of the moment: no count */
	uint8_t place[METRIC_GROUPS]; /* from 1; 0: not in this group */
	struct {
		const char *label; /* NULL: no column */
		enum top_detail detail;
		bool fallback; /* only as the map of map_of */
		enum metric_group_id map_of;
	} column;
	struct {
		const char *name, *help; /* NULL: no family, or that of same_family */
		bool mean;
	} family;
	const struct metric_row *same_family;
	struct metric_window exported, otherwise;
};

/* In the order of the vocabulary; NULL after the last. */
const struct metric_row *metric_row(unsigned i);
/* Find a metric by its full name; NULL if unknown. */
const struct metric_row *metric_row_named(const char *name);

/* Those of `uncore stat -M` and `uncore top`; NULL after the last. */
const struct metric_group *metric_group(unsigned i);
/* Find a group by name, ignoring case; NULL if unknown. */
const struct metric_group *metric_group_named(const char *name);
/* Those of the exporter in its order; NULL after the last. */
const struct metric_group *exported_group(unsigned i);
/* "memory, latency, cache" of either; to be freed. */
char *metric_group_names(const struct metric_group *(*group)(unsigned));

/* The metrics of a group in their order; those with the same place are alternatives. */
size_t metric_group_rows(const struct metric_group *group,
			 const struct metric_row *rows[METRIC_GROUP_MAX]);
uint8_t metric_place(const struct metric_row *row, const struct metric_group *group);

/* The metrics of a window of the exporter, from 1, or those that are counted otherwise. */
size_t metric_window_rows(const struct metric_group *group, uint8_t window, bool otherwise,
			  const struct metric_row *rows[METRIC_GROUP_MAX]);

/*
 * The events of a group's metrics that this machine has, in their order.  Returns how many, or the
 * error of a metric that cannot be used, as uncore_event() does.
 */
int metric_group_events(struct uncore *u, const struct metric_group *group,
			unsigned ids[METRIC_GROUP_MAX]);

#endif
