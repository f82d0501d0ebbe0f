/* SPDX-License-Identifier: BSD-3-Clause */
/* users.h - what users make uncored keep: names of events, and memory of event sets. */
#ifndef UNC_DAEMON_USERS_H
#define UNC_DAEMON_USERS_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_NAMES      65536 /* of all users, beside those that are listed */
#define NAMES_OF_USER  4096  /* root may have all */
#define MEMORY_OF_USER 64    /* MB, of event sets; root may have all */

struct uncore;

struct user_state {
	unsigned user, names;
	size_t bytes; /* of event sets */
};

/* Who has made it keep some. */
struct users {
	size_t n, room;
	struct user_state *of;
	unsigned memory; /* MB that each may have; 0: MEMORY_OF_USER */
};

/*
 * Before names of a user's request are looked up: so many new ones may be among them as the user,
 * and all together, have left.
 *
 * @return false: out of memory
 */
bool names_begin(struct users *users, struct uncore *u, unsigned user);
/* Afterwards: the new ones are the user's.  The limit that nothing is left of, or 0. */
unsigned names_end(struct users *users, struct uncore *u, unsigned user);

/*
 * A set of the user's will take so much.  What all of them would take then, if that is more than
 * the user may have: nothing was taken; else 0.  names_begin() came before.
 */
size_t memory_take(struct users *users, unsigned user, size_t bytes);
/* It has gone. */
void memory_give(struct users *users, unsigned user, size_t bytes);
/* What each may have. */
size_t memory_most(const struct users *users);

void users_free(struct users *users);

#endif
