/* SPDX-License-Identifier: BSD-3-Clause */
/* line_protocol.c - see line_protocol.h. */
#include "command/base/line_protocol.h"

#include <stdint.h>

#include "command/base/encode.h"

void put_tag(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",%s=", name);
	put_influx(out, value);
}

void put_time(FILE *out, const struct timespec *when)
{
	fprintf(out, " %jd%09ld\n", (intmax_t)when->tv_sec, when->tv_nsec);
}
