/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_groups.h - the metrics (docs/metrics.md) by what one looks at together. */
#ifndef COMMAND_METRIC_GROUPS_H
#define COMMAND_METRIC_GROUPS_H

#include <stddef.h>

#include "uncore.h"

#define METRIC_GROUP_MAX 8 /* metrics of a group */

struct metric_group {
	const char *name;  /* "memory" */
	const char *title; /* "Memory bandwidth" */
	struct {
		const char *name;      /* NULL behind the last */
		const char *otherwise; /* the one for machines that have no such; NULL: none */
	} metrics[METRIC_GROUP_MAX + 1];
};

/* NULL behind the last. */
const struct metric_group *metric_group(unsigned i);
/* In any letter case; NULL: there is none. */
const struct metric_group *metric_group_named(const char *name);

/*
 * Those that this machine has, in their order, each with the qualifier ("pkg=0", NULL: none);
 * returns how many, or what is wrong with a metric that is there, as uncore_event() does.
 */
int metric_group_events(struct uncore *u, const struct metric_group *group, const char *qualifier,
			unsigned ids[METRIC_GROUP_MAX]);

#endif
