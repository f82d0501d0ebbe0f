/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve.c - the loop that answers all clients.  Its work comes in pieces: a request, or a page
 * of counts.  The order depends on the time that each user has had (fair.h); the planner does
 * what takes long (planner.h).
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/planner.h"
#include "daemon/say.h"

/* ---- clients go ---- */

/* The planner may have a request of the client: then it stays until that is done. */
static void hang_up(struct server *s, struct client *c)
{
	c->gone = true;
	if (c->planned)
		return;
	daemon_forget(s, c);
	c->user->clients--;
	free(c->held);
	close(c->fd);
	if (c->process >= 0)
		close(c->process);
	*c = (struct client){.fd = -1, .process = -1};
	while (s->n_places && s->clients[s->n_places - 1].fd < 0)
		s->n_places--;
}

/* ---- waiting ---- */

/* Indices into the poll set: socket and process of each client follow. */
enum { LISTENER, SIGNALS, PLANNER, CLIENTS };

#define MAX_WORK (MAX_CLIENTS * (1 + MAX_SETS))

/* A request of a client, or a page. */
struct work {
	struct client *client; /* NULL: a page */
	const struct page_due *page;
};

struct waiting {
	size_t n;         /* clients, by index */
	int64_t limit_ns; /* time until work is due without a request; -1: none */
	struct client *client[MAX_CLIENTS];
	struct pollfd at[CLIENTS + 2 * MAX_CLIENTS];
	size_t n_work; /* ready work */
	struct work work[MAX_WORK];
	int64_t *flow[MAX_WORK];
	struct page_due due[MAX_CLIENTS * MAX_SETS];
};

static void wait_no_longer(struct waiting *w, int64_t ns)
{
	if (w->limit_ns < 0 || ns < w->limit_ns)
		w->limit_ns = ns;
}

/*
 * A client above its rate limit is not polled for a while, nor is one that waits for the
 * planner: its socket is replaced by -1.
 */
static int listened(struct waiting *w, const struct client *c, int64_t now)
{
	int64_t wait;

	if (c->held || c->planned)
		return -1;
	wait = limits_wait(&c->requests, &c->user->starts, now);
	if (wait)
		wait_no_longer(w, wait);
	return wait ? -1 : c->fd;
}

/* Nor is the listening socket while clients cannot be accepted. */
static int listener(const struct server *s, struct waiting *w, int64_t now)
{
	const int64_t wait = daemon_deaf(s, now);

	if (wait)
		wait_no_longer(w, wait);
	return wait ? -1 : s->listener;
}

/* -1 for clients without a pidfd, which poll() skips. */
static void list(struct server *s, struct waiting *w, int64_t now)
{
	w->n = 0;
	w->at[LISTENER] = (struct pollfd){.fd = listener(s, w, now), .events = POLLIN};
	w->at[SIGNALS] = (struct pollfd){.fd = s->signals, .events = POLLIN};
	w->at[PLANNER] = (struct pollfd){.fd = s->planner->done, .events = POLLIN};
	for (size_t i = 0; i < s->n_places; i++) {
		struct client *c = &s->clients[i];
		struct pollfd *at = &w->at[CLIENTS + 2 * w->n];

		if (c->fd < 0)
			continue;
		w->client[w->n++] = c;
		at[0] = (struct pollfd){.fd = listened(w, c, now), .events = POLLIN};
		at[1] = (struct pollfd){.fd = c->gone ? -1 : c->process, .events = POLLIN};
	}
}

/* The library would use a thread, and each access is slower in a process with threads. */
static void look_for_wraps(struct server *s, struct waiting *w, int64_t now)
{
	if (!s->wrap_interval || !s->n_places)
		return;
	if (s->wrap_due <= now) {
		s->planner->wraps = true;
		s->wrap_due = now + s->wrap_interval;
	}
	wait_no_longer(w, s->wrap_due - now);
}

static void run_planner(struct server *s)
{
	struct client *gone;

	while ((gone = planner_next(s)))
		hang_up(s, gone);
}

