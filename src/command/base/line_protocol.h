/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_protocol.h - lines for InfluxDB: a measurement, tags, fields and a time.  The tags
 * `hostname`, `type` and `type-id` are those of ClusterCockpit.
 */
#ifndef COMMAND_LINE_PROTOCOL_H
#define COMMAND_LINE_PROTOCOL_H

#include <stdio.h>
#include <time.h>

/* ",name=value", after a measurement (put_influx()). */
void put_tag(FILE *out, const char *name, const char *value);
/* The end of a line. */
void put_time(FILE *out, const struct timespec *when);

#endif
