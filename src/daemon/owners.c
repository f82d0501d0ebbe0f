/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * owners.c - stop sets, and UNCORE_SHARE=owner: the first process of a user that requests a
 * name counts it, for the others it reads 0.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/planner.h"

static bool owns(const struct owner *o, const char *name)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->names[i] && strcmp(o->names[i], name) == 0)
			return true;
	return false;
}

/* Another process of the user counts it, with UNCORE_SHARE=owner. */
static bool is_owned(const struct server *s, const struct client *by, const char *name)
{
	for (const struct owner *o = s->owners; o; o = o->next)
		if (o->user == by->user && o->pid != by->pid && owns(o, name))
			return true;
	return false;
}

int owner_new(struct server *s, const struct client *c, const struct reader *names, size_t n,
	      struct owner **out)
{
	const size_t bytes = names->m->got + 1;
	struct owner *o = calloc(1, sizeof(*o) + n * sizeof(*o->names));
	struct reader from = *names;
	int by_others = 0;

	if (!o || !(o->text = malloc(bytes))) {
		free(o);
		return UNCORE_ENOMEM;
	}
	memcpy(o->text, names->m->body, bytes);
	o->user = c->user;
	o->pid = c->pid;
	o->n = n;
	for (size_t i = 0; i < n; i++) {
		const char *name;

		reader_name(&from);
		name = o->text + (reader_name(&from) - names->m->body);
		o->names[i] = is_owned(s, c, name) ? NULL : name;
		by_others += !o->names[i];
	}
	o->next = s->owners;
	s->owners = o;
	*out = o;
	return by_others;
}

void owner_end(struct server *s, struct owner *o)
{
	struct owner **link = &s->owners;

	while (*link && *link != o)
		link = &(*link)->next;
	if (*link)
		*link = o->next;
}

void owner_free(struct server *s, struct owner *o)
{
	if (!o)
		return;
	owner_end(s, o);
	free(o->text);
	free(o);
}

/* ---- the end of a set ---- */

void daemon_halt_set(struct server *s, struct client_set *set)
{
	/* the library retries what cannot be restored now */
	uncore_set_stop(set->set);
	if (set->owner)
		owner_end(s, set->owner);
}

void planner_drop(struct planner *p, struct client_set *set)
{
	struct drop *d = set->drop;

	set->drop = NULL;
	set->user->drops++;
	*d = (struct drop){.set = *set};
	*p->last_drop = d;
	p->last_drop = &d->next;
}
