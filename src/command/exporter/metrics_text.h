/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics_text.h - what a scrape is answered: OpenMetrics 1.0, or Prometheus' text format. */
#ifndef EXPORTER_METRICS_TEXT_H
#define EXPORTER_METRICS_TEXT_H

#include "command/exporter/exports.h"

enum text_format { TEXT_PROMETHEUS, TEXT_OPENMETRICS };

/*
 * All that is known at this moment, to be freed: series of parts that are not counted are left
 * out.  Counts are written as exact integers, microjoules as exact joules.
 */
char *metrics_text(const struct exports *e, enum text_format format, size_t *length);

#endif
