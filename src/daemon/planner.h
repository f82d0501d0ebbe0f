/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planner.h - a thread for work that takes long, one task at a time, while the loop of serve.c
 * answers reads.
 *
 * Every task has three parts: the loop begins it, the planner carries it out, and the loop ends
 * it.  Only the loop accesses clients; only the planner starts, stops and destroys event sets,
 * and accesses names and owners.  A task contains copies of what it needs.
 */
#ifndef UNC_PLANNER_H
#define UNC_PLANNER_H

#include <pthread.h>

#include "daemon/answer.h"

enum task_kind {
	TASK_REQUEST,
	TASK_HALT,  /* stop a set that its client may no longer count */
	TASK_DROP,  /* destroy a set whose client has disconnected */
	TASK_PAGE,  /* fill the page of a set that takes long to read */
	TASK_WRAPS, /* read all counters before one wraps */
};

struct task {
	enum task_kind kind;
	struct client *client; /* waiting for the answer, or NULL */
	struct client by;      /* a copy from the start of the task */
	struct client_set set; /* the set of the task; or the one that was started */
	struct client_set *of; /* for a page: the client's set; the client may have disconnected */
	struct message *m;
	struct answer a;
	int64_t took; /* ns */
};

/* A set to be destroyed. */
struct drop {
	struct drop *next;
	struct client_set set;
};

struct planner {
	/* for the loop: */
	int64_t *flow;        /* of the current task */
	struct user *dropped; /* whose set the current task destroys, or NULL */
	int64_t wraps_flow;   /* reading all counters is work of no user */
	bool busy;
	bool halts, pages, wraps; /* such tasks may be waiting */
	struct drop *drops, **last_drop;
	bool made; /* the thread must be joined before the next one */
	/* for both, under the lock: */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	int done; /* an eventfd, readable when a task is done */
	bool runs, ends, posted;
	/* belongs to the loop until it is posted, then to the planner: */
	struct task task;
};

/* NULL, with errno. */
struct planner *planner_new(void);
/* Finish the remaining tasks and end the thread. */
void planner_free(struct server *s);

/*
 * In the loop: end the task that was done, and begin the next one.  Returns a client to
 * disconnect, or NULL.
 */
struct client *planner_next(struct server *s);

/* ---- owners.c: in the loop, have a set destroyed ---- */

void planner_drop(struct planner *p, struct client_set *set);

/* ---- request.c: the parts of a request ---- */

/* false: answered at once. */
bool task_begin(struct server *s, struct task *t, struct client *c);
void task_do(struct server *s, struct task *t);
/* false: disconnect the client. */
bool task_end(struct server *s, struct task *t);

#endif
