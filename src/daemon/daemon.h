/* SPDX-License-Identifier: BSD-3-Clause */
/* daemon.h - the parts of uncored: clients, their sets, and who may have them (docs/daemon.md). */
#ifndef UNC_DAEMON_H
#define UNC_DAEMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "access/wire.h"
#include "uncore.h"

#define MAX_CLIENTS 256
#define MAX_OF_USER 64   /* clients; root may have all */
#define MAX_SETS    16   /* of a client */
#define MAX_COUNTED 4096 /* events of all sets of a client */

struct policy {
	bool energy; /* others than root may count energy */
};

struct client_set {
	uint32_t number; /* 0: this place is free */
	size_t n;
	bool in_turns; /* its events may take turns: counts are estimates */
	struct uncore_set *set;
	struct unc_wire_page *page; /* that its client reads; NULL: none */
	int64_t refresh, due;       /* of it, ns: how often, and when next */
	/* of UNCORE_SHARE=owner, else NULL; by event: what it is for, NULL: others count that */
	const char **owned;
	char *names; /* that these are in */
};

struct client {
	int fd;      /* -1: none */
	int process; /* pidfd; -1: none.  A forked child may keep fd open longer than its parent */
	uid_t user;
	pid_t pid;
	uint32_t last;
	struct client_set sets[MAX_SETS];
};

struct server {
	struct uncore *u;
	struct policy policy;
	int listener;
	int signals;      /* readable when one of those that end it has come */
	int recording;    /* of the machine, a file that nobody can change */
	unsigned n_pages; /* of sets, and when the next one is due */
	int64_t due;
	struct client clients[MAX_CLIENTS];
};

/* ---- listen.c ---- */

/* A socket at path, or the one that systemd hands over; -1 after a message. */
int daemon_listen(const char *path, const char *group);

/* ---- rights.c ---- */

/* All capabilities but those that counting takes, for good; nothing that is run gets more.  0, or
 * -1 with errno. */
int daemon_drop_rights(void);

/* ---- serve.c ---- */

/* Until a signal ends it.  0, or 1 after a message. */
int daemon_serve(struct server *server);

/* ---- request.c ---- */

/* Answer one message of a client; false: the client has to go. */
bool daemon_answer(struct server *server, struct client *client);

/* ---- sets.c ---- */

/* Stop and forget all that it counts. */
void daemon_forget(struct server *server, struct client *client);

/* ---- pages.c ---- */

/* Fill those whose time has come: in how many ms the next one will; -1: there are none. */
int daemon_pages_due(struct server *server);

#endif
