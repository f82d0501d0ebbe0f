/* SPDX-License-Identifier: BSD-3-Clause */
/* admit.c - accept new clients, or refuse them with a message. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/files.h"
#include "daemon/daemon.h"

/* Linux 6.5; the C library's headers may be older. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

#define TEXT(n)    #n
#define TEXT_OF(n) TEXT(n)

#define PAUSE_NS INT64_C(100000000) /* after an error of accept4() that may last */

/* ---- refusals ---- */

/*
 * Answer the HELLO that each client begins with.  It may not have arrived yet, so it is not
 * read.  A message left in the socket makes the client's next call fail, but does not lose this
 * answer.
 */
__attribute__((format(printf, 2, 3))) static void refuse(int fd, const char *format, ...)
{
	struct unc_wire_reply head = {
		.version = UNC_WIRE_VERSION, .kind = UNC_WIRE_HELLO, .code = UNCORE_EBUSY};
	char text[UNCORE_ERRMSG_MAX];
	struct iovec parts[] = {{&head, sizeof(head)}, {text, 0}};
	const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	parts[1].iov_len = strlen(text) + 1;
	sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(fd);
}

static bool is_shortage(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS;
}

static void refuse_for_shortage(int fd, int error)
{
	refuse(fd,
	       "uncored cannot accept another client: %s; try again later, or raise its limit of "
	       "open files (LimitNOFILE= in its unit)",
	       strerror(error));
}

/* ---- the process of a client ---- */

/*
 * A pidfd of the process that connected, from the socket if the kernel supports that, since its
 * pid may have been reused. -1 with errno.
 */
static int find_process(int fd, pid_t pid)
{
	int process = -1;
	socklen_t len = sizeof(process);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &len) == 0)
		return process;
	if (errno == ENOPROTOOPT)
		return (int)syscall(SYS_pidfd_open, pid, 0);
	if (!is_shortage(errno))
		errno = ESRCH;
	return -1;
}

/*
 * 0, or an errno: ESRCH if the process ended before it was accepted and left the connection to
 * a child, which must not act in its name.  Kernels before 5.3 have no pidfds, and a container
 * may forbid them: then a client ends with its connection.
 */
static int open_process(int fd, pid_t pid, int *process)
{
	*process = find_process(fd, pid);
	if (*process < 0)
		return errno == ENOSYS || errno == EPERM || errno == EINVAL ? 0 : errno;
	if (!unc_has_ended(*process))
		return 0;
	close(*process);
	return ESRCH;
}

/* ---- places ---- */

/* The first free place, since requests only visit places up to the last client. */
static struct client *find_place(struct server *s, const struct user *user, const char **why)
{
	size_t first = s->n_places;
	unsigned others = 0;

	for (size_t i = s->n_places; i-- > 0;) {
		const struct client *c = &s->clients[i];

		if (c->fd < 0)
			first = i;
		else if (c->user->uid != 0)
			others++;
	}
	*why = NULL;
	if (user->uid != 0 && user->clients >= MAX_OF_USER)
		*why = "all " TEXT_OF(MAX_OF_USER) " connections of one user are in use";
	else if (first >= MAX_CLIENTS || (user->uid != 0 && others >= MAX_CLIENTS - ROOT_PLACES))
		*why = "all connections for users other than root are in use";
	return *why ? NULL : &s->clients[first];
}

static void give_place(struct server *s, struct client *place, int fd, struct user *user,
		       const struct ucred *who)
{
	int process;
	const int error = open_process(fd, who->pid, &process);

	if (error == ESRCH) {
		refuse(fd,
		       "uncored rejected the connection: process %d, which opened it, has ended",
		       (int)who->pid);
		return;
	}
	if (error) {
		refuse_for_shortage(fd, error);
		return;
	}
	*place = (struct client){
		.fd = fd,
		.process = process,
		.user = user,
		.pid = who->pid,
		.may = policy_of(&s->policy, fd, who->uid),
	};
	user->clients++;
	if (place == &s->clients[s->n_places])
		s->n_places++;
	latency_begin(&s->latency, fd);
	daemon_note_client(place);
}

static void welcome(struct server *s, int fd)
{
	struct ucred who;
	socklen_t len = sizeof(who);
	struct client *place;
	struct user *user;
	const char *why;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0) {
		close(fd);
		return;
	}
	user = users_find(&s->users, who.uid);
	if (!user) {
		refuse_for_shortage(fd, ENOMEM);
		return;
	}
	place = find_place(s, user, &why);
	if (place)
		give_place(s, place, fd, user, &who);
	else
		refuse(fd,
		       "uncored cannot accept another client of user %u: %s; end one of the "
		       "programs, or try again later",
		       (unsigned)who.uid, why);
}

/* ---- the listening socket ---- */

static int accept_one(const struct server *s)
{
	return accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

void daemon_keep_spare(struct server *s)
{
	if (s->spare < 0)
		s->spare = fcntl(s->listener, F_DUPFD_CLOEXEC, 0);
}

/*
 * With a descriptor reserved for that: otherwise the client could not get a reason, and poll()
 * would not block.
 */
static bool refuse_by_spare(struct server *s, int error)
{
	int fd;

	if (s->spare < 0)
		return false;
	close(s->spare);
	s->spare = -1;
	fd = accept_one(s);
	if (fd >= 0)
		refuse_for_shortage(fd, error);
	daemon_keep_spare(s);
	return fd >= 0;
}

void daemon_admit(struct server *s)
{
	const int fd = accept_one(s), error = errno;

	if (fd >= 0) {
		daemon_keep_spare(s);
		welcome(s, fd);
		return;
	}
	if (error == EAGAIN || error == EINTR || error == ECONNABORTED)
		return;
	if (is_shortage(error) && refuse_by_spare(s, error))
		return;
	s->accept_after = limits_now() + PAUSE_NS;
}

int64_t daemon_deaf(const struct server *s, int64_t now)
{
	return s->accept_after > now ? s->accept_after - now : 0;
}
