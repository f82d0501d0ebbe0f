/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planner.h - what takes long is done in a thread of its own, one task after the other, while
 * the loop of serve.c answers reads.
 *
 * Every task has three parts: the loop begins it, the planner does it, and the loop ends it.  Only
 * the loop touches clients, and only the planner starts, stops and destroys event sets, and knows
 * names and owners.  A task takes what it needs with it.
 */
#ifndef UNC_PLANNER_H
#define UNC_PLANNER_H

#include <pthread.h>

#include "daemon/answer.h"
#include "daemon/fair.h"

enum task_kind {
	TASK_REQUEST,
	TASK_HALT,  /* stop a set whose client may not count it any more */
	TASK_DROP,  /* destroy a set whose client has left */
	TASK_PAGE,  /* fill one whose set takes long to read */
	TASK_WRAPS, /* look at all counters before one wraps */
};

struct task {
	enum task_kind kind;
	struct client *client; /* waits for the answer; NULL: nobody does */
	struct client by;      /* a copy of it, from when the task began */
	struct client_set set; /* what the task is about; a set that was started */
	struct client_set *of; /* of a page: the set of a client, which may have left meanwhile */
	struct message *m;
	struct answer a;
	int64_t took; /* ns */
};

/* A set that is to be destroyed. */
struct drop {
	struct drop *next;
	struct client_set set;
};

struct planner {
	/* of the loop: */
	struct fair fair;
	size_t flow; /* of the present task */
	bool busy;
	bool halts, pages, wraps; /* there may be such tasks */
	struct drop *drops, **last_drop;
	bool made; /* the thread is to be joined before the next one */
	/* of both, under the lock: */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	int done; /* an event, readable when a task was done */
	bool runs, ends, posted;
	/* the loop's while there is none posted, else the planner's: */
	struct task task;
};

/* NULL, with errno. */
struct planner *planner_new(void);
/* Do what is left and end the thread. */
void planner_free(struct server *s);

/*
 * In the loop: end the task that was done, and begin the next one.  Returns the client that has to
 * go, or NULL.
 */
struct client *planner_next(struct server *s);

/* ---- owners.c: in the loop, have a set destroyed ---- */

void planner_drop(struct planner *p, struct client_set *set);

/* ---- request.c: the parts of a request ---- */

/* false: there is nothing to do, the answer is there. */
bool task_begin(struct server *s, struct task *t, struct client *c);
void task_do(struct server *s, struct task *t);
/* false: the client has to go. */
bool task_end(struct server *s, struct task *t);

#endif
