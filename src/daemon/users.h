/* SPDX-License-Identifier: BSD-3-Clause */
/* users.h - limits of users for what uncored stores: event names, and memory of event sets. */
#ifndef UNC_DAEMON_USERS_H
#define UNC_DAEMON_USERS_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_NAMES      65536 /* of all users, in addition to the listed ones */
#define NAMES_OF_USER  4096  /* except root */
#define MEMORY_OF_USER 64    /* MB of event sets, except root */

struct uncore;

struct user_state {
	unsigned user, names;
	size_t bytes; /* of event sets */
};

/* All users with names or sets. */
struct users {
	size_t n, room;
	struct user_state *of;
	unsigned memory; /* MB per user; 0: MEMORY_OF_USER */
};

/*
 * Before the names of a request are looked up: allow as many new ones as the user, and all
 * users together, have left.
 *
 * @return false: out of memory
 */
bool names_begin(struct users *users, struct uncore *u, unsigned user);
/* Afterwards: account the new ones to the user.  Returns the limit that was reached, or 0. */
unsigned names_end(struct users *users, struct uncore *u, unsigned user);

/*
 * Account memory for a set of the user.  Returns the total it would need, if that exceeds the
 * user's limit; nothing is accounted then.  Otherwise 0. names_begin() must have been called.
 */
size_t memory_take(struct users *users, unsigned user, size_t bytes);
/* Release it. */
void memory_give(struct users *users, unsigned user, size_t bytes);
/* The limit per user. */
size_t memory_most(const struct users *users);

void users_free(struct users *users);

#endif
