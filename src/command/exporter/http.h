/* SPDX-License-Identifier: BSD-3-Clause */
/* http.h - scrapes by HTTP, in the thread that calls (libmicrohttpd). */
#ifndef EXPORTER_HTTP_H
#define EXPORTER_HTTP_H

#include <stdbool.h>

#include "command/exporter/answer.h"

/*
 * What clients may cause: so many connections, so many from one address, bytes of one request's
 * head, seconds from the connection to the end of the answer.
 */
#define HTTP_CONNECTIONS 64
#define HTTP_OF_ADDRESS  32
#define HTTP_MEMORY      16384
#define HTTP_SECONDS     5

struct http;

/* Was the command built with libmicrohttpd? */
bool http_is_here(void);

/* Answer at a listening socket, which this closes in the end; NULL: not possible. */
struct http *http_open(int listening, struct exports *e);
void http_close(struct http *h);

/* To be polled for reading; seconds until http_run() is to be called anyway, negative: never. */
int http_descriptor(const struct http *h);
double http_wait(const struct http *h);

/* Answer pending requests without waiting. */
void http_run(struct http *h);

#endif
