/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request.c - messages of clients, and their answers.  Messages are checked before use: a
 * client names events, and the library decides which registers are programmed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "daemon/planner.h"
#include "daemon/traffic.h"
#include "uncore_inspect.h"

/* ---- answers ---- */

/* A client that does not take its answer at once is disconnected: others must not wait for it. */
static bool reply(const struct client *c, struct answer *a)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.bytes = {0}};
	const size_t text = a->head.code < 0 ? strlen(a->text) + 1 : 0;
	struct iovec parts[] = {
		{&a->head, sizeof(a->head)}, {a->is.bytes, a->size}, {a->text, text}};
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

static void welcome(const struct server *s, const struct client *c, struct answer *a)
{
	struct uncore_machine_info info = {.size = sizeof(info)};

	a->file = s->recording;
	a->head.rounds = c->may;
	if (uncore_machine(s->u, &info) == 0)
		a->head.n = info.simulated;
}

/* ---- messages ---- */

/* 1; 0: no message; -1: an invalid one, or the client has disconnected. */
static int receive(const struct server *s, const struct client *c, struct message *m)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(struct timespec))];
	} control;
	struct iovec parts[] = {{&m->head, sizeof(m->head)}, {m->body, UNC_WIRE_BYTES}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2, .msg_control = &control};
	ssize_t n;

	/* usually no control data, since a client could send descriptors that nothing closes */
	message.msg_controllen = s->latency.measured ? sizeof(control) : 0;
	n = recvmsg(c->fd, &message, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < (ssize_t)sizeof(m->head.version) || message.msg_flags & MSG_TRUNC)
		return -1;
	if (n < (ssize_t)sizeof(m->head))
		m->head.bytes = UINT32_MAX; /* too short: not a request of this version */
	m->got = n < (ssize_t)sizeof(m->head) ? 0 : (size_t)n - sizeof(m->head);
	m->body[m->got] = '\0';
	m->arrived = latency_arrival(&message);
	return 1;
}

static bool is_request(const struct message *m)
{
	return m->head.bytes == m->got &&
	       (m->head.flags & ~(UNC_WIRE_OWNER | UNC_WIRE_GROUPS | UNC_WIRE_CODES)) == 0 &&
	       m->head.kind >= UNC_WIRE_HELLO && m->head.kind <= UNC_WIRE_UNGROUP;
}

/* ---- requests for the planner thread ---- */

static bool is_long(unsigned kind)
{
	return kind == UNC_WIRE_START || kind == UNC_WIRE_STOP || kind == UNC_WIRE_CHECK ||
	       kind == UNC_WIRE_WAIT || kind == UNC_WIRE_REARM;
}

/* NULL: the request needs no set. */
static struct client_set *set_to_read(struct client *c, const struct message *m)
{
	return m->head.kind == UNC_WIRE_READ && m->head.set ? daemon_find_set(c, m->head.set)
							    : NULL;
}

static bool is_slow(struct client *c, const struct message *m)
{
	const struct client_set *set = set_to_read(c, m);

	return set && daemon_is_slow(set);
}

static void note_read(struct client *c, const struct message *m, int64_t took)
{
	struct client_set *set = set_to_read(c, m);

	if (set)
		daemon_note_read(set, took);
}

static void begin_answer(struct answer *a, unsigned kind)
{
	a->head = (struct unc_wire_reply){.version = UNC_WIRE_VERSION, .kind = (uint16_t)kind};
	a->size = 0;
	a->file = -1;
}

/* The requested set; NULL after an answer with the reason. */
static struct client_set *find(struct client *c, const struct message *m, struct answer *a)
{
	struct client_set *set = m->head.set ? daemon_find_set(c, m->head.set) : NULL;

	if (!set)
		answer_say(a, UNCORE_EINVAL,
			   "unknown event set: not created by this connection "
			   "to uncored");
	else if (m->head.kind != UNC_WIRE_STOP && daemon_is_stopped(set, a))
		set = NULL;
	return set;
}

