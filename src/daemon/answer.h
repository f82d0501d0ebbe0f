/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.h - a request that is being answered; backend/daemon/wire.h. */
#ifndef UNC_ANSWER_H
#define UNC_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "backend/daemon/wire.h"
#include "daemon/daemon.h"
#include "uncore.h"

struct message {
	struct unc_wire_request head;
	size_t got; /* bytes of the body */
	char body[UNC_WIRE_BYTES + 1];
};

/* What has been taken of one so far. */
struct reader {
	const struct message *m;
	size_t at;
};

struct answer {
	struct unc_wire_reply head;
	size_t size; /* of what follows the head, before the sentence of an error */
	union {
		int64_t counts[UNC_WIRE_EVENTS];
		char bytes[UNC_WIRE_ANSWER];
	} is;
	char text[UNCORE_ERRMSG_MAX];
	int file; /* to go with it, -1: none */
};

/* ---- answer.c ---- */

/* The next name, with its NUL; NULL: there is none. */
const char *reader_name(struct reader *from);

/* An error, and its sentence. */
__attribute__((format(printf, 3, 4))) void answer_say(struct answer *a, int code,
						      const char *format, ...);
/* The same of what the library has just returned. */
void answer_say_why(const struct server *s, struct answer *a, int code);

/* ---- start.c ---- */

/* As the planner: start what the client wants.  An error is in the answer, and there is no set. */
void daemon_start(struct server *s, const struct client *c, const struct message *m,
		  struct client_set *set, struct answer *a);
/* As the loop: the client has the set now, with a page if it wants one. */
void daemon_install(struct server *s, struct client *c, const struct message *m,
		    const struct client_set *set, struct answer *a);

/* ---- owners.c, as the planner ---- */

/* For a set of n events with these names: how many of them read 0, or UNCORE_ENOMEM. */
int owner_new(struct server *s, const struct client *c, const struct reader *names, size_t n,
	      struct owner **out);
/* It counts no more. */
void owner_end(struct server *s, struct owner *owner);
void owner_free(struct server *s, struct owner *owner);
/* Stop a set, whose counts stay. */
void daemon_halt_set(struct server *s, struct client_set *set);

/* ---- sets.c ---- */

/* What is asked of a set that has been started and can be answered at once. */
void daemon_ask_now(const struct server *s, const struct client_set *set, const struct message *m,
		    struct answer *a);
/* As the planner: what takes a lock, or long.  STOP destroys the set. */
void daemon_ask_planner(struct server *s, struct client_set *set, const struct message *m,
			struct answer *a);
/* The set of that number; 0: a free place.  NULL: none. */
struct client_set *daemon_find_set(struct client *c, uint32_t number);
/* What tells when it stops, and who has stopped it; nothing of other sets. */
void daemon_add_samples(const struct client_set *set, struct answer *a);
/* Its counts; estimates if events take turns. */
void daemon_read_set(const struct server *s, const struct client_set *set, struct answer *a);
/* Whether a read of it may keep others waiting, which is not known before the first one. */
bool daemon_is_slow(const struct client_set *set);
/* A read of it took so many ns. */
void daemon_note_read(struct client_set *set, int64_t took);
/* Stop and forget one: as the loop, which leaves that to the planner; and as the planner. */
void daemon_drop(struct server *s, struct client_set *set);
void daemon_destroy_set(struct server *s, struct client_set *set);

/* ---- pages.c ---- */

/* For a set that has started: a file to go to its client, or -1 with errno. */
int daemon_page_new(struct server *s, struct client_set *set, uint32_t refresh_us);
/* As the loop: it is not filled any more.  Its memory goes with the set. */
void daemon_page_end(struct server *s, const struct client_set *set);
/* As who reads the set. */
void daemon_page_fill(const struct server *s, struct client_set *set, int64_t now);
void daemon_page_free(struct client_set *set);

/* ---- clients.c ---- */

void daemon_list_clients(const struct server *s, const struct client *by, const struct message *m,
			 struct answer *a);
void daemon_stop_client(struct server *s, const struct client *by, const struct message *m,
			struct answer *a);
/* It ends, for that reason and user, and its counts stay: how many have ended. */
unsigned daemon_stop_set(struct server *s, struct client_set *set, enum stopped why, uid_t by);
/* Whether it was stopped so, which the answer says then. */
bool daemon_is_stopped(const struct client_set *set, struct answer *a);

#endif
