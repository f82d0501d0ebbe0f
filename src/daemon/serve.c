/* SPDX-License-Identifier: BSD-3-Clause */
/* serve.c - one thread that answers all clients, a message of each in turn. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/daemon.h"

/* ---- clients come and go ---- */

static void hang_up(struct client *c)
{
	daemon_forget(c);
	close(c->fd);
	if (c->process >= 0)
		close(c->process);
	*c = (struct client){.fd = -1, .process = -1};
}

static struct client *find_place(struct server *s, uid_t user)
{
	struct client *place = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < MAX_CLIENTS; i++) {
		if (s->clients[i].fd < 0)
			place = &s->clients[i];
		else
			n += s->clients[i].user == user;
	}
	return user == 0 || n < MAX_OF_USER ? place : NULL;
}

/* Who is refused for lack of room sees its connection end. */
static void welcome(struct server *s)
{
	struct ucred who;
	socklen_t len = sizeof(who);
	const int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct client *place;

	if (fd < 0)
		return;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0 ||
	    !(place = find_place(s, who.uid))) {
		close(fd);
		return;
	}
	*place = (struct client){
		.fd = fd,
		.process = (int)syscall(SYS_pidfd_open, who.pid, 0),
		.user = who.uid,
		.pid = who.pid,
	};
}

/* ---- waiting ---- */

/* Places in what is waited for: each client's socket and process come behind. */
enum { LISTENER, SIGNALS, CLIENTS };

#define AT_ONCE (CLIENTS + 2 * MAX_CLIENTS)

/* Those that there are not are -1, which poll() skips. */
static void list(const struct server *s, struct pollfd *at)
{
	at[LISTENER] = (struct pollfd){.fd = s->listener, .events = POLLIN};
	at[SIGNALS] = (struct pollfd){.fd = s->signals, .events = POLLIN};
	for (size_t i = 0; i < MAX_CLIENTS; i++) {
		struct pollfd *client = &at[CLIENTS + 2 * i];

		client[0] = (struct pollfd){.fd = s->clients[i].fd, .events = POLLIN};
		client[1] = (struct pollfd){.fd = s->clients[i].process, .events = POLLIN};
	}
}

/* A process that has ended may have left its socket to a child: the sets were not the child's. */
static void serve_client(struct server *s, struct client *c, const struct pollfd *at)
{
	if (at[1].revents || (at[0].revents && !daemon_answer(s, c)))
		hang_up(c);
}

int daemon_serve(struct server *s)
{
	struct pollfd at[AT_ONCE] = {{.fd = -1}};

	while (!at[SIGNALS].revents) {
		list(s, at);
		if (poll(at, AT_ONCE, -1) < 0 && errno != EINTR) {
			fprintf(stderr, "uncored: nothing can be waited for: %s\n",
				strerror(errno));
			break;
		}
		for (size_t i = 0; i < MAX_CLIENTS; i++)
			if (s->clients[i].fd >= 0)
				serve_client(s, &s->clients[i], &at[CLIENTS + 2 * i]);
		if (at[LISTENER].revents)
			welcome(s);
	}
	for (size_t i = 0; i < MAX_CLIENTS; i++)
		if (s->clients[i].fd >= 0)
			hang_up(&s->clients[i]);
	return at[SIGNALS].revents ? 0 : 1;
}
