/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - how many names of events clients make uncored keep. */
#ifndef UNC_DAEMON_NAMES_H
#define UNC_DAEMON_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_NAMES     65536 /* of all users, beside those that are listed */
#define NAMES_OF_USER 4096  /* root may have all */

struct uncore;

struct user_names {
	unsigned user, kept;
};

/* Who has made it keep some. */
struct names {
	size_t n, room;
	struct user_names *of;
};

/*
 * Before names of a user's request are looked up: so many new ones may be among them as the user,
 * and all together, have left.
 *
 * @return false: out of memory
 */
bool names_begin(struct names *names, struct uncore *u, unsigned user);
/* Afterwards: the new ones are the user's.  The limit that nothing is left of, or 0. */
unsigned names_end(struct names *names, struct uncore *u, unsigned user);
void names_free(struct names *names);

#endif
