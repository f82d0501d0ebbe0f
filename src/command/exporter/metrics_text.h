/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics_text.h - the text of a scrape: OpenMetrics 1.0, or Prometheus' text format. */
#ifndef EXPORTER_METRICS_TEXT_H
#define EXPORTER_METRICS_TEXT_H

#include "command/exporter/exports.h"

enum text_format { TEXT_PROMETHEUS, TEXT_OPENMETRICS };

/*
 * The current values, to be freed.  Series of parts that are not counted are omitted.  Counts are
 * written as exact integers, microjoules as exact joules.
 */
char *metrics_text(const struct exports *e, enum text_format format, size_t *length);

#endif
