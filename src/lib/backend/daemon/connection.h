/* SPDX-License-Identifier: BSD-3-Clause */
/* connection.h - what the files of the access room share; nobody else includes it. */
#ifndef UNC_CONNECTION_H
#define UNC_CONNECTION_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/un.h>

#include "backend/daemon/remote.h"

struct unc_remote {
	struct unc_mutex lock; /* of whoever waits for an answer; signals are blocked meanwhile */
	int fd;                /* -1: the daemon has gone */
	atomic_int lost;       /* -errno, why; 0: it has not */
	atomic_int stopped;    /* the process that did not answer since it is stopped; 0: none */
	uint32_t connection;
	bool simulated;
	unsigned rights; /* enum unc_wire_may */
	struct sockaddr_un address;
};

struct unc_answer {
	struct unc_wire_reply head;
	char *body; /* of the caller's, with room for so many bytes */
	size_t room, got;
	int file; /* -1: none came with it */
};

struct unc_wire_request unc_request(enum unc_wire_kind kind);

/* ---- signal-safe ---- */

void unc_remote_lock(struct unc_remote *r, sigset_t *before);
void unc_remote_unlock(struct unc_remote *r, const sigset_t *before);
/*
 * Under the lock; more: what follows the head, or NULL.  0 or -errno: then nobody knows which
 * answer comes next, and the connection has ended.
 */
int unc_ask(struct unc_remote *r, struct unc_wire_request *q, void *more, struct unc_answer *a);

/* ---- others ---- */

/* A connection; *file: the recording of the daemon's machine. */
int unc_hello(struct unc_remote *r, int *file, struct unc_err *err);
/* What the answer says: 0, or an error with its sentence. */
int unc_verdict(const struct unc_answer *a, struct unc_err *err);
/* There is none. */
int unc_gone(const struct unc_remote *r, struct unc_err *err, int error);

#endif
