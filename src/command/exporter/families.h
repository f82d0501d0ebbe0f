/* SPDX-License-Identifier: BSD-3-Clause */
/* families.h - under which names the portable metrics (docs/metrics.md) are exported. */
#ifndef EXPORTER_FAMILIES_H
#define EXPORTER_FAMILIES_H

#include <stdbool.h>

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

struct exported {
	const char *metric; /* NULL behind the last */
	const struct family *family;
};

#define WINDOW_MAX 6

/* What has to be counted at the same time, because quotients of it are wanted. */
struct exported_window {
	struct exported metrics[WINDOW_MAX + 1];
	struct exported otherwise[WINDOW_MAX + 1]; /* where those are not, or do not fit */
};

#define GROUP_WINDOWS 4

struct exported_group {
	const char *name;
	bool asked;                                        /* exported only if asked for */
	struct exported_window windows[GROUP_WINDOWS + 1]; /* one without metrics is behind them */
};

/* NULL behind the last. */
const struct exported_group *exported_group(unsigned i);

/* The family of a metric, NULL: it has none of its own. */
const struct family *family_of_metric(const char *metric);

#endif
