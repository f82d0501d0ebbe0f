/* SPDX-License-Identifier: BSD-3-Clause */
/* families.h - under which names the portable metrics (docs/metrics.md) are exported. */
#ifndef EXPORTER_FAMILIES_H
#define EXPORTER_FAMILIES_H

#include "command/base/metric_table.h"

enum family_kind { FAMILY_COUNTER, FAMILY_GAUGE, FAMILY_INFO };

/* What OpenMetrics calls a metric family: samples under one name, with different labels. */
struct family {
	const char *name; /* without "_total" and "_info" */
	const char *unit; /* that name ends with, NULL: none */
	const char *help;
	enum family_kind kind;
	int exponent; /* a value is what the library counts, times 10 to that: 0, -6 or 6 */
	bool mean;    /* of the counters that the metric is the sum of: the cycles of one clock */
};

/* The family of a metric; false: it has none of its own. */
bool family_of_row(const struct metric_row *row, struct family *family);
bool family_of_metric(const char *metric, struct family *family);

#endif
