/* SPDX-License-Identifier: BSD-3-Clause */
/* daemon.h - the parts of uncored: clients, their sets, and their rights (docs/daemon.md). */
#ifndef UNC_DAEMON_H
#define UNC_DAEMON_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "backend/daemon/wire.h"
#include "daemon/latency.h"
#include "daemon/limits.h"
#include "daemon/policy.h"
#include "daemon/users.h"
#include "uncore.h"

#define MAX_CLIENTS 256
#define ROOT_PLACES 16   /* places reserved for root */
#define MAX_SETS    16   /* per client */
#define MAX_COUNTED 4096 /* events in all sets of a client */
/* Interval of checks for new requests; what takes longer is left to the planner. */
#define SLICE_NS 500000

enum stopped {
	NOT_STOPPED,
	BY_USER,   /* another user, or another process of this one */
	BY_POLICY, /* read again while the set was counting */
};

struct client_set {
	uint32_t number; /* 0: free place */
	struct user *user;
	size_t n;
	size_t bytes;     /* counted towards the limit of its user */
	bool multiplexed; /* its events may be multiplexed: counts are estimates */
	bool energy;      /* it has energy events */
	struct uncore_set *set;
	size_t counters;            /* read at once, at most */
	int64_t shortest;           /* shortest read so far, ns; 0: none yet */
	struct unc_wire_page *page; /* read by its client; or NULL */
	int64_t refresh, due;       /* ns: interval, and next time */
	int64_t asked;              /* when the planner was asked to fill it, ns; 0: it was not */
	unsigned *ids;
	enum stopped stopped; /* not by its client: only the last counts are available */
	uid_t stopped_by;
	bool to_halt;        /* stopped for its client, but still counting */
	struct owner *owner; /* for UNCORE_SHARE=owner, else NULL */
	struct drop *drop;   /* memory for the task that destroys it */
};

/* The names for which a process with UNCORE_SHARE=owner counts. */
struct owner {
	struct owner *next;
	const struct user *user;
	pid_t pid;
	char *text; /* contains the names */
	size_t n;
	const char *names[]; /* by event; NULL: another process counts it */
};

struct client {
	int fd;      /* or -1 */
	int process; /* pidfd, or -1.  A forked child may keep fd open longer than its parent */
	struct user *user;
	pid_t pid;
	unsigned may; /* enum unc_wire_may */
	char program[16];
	int64_t since; /* s since 1970 */
	struct bucket requests;
	struct message *held; /* a request waiting for the planner, or NULL */
	bool planned;         /* the planner has its request */
	bool gone;            /* disconnected meanwhile */
	uint32_t last;
	struct traffic_group *groups; /* traffic.c */
	struct client_set sets[MAX_SETS];
};

/* A socket created by uncored. */
struct socket_file {
	int directory; /* -1: none, or the socket is systemd's */
	char name[108];
	dev_t device;
	ino_t inode;
};

struct server {
	struct uncore *u;
	struct planner *planner; /* planner.h; NULL: the loop does everything itself */
	size_t served, planned;  /* index after the client served last */
	size_t refreshed;        /* index after the set whose page was filled last */
	struct owner *owners;    /* of all sets that count */
	struct policy policy;
	const char *policy_file; /* NULL: UNCORED_POLICY */
	struct limits limits;
	struct latency latency;
	int nice; /* of the loop */
	struct users users;
	struct traffic *traffic; /* NULL: no resctrl */
	int listener;
	struct socket_file socket;
	int spare; /* descriptor reserved for refusing a client when there are no others */
	int64_t accept_after; /* no clients are accepted before this time; ns */
	int signals;          /* readable after a signal that ends it, or SIGHUP */
	int recording;        /* of the machine: a sealed file */
	unsigned n_pages;     /* number of pages, and when the next one is due */
	int64_t due;
	/* interval for reading all counters before one wraps, and next time; ns, 0: never */
	int64_t wrap_interval, wrap_due;
	size_t n_places; /* places up to the last client */
	struct client clients[MAX_CLIENTS];
};

