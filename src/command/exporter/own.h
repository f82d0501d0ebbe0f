/* SPDX-License-Identifier: BSD-3-Clause */
/* own.h - what the files of the exporter's model share. */
#ifndef EXPORTER_OWN_H
#define EXPORTER_OWN_H

#include "command/exporter/exports.h"

/* uncore_info and what the exporter tells of itself; see metrics_text.c. */
#define OWN_SAMPLES 4

void tell(const struct listener *listener, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Give all registers back. */
void exports_stop(struct exports *e);

#endif
