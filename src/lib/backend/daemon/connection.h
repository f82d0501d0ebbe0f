/* SPDX-License-Identifier: BSD-3-Clause */
/* connection.h - internal interface of the files in this folder. */
#ifndef UNC_CONNECTION_H
#define UNC_CONNECTION_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/un.h>

#include "backend/daemon/remote.h"

struct unc_remote {
	struct unc_mutex lock; /* held until the answer has come; signals are blocked meanwhile */
	int fd;                /* -1: the connection has ended */
	atomic_int lost;       /* -errno that ended it, or 0 */
	atomic_int stopped; /* pid of a daemon that does not answer because it is stopped, or 0 */
	uint32_t connection;
	bool simulated;
	unsigned rights; /* enum unc_wire_may */
	struct sockaddr_un address;
};

struct unc_reply {
	struct unc_wire_reply head;
	char *body; /* memory of the caller, with that many bytes */
	size_t room, got;
	int file; /* -1: no file was received */
};

struct unc_wire_request unc_request(enum unc_wire_kind kind);

/* ---- signal-safe ---- */

void unc_remote_lock(struct unc_remote *r, sigset_t *before);
void unc_remote_unlock(struct unc_remote *r, const sigset_t *before);
/*
 * Under the lock; more: the data after the head, or NULL. 0 or -errno.  After an error, answers
 * can no longer be matched to requests, and the connection is closed.
 */
int unc_ask(struct unc_remote *r, struct unc_wire_request *q, void *more, struct unc_reply *a);

/* ---- hello, results ---- */

/* Open a connection; *file: the recording of the daemon's machine. */
int unc_hello(struct unc_remote *r, int *file, struct unc_err *err);
/* The result of an answer: 0, or an error with its message. */
int unc_verdict(const struct unc_reply *a, struct unc_err *err);
/* No connection. */
int unc_gone(const struct unc_remote *r, struct unc_err *err, int error);

#endif
