/* SPDX-License-Identifier: BSD-3-Clause */
/* http.h - serve scrapes over HTTP in the calling thread (libmicrohttpd). */
#ifndef EXPORTER_HTTP_H
#define EXPORTER_HTTP_H

#include <stdbool.h>

#include "command/exporter/answer.h"

/*
 * Limits for clients: connections, connections from one address, bytes of a request's head, and
 * seconds from the connection to the end of the answer.
 */
#define HTTP_CONNECTIONS 64
#define HTTP_OF_ADDRESS  32
#define HTTP_MEMORY      16384
#define HTTP_SECONDS     5

struct http;

/* Why it cannot serve, for a message, to be freed; NULL: it can. */
char *http_missing(void);

/* Serve on a listening socket, which is closed at the end; NULL: failed. */
struct http *http_open(int listening, struct exports *e);
void http_close(struct http *h);

/* The descriptor to poll for reading; seconds until http_run() must be called, negative: never. */
int http_descriptor(const struct http *h);
double http_wait(const struct http *h);

/* Answer pending requests without waiting. */
void http_run(struct http *h);

#endif
