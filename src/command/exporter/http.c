/* SPDX-License-Identifier: BSD-3-Clause */
/* http.c - see http.h. */
#include "command/exporter/http.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "command/base/clock.h"
#include "command/base/text.h"
#include "command/exporter/microhttpd.h"

struct connection {
	int socket; /* -1: free */
	double end; /* by CLOCK_MONOTONIC */
};

struct http {
	struct microhttpd mhd;
	struct MHD_Daemon *daemon;
	struct exports *exports;
	struct connection connections[HTTP_CONNECTIONS];
};

/* ---- connections, each with its time ---- */

static void begin_connection(struct http *h, struct MHD_Connection *connection, void **own)
{
	const union MHD_ConnectionInfo *info =
		h->mhd.to_MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	for (size_t i = 0; info && i < HTTP_CONNECTIONS; i++)
		if (h->connections[i].socket < 0) {
			h->connections[i] = (struct connection){
				.socket = info->connect_fd, .end = seconds_now() + HTTP_SECONDS};
			*own = &h->connections[i];
			return;
		}
}

static void note_connection(void *context, struct MHD_Connection *connection, void **own,
			    enum MHD_ConnectionNotificationCode what)
{
	struct connection *c = *own;

	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		begin_connection(context, connection, own);
	else if (c)
		c->socket = -1;
}

/* libmicrohttpd restarts its timeout with each byte, and a client may send bytes one by one. */
static void end_late_ones(struct http *h)
{
	for (size_t i = 0; i < HTTP_CONNECTIONS; i++) {
		struct connection *c = &h->connections[i];

		if (c->socket >= 0 && seconds_now() >= c->end) {
			shutdown(c->socket, SHUT_RDWR);
			c->end = INFINITY;
		}
	}
}

/* ---- requests ---- */

static enum MHD_Result send_answer(const struct http *h, struct MHD_Connection *connection,
				   struct answer *a)
{
	struct MHD_Response *r = h->mhd.to_MHD_create_response_from_buffer(a->length, a->text,
									   MHD_RESPMEM_MUST_FREE);
	enum MHD_Result result;

	if (!r) {
		free(a->text);
		return MHD_NO;
	}
	h->mhd.to_MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, a->type);
	h->mhd.to_MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
	h->mhd.to_MHD_add_response_header(r, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT);
	if (a->status == MHD_HTTP_METHOD_NOT_ALLOWED)
		h->mhd.to_MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	result = h->mhd.to_MHD_queue_response(connection, a->status, r);
	h->mhd.to_MHD_destroy_response(r);
	return result;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
			      const char *method, const char *version, const char *data,
			      size_t *data_size, void **own)
{
	struct http *h = context;
	struct answer a;

	(void)version;
	(void)data;
	if (!*own && *data_size == 0) { /* the head was received; answer after the whole request */
		*own = h;
		return MHD_YES;
	}
	if (*data_size) {
		*data_size = 0; /* ignore the body */
		return MHD_YES;
	}
	a = answer_to(h->exports, method, path,
		      h->mhd.to_MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
							    MHD_HTTP_HEADER_ACCEPT));
	return send_answer(h, connection, &a);
}

/* ---- the server ---- */

char *http_missing(void)
{
	struct microhttpd mhd;
	const char *why = microhttpd_open(&mhd);

	return why ? text_of("%s; install libmicrohttpd", why) : NULL;
}

struct http *http_open(int listening, struct exports *e)
{
	struct http *h = need_memory(1, sizeof(*h));

	h->exports = e;
	for (size_t i = 0; i < HTTP_CONNECTIONS; i++)
		h->connections[i].socket = -1;
	if (!microhttpd_open(&h->mhd))
		h->daemon = h->mhd.to_MHD_start_daemon(
			MHD_USE_EPOLL, 0, NULL, NULL, handle, h, MHD_OPTION_LISTEN_SOCKET,
			listening, MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_CONNECTIONS,
			MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)HTTP_OF_ADDRESS,
			MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)HTTP_SECONDS,
			MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HTTP_MEMORY,
			MHD_OPTION_NOTIFY_CONNECTION, note_connection, h, MHD_OPTION_END);
	if (h->daemon)
		return h;
	close(listening);
	free(h);
	return NULL;
}

void http_close(struct http *h)
{
	if (!h)
		return;
	h->mhd.to_MHD_stop_daemon(h->daemon);
	free(h);
}

int http_descriptor(const struct http *h)
{
	const union MHD_DaemonInfo *info =
		h->mhd.to_MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD);

	return info ? info->epoll_fd : -1;
}

double http_wait(const struct http *h)
{
	MHD_UNSIGNED_LONG_LONG ms;
	double wait =
		h->mhd.to_MHD_get_timeout(h->daemon, &ms) == MHD_YES ? (double)ms / 1e3 : INFINITY;

	for (size_t i = 0; i < HTTP_CONNECTIONS; i++)
		if (h->connections[i].socket >= 0)
			wait = fmin(wait, fmax(h->connections[i].end - seconds_now(), 0));
	return isinf(wait) ? -1 : wait;
}

void http_run(struct http *h)
{
	end_late_ones(h);
	h->mhd.to_MHD_run(h->daemon);
}
