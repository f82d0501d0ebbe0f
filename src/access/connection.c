/* SPDX-License-Identifier: BSD-3-Clause */
/* connection.c - a connection to uncored: one request, one answer. */
#include "access/connection.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "access/wire.h"

#define PATIENCE_S 20 /* then a daemon that does not answer has gone */

/* ---- one request, one answer; under lock ---- */

static void hang_up(struct unc_remote *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

static void take_file(struct msghdr *message, int *file)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(message);

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(*file)))
		memcpy(file, CMSG_DATA(c), sizeof(*file));
}

/* Of a call that has waited as long as it may. */
static int failure(void)
{
	return errno == EAGAIN ? -ETIMEDOUT : -errno;
}

static int receive(int fd, struct unc_answer *a)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec parts[] = {{&a->head, sizeof(a->head)}, {a->body, a->room}};
	struct msghdr message = {.msg_iov = parts,
				 .msg_iovlen = 2,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	const ssize_t n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);

	a->file = -1;
	if (n <= 0)
		return n < 0 ? failure() : -EPIPE;
	take_file(&message, &a->file);
	if ((size_t)n < sizeof(a->head) || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ||
	    a->head.version != UNC_WIRE_VERSION)
		return -EPROTO;
	a->got = (size_t)n - sizeof(a->head);
	return 0;
}

int unc_ask(struct unc_remote *r, struct unc_wire_request *q, void *more, struct unc_answer *a)
{
	struct iovec parts[] = {{q, sizeof(*q)}, {more, more ? q->bytes : 0}};
	const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	int code = r->fd < 0 ? -ENOTCONN : 0;

	if (code == 0 && sendmsg(r->fd, &message, MSG_NOSIGNAL) < 0)
		code = failure();
	if (code == 0)
		code = receive(r->fd, a);
	if (code == -EPIPE || code == -ECONNRESET) /* it may have said why before it closed */
		code = receive(r->fd, a);
	if (code == 0 && a->head.kind != q->kind)
		code = -EPROTO;
	if (code < 0)
		hang_up(r);
	return code;
}

struct unc_wire_request unc_request(enum unc_wire_kind kind)
{
	return (struct unc_wire_request){.version = UNC_WIRE_VERSION, .kind = (uint16_t)kind};
}

/* ---- connections ---- */

static int dial(const struct sockaddr_un *address)
{
	const struct timeval patience = {.tv_sec = PATIENCE_S};
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int error;

	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0 &&
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) == 0 &&
	    connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
		return fd;
	error = -errno;
	close(fd);
	return error;
}

static int no_daemon(const struct unc_remote *r, struct unc_err *err, int error)
{
	const char *path = r->address.sun_path;

	if (error == -EACCES || error == -EPERM)
		return unc_fail(err, UNCORE_EACCESS,
				"uncored at %s may not be used with these rights: ask who runs it, "
				"or join the group of that socket",
				path);
	if (error == -ENOENT || error == -ECONNREFUSED || error == -ENOTDIR)
		return unc_fail(err, UNCORE_ENODEV,
				"no uncored listens at %s: start it, or count without it "
				"(UNCORE_ACCESS=direct)",
				path);
	return unc_fail(err, UNCORE_EIO, "uncored at %s cannot be reached: %s", path,
			strerror(-error));
}

int unc_gone(const struct unc_remote *r, struct unc_err *err, int error)
{
	return unc_fail(err, UNCORE_EIO,
			"uncored at %s does not answer any more (%s): what it counted for this "
			"program is over; start again",
			r->address.sun_path, strerror(-error));
}

int unc_verdict(const struct unc_answer *a, struct unc_err *err)
{
	if (a->head.code >= 0)
		return 0;
	return unc_fail(err, a->head.code, "%.*s", (int)strnlen(a->body, a->got), a->body);
}

int unc_hello(struct unc_remote *r, int *file, struct unc_err *err)
{
	struct unc_wire_request q = unc_request(UNC_WIRE_HELLO);
	char text[UNCORE_ERRMSG_MAX];
	struct unc_answer a = {.body = text, .room = sizeof(text)};
	int code;

	r->fd = dial(&r->address);
	if (r->fd < 0) {
		code = r->fd;
		r->fd = -1;
		return no_daemon(r, err, code);
	}
	r->connection++;
	code = unc_ask(r, &q, NULL, &a);
	if (code == -EPROTO)
		return unc_fail(err, UNCORE_ENOSUPP,
				"uncored at %s is of another version than this library",
				r->address.sun_path);
	if (code < 0)
		return no_daemon(r, err, code);
	if (a.head.code < 0)
		return unc_verdict(&a, err);
	*file = a.file;
	r->simulated = a.head.n != 0;
	r->rights = a.head.rounds;
	return a.file >= 0 ? 0 : no_daemon(r, err, -EPROTO);
}

int unc_remote_open(struct unc_remote **out, const char *path, int *file, struct unc_err *err)
{
	struct unc_remote *r = calloc(1, sizeof(*r));
	int code;

	*out = NULL;
	*file = -1;
	if (!r)
		return unc_fail(err, UNCORE_ENOMEM, "out of memory for a connection to uncored");
	r->fd = -1;
	r->address.sun_family = AF_UNIX;
	pthread_mutex_init(&r->lock, NULL);
	if (strlen(path) < sizeof(r->address.sun_path)) {
		snprintf(r->address.sun_path, sizeof(r->address.sun_path), "%s", path);
		code = unc_hello(r, file, err);
	} else {
		code = unc_fail(err, UNCORE_EINVAL, "%s is too long for a socket's path", path);
	}
	if (code < 0)
		unc_remote_close(r);
	else
		*out = r;
	return code;
}

void unc_remote_close(struct unc_remote *r)
{
	if (!r)
		return;
	hang_up(r);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

bool unc_remote_is_simulated(const struct unc_remote *r)
{
	return r->simulated;
}

/* ---- one at a time ---- */

void unc_remote_lock(struct unc_remote *r, sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
	pthread_mutex_lock(&r->lock);
}

void unc_remote_unlock(struct unc_remote *r, const sigset_t *before)
{
	pthread_mutex_unlock(&r->lock);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
