/* SPDX-License-Identifier: BSD-3-Clause */
/* clients.c - requests about other clients: list them, and stop their sets. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/documents.h"
#include "base/listed.h"
#include "daemon/planner.h"
#include "uncore_inspect.h"

void daemon_note_client(struct client *c)
{
	char path[64];
	FILE *f;

	c->since = (int64_t)time(NULL);
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)c->pid);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fgets(c->program, sizeof(c->program), f))
		c->program[strcspn(c->program, "\n")] = '\0';
	fclose(f);
	/* a process chooses its own name, which must not contain control characters */
	for (char *p = c->program; *p; p++)
		if (!isprint((unsigned char)*p))
			*p = '?';
}

/* ---- list ---- */

static bool may_see(const struct client *by, const struct client *c, unsigned right)
{
	return by->user == c->user || (by->may & right);
}

static void add_names(const struct server *s, const struct client_set *set, char *to, size_t size)
{
	size_t n = strlen(to);

	for (size_t i = 0; i < set->n && set->ids; i++) {
		const char *name = uncore_event_name(s->u, set->ids[i]);
		const size_t length = name ? strlen(name) : 0;

		if (name && unc_is_listed(to, name)) /* in another set */
			continue;
		if (n + length + sizeof("  ...") > size) {
			snprintf(to + n, size - n, " ...");
			return;
		}
		n += (size_t)snprintf(to + n, size - n, "%s%s", n ? " " : "", name ? name : "?");
	}
}

static void describe(const struct server *s, const struct client *c, struct unc_wire_client *is)
{
	*is = (struct unc_wire_client){.pid = c->pid, .user = c->user->uid, .since = c->since};
	snprintf(is->program, sizeof(is->program), "%s", c->program);
	for (size_t i = 0; i < MAX_SETS; i++) {
		if (!c->sets[i].number || c->sets[i].stopped)
			continue;
		is->sets++;
		is->events += (uint32_t)c->sets[i].n;
		add_names(s, &c->sets[i], is->names, sizeof(is->names));
	}
}

void daemon_list_clients(const struct server *s, const struct client *by, const struct message *m,
			 struct answer *a)
{
	struct unc_wire_client is;

	for (uint32_t i = m->head.n; i < MAX_CLIENTS; i++) {
		const struct client *c = &s->clients[i];

		if (c->fd < 0 || !may_see(by, c, UNC_MAY_SEE))
			continue;
		describe(s, c, &is);
		memcpy(a->is.bytes, &is, sizeof(is));
		a->size = sizeof(is);
		a->head.n = i + 1;
		a->head.code = 1;
		return;
	}
}

/* ---- stop ---- */

unsigned daemon_stop_set(struct server *s, struct client_set *set, enum stopped why, uid_t by)
{
	if (!set->number || set->stopped)
		return 0;
	set->stopped = why;
	set->stopped_by = by;
	set->to_halt = s->planner != NULL;
	if (s->planner)
		s->planner->halts = true;
	else
		daemon_halt_set(s, set);
	return 1;
}

static unsigned stop_sets(struct server *s, struct client *c, const struct client *by)
{
	unsigned n = 0;

	for (size_t i = 0; i < MAX_SETS; i++)
		n += daemon_stop_set(s, &c->sets[i], BY_USER, by->user->uid);
	return n;
}

void daemon_stop_client(struct server *s, const struct client *by, const struct message *m,
			struct answer *a)
{
	bool found = false, refused = false;

	for (size_t i = 0; i < MAX_CLIENTS; i++) {
		struct client *c = &s->clients[i];

		if (c->fd < 0 || (uint32_t)c->pid != m->head.n)
			continue;
		if (may_see(by, c, UNC_MAY_STOP))
			a->head.n += stop_sets(s, c, by);
		else
			refused = true;
		found = true;
	}
	if (!found)
		answer_say(a, UNCORE_EINVAL,
			   "process %u does not count through uncored: see "
			   "uncore clients",
			   m->head.n);
	else if (refused)
		answer_say(a, UNCORE_EACCESS,
			   "cannot stop event sets of other users: the policy of uncored must "
			   "allow `stop` (" UNC_DOC_DAEMON ")");
}

bool daemon_is_stopped(const struct client_set *set, struct answer *a)
{
	if (set->stopped == BY_USER)
		answer_say(a, UNCORE_ESTATE,
			   "this event set was stopped by user %u (uncore clients --stop): it "
			   "keeps its counts; start it again to continue",
			   (unsigned)set->stopped_by);
	if (set->stopped == BY_POLICY)
		answer_say(
			a, UNCORE_EACCESS,
			"this event set was stopped: the policy of uncored no longer allows this "
			"user to count it; it keeps its counts");
	return set->stopped != NOT_STOPPED;
}