/* Until a request arrives or is allowed again, or counters or a page are due. */
static int wait_for(struct server *s, struct waiting *w)
{
	const int64_t now = limits_now();
	int64_t page;
	struct timespec limit;

	w->limit_ns = w->n_work ? 0 : -1;
	look_for_wraps(s, w, now);
	run_planner(s);
	list(s, w, now);
	page = daemon_next_page(s, now);
	if (page >= 0)
		wait_no_longer(w, page);
	limit.tv_sec = w->limit_ns / 1000000000;
	limit.tv_nsec = w->limit_ns % 1000000000;
	return ppoll(w->at, CLIENTS + 2 * w->n, w->limit_ns < 0 ? NULL : &limit, NULL);
}

/* ---- work ---- */

static void add_work(struct waiting *w, int64_t *flow, struct work work)
{
	w->flow[w->n_work] = flow;
	w->work[w->n_work++] = work;
}

static size_t place_of(const struct server *s, const struct client *c)
{
	return (size_t)(c - s->clients);
}

/* The first one after the client that was served last. */
static size_t first_client(const struct server *s, const struct waiting *w)
{
	size_t i = 0;

	while (i < w->n && place_of(s, w->client[i]) < s->served)
		i++;
	return i;
}

/* A process that has ended may have left its socket to a child, but its sets end with it. */
static void collect(struct server *s, struct waiting *w)
{
	const size_t first = first_client(s, w);
	size_t pages;

	w->n_work = 0;
	for (size_t k = 0; k < w->n; k++) {
		const size_t i = (first + k) % w->n;
		const struct pollfd *at = &w->at[CLIENTS + 2 * i];

		if (at[1].revents)
			hang_up(s, w->client[i]);
		else if (at[0].revents)
			add_work(w, &w->client[i]->user->flow[WORK_REQUESTS],
				 (struct work){.client = w->client[i]});
	}
	pages = daemon_find_due(s, limits_now(), w->due, (size_t)MAX_CLIENTS * MAX_SETS);
	for (size_t i = 0; i < pages; i++)
		add_work(w, &w->due[i].user->flow[WORK_PAGES], (struct work){.page = &w->due[i]});
}

/* The pages of a client that disconnects are removed. */
static void do_work(struct server *s, const struct work *work, int64_t now)
{
	if (!work->client) {
		if (work->page->set->page)
			daemon_page_serve(s, work->page, now);
		return;
	}
	s->served = place_of(s, work->client) + 1;
	if (!daemon_answer(s, work->client))
		hang_up(s, work->client);
}

static void remove_work(struct waiting *w, size_t i)
{
	const size_t behind = --w->n_work - i;

	memmove(&w->work[i], &w->work[i + 1], behind * sizeof(*w->work));
	memmove(&w->flow[i], &w->flow[i + 1], behind * sizeof(*w->flow));
}

/* The rest is found again after the next poll(). */
static void serve_slice(struct server *s, struct waiting *w)
{
	int64_t now = limits_now();
	const int64_t end = now + SLICE_NS;

	collect(s, w);
	while (w->n_work && now < end) {
		const size_t next = fair_next(&s->users.loop, w->flow, w->n_work);
		const int64_t began = now;

		do_work(s, &w->work[next], now);
		now = limits_now();
		/* A longer piece was interrupted, which its user must not pay for. */
		fair_charge(&s->users.loop, w->flow[next],
			    now - began < SLICE_NS ? now - began : SLICE_NS);
		remove_work(w, next);
	}
}

/* true: ended by a signal; false: after a message. */
static bool serve(struct server *s, struct waiting *w)
{
	for (;;) {
		if (wait_for(s, w) < 0 && errno != EINTR) {
			daemon_say(SAY_ERROR, "cannot wait for events: %s", strerror(errno));
			return false;
		}
		serve_slice(s, w);
		if (w->at[LISTENER].revents)
			daemon_admit(s);
		if (w->at[SIGNALS].revents && daemon_is_to_end(s))
			return true;
	}
}

int daemon_serve(struct server *s)
{
	struct waiting *w = calloc(1, sizeof(*w));
	bool ended = false;

	s->spare = -1;
	daemon_keep_spare(s);
	s->planner = planner_new();
	if (w && s->planner)
		ended = serve(s, w);
	else
		daemon_say(SAY_ERROR, "cannot create its threads: %s", strerror(errno));
	if (s->planner)
		planner_free(s);
	for (size_t i = s->n_places; i-- > 0;)
		if (s->clients[i].fd >= 0)
			hang_up(s, &s->clients[i]);
	if (s->spare >= 0)
		close(s->spare);
	free(w);
	return ended ? 0 : 1;
}
