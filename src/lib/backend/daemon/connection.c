/* SPDX-License-Identifier: BSD-3-Clause */
/* connection.c - a connection to uncored: one request, one answer. */
#include "backend/daemon/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "backend/daemon/wire.h"
#include "base/files.h"
#include "base/process.h"

#define PATIENCE_S 20 /* after this time a daemon that does not answer is considered dead */
#define LOOK_S     1  /* interval of checks whether it is stopped */
#define HELLO_S    1  /* timeout of a new client for a daemon that is stopped ... */
#define BUSY_S     5  /* ... and for one that runs, and may be starting */

/* ---- identity of the server ---- */

/* The process that called listen(): uncored, or systemd, which starts it. */
struct listener {
	int pid;    /* 0: unknown, or in another PID namespace */
	char state; /* as in /proc/PID/stat; 0: unknown */
	int waited; /* s */
};

static void look_at(int fd, struct listener *l)
{
	struct ucred who;
	socklen_t len = sizeof(who);
	struct unc_process_now now = {.state = 0};

	l->pid = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 ? who.pid : 0;
	if (l->pid > 0)
		unc_look_at_process(&now, l->pid);
	l->state = now.state;
}

static bool is_stopped(const struct listener *l)
{
	return l->state == 'T' || l->state == 't';
}

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

/* The call has timed out. */
static int failure(void)
{
	return errno == EAGAIN ? -ETIMEDOUT : -errno;
}

/*
 * Set the message.  Planning many events takes long, but a stopped process does not answer at
 * all.
 */
static ssize_t wait_for(struct unc_remote *r, struct msghdr *message)
{
	struct listener l = {.waited = 0};

	for (;;) {
		const ssize_t n = recvmsg(r->fd, message, MSG_CMSG_CLOEXEC);

		if (n >= 0 || (errno != EAGAIN && errno != EINTR))
			return n;
		if (errno == EINTR)
			continue;
		look_at(r->fd, &l);
		atomic_store(&r->stopped, is_stopped(&l) ? l.pid : 0);
		errno = EAGAIN;
		if (is_stopped(&l) || ++l.waited == PATIENCE_S)
			return -1;
	}
}

static int receive(struct unc_remote *r, struct unc_reply *a)
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
	const ssize_t n = wait_for(r, &message);

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

static int send_request(const struct unc_remote *r, struct unc_wire_request *q, void *more)
{
	struct iovec parts[] = {{q, sizeof(*q)}, {more, more ? q->bytes : 0}};
	const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};

	if (r->fd < 0)
		return -ENOTCONN;
	return sendmsg(r->fd, &message, MSG_NOSIGNAL) < 0 ? failure() : 0;
}

/* Classify the result of sending a request. */
static int finish(struct unc_remote *r, const struct unc_wire_request *q, int code,
		  struct unc_reply *a)
{
	if (code == 0)
		code = receive(r, a);
	if (code == -EPIPE ||
	    code == -ECONNRESET) /* the daemon may have sent a reason before it closed */
		code = receive(r, a);
	if (code == 0 && a->head.kind != q->kind)
		code = -EPROTO;
	if (code < 0)
		hang_up(r);
	if (code < 0 && code != -ENOTCONN)
		atomic_store(&r->lost, code);
	return code;
}

int unc_ask(struct unc_remote *r, struct unc_wire_request *q, void *more, struct unc_reply *a)
{
	return finish(r, q, send_request(r, q, more), a);
}

struct unc_wire_request unc_request(enum unc_wire_kind kind)
{
	return (struct unc_wire_request){.version = UNC_WIRE_VERSION, .kind = (uint16_t)kind};
}

/* ---- connections ---- */

static int set_patience(int fd, int option, time_t seconds)
{
	const struct timeval patience = {.tv_sec = seconds};

	return setsockopt(fd, SOL_SOCKET, option, &patience, sizeof(patience));
}

/* connect() waits if the queue of listen() is full. */
static int dial(const struct sockaddr_un *address)
{
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int error;

	if (fd < 0)
		return -errno;
	if (set_patience(fd, SO_SNDTIMEO, HELLO_S) == 0 &&
	    connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0 &&
	    set_patience(fd, SO_RCVTIMEO, LOOK_S) == 0 &&
	    set_patience(fd, SO_SNDTIMEO, PATIENCE_S) == 0)
		return fd;
	error = failure();
	close(fd);
	return error;
}

/* ---- the first answer ---- */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Signal handlers may run meanwhile. */
static bool is_readable(int fd, int64_t until)
{
	struct pollfd at = {.fd = fd, .events = POLLIN};
	int64_t left;
	int r;

	do {
		left = until - now_ms();
		r = poll(&at, 1, left > 0 ? (int)left : 0);
	} while (r < 0 && errno == EINTR);
	return r > 0;
}

