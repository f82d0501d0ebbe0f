/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.c - see names.h.  The library keeps each name that it is asked for, since its number stays
 * good.  A name is counted against the user who asked for it first, and costs no other user
 * anything: so who asks for many takes from nobody else's.
 */
#include "daemon/names.h"

#include <stdlib.h>

#include "uncore_inspect.h"

static struct user_names *find(const struct names *n, unsigned user)
{
	for (size_t i = 0; i < n->n; i++)
		if (n->of[i].user == user)
			return &n->of[i];
	return NULL;
}

/* There are no more of them than names. */
static struct user_names *add(struct names *n, unsigned user)
{
	const size_t room = n->room ? 2 * n->room : 16;
	struct user_names *of;

	if (n->n == n->room) {
		of = realloc(n->of, room * sizeof(*of));
		if (!of)
			return NULL;
		n->of = of;
		n->room = room;
	}
	n->of[n->n] = (struct user_names){.user = user};
	return &n->of[n->n++];
}

static unsigned all_kept(const struct names *n)
{
	unsigned all = 0;

	for (size_t i = 0; i < n->n; i++)
		all += n->of[i].kept;
	return all;
}

static unsigned left(const struct user_names *own, unsigned all)
{
	const unsigned of_all = all < MAX_NAMES ? MAX_NAMES - all : 0;
	const unsigned of_user = own->kept < NAMES_OF_USER ? NAMES_OF_USER - own->kept : 0;

	return own->user != 0 && of_user < of_all ? of_user : of_all;
}

bool names_begin(struct names *n, struct uncore *u, unsigned user)
{
	const struct user_names *own = find(n, user);
	const unsigned all = all_kept(n);

	if (!own)
		own = add(n, user);
	if (own)
		uncore_limit_names(u, all + left(own, all));
	return own != NULL;
}

unsigned names_end(struct names *n, struct uncore *u, unsigned user)
{
	const unsigned before = all_kept(n), all = uncore_limit_names(u, MAX_NAMES);
	struct user_names *own = find(n, user);

	own->kept += all > before ? all - before : 0;
	if (left(own, all) > 0)
		return 0;
	return all < MAX_NAMES ? NAMES_OF_USER : MAX_NAMES;
}

void names_free(struct names *n)
{
	free(n->of);
	*n = (struct names){.n = 0};
}
