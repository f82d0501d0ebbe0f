/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * users.c - see users.h.  The library keeps each name that it is asked for, because its number
 * stays valid.  A name is accounted to the user who asked for it first, and costs other users
 * nothing, so a user who asks for many does not use up others' limits.
 */
#include "daemon/users.h"

#include <stdlib.h>

#include "uncore_inspect.h"

/* A flow that is not ahead of its queue, and a full bucket, have no state. */
static bool owes_time(const struct users *all, const struct user *user)
{
	for (unsigned i = 0; i < WORK_KINDS; i++)
		if (user->flow[i] > (i < WORK_PLANS ? all->loop : all->planner).now)
			return true;
	return user->starts.full_at > limits_now();
}

/* The planner has no work of a user without clients and drops. */
static bool owes_nothing(const struct users *all, const struct user *user)
{
	return !user->clients && !user->drops && !user->groups && !user->names && !user->bytes &&
	       !owes_time(all, user);
}

/* Users with names are as many as these at most, so the table is bounded. */
static struct user **new_place(struct users *all)
{
	const size_t room = all->room ? 2 * all->room : 16;
	struct user **of;

	if (all->n == all->room) {
		of = realloc(all->of, room * sizeof(struct user *));
		if (!of)
			return NULL;
		all->of = of;
		all->room = room;
	}
	all->of[all->n] = calloc(1, sizeof(**all->of));
	return all->of[all->n] ? &all->of[all->n++] : NULL;
}

struct user *users_find(struct users *all, uid_t uid)
{
	struct user **place = NULL;

	for (size_t i = 0; i < all->n; i++) {
		if (all->of[i]->uid == uid)
			return all->of[i];
		if (!place && owes_nothing(all, all->of[i]))
			place = &all->of[i];
	}
	if (!place)
		place = new_place(all);
	if (!place)
		return NULL;
	**place = (struct user){.uid = uid};
	return *place;
}

void users_free(struct users *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->of[i]);
	free(all->of);
	*all = (struct users){.n = 0};
}

/* ---- names ---- */

static unsigned left(const struct users *all, const struct user *user)
{
	const unsigned of_all = all->names < MAX_NAMES ? MAX_NAMES - all->names : 0;
	const unsigned of_user = user->names < NAMES_OF_USER ? NAMES_OF_USER - user->names : 0;

	return user->uid != 0 && of_user < of_all ? of_user : of_all;
}

void names_begin(const struct users *all, struct uncore *u, const struct user *user)
{
	uncore_limit_names(u, all->names + left(all, user));
}

unsigned names_end(struct users *all, struct uncore *u, struct user *user)
{
	const unsigned now = uncore_limit_names(u, MAX_NAMES);

	if (now > all->names) {
		user->names += now - all->names;
		all->names = now;
	}
	if (left(all, user) > 0)
		return 0;
	return all->names < MAX_NAMES ? NAMES_OF_USER : MAX_NAMES;
}

/* ---- memory ---- */

size_t memory_most(const struct users *all)
{
	return (all->memory ? all->memory : MEMORY_OF_USER) * (size_t)1000000;
}

size_t memory_take(const struct users *all, struct user *user, size_t bytes)
{
	const size_t total = user->bytes + bytes;

	if (user->uid != 0 && total > memory_most(all))
		return total;
	user->bytes = total;
	return 0;
}
