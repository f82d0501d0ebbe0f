/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.h - which request gets which answer: paths, methods, formats. */
#ifndef EXPORTER_ANSWER_H
#define EXPORTER_ANSWER_H

#include "command/exporter/metrics_text.h"

struct answer {
	unsigned status; /* of HTTP */
	const char *type;
	char *text; /* to be freed */
	size_t length;
};

/* The format that an Accept header prefers; NULL if it accepts neither.  Any text is allowed. */
enum text_format format_for(const char *accept);

/* The counters are read if metrics are asked for, and for nothing else. */
struct answer answer_to(struct exports *e, const char *method, const char *path,
			const char *accept);

#endif
