/* SPDX-License-Identifier: BSD-3-Clause */
/* line_protocol.c - see line_protocol.h. */
#include "command/base/line_protocol.h"

#include <stdint.h>
#include <string.h>

void put_measurement(FILE *out, const char *text)
{
	if (!*text)
		fputc('_', out);
	for (; *text; text++) {
		if (strchr(", =\\", *text))
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' ? '_' : *text, out);
	}
}

void put_tag(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",%s=", name);
	put_measurement(out, value);
}

void put_time(FILE *out, const struct timespec *when)
{
	fprintf(out, " %jd%09ld\n", (intmax_t)when->tv_sec, when->tv_nsec);
}
