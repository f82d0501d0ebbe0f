/* SPDX-License-Identifier: BSD-3-Clause */
/* reload.c - signals: end serving, or read the policy again and apply it to connected clients. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "daemon/answer.h"
#include "daemon/say.h"
#include "daemon/traffic.h"

/* Whether a set has events that its user may no longer count. */
static bool is_forbidden(const struct client *c, const struct client_set *set)
{
	return !(c->may & UNC_MAY_COUNT) || (set->energy && !(c->may & UNC_MAY_ENERGY));
}

unsigned daemon_stop_forbidden(struct server *s, struct client *c)
{
	unsigned n = 0;

	for (size_t i = 0; i < MAX_SETS; i++)
		if (c->sets[i].number && is_forbidden(c, &c->sets[i]))
			n += daemon_stop_set(s, &c->sets[i], BY_POLICY, 0);
	return n;
}

static void report(const struct server *s, unsigned stopped)
{
	const char *file = s->policy_file ? s->policy_file : UNCORED_POLICY;
	char more[100] = "";

	if (stopped)
		snprintf(more, sizeof(more),
			 "; stopped %u event set%s of users who may no longer count %s", stopped,
			 stopped == 1 ? "" : "s", stopped == 1 ? "it" : "them");
	if (s->policy.listed)
		daemon_say(SAY_NOTICE, "loaded policy %s: %zu line%s%s", file, s->policy.n,
			   s->policy.n == 1 ? "" : "s", more);
	else
		daemon_say(SAY_WARNING,
			   "no policy %s: all users who can open the socket may count%s", file,
			   more);
}

unsigned daemon_apply_policy(struct server *s)
{
	unsigned stopped = 0;

	for (size_t i = 0; i < MAX_CLIENTS; i++) {
		struct client *c = &s->clients[i];

		if (c->fd < 0)
			continue;
		c->may = policy_of(&s->policy, c->fd, c->user->uid);
		stopped += daemon_stop_forbidden(s, c);
		if (!(c->may & UNC_MAY_TRAFFIC))
			traffic_drop(s, c);
	}
	return stopped;
}

static void reload(struct server *s)
{
	if (policy_reload(&s->policy, s->policy_file) == 0)
		report(s, daemon_apply_policy(s));
}

bool daemon_is_to_end(struct server *s)
{
	struct signalfd_siginfo is;
	const ssize_t n = read(s->signals, &is, sizeof(is));

	if (n != sizeof(is) || is.ssi_signo != SIGHUP)
		return n >= 0 || (errno != EAGAIN && errno != EINTR);
	reload(s);
	return false;
}
