/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * microhttpd.h - libmicrohttpd, which is opened when the exporter starts: it needs GnuTLS and eight
 * more libraries, which take longer to load than most commands to run.
 */
#ifndef EXPORTER_MICROHTTPD_H
#define EXPORTER_MICROHTTPD_H

#include <microhttpd.h>

#define MICROHTTPD_FUNCTIONS(X)            \
	X(MHD_add_response_header)         \
	X(MHD_create_response_from_buffer) \
	X(MHD_destroy_response)            \
	X(MHD_get_connection_info)         \
	X(MHD_get_daemon_info)             \
	X(MHD_get_timeout)                 \
	X(MHD_lookup_connection_value)     \
	X(MHD_queue_response)              \
	X(MHD_run)                         \
	X(MHD_start_daemon)                \
	X(MHD_stop_daemon)

struct microhttpd {
#define POINTER_TO(function) __typeof__(function) *to_##function;
	MICROHTTPD_FUNCTIONS(POINTER_TO)
#undef POINTER_TO
};

/* NULL after success; else the reason, for a message. */
const char *microhttpd_open(struct microhttpd *library);

#endif
