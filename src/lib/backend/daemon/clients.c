/* SPDX-License-Identifier: BSD-3-Clause */
/* clients.c - see clients.h. */
#include "backend/daemon/clients.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend/daemon/connection.h"
#include "base/environment.h"

static int ask_about(struct unc_remote *r, struct unc_wire_request *q, char *more,
		     struct unc_reply *a, struct unc_err *err)
{
	sigset_t before;
	int code;

	unc_remote_lock(r, &before);
	code = unc_ask(r, q, more, a);
	unc_remote_unlock(r, &before);
	return code < 0 ? unc_gone(r, err, code) : unc_verdict(a, err);
}

static int ask(struct unc_remote *r, enum unc_wire_kind kind, uint32_t n, struct unc_reply *a,
	       struct unc_err *err)
{
	struct unc_wire_request q = unc_request(kind);

	q.n = n;
	return ask_about(r, &q, NULL, a, err);
}

static int ask_for(struct unc_remote *r, enum unc_wire_kind kind, const char *name,
		   struct unc_reply *a, struct unc_err *err)
{
	struct unc_wire_request q = unc_request(kind);
	char text[PATH_MAX];

	snprintf(text, sizeof(text), "%s", name);
	q.bytes = (uint32_t)strlen(text) + 1;
	return ask_about(r, &q, text, a, err);
}

const char *unc_remote_path(void)
{
	const char *named = unc_variable("UNCORE_DAEMON");

	return named ? named : UNC_WIRE_SOCKET;
}

int unc_remote_visit(struct unc_remote **out, const char *path, struct unc_err *err)
{
	int file;
	const int code = unc_remote_open(out, path, &file, err);

	if (code < 0)
		*out = NULL;
	else
		close(file);
	return code;
}

unsigned unc_remote_rights(const struct unc_remote *r)
{
	return r->rights;
}

int unc_remote_client(struct unc_remote *r, uint32_t *place, struct unc_wire_client *c,
		      struct unc_err *err)
{
	char body[sizeof(*c) + UNCORE_ERRMSG_MAX];
	struct unc_reply a = {.body = body, .room = sizeof(body)};
	const int code = ask(r, UNC_WIRE_CLIENTS, *place, &a, err);

	if (code < 0 || a.head.code == 0 || a.got < sizeof(*c) || a.head.n <= *place)
		return code;
	memcpy(c, body, sizeof(*c));
	c->program[sizeof(c->program) - 1] = '\0';
	c->names[sizeof(c->names) - 1] = '\0';
	*place = a.head.n;
	return 1;
}

int unc_remote_stop_client(struct unc_remote *r, uint32_t pid, struct unc_err *err)
{
	char body[UNCORE_ERRMSG_MAX];
	struct unc_reply a = {.body = body, .room = sizeof(body)};
	const int code = ask(r, UNC_WIRE_STOP_CLIENT, pid, &a, err);

	return code < 0 ? code : (int)a.head.n;
}

int unc_remote_group(struct unc_remote *r, const char *control, char *group, size_t len, int *tasks,
		     struct unc_err *err)
{
	char body[UNCORE_ERRMSG_MAX];
	struct unc_reply a = {.body = body, .room = sizeof(body), .file = -1};
	int code = ask_for(r, UNC_WIRE_GROUP, control, &a, err);

	if (code == 0 && (a.file < 0 || !a.got || body[a.got - 1] || a.got > len))
		code = unc_gone(r, err, -EPROTO);
	if (code < 0) {
		if (a.file >= 0)
			close(a.file);
		return code;
	}
	memcpy(group, body, a.got);
	*tasks = a.file;
	return 0;
}

int unc_remote_ungroup(struct unc_remote *r, const char *group, struct unc_err *err)
{
	char body[UNCORE_ERRMSG_MAX];
	struct unc_reply a = {.body = body, .room = sizeof(body), .file = -1};

	return ask_for(r, UNC_WIRE_UNGROUP, group, &a, err);
}
