/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * users.c - see users.h.  The library keeps each name that it is asked for, because its number
 * stays valid.  A name is accounted to the user who asked for it first, and costs other users
 * nothing, so a user who asks for many does not use up others' limits.
 */
#include "daemon/users.h"

#include <stdlib.h>

#include "uncore_inspect.h"

static struct user_state *find(const struct users *n, unsigned user)
{
	for (size_t i = 0; i < n->n; i++)
		if (n->of[i].user == user)
			return &n->of[i];
	return NULL;
}

/* There are at most as many users as names. */
static struct user_state *add(struct users *n, unsigned user)
{
	const size_t room = n->room ? 2 * n->room : 16;
	struct user_state *of;

	if (n->n == n->room) {
		of = realloc(n->of, room * sizeof(*of));
		if (!of)
			return NULL;
		n->of = of;
		n->room = room;
	}
	n->of[n->n] = (struct user_state){.user = user};
	return &n->of[n->n++];
}

static unsigned all_users_memory(const struct users *n)
{
	unsigned all = 0;

	for (size_t i = 0; i < n->n; i++)
		all += n->of[i].names;
	return all;
}

static unsigned left(const struct user_state *own, unsigned all)
{
	const unsigned of_all = all < MAX_NAMES ? MAX_NAMES - all : 0;
	const unsigned of_user = own->names < NAMES_OF_USER ? NAMES_OF_USER - own->names : 0;

	return own->user != 0 && of_user < of_all ? of_user : of_all;
}

bool names_begin(struct users *n, struct uncore *u, unsigned user)
{
	const struct user_state *own = find(n, user);
	const unsigned all = all_users_memory(n);

	if (!own)
		own = add(n, user);
	if (own)
		uncore_limit_names(u, all + left(own, all));
	return own != NULL;
}

unsigned names_end(struct users *n, struct uncore *u, unsigned user)
{
	const unsigned before = all_users_memory(n), all = uncore_limit_names(u, MAX_NAMES);
	struct user_state *own = find(n, user);

	own->names += all > before ? all - before : 0;
	if (left(own, all) > 0)
		return 0;
	return all < MAX_NAMES ? NAMES_OF_USER : MAX_NAMES;
}

/* ---- memory ---- */

size_t memory_most(const struct users *users)
{
	return (users->memory ? users->memory : MEMORY_OF_USER) * (size_t)1000000;
}

size_t memory_take(struct users *users, unsigned user, size_t bytes)
{
	struct user_state *own = find(users, user);
	const size_t all = own->bytes + bytes;

	if (user != 0 && all > memory_most(users))
		return all;
	own->bytes = all;
	return 0;
}

void memory_give(struct users *users, unsigned user, size_t bytes)
{
	if (bytes)
		find(users, user)->bytes -= bytes;
}

void users_free(struct users *users)
{
	free(users->of);
	*users = (struct users){.n = 0};
}