bool task_begin(struct server *s, struct task *t, struct client *c)
{
	struct client_set *set;

	t->client = c;
	t->by = *c;
	t->took = 0;
	t->m = c->held;
	c->held = NULL;
	c->planned = true;
	begin_answer(&t->a, t->m->head.kind);
	t->set = (struct client_set){.number = 0};
	if (t->m->head.kind == UNC_WIRE_START)
		return true;
	set = find(c, t->m, &t->a);
	if (!set)
		return false;
	if (t->m->head.kind == UNC_WIRE_STOP)
		daemon_page_end(s, set);
	t->set = *set;
	if (t->m->head.kind == UNC_WIRE_STOP)
		*set = (struct client_set){.number = 0};
	return true;
}

void task_do(struct server *s, struct task *t)
{
	if (t->m->head.kind == UNC_WIRE_START)
		daemon_start(s, &t->by, t->m, &t->set, &t->a);
	else
		daemon_ask_planner(s, &t->set, t->m, &t->a);
}

bool task_end(struct server *s, struct task *t)
{
	struct client *c = t->client;
	bool good;

	if (t->m->head.kind == UNC_WIRE_START && t->a.head.code == 0)
		daemon_install(s, c, t->m, &t->set, &t->a);
	note_read(c, t->m, t->took);
	c->planned = false;
	good = !c->gone && reply(c, &t->a);
	latency_note(&s->latency, c->user->uid, t->m->head.kind, t->m->arrived);
	free(t->m);
	if (t->a.file >= 0)
		close(t->a.file);
	return good;
}

/* Without a planner. */
static bool do_now(struct server *s, struct client *c)
{
	struct task *t = malloc(sizeof(*t));
	bool good;

	if (!t)
		return false;
	if (task_begin(s, t, c))
		task_do(s, t);
	good = task_end(s, t);
	free(t);
	return good;
}

/* Keep the message until it can be carried out. */
static bool hold(struct server *s, struct client *c, const struct message *m)
{
	const size_t size = offsetof(struct message, body) + m->got + 1;

	c->held = malloc(size);
	if (!c->held)
		return false;
	memcpy(c->held, m, size);
	return s->planner || do_now(s, c);
}

/* ---- dispatch ---- */

static void answer_now(struct server *s, struct client *c, const struct message *m,
		       struct answer *a)
{
	const struct client_set *set;

	if (m->head.kind == UNC_WIRE_HELLO)
		welcome(s, c, a);
	else if (m->head.kind == UNC_WIRE_CLIENTS)
		daemon_list_clients(s, c, m, a);
	else if (m->head.kind == UNC_WIRE_STOP_CLIENT)
		daemon_stop_client(s, c, m, a);
	else if (m->head.kind == UNC_WIRE_GROUP)
		traffic_make(s, c, m, a);
	else if (m->head.kind == UNC_WIRE_UNGROUP)
		traffic_remove(s, c, m, a);
	else if ((set = find(c, m, a)))
		daemon_ask_now(s, set, m, a);
}

bool daemon_answer(struct server *s, struct client *c)
{
	struct message m; /* the bodies of message and answer are not cleared for each read */
	struct answer a;
	int64_t began;
	bool good;
	int r;

	m.head = (struct unc_wire_request){.version = 0};
	r = receive(s, c, &m);
	if (r <= 0)
		return r == 0; /* spurious wakeup */
	begin_answer(&a, m.head.kind);
	if (m.head.version != UNC_WIRE_VERSION) { /* the head of the answer has the version */
		reply(c, &a);
		return false;
	}
	if (!is_request(&m))
		return false;
	limits_take(&s->limits, &c->requests, &c->user->starts, m.head.kind);
	if (is_long(m.head.kind) || is_slow(c, &m))
		return hold(s, c, &m);
	began = limits_now();
	answer_now(s, c, &m, &a);
	note_read(c, &m, limits_now() - began);
	good = reply(c, &a);
	latency_note(&s->latency, c->user->uid, m.head.kind, m.arrived);
	if (a.file >= 0 && a.file != s->recording)
		close(a.file);
	return good;
}
