/* SPDX-License-Identifier: BSD-3-Clause */
/* planner.c - see planner.h. */
#include "daemon/planner.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Idle time after which the thread ends: register accesses are slower in a process with threads. */
#define IDLE_S 1
#define NICER  2 /* than the loop: reads have priority if there are few CPUs */

/* ---- the thread ---- */

static void do_task(struct server *s, struct task *t)
{
	const int64_t began = limits_now();

	if (t->kind == TASK_REQUEST)
		task_do(s, t);
	else if (t->kind == TASK_HALT)
		daemon_halt_set(s, &t->set);
	else if (t->kind == TASK_DROP)
		daemon_destroy_set(s, &t->set);
	else if (t->kind == TASK_PAGE)
		daemon_page_fill(s, &t->set, began);
	else
		uncore_poll_wraps(s->u);
	t->took = limits_now() - began;
}

/* Under lock. false: idle for too long, or no more work will come. */
static bool wait_for_task(struct planner *p)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += IDLE_S;
	while (!p->posted && !p->ends)
		if (pthread_cond_timedwait(&p->wake, &p->lock, &until) == ETIMEDOUT)
			break;
	return p->posted;
}

static void *plan(void *arg)
{
	struct server *s = arg;
	struct planner *p = s->planner;
	const uint64_t one = 1;

	setpriority(PRIO_PROCESS, 0,
		    s->nice + NICER); /* only this thread; a failure does not matter */
	pthread_mutex_lock(&p->lock);
	do {
		while (wait_for_task(p)) {
			pthread_mutex_unlock(&p->lock);
			do_task(s, &p->task);
			pthread_mutex_lock(&p->lock);
			p->posted = false;
			if (write(p->done, &one, sizeof(one)) < 0)
				break; /* impossible: the loop has read the last one */
		}
		/* This can take long if much was planned, so the loop must not wait for it. */
		pthread_mutex_unlock(&p->lock);
		malloc_trim(0);
		pthread_mutex_lock(&p->lock);
	} while (p->posted);
	p->runs = false;
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Under lock. */
static void start_thread(struct server *s)
{
	struct planner *p = s->planner;

	if (p->runs)
		return;
	if (p->made)
		pthread_join(p->thread, NULL);
	p->made = p->runs = pthread_create(&p->thread, NULL, plan, s) == 0;
}

/* If a thread cannot be created, the loop does it. */
static void post(struct server *s)
{
	struct planner *p = s->planner;
	const uint64_t one = 1;

	pthread_mutex_lock(&p->lock);
	p->busy = p->posted = true;
	start_thread(s);
	if (p->runs) {
		pthread_cond_signal(&p->wake);
	} else {
		do_task(s, &p->task);
		p->posted = write(p->done, &one, sizeof(one)) < 0;
	}
	pthread_mutex_unlock(&p->lock);
}

/* ---- next request ---- */

/* A waiting task and its client. */
struct waiting {
	size_t n;
	int64_t *flow[3 * MAX_CLIENTS + 2];
	struct candidate {
		enum task_kind kind;
		struct client *client;
		struct client_set *set;
		struct drop **drop;
	} at[3 * MAX_CLIENTS + 2];
};

static void add(struct waiting *w, int64_t *flow, struct candidate c)
{
	w->flow[w->n] = flow;
	w->at[w->n++] = c;
}

/* One task is enough: it handles the others, too. */
static void add_halt(struct server *s, struct waiting *w)
{
	for (size_t i = 0; i < s->n_places; i++)
		for (size_t k = 0; s->clients[i].fd >= 0 && k < MAX_SETS; k++) {
			struct client_set *set = &s->clients[i].sets[k];

			if (!set->number || !set->to_halt)
				continue;
			add(w, &set->user->flow[WORK_PLANS],
			    (struct candidate){.kind = TASK_HALT, .set = set});
			return;
		}
	s->planner->halts = false;
}

static bool is_listed(const struct waiting *w, const int64_t *flow)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->flow[i] == flow && w->at[i].kind == TASK_DROP)
			return true;
	return false;
}

/* The first one of each user. */
static void add_drops(struct planner *p, struct waiting *w)
{
	for (struct drop **d = &p->drops; *d && w->n <= MAX_CLIENTS; d = &(*d)->next) {
		int64_t *flow = &(*d)->set.user->flow[WORK_PLANS];

		if (!is_listed(w, flow))
			add(w, flow, (struct candidate){.kind = TASK_DROP, .drop = d});
	}
}

static void add_page(struct waiting *w, size_t first, struct client_set *set)
{
	int64_t *flow = &set->user->flow[WORK_PLANNED_PAGES];
	size_t i = first;

	while (i < w->n && w->flow[i] != flow)
		i++;
	if (i == w->n)
		add(w, flow, (struct candidate){.kind = TASK_PAGE, .set = set});
	else if (set->asked < w->at[i].set->asked)
		w->at[i].set = set;
}

