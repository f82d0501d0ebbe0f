/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.h - answers to HTTP requests: paths, methods, formats. */
#ifndef EXPORTER_ANSWER_H
#define EXPORTER_ANSWER_H

#include "command/exporter/metrics_text.h"

struct answer {
	unsigned status; /* HTTP status code */
	const char *type;
	char *text; /* to be freed */
	size_t length;
};

/* The format that an Accept header prefers; NULL if it accepts neither.  Any text is allowed. */
enum text_format format_for(const char *accept);

/* Reads the counters only if metrics are requested. */
struct answer answer_to(struct exports *e, const char *method, const char *path,
			const char *accept);

#endif
