/* SPDX-License-Identifier: BSD-3-Clause */
/* daemon.h - the parts of uncored: clients, their sets, and who may have them (docs/daemon.md). */
#ifndef UNC_DAEMON_H
#define UNC_DAEMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "backend/daemon/wire.h"
#include "daemon/fair.h"
#include "daemon/limits.h"
#include "daemon/policy.h"
#include "daemon/users.h"
#include "uncore.h"

#define MAX_CLIENTS 256
#define MAX_OF_USER 64   /* clients; root may have all */
#define ROOT_PLACES 16   /* of these that only root may have */
#define MAX_SETS    16   /* of a client */
#define MAX_COUNTED 4096 /* events of all sets of a client */

enum stopped {
	NOT_STOPPED,
	BY_USER,   /* another one, or another process */
	BY_POLICY, /* that was read while it counted */
};

struct client_set {
	uint32_t number; /* 0: this place is free */
	uid_t user;
	size_t n;
	size_t bytes;     /* counted against its user's budget */
	bool multiplexed; /* its events may take turns: counts are estimates */
	bool energy;      /* there is some among them */
	struct uncore_set *set;
	int64_t shortest;           /* read of it so far, ns; 0: there was none */
	struct unc_wire_page *page; /* that its client reads; NULL: none */
	int64_t refresh, due;       /* of it, ns: how often, and when next */
	int64_t asked;              /* since when the planner is to fill it, ns; 0: it is not */
	unsigned *ids;
	enum stopped stopped; /* else than by its client: only its last counts can be had */
	uid_t stopped_by;
	bool to_halt;        /* it is stopped for its client, and still counts */
	struct owner *owner; /* of UNCORE_SHARE=owner, else NULL */
	struct drop *drop;   /* memory for the task that destroys it */
};

/* What a set of a process that counts for others of its user is for. */
struct owner {
	struct owner *next;
	uid_t user;
	pid_t pid;
	char *text; /* that the names are in */
	size_t n;
	const char *names[]; /* by event; NULL: another process counts it */
};

struct client {
	int fd;      /* -1: none */
	int process; /* pidfd; -1: none.  A forked child may keep fd open longer than its parent */
	uid_t user;
	pid_t pid;
	unsigned may; /* enum unc_wire_may */
	char program[16];
	int64_t since; /* s since 1970 */
	struct bucket requests;
	struct message *held; /* a request that waits for the planner, else NULL */
	bool planned;         /* the planner has its request */
	bool gone;            /* meanwhile */
	uint32_t last;
	struct client_set sets[MAX_SETS];
};

/* Of a socket that uncored has made. */
struct socket_file {
	int directory; /* -1: none, or systemd's */
	char name[108];
	dev_t device;
	ino_t inode;
};

struct server {
	struct uncore *u;
	struct planner *planner; /* planner.h; NULL: who asks does what takes long */
	struct fair fair;        /* of the work of the loop */
	size_t served, planned;  /* behind the last client that was */
	size_t refreshed;        /* behind the last set whose page was */
	struct owner *owners;    /* of all sets that count */
	struct policy policy;
	const char *policy_file; /* NULL: UNCORED_POLICY */
	struct limits limits;
	struct users users;
	int listener;
	struct socket_file socket;
	int spare;          /* a descriptor for a client that is refused when there are no more */
	int64_t deaf_until; /* nobody can be accepted; ns */
	int signals;        /* readable when one has come that ends it, or SIGHUP */
	int recording;      /* of the machine, a file that nobody can change */
	unsigned n_pages;   /* of sets, and when the next one is due */
	int64_t due;
	/* how often counters are looked at lest one wraps unseen, and when next; ns, 0: never */
	int64_t wrap_interval, wrap_due;
	size_t n_places; /* of clients, up to the last one that is taken */
	struct client clients[MAX_CLIENTS];
};

/* ---- listen.c ---- */

/*
 * A socket at path, or the one that systemd hands over; -1 after a message.  An existing file is
 * replaced only if it is a socket on which nobody listens.
 */
int daemon_listen(const char *path, const char *group, struct socket_file *file);
/* Unless another file is there by now, or the directory is not this user's to change. */
void daemon_remove_socket(struct socket_file *file);
bool daemon_is_handed_over(void);
/* Those that whoever started it has left open. */
void daemon_close_inherited(void);

/* ---- rights.c ---- */

#define UNCORED_USER "uncore"

/* Who it serves as. */
struct identity {
	uid_t uid;
	gid_t gid;
	bool becomes; /* another one than who started it */
	char name[64];
};

/* The user of that name; NULL: UNCORED_USER if there is one and root asks.  0, or -1 after a
 * message. */
int daemon_find_user(const char *name, struct identity *who);
/* All capabilities but those that opening files takes, and becoming another user, for good; nothing
 * that is run gets more.  0, or -1 with errno. */
int daemon_drop_rights(bool becomes);
/* That user, who has no capability; all files are open.  0, or -1 after a message. */
int daemon_become(const struct identity *who);
/* Before the machine is opened: root's directory of journals is the user's, too, by its group.
 * Afterwards, by then as that user: whether it is so; NULL: there is none.  0, or -1 after a
 * message. */
int daemon_let_write_journals(const char *directory, const struct identity *who);
int daemon_check_journals(const char *directory, const struct identity *who);

/* ---- seccomp.c, without_seccomp.c ---- */

/* Only the system calls that serving takes, in all threads, for good: 1; 0: there is no filter, and
 * *why tells; -1 after a message. */
int daemon_filter_calls(const char **why);

/* ---- serve.c ---- */

/* Until a signal ends it.  0, or 1 after a message. */
int daemon_serve(struct server *server);

/* ---- admit.c ---- */

/* Somebody connects: a place, or a refusal. */
void daemon_admit(struct server *server);
void daemon_keep_spare(struct server *server);
/* For how long nobody can be accepted, ns; 0: now. */
int64_t daemon_deaf(const struct server *server, int64_t now);

/* ---- reload.c ---- */

/* A signal has come: whether it ends serving.  Another one has the policy read again. */
bool daemon_is_to_end(struct server *server);
/* To those who are connected: how many sets have been stopped, whose user may not count them. */
unsigned daemon_apply_policy(struct server *server);
/* The same for one of them. */
unsigned daemon_stop_forbidden(struct server *server, struct client *client);

/* ---- request.c ---- */

/* Answer one message of a client, or hold it for the planner; false: the client has to go. */
bool daemon_answer(struct server *server, struct client *client);

/* ---- clients.c ---- */

/* What others are told about it. */
void daemon_note_client(struct client *client);

/* ---- sets.c ---- */

/* Stop and forget all that it counts. */
void daemon_forget(struct server *server, struct client *client);

/* ---- pages.c ---- */

/* In how many ns the time of the next one will come; -1: there are none. */
int64_t daemon_next_page(const struct server *server, int64_t now);
/* The sets whose time has come, at most so many; how many they are. */
struct page_due {
	uid_t user;
	size_t at; /* its place among all sets */
	struct client_set *set;
};
size_t daemon_find_due(struct server *server, int64_t now, struct page_due *due, size_t most);
/* As the loop: the time of one has come.  It is filled, by the planner if that takes long. */
void daemon_page_serve(struct server *server, const struct page_due *due, int64_t now);

#endif