/* ---- listen.c ---- */

/*
 * Create a socket at path, or take the one of systemd; -1 after a message.  An existing file is
 * replaced only if it is a socket on which no process listens.
 */
int daemon_listen(const char *path, const char *group, struct socket_file *file);
/*
 * Remove the socket, unless another file has replaced it, or this user cannot change the
 * directory.
 */
void daemon_remove_socket(struct socket_file *file);
bool daemon_is_handed_over(void);
/* Close descriptors that were open at the start. */
void daemon_close_inherited(void);

/* ---- rights.c ---- */

#define UNCORED_USER "uncore"

/* The user that serves. */
struct identity {
	uid_t uid;
	gid_t gid;
	bool becomes;  /* not the user that started it */
	char name[64]; /* "": that user does not exist */
};

/*
 * The user of that name; NULL: UNCORED_USER if it exists and the caller is root. 0, or -1 after
 * a message.
 */
int daemon_find_user(const char *name, struct identity *who);
/*
 * Drop all capabilities except those for opening files and changing the user, for good;
 * executed programs get none. 0, or -1 with errno.
 */
int daemon_drop_rights(bool becomes);
/* Become that user, without any capability; all files must be open. 0, or -1 after a message. */
int daemon_become(const struct identity *who);
/*
 * Before the machine is opened: give the user access to root's journal directory by its group.
 * Afterwards, as that user: check that it has access; NULL: no directory. 0, or -1 after a
 * message.
 */
int daemon_let_write_journals(const char *directory, const struct identity *who);
int daemon_check_journals(const char *directory, const struct identity *who);
/* A directory to be read, by its path below another one; NULL with errno. */
DIR *daemon_list(int directory, const char *path);

/* ---- seccomp.c, without_seccomp.c ---- */

/*
 * Restrict all threads to the system calls that serving needs, for good: 1; 0: no filter, with
 * *why; -1 after a message.
 */
int daemon_filter_calls(const char **why);

/* ---- serve.c ---- */

/* Serve until a signal arrives. 0, or 1 after a message. */
int daemon_serve(struct server *server);

/* ---- admit.c ---- */

/* Accept a client or refuse it. */
void daemon_admit(struct server *server);
void daemon_keep_spare(struct server *server);
/* How long no client can be accepted, ns; 0: now. */
int64_t daemon_deaf(const struct server *server, int64_t now);

/* ---- reload.c ---- */

/* Handle a signal: whether it ends serving.  SIGHUP reads the policy again. */
bool daemon_is_to_end(struct server *server);
/*
 * Apply the policy to connected clients: returns how many sets were stopped, because their
 * users may no longer count them.
 */
unsigned daemon_apply_policy(struct server *server);
/* The same for one client. */
unsigned daemon_stop_forbidden(struct server *server, struct client *client);

/* ---- request.c ---- */

/* Answer one message of a client, or hold it for the planner; false: disconnect the client. */
bool daemon_answer(struct server *server, struct client *client);

/* ---- clients.c ---- */

/* The description of a client for others. */
void daemon_note_client(struct client *client);

/* ---- sets.c ---- */

/* Stop and forget all of its sets, and remove its monitoring groups. */
void daemon_forget(struct server *server, struct client *client);

/* ---- pages.c ---- */

/* Time until the next page is due, ns; -1: no pages. */
int64_t daemon_next_page(const struct server *server, int64_t now);
/* Sets with pages that are due, at most this many; returns how many. */
struct page_due {
	struct user *user;
	size_t at; /* its index among all sets */
	struct client_set *set;
};
size_t daemon_find_due(struct server *server, int64_t now, struct page_due *due, size_t most);
/* In the loop: fill a page that is due, in the planner if that takes long. */
void daemon_page_serve(struct server *server, const struct page_due *due, int64_t now);

#endif
