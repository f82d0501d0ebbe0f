/* SPDX-License-Identifier: BSD-3-Clause */
/* families.h - the names of exported portable metrics (docs/metrics.md). */
#ifndef EXPORTER_FAMILIES_H
#define EXPORTER_FAMILIES_H

#include "command/base/metric_table.h"

enum family_kind { FAMILY_COUNTER, FAMILY_GAUGE, FAMILY_INFO };

/* A metric family of OpenMetrics: samples under one name, with different labels. */
struct family {
	const char *name; /* without "_total" and "_info" */
	const char *unit; /* suffix of the name, NULL: none */
	const char *help;
	enum family_kind kind;
	int exponent; /* value = the library's count times 10^exponent: 0, -6 or 6 */
	bool mean;    /* the mean of the counters that the metric sums up: cycles of one clock */
};

/* The family of a metric; false: the metric has no separate family. */
bool family_of_row(const struct metric_row *row, struct family *family);
bool family_of_metric(const char *metric, struct family *family);

#endif
