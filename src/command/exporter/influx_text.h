/* SPDX-License-Identifier: BSD-3-Clause */
/* influx_text.h - the exported series in the line protocol of InfluxDB. */
#ifndef EXPORTER_INFLUX_TEXT_H
#define EXPORTER_INFLUX_TEXT_H

#include "command/exporter/exports.h"

/*
 * The current values, to be freed: the same series as in metrics_text.h, with the name of the
 * family as measurement, the package as `type` and `type-id`, and one field, `value`.
 */
char *influx_text(const struct exports *e, size_t *length);

#endif
