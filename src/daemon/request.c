/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request.c - what clients ask for.  Nothing in a message is believed before it is checked: a
 * client names events, and what counting them does to registers is the library's.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "daemon/daemon.h"
#include "uncore_inspect.h"

struct message {
	struct unc_wire_request head;
	char names[UNC_WIRE_NAMES + 1];
	size_t got; /* bytes of names */
};

/* ---- answers ---- */

struct answer {
	struct unc_wire_reply head;
	int64_t counts[UNC_WIRE_EVENTS];
	char text[UNCORE_ERRMSG_MAX];
	int file; /* to go with it, -1: none */
};

__attribute__((format(printf, 3, 4))) static void say(struct answer *a, int code,
						      const char *format, ...)
{
	va_list list;

	a->head.code = code;
	va_start(list, format);
	vsnprintf(a->text, sizeof(a->text), format, list);
	va_end(list);
}

static void say_why(const struct server *s, struct answer *a, int code)
{
	a->head.code = code;
	uncore_errmsg(s->u, a->text, sizeof(a->text));
}

/* Whoever does not take its answer at once has to go: the others do not wait for it. */
static bool reply(const struct client *c, struct answer *a)
{
	const bool counted = a->head.kind == UNC_WIRE_READ || a->head.kind == UNC_WIRE_STOP;
	const size_t counts = counted ? a->head.n : 0;
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.bytes = {0}};
	const size_t text = a->head.code < 0 ? strlen(a->text) + 1 : 0;
	struct iovec parts[] = {{&a->head, sizeof(a->head)},
				{a->counts, counts * sizeof(*a->counts)},
				{a->text, text}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 3};

	if (a->file >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.head = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
						.cmsg_type = SCM_RIGHTS,
						.cmsg_len = CMSG_LEN(sizeof(int))};
		memcpy(CMSG_DATA(&control.head), &a->file, sizeof(int));
	}
	return sendmsg(c->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

/* ---- sets ---- */

static struct client_set *find_set(struct client *c, uint32_t number)
{
	for (size_t i = 0; i < MAX_SETS; i++)
		if (c->sets[i].number == number)
			return &c->sets[i];
	return NULL;
}

static void drop(struct client_set *s)
{
	uncore_set_destroy(s->set);
	free(s->owned);
	free(s->names);
	*s = (struct client_set){.number = 0};
}

void daemon_forget(struct client *c)
{
	for (size_t i = 0; i < MAX_SETS; i++)
		if (c->sets[i].number)
			drop(&c->sets[i]);
}

static size_t counted(const struct client *c)
{
	size_t n = 0;

	for (size_t i = 0; i < MAX_SETS; i++)
		n += c->sets[i].n;
	return n;
}

/* Energy tells what a processor works on (docs/permissions.md, "Energy"). */
static int allow(const struct server *s, const struct client *c, unsigned id, struct answer *a)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	int r = uncore_event_info(s->u, id, &info);

	if (r == 0 && *info.formula)
		say(a, r = UNCORE_EINVAL, "uncored counts events, of which clients make metrics");
	else if (r == 0 && strncmp(info.kind, "rapl", 4) == 0 && c->user != 0 && !s->policy.energy)
		say(a, r = UNCORE_EACCESS,
		    "uncored counts energy for root only (uncored --energy: for all of its users)");
	return r;
}

/* Names in a message follow each other, each with its NUL; NULL: there is no further one. */
static const char *next_name(const char *names, size_t bytes, size_t *at)
{
	const char *name = names + *at;

	if (*at >= bytes)
		return NULL;
	*at += strlen(name) + 1;
	return name;
}

static int find_events(const struct server *s, const struct client *c, const struct message *m,
		       unsigned *ids, struct answer *a)
{
	const unsigned names = m->head.flags & UNC_WIRE_OWNER ? 2 : 1;
	size_t at = 0;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < m->head.n * names; i++) {
		const char *name = next_name(m->names, m->got, &at);

		if (!name) {
			say(a, UNCORE_EINVAL, "the request has fewer names than events");
			return UNCORE_EINVAL;
		}
		if (i % names)
			continue;
		r = uncore_event(s->u, name, &ids[i / names]);
		if (r < 0)
			say_why(s, a, r);
		else
			r = allow(s, c, ids[i / names], a);
	}
	return r;
}

/* ---- UNCORE_SHARE=owner ---- */

static bool set_owns(const struct client_set *set, const char *name)
{
	for (size_t i = 0; set->owned && i < set->n; i++)
		if (set->owned[i] && strcmp(set->owned[i], name) == 0)
			return true;
	return false;
}

/* Another process of the user counts it, and said so. */
static bool is_owned(const struct server *s, const struct client *by, const char *name)
{
	for (size_t i = 0; i < MAX_CLIENTS; i++) {
		const struct client *c = &s->clients[i];

		if (c->fd < 0 || c->user != by->user || c->pid == by->pid)
			continue;
		for (size_t k = 0; k < MAX_SETS; k++)
			if (c->sets[k].number && set_owns(&c->sets[k], name))
				return true;
	}
	return false;
}

/* What the set's events are for, after all were found; how many read 0, or UNCORE_ENOMEM. */
static int own(const struct server *s, const struct client *c, const struct message *m,
	       struct client_set *set)
{
	size_t at = 0;
	int n = 0;

