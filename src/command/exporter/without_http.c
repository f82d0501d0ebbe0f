/* SPDX-License-Identifier: BSD-3-Clause */
/* without_http.c - http.h where the command is built without libmicrohttpd. */
#include <stddef.h>

#include "command/base/text.h"
#include "command/exporter/http.h"

char *http_missing(void)
{
	return text_of("uncore was built without libmicrohttpd; install libmicrohttpd-dev, then "
		       "run ./configure and make again");
}

struct http *http_open(int listening, struct exports *e)
{
	(void)listening;
	(void)e;
	return NULL;
}

void http_close(struct http *h)
{
	(void)h;
}

int http_descriptor(const struct http *h)
{
	(void)h;
	return -1;
}

double http_wait(const struct http *h)
{
	(void)h;
	return -1;
}

void http_run(struct http *h)
{
	(void)h;
}
