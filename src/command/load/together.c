/* SPDX-License-Identifier: BSD-3-Clause */
/* together.c - several loads at the same time, each in a thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/clock.h"
#include "command/base/text.h"
#include "command/load/load.h"

/* Threads wait until all are ready, or one could not be started. */
struct team {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t ready;
	enum { TEAM_WAITS, TEAM_RUNS, TEAM_LEAVES } state;
	double seconds;
};

struct worker {
	struct team *team;
	struct load_member *member;
	pthread_t thread;
	bool failed;
	char why[256];
};

static bool wait_for_team(struct team *team)
{
	bool runs;

	pthread_mutex_lock(&team->lock);
	team->ready++;
	pthread_cond_broadcast(&team->changed);
	while (team->state == TEAM_WAITS)
		pthread_cond_wait(&team->changed, &team->lock);
	runs = team->state == TEAM_RUNS;
	pthread_mutex_unlock(&team->lock);
	return runs;
}

static bool run_until(struct worker *w, struct load *load, uint64_t end)
{
	struct load_moved *all = &w->member->moved, moved;

	do {
		if (!load_run(load, &moved, w->why, sizeof(w->why)))
			return false;
		all->reads += moved.reads;
		all->writes += moved.writes;
		all->operations += moved.operations;
		all->ns += moved.ns;
	} while (now_ns() < end);
	return true;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct load *load = load_new(&w->member->wanted, w->why, sizeof(w->why));
	const bool runs = wait_for_team(w->team);

	w->member->moved = (struct load_moved){.ns = 0};
	w->failed = !load ||
		    (runs && !run_until(w, load, now_ns() + (uint64_t)(w->team->seconds * 1e9)));
	load_free(load);
	return NULL;
}

/* Returns the number of threads that run. */
static size_t start(struct worker *workers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const int error = pthread_create(&workers[i].thread, NULL, work, &workers[i]);

		if (error) {
			snprintf(workers[i].why, sizeof(workers[i].why),
				 "cannot start a thread: %s", strerror(error));
			workers[i].failed = true;
			return i;
		}
	}
	return n;
}

static void release(struct team *team, size_t started, size_t n)
{
	pthread_mutex_lock(&team->lock);
	while (started == n && team->ready < n)
		pthread_cond_wait(&team->changed, &team->lock);
	team->state = started == n ? TEAM_RUNS : TEAM_LEAVES;
	pthread_cond_broadcast(&team->changed);
	pthread_mutex_unlock(&team->lock);
}

static bool run_team(struct worker *workers, size_t n, struct team *team, char *why, size_t len)
{
	const size_t started = start(workers, n);

	release(team, started, n);
	for (size_t i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	for (size_t i = 0; i < n; i++)
		if (workers[i].failed) {
			snprintf(why, len, "%s", workers[i].why);
			return false;
		}
	return true;
}

bool load_run_together(struct load_member *members, size_t n, double seconds, char *why, size_t len)
{
	struct worker *workers = need_memory(n, sizeof(*workers));
	struct team team = {.lock = PTHREAD_MUTEX_INITIALIZER,
			    .changed = PTHREAD_COND_INITIALIZER,
			    .seconds = seconds};
	bool ran;

	for (size_t i = 0; i < n; i++)
		workers[i] = (struct worker){.team = &team, .member = &members[i]};
	ran = run_team(workers, n, &team, why, len);
	free(workers);
	return ran;
}
