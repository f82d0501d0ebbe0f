/* SPDX-License-Identifier: BSD-3-Clause */
/* serve.c - one thread that answers all clients, a message of each in turn. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/daemon.h"

/* ---- clients go ---- */

static void hang_up(struct server *s, struct client *c)
{
	daemon_forget(s, c);
	close(c->fd);
	if (c->process >= 0)
		close(c->process);
	*c = (struct client){.fd = -1, .process = -1};
	while (s->n_places && s->clients[s->n_places - 1].fd < 0)
		s->n_places--;
}

/* ---- waiting ---- */

/* Places in what is waited for: the socket and the process of each client come behind. */
enum { LISTENER, SIGNALS, CLIENTS };

struct waiting {
	size_t n;         /* clients, by number */
	int64_t limit_ns; /* until there is something to do that nobody asks for; -1: nothing */
	struct client *client[MAX_CLIENTS];
	struct pollfd at[CLIENTS + 2 * MAX_CLIENTS];
};

static void wait_no_longer(struct waiting *w, int64_t ns)
{
	if (w->limit_ns < 0 || ns < w->limit_ns)
		w->limit_ns = ns;
}

/* Who has asked too often is not listened to for a while: its socket is taken as -1. */
static int listened(struct server *s, struct waiting *w, const struct client *c, int64_t now)
{
	const int64_t wait = limits_wait(&s->limits, &c->requests, c->user, now);

	if (wait)
		wait_no_longer(w, wait);
	return wait ? -1 : c->fd;
}

/* Nor is the socket of new clients while they cannot be accepted. */
static int listener(const struct server *s, struct waiting *w, int64_t now)
{
	const int64_t wait = daemon_deaf(s, now);

	if (wait)
		wait_no_longer(w, wait);
	return wait ? -1 : s->listener;
}

/* A process that there is not is -1, which poll() skips. */
static void list(struct server *s, struct waiting *w, int64_t now)
{
	w->n = 0;
	w->at[LISTENER] = (struct pollfd){.fd = listener(s, w, now), .events = POLLIN};
	w->at[SIGNALS] = (struct pollfd){.fd = s->signals, .events = POLLIN};
	for (size_t i = 0; i < s->n_places; i++) {
		struct client *c = &s->clients[i];
		struct pollfd *at = &w->at[CLIENTS + 2 * w->n];

		if (c->fd < 0)
			continue;
		w->client[w->n++] = c;
		at[0] = (struct pollfd){.fd = listened(s, w, c, now), .events = POLLIN};
		at[1] = (struct pollfd){.fd = c->process, .events = POLLIN};
	}
}

/* The library would do that in a thread, and each access of a process with threads costs more. */
static void look_for_wraps(struct server *s, struct waiting *w, int64_t now)
{
	if (!s->wrap_interval || !s->n_places)
		return;
	if (s->wrap_due <= now) {
		uncore_poll_wraps(s->u);
		s->wrap_due = now + s->wrap_interval;
	}
	wait_no_longer(w, s->wrap_due - now);
}

/* Until somebody asks, may ask again, or counters or a page are due. */
static int wait_for(struct server *s, struct waiting *w)
{
	const int64_t now = limits_now();
	int64_t page;
	struct timespec limit;

	w->limit_ns = -1;
	list(s, w, now);
	look_for_wraps(s, w, now);
	page = daemon_pages_due(s);
	if (page >= 0)
		wait_no_longer(w, page);
	limit.tv_sec = w->limit_ns / 1000000000;
	limit.tv_nsec = w->limit_ns % 1000000000;
	return ppoll(w->at, CLIENTS + 2 * w->n, w->limit_ns < 0 ? NULL : &limit, NULL);
}

/* A process that has ended may have left its socket to a child: the sets were not the child's. */
static void serve_client(struct server *s, struct client *c, const struct pollfd *at)
{
	if (at[1].revents || (at[0].revents && !daemon_answer(s, c)))
		hang_up(s, c);
}

int daemon_serve(struct server *s)
{
	struct waiting w = {.n = 0};
	bool ends = false;

	s->spare = -1;
	daemon_keep_spare(s);
	while (!ends) {
		if (wait_for(s, &w) < 0 && errno != EINTR) {
			fprintf(stderr, "uncored: nothing can be waited for: %s\n",
				strerror(errno));
			break;
		}
		for (size_t i = 0; i < w.n; i++)
			serve_client(s, w.client[i], &w.at[CLIENTS + 2 * i]);
		if (w.at[LISTENER].revents)
			daemon_admit(s);
		ends = w.at[SIGNALS].revents && daemon_is_to_end(s);
	}
	for (size_t i = s->n_places; i-- > 0;)
		if (s->clients[i].fd >= 0)
			hang_up(s, &s->clients[i]);
	if (s->spare >= 0)
		close(s->spare);
	return ends ? 0 : 1;
}
