/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.h - a request and its answer; backend/daemon/wire.h. */
#ifndef UNC_ANSWER_H
#define UNC_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "backend/daemon/wire.h"
#include "daemon/daemon.h"
#include "uncore.h"

struct message {
	struct unc_wire_request head;
	size_t got;      /* bytes of the body */
	int64_t arrived; /* ns since 1970; 0: unknown (latency.h) */
	char body[UNC_WIRE_BYTES + 1];
};

/* A position in a request. */
struct reader {
	const struct message *m;
	size_t at;
};

struct answer {
	struct unc_wire_reply head;
	size_t size; /* of the data after the head, before the message of an error */
	union {
		int64_t counts[UNC_WIRE_EVENTS];
		char bytes[UNC_WIRE_ANSWER];
	} is;
	char text[UNCORE_ERRMSG_MAX];
	int file; /* sent with it, or -1 */
};

/* ---- answer.c ---- */

/* The next name, including its NUL, or NULL. */
const char *reader_name(struct reader *from);

/* An error and its message. */
__attribute__((format(printf, 3, 4))) void answer_say(struct answer *a, int code,
						      const char *format, ...);
/* The same for an error that the library has just returned. */
void answer_say_why(const struct server *s, struct answer *a, int code);

/* ---- start.c ---- */

/*
 * In the planner: start the requested set.  After an error the answer has it, and there is no
 * set.
 */
void daemon_start(struct server *s, const struct client *c, const struct message *m,
		  struct client_set *set, struct answer *a);
/* In the loop: give the set to the client, with a page if requested. */
void daemon_install(struct server *s, struct client *c, const struct message *m,
		    const struct client_set *set, struct answer *a);

/* ---- owners.c, as the planner ---- */

/* For a set of n events with these names: how many of them read 0, or UNCORE_ENOMEM. */
int owner_new(struct server *s, const struct client *c, const struct reader *names, size_t n,
	      struct owner **out);
/* The set has stopped counting. */
void owner_end(struct server *s, struct owner *owner);
void owner_free(struct server *s, struct owner *owner);
/* Stop a set and keep its counts. */
void daemon_halt_set(struct server *s, struct client_set *set);

/* ---- sets.c ---- */

/* Requests for a started set that can be answered at once. */
void daemon_ask_now(const struct server *s, const struct client_set *set, const struct message *m,
		    struct answer *a);
/* In the planner: requests that take a lock or much time.  STOP destroys the set. */
void daemon_ask_planner(struct server *s, struct client_set *set, const struct message *m,
			struct answer *a);
/* The set with that number; 0: a free place.  NULL: not found. */
struct client_set *daemon_find_set(struct client *c, uint32_t number);
/* Which counters can stop the set, and which have; not those of other sets. */
void daemon_add_samples(const struct client_set *set, struct answer *a);
/* Its counts; estimates if it is multiplexed. */
void daemon_read_set(const struct server *s, const struct client_set *set, struct answer *a);
/* Whether a read of it may delay other clients; before the first one, by its counters. */
bool daemon_is_slow(const struct client_set *set);
/* Record the duration of a read, ns. */
void daemon_note_read(struct client_set *set, int64_t took);
/* Stop and forget a set: in the loop, which leaves it to the planner; and in the planner. */
void daemon_drop(struct server *s, struct client_set *set);
void daemon_destroy_set(struct server *s, struct client_set *set);

/* ---- pages.c ---- */

/* For a set that has started: a file for its client, or -1 with errno. */
int daemon_page_new(struct server *s, struct client_set *set, uint32_t refresh_us);
/* In the loop: stop filling it.  Its memory is freed with the set. */
void daemon_page_end(struct server *s, const struct client_set *set);
/* By the thread that reads the set. */
void daemon_page_fill(const struct server *s, struct client_set *set, int64_t now);
void daemon_page_free(struct client_set *set);

/* ---- clients.c ---- */

void daemon_list_clients(const struct server *s, const struct client *by, const struct message *m,
			 struct answer *a);
void daemon_stop_client(struct server *s, const struct client *by, const struct message *m,
			struct answer *a);
/* End the user's sets for that reason, and keep their counts; returns how many. */
unsigned daemon_stop_set(struct server *s, struct client_set *set, enum stopped why, uid_t by);
/* Whether it was stopped this way, which the answer then says. */
bool daemon_is_stopped(const struct client_set *set, struct answer *a);

#endif
