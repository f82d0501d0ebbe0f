/* SPDX-License-Identifier: BSD-3-Clause */
/* listen.h - the listening socket for scrapes. */
#ifndef EXPORTER_LISTEN_H
#define EXPORTER_LISTEN_H

#include <stdbool.h>

/*
 * Prometheus' list of default ports gives those from 9090 to 9999 to exporters; this one is in
 * none of its ranges, and below those that kernels choose by themselves.
 */
#define LISTEN_DEFAULT "127.0.0.1:19836"

/* "ADDRESS:PORT", "[::1]:PORT", ":PORT" (all addresses of the machine). */
bool listen_is_place(const char *where);
/*
 * Listen on an address.  Returns a socket and its actual address ("127.0.0.1:19836"; port 0
 * selects a free port), or -1 and a message; *text is to be freed.
 */
int listen_at(const char *where, char **text);

#endif
