/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * users.h - the users of uncored: one struct has what each of them uses, and the limits are here.
 *
 * Only the loop adds and replaces users, and accesses all members but two: the planner has the
 * names, and the bytes of sets.  Both may keep a pointer to a user who has clients or drops.
 */
#ifndef UNC_DAEMON_USERS_H
#define UNC_DAEMON_USERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/fair.h"
#include "daemon/limits.h"

#define MAX_OF_USER    64    /* clients, except root's */
#define MAX_NAMES      65536 /* of all users, in addition to the listed ones */
#define NAMES_OF_USER  4096  /* except root */
#define MEMORY_OF_USER 64    /* MB of event sets, except root */

struct uncore;

/* Kinds of work, which share the time of their user equally: the loop's, and the planner's. */
enum work_kind { WORK_REQUESTS, WORK_PAGES, WORK_PLANS, WORK_PLANNED_PAGES, WORK_KINDS };

struct user {
	uid_t uid;
	unsigned clients;
	unsigned drops;  /* sets that the planner is to destroy */
	unsigned groups; /* monitoring groups */
	unsigned names;  /* that the library keeps for the user */
	size_t bytes;    /* of event sets */
	struct bucket starts;
	int64_t flow[WORK_KINDS]; /* fair.h */
};

struct users {
	size_t n, room;
	struct user **of;
	unsigned names;  /* of all users */
	unsigned memory; /* MB per user; 0: MEMORY_OF_USER */
	struct fair loop, planner;
};

/*
 * The user of that number; a new one takes the place of one who owes nothing.
 *
 * @return NULL: out of memory
 */
struct user *users_find(struct users *users, uid_t uid);

/* Before the names of a request are looked up: allow as many new ones as the user, and all
 * users together, have left. */
void names_begin(const struct users *users, struct uncore *u, const struct user *user);
/* Afterwards: account the new ones to the user.  Returns the limit that was reached, or 0. */
unsigned names_end(struct users *users, struct uncore *u, struct user *user);

/*
 * Account memory for a set of the user.  Returns the total it would need, if that exceeds the
 * user's limit; nothing is accounted then.  Otherwise 0.
 */
size_t memory_take(const struct users *users, struct user *user, size_t bytes);
/* The limit per user. */
size_t memory_most(const struct users *users);

void users_free(struct users *users);

#endif