/* 0 or -ETIMEDOUT. */
static int wait_for_hello(int fd, struct listener *l)
{
	const int64_t begin = now_ms();

	for (l->waited = HELLO_S; l->waited <= BUSY_S; l->waited++) {
		if (is_readable(fd, begin + INT64_C(1000) * l->waited))
			return 0;
		look_at(fd, l);
		if (is_stopped(l) || !l->state || l->waited == BUSY_S)
			break;
	}
	return -ETIMEDOUT;
}

static int no_answer(const struct unc_remote *r, struct unc_err *err, const struct listener *l)
{
	const char *path = r->address.sun_path;

	if (is_stopped(l))
		return unc_fail(err, UNCORE_EIO,
				"uncored at %s did not answer within %d s: process %d is stopped; "
				"continue it (kill -CONT %d)",
				path, l->waited, l->pid, l->pid);
	return unc_fail(err, UNCORE_EIO,
			"uncored at %s did not answer within %d s: it is busy or still starting; "
			"try again later",
			path, l->waited);
}

static int no_daemon(const struct unc_remote *r, struct unc_err *err, int error)
{
	const char *path = r->address.sun_path;

	if (error == -EACCES || error == -EPERM)
		return unc_fail(err, UNCORE_EACCESS,
				"uncored at %s: permission denied: join the socket's group, or ask "
				"the administrator for access",
				path);
	if (error == -ENOENT || error == -ECONNREFUSED || error == -ENOTDIR)
		return unc_fail(err, UNCORE_ENODEV,
				"no uncored is listening at %s: start it, or count without it "
				"(UNCORE_ACCESS=direct)",
				path);
	return unc_fail(err, UNCORE_EIO, "cannot connect to uncored at %s: %s", path,
			strerror(-error));
}

int unc_gone(const struct unc_remote *r, struct unc_err *err, int error)
{
	const int stopped = atomic_load(&r->stopped);

	if (stopped)
		return unc_fail(err, UNCORE_EIO,
				"uncored at %s did not answer within %d s: process %d is stopped "
				"and this program's counts are lost: continue it (kill -CONT %d), "
				"then start counting again",
				r->address.sun_path, LOOK_S, stopped, stopped);
	return unc_fail(err, UNCORE_EIO,
			"lost the connection to uncored at %s (%s): this program's counts are "
			"lost; start counting again",
			r->address.sun_path, strerror(-error));
}

int unc_verdict(const struct unc_reply *a, struct unc_err *err)
{
	if (a->head.code >= 0)
		return 0;
	return unc_fail(err, a->head.code, "%.*s", (int)strnlen(a->body, a->got), a->body);
}

int unc_hello(struct unc_remote *r, int *file, struct unc_err *err)
{
	struct unc_wire_request q = unc_request(UNC_WIRE_HELLO);
	char text[UNCORE_ERRMSG_MAX];
	struct unc_reply a = {.body = text, .room = sizeof(text), .file = -1};
	struct listener l = {.waited = HELLO_S};
	int code;

	r->fd = dial(&r->address);
	if (r->fd < 0) {
		code = r->fd;
		r->fd = -1;
		return code == -ETIMEDOUT ? no_answer(r, err, &l) : no_daemon(r, err, code);
	}
	r->connection++;
	atomic_store(&r->stopped, 0);
	atomic_store(&r->lost, 0);
	code = send_request(r, &q, NULL);
	if (code == 0)
		code = wait_for_hello(r->fd, &l);
	code = finish(r, &q, code, &a);
	if (code == -ETIMEDOUT)
		return no_answer(r, err, &l);
	if (code == -EPROTO)
		return unc_fail(err, UNCORE_ENOSUPP,
				"uncored at %s and this library have different versions: install "
				"the same version of both",
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
	pthread_mutex_init(&r->lock.mutex, NULL);
	if (strlen(path) < sizeof(r->address.sun_path)) {
		snprintf(r->address.sun_path, sizeof(r->address.sun_path), "%s", path);
		code = unc_hello(r, file, err);
	} else {
		code = unc_fail(err, UNCORE_EINVAL, "socket path is too long: %s", path);
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
	pthread_mutex_destroy(&r->lock.mutex);
	free(r);
}

bool unc_remote_is_simulated(const struct unc_remote *r)
{
	return r->simulated;
}

/* ---- serialized requests ---- */

void unc_remote_lock(struct unc_remote *r, sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
	unc_mutex_lock(&r->lock);
}

void unc_remote_unlock(struct unc_remote *r, const sigset_t *before)
{
	unc_mutex_unlock(&r->lock);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
