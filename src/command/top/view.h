/* SPDX-License-Identifier: BSD-3-Clause */
/* view.h - the current data of `uncore top`, which layout.c turns into rows of text. */
#ifndef TOP_VIEW_H
#define TOP_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "command/base/metric_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One per metric of a group, plus one for a map of the slices if no metric has one. */
#define TOP_METRICS  (METRIC_GROUP_MAX + 1)
#define TOP_SECTIONS 8

struct top_value {
	double number; /* counts per second, or a mean; NAN: unknown */
	bool estimate; /* its events are multiplexed */
	double error;  /* standard error of an estimate, relative to number; negative: unknown */
};

struct top_box {
	unsigned package, number;
	struct top_value value;
	double expected;  /* of a slice: compared with the mean slice; 0: unknown.  base/slices.h */
	unsigned port;    /* the part of a PCIe stack that is counted, plus 1; 0: the whole box */
	const char *node; /* NUMA node that it serves: "1", "hbm2"; NULL: unknown, or the package */
};

struct top_metric {
	const char *name;  /* "UNCORE_MEM_READ_BYTES" */
	const char *label; /* "read", at most 10 characters */
	const char *units;
	bool real;              /* a mean */
	const char *kind;       /* of its boxes: "imc" */
	enum top_detail detail; /* TOP_SUM: no boxes */
	struct top_value *packages;
	struct top_box *boxes; /* package by package */
	size_t n_boxes;
};

#define TOP_HISTORY 12 /* intervals */

struct top_section {
	const char *title;
	struct top_metric metrics[TOP_METRICS];
	size_t n;
	double *history; /* TOP_HISTORY last values of the first metric for each package, or NULL */
	size_t n_history; /* known ones, the newest last */
};

/* A PCIe port or stack as in struct top_box, and the names of its devices. */
struct top_stack {
	unsigned package, number, port;
	char *devices; /* "eth2, nvme0" */
};

struct top_view {
	const char *machine;
	bool simulated;
	unsigned packages;
	double seconds;   /* length of the interval */
	const char *time; /* when: "12:03:17" */
	struct top_section sections[TOP_SECTIONS];
	size_t n;
	char *used;   /* part of the memory bandwidth in use; NULL: unknown */
	char **notes; /* events that are not counted, and why */
	size_t n_notes;
	struct top_stack *stacks; /* with known devices, by package */
	size_t n_stacks;
	const char **nodes; /* the nodes of boxes, by number */
	size_t n_nodes;
};

#ifdef __cplusplus
}
#endif
#endif