/* The one of each user that has waited longest. */
static void add_pages(struct server *s, struct waiting *w)
{
	const size_t first = w->n;

	for (size_t i = 0; i < s->n_places; i++)
		for (size_t k = 0; s->clients[i].fd >= 0 && k < MAX_SETS; k++) {
			struct client_set *set = &s->clients[i].sets[k];

			if (set->number && set->asked)
				add_page(w, first, set);
		}
	s->planner->pages = w->n > first;
}

/* Rotate, so that a user's clients are served equally. */
static void add_requests(struct server *s, struct waiting *w)
{
	for (size_t i = 0; i < s->n_places; i++) {
		struct client *c = &s->clients[(s->planned + i) % s->n_places];

		if (c->fd >= 0 && c->held)
			add(w, &c->user->flow[WORK_PLANS],
			    (struct candidate){.kind = TASK_REQUEST, .client = c});
	}
}

static void take_drop(struct planner *p, struct drop **at, struct task *t)
{
	struct drop *d = *at;

	*at = d->next;
	p->dropped = d->set.user;
	if (p->last_drop == &d->next)
		p->last_drop = at;
	t->set = d->set;
	free(d);
}

/* false: it was answered at once. */
static bool begin(struct server *s, const struct candidate *c)
{
	struct task *t = &s->planner->task;

	t->kind = c->kind;
	t->client = NULL;
	s->planner->dropped = NULL;
	if (c->kind == TASK_REQUEST) {
		s->planned = (size_t)(c->client - s->clients) + 1;
		return task_begin(s, t, c->client);
	}
	if (c->kind == TASK_HALT) {
		c->set->to_halt = false;
		t->set = *c->set;
	} else if (c->kind == TASK_DROP) {
		take_drop(s->planner, c->drop, t);
	} else if (c->kind == TASK_PAGE) {
		c->set->asked = 0;
		t->of = c->set;
		t->set = *c->set;
	} else {
		s->planner->wraps = false;
	}
	return true;
}

/* ---- in the loop ---- */

/* The task's client, if it must be disconnected. */
static struct client *end_task(struct server *s)
{
	struct planner *p = s->planner;
	struct task *t = &p->task;
	uint64_t n;
	bool done;

	pthread_mutex_lock(&p->lock);
	done = p->busy && !p->posted;
	pthread_mutex_unlock(&p->lock);
	if (!done)
		return NULL;
	p->busy = false;
	if (read(p->done, &n, sizeof(n)) < 0)
		n = 0;
	fair_charge(&s->users.planner, p->flow, t->took);
	if (p->dropped)
		p->dropped->drops--;
	/*
	 * the client may have disconnected, and the place may have another set with its own
	 * page
	 */
	if (t->kind == TASK_PAGE && t->of->page == t->set.page)
		daemon_note_read(t->of, t->took);
	return t->client && !task_end(s, t) ? t->client : NULL;
}

/* false: no work is waiting. */
static bool begin_next(struct server *s, struct client **gone)
{
	struct planner *p = s->planner;
	struct waiting w;
	size_t next;

	w.n = 0;

	if (p->wraps)
		add(&w, &p->wraps_flow, (struct candidate){.kind = TASK_WRAPS});
	if (p->halts)
		add_halt(s, &w);
	add_drops(p, &w);
	add_requests(s, &w);
	if (p->pages)
		add_pages(s, &w);
	if (w.n == 0)
		return false;
	next = fair_next(&s->users.planner, w.flow, w.n);
	p->flow = w.flow[next];
	if (begin(s, &w.at[next]))
		post(s);
	else if (!task_end(s, &p->task))
		*gone = p->task.client;
	return true;
}

struct client *planner_next(struct server *s)
{
	struct client *gone;

	do {
		gone = end_task(s);
	} while (!gone && !s->planner->busy && begin_next(s, &gone) && !gone);
	return gone;
}

/* ---- create, destroy ---- */

struct planner *planner_new(void)
{
	struct planner *p = calloc(1, sizeof(*p));
	pthread_condattr_t monotonic;

	if (!p)
		return NULL;
	p->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (p->done < 0) {
		free(p);
		return NULL;
	}
	p->last_drop = &p->drops;
	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&p->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return p;
}

static void end_thread(struct planner *p)
{
	pthread_mutex_lock(&p->lock);
	p->ends = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	if (p->made)
		pthread_join(p->thread, NULL);
}

void planner_free(struct server *s)
{
	struct planner *p = s->planner;

	end_thread(p);
	end_task(s);
	while (p->drops) {
		take_drop(p, &p->drops, &p->task);
		daemon_destroy_set(s, &p->task.set);
		p->dropped->drops--;
	}
	close(p->done);
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
	free(p);
	s->planner = NULL;
}