	if (!(m->head.flags & UNC_WIRE_OWNER))
		return 0;
	set->owned = calloc(m->head.n, sizeof(*set->owned));
	set->names = malloc(m->got + 1);
	if (!set->owned || !set->names)
		return UNCORE_ENOMEM;
	memcpy(set->names, m->names, m->got + 1);
	for (uint32_t i = 0; i < m->head.n; i++) {
		const char *name;

		next_name(set->names, m->got, &at);
		name = next_name(set->names, m->got, &at);
		set->owned[i] = is_owned(s, c, name) ? NULL : name;
		n += !set->owned[i];
	}
	return n;
}

/* ---- requests ---- */

static void start(const struct server *s, struct client *c, const struct message *m,
		  struct answer *a)
{
	struct client_set *place = find_set(c, 0);
	unsigned ids[UNC_WIRE_EVENTS];
	int r, elsewhere;

	if (!place) {
		say(a, UNCORE_ECONFLICT,
		    "uncored counts %d event sets for one program: stop one of them", MAX_SETS);
		return;
	}
	if (m->head.n == 0 || m->head.n > UNC_WIRE_EVENTS || counted(c) + m->head.n > MAX_COUNTED) {
		say(a, UNCORE_ECONFLICT,
		    "uncored counts 1 to %d events in a set, and %d for one program",
		    UNC_WIRE_EVENTS, MAX_COUNTED);
		return;
	}
	if (find_events(s, c, m, ids, a) < 0)
		return;
	elsewhere = own(s, c, m, place);
	r = elsewhere < 0 ? elsewhere : uncore_set_create(s->u, &place->set);
	if (r == 0)
		r = uncore_set_assign(place->set, ids, m->head.n);
	if (r == 0)
		r = uncore_set_start(place->set);
	if (r < 0) {
		say_why(s, a, r);
		drop(place);
		return;
	}
	if (++c->last == 0)
		c->last = 1;
	place->number = a->head.set = c->last;
	place->n = m->head.n;
	a->head.n = (uint32_t)elsewhere;
}

static void read_set(const struct server *s, const struct client_set *set, struct answer *a)
{
	struct uncore_times times[UNC_WIRE_EVENTS];
	int r;

	times[0].size = sizeof(times[0]);
	r = uncore_set_times(set->set, times);
	if (r < 0) {
		say_why(s, a, r);
		return;
	}
	a->head.n = (uint32_t)set->n;
	a->head.enabled = times[0].enabled_ns;
	for (size_t i = 0; i < set->n; i++)
		a->counts[i] = set->owned && !set->owned[i] ? 0 : times[i].count;
}

/* The counts are told whether or not all registers could be restored. */
static void stop(const struct server *s, struct client_set *set, struct answer *a)
{
	char text[UNCORE_ERRMSG_MAX];
	const int r = uncore_set_stop(set->set);

	uncore_errmsg(s->u, text, sizeof(text));
	read_set(s, set, a);
	if (r < 0)
		say(a, r, "%s", text);
	drop(set);
}

static void check(const struct server *s, const struct client_set *set, struct answer *a)
{
	const int r = uncore_set_check(set->set);

	if (r < 0)
		say_why(s, a, r);
}

static void do_with_set(const struct server *s, struct client *c, const struct message *m,
			struct answer *a)
{
	struct client_set *set = m->head.set ? find_set(c, m->head.set) : NULL;

	if (!set)
		say(a, UNCORE_EINVAL, "uncored has no such event set of this program");
	else if (m->head.kind == UNC_WIRE_READ)
		read_set(s, set, a);
	else if (m->head.kind == UNC_WIRE_CHECK)
		check(s, set, a);
	else
		stop(s, set, a);
}

static void welcome(const struct server *s, struct answer *a)
{
	struct uncore_machine_info info = {.size = sizeof(info)};

	a->file = s->recording;
	if (uncore_machine(s->u, &info) == 0)
		a->head.n = info.simulated;
}

/* ---- messages ---- */

/* 1; 0: there is none; -1: it is none, or the last one was. */
static int receive(const struct client *c, struct message *m)
{
	struct iovec parts[] = {{&m->head, sizeof(m->head)}, {m->names, UNC_WIRE_NAMES}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	const ssize_t n = recvmsg(c->fd, &message, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < (ssize_t)sizeof(m->head.version) || message.msg_flags & MSG_TRUNC)
		return -1;
	if (n < (ssize_t)sizeof(m->head))
		m->head.bytes = UINT32_MAX; /* whatever it is: no request of this version */
	m->got = n < (ssize_t)sizeof(m->head) ? 0 : (size_t)n - sizeof(m->head);
	m->names[m->got] = '\0';
	return 1;
}

bool daemon_answer(struct server *s, struct client *c)
{
	struct message m; /* its names, and the answer's counts, are not cleared for each read */
	struct answer a;
	int r;

	m.head = (struct unc_wire_request){.version = 0};
	a.head = (struct unc_wire_reply){.version = UNC_WIRE_VERSION};
	a.file = -1;
	r = receive(c, &m);
	if (r <= 0)
		return r == 0; /* woken for nothing */
	a.head.kind = m.head.kind;
	if (m.head.version != UNC_WIRE_VERSION) { /* from the head it learns why */
		reply(c, &a);
		return false;
	}
	if (m.head.bytes != m.got || m.head.flags & ~UNC_WIRE_OWNER)
		return false;
	if (m.head.kind == UNC_WIRE_HELLO)
		welcome(s, &a);
	else if (m.head.kind == UNC_WIRE_START)
		start(s, c, &m, &a);
	else if (m.head.kind <= UNC_WIRE_STOP)
		do_with_set(s, c, &m, &a);
	else
		return false;
	return reply(c, &a);
}
