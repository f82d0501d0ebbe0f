/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics_text.h - the text of a scrape: OpenMetrics 1.0, Prometheus' text format, or InfluxDB's.
 */
#ifndef EXPORTER_METRICS_TEXT_H
#define EXPORTER_METRICS_TEXT_H

#include "command/exporter/exports.h"

enum text_format { TEXT_PROMETHEUS, TEXT_OPENMETRICS };

/*
 * The current values, to be freed.  Series of parts that are not counted are omitted.  Counts are
 * written as exact integers, microjoules as exact joules.
 */
char *metrics_text(const struct exports *e, enum text_format format, size_t *length);
/*
 * The same series in the line protocol of InfluxDB, with the name of the family as measurement, the
 * package as `type` and `type-id`, and one field, `value`.
 */
char *influx_text(const struct exports *e, size_t *length);

#endif
