/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire.h - the protocol between a client and uncored: a request is one message of a
 * SOCK_SEQPACKET socket, and so is its answer (docs/daemon.md).  Both run on the same computer.
 */
#ifndef UNC_WIRE_H
#define UNC_WIRE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_WIRE_VERSION 6
#define UNC_WIRE_SOCKET  "/run/uncored/socket"
#define UNC_WIRE_EVENTS  1024  /* per set */
#define UNC_WIRE_BYTES   65536 /* after the head of a request: names and the rest */
#define UNC_WIRE_STOPS   8     /* events that can stop a set */
#define UNC_WIRE_SOURCES 16    /* counters reported to have stopped it */

/* The first request.  The answer comes with a file: the recording of the machine. */
enum unc_wire_kind {
	UNC_WIRE_HELLO = 1,
	UNC_WIRE_START,
	/* Requests for a set: */
	UNC_WIRE_READ,   /* n counts (int64_t); estimates if the set has an interval */
	UNC_WIRE_TIMES,  /* for a set with an interval: n unc_wire_window */
	UNC_WIRE_CHECK,  /* uncore_set_check() */
	UNC_WIRE_MISSED, /* an unc_wire_missed */
	UNC_WIRE_WAIT,   /* uncore_set_wait() without waiting: its result and an unc_wire_samples */
	UNC_WIRE_REARM,  /* uncore_set_rearm() */
	/*
	 * counts; windows if it has an interval; an unc_wire_missed; an unc_wire_samples if it
	 * has stops
	 */
	UNC_WIRE_STOP,
	/* Requests for other clients: */
	UNC_WIRE_CLIENTS, /* the client at place n or after it: 1, an unc_wire_client, the next n;
			     or 0 */
	UNC_WIRE_STOP_CLIENT, /* stop all sets of process n; the answer's n: how many */
	/* Requests for monitoring groups of resctrl, which are the client's until it leaves: */
	UNC_WIRE_GROUP,  /* make one in the control group of that name, which follows; the path of
			    the group, and its `tasks` as a file */
	UNC_WIRE_UNGROUP /* remove that one, whose path follows */
};

/*
 * START: UNCORE_SHARE=owner.  The name of each event is followed by that of the event or metric
 * it is counted for: events that another process of the user already counts read 0.
 */
#define UNC_WIRE_OWNER 1u
/* START: a uint32_t per event, as in uncore_set_assign_groups(). */
#define UNC_WIRE_GROUPS 2u
/*
 * START: a uint64_t per event, the code of its encoding (struct uncore_encoding).  An event is
 * refused if it has another code in the daemon: lists of events and versions may differ.
 */
#define UNC_WIRE_CODES 4u

struct unc_wire_request {
	uint16_t version, kind;
	uint32_t flags;
	uint32_t set;   /* number in the answer to START */
	uint32_t n;     /* START: number of events */
	uint32_t bytes; /* START: bytes that follow: unc_wire_stop, codes, groups, names with NUL */
	uint32_t interval_us; /* START: 0: do not multiplex; else uncore_set_multiplex() */
	uint64_t cores;       /* START: uncore_set_stop_after() */
	uint32_t stops;
	/* START: 0, or request a page, which comes with the answer as a file */
	uint32_t refresh_us;
};

struct unc_wire_stop {
	uint32_t event, pad;
	uint64_t count;
};

struct unc_wire_reply {
	uint16_t version, kind;
	int32_t code; /* an error of uncore.h, with the message at the end of the answer; or 0, 1 */
	uint32_t set; /* START: a number that is unique among the client's sets */
	/*
	 * events whose counts follow; HELLO: 1 if the machine is simulated; START: events that
	 * read 0
	 */
	uint32_t n;
	uint32_t rounds; /* START; HELLO: enum unc_wire_may of this user */
	uint32_t missed; /* READ: 1 if a wrap may have been missed */
	int64_t enabled; /* READ, TIMES, STOP: how long the set has been counting, ns */
};

/* For a multiplexed event. */
struct unc_wire_window {
	int64_t count, running;
	float error, shift_ns; /* struct uncore_times */
};

/* struct uncore_missed_wrap */
struct unc_wire_missed {
	uint32_t is, event, jumped, pad;
	uint64_t unseen_ms, wrap_ms;
};

/* struct uncore_stop_after_info, or struct uncore_overflow_source. */
struct unc_wire_sample {
	int32_t event, counter;
	uint32_t package, box, reported_by, pad;
	char kind[24], polled[200]; /* "" for NULL */
};

/* For a set that stops after n occurrences: START, WAIT, STOP. */
struct unc_wire_samples {
	uint32_t n, n_sources;
	struct unc_wire_sample at[UNC_WIRE_STOPS];
	struct unc_wire_sample sources[UNC_WIRE_SOURCES];
};

/*
 * Counts of a set, in memory that is read-only for the client. seq is odd while they change;
 * all members but size and n change by atomic stores.
 */
struct unc_wire_page {
	uint32_t size, n; /* bytes in total; number of events */
	uint64_t seq;
	int64_t code;    /* result of the last read: 0, or an error of uncore.h */
	int64_t when;    /* its start, by CLOCK_MONOTONIC, ns; 0: not read yet */
	int64_t enabled; /* how long the set had been counting then, ns */
	int64_t counts[UNC_WIRE_EVENTS];
};

/* Permissions of a user under the daemon's policy. */
enum unc_wire_may {
	UNC_MAY_COUNT = 1,
	UNC_MAY_SEE = 2,      /* see the sets of other users */
	UNC_MAY_STOP = 4,     /* stop them */
	UNC_MAY_ENERGY = 8,   /* count energy (docs/permissions.md, "Energy") */
	UNC_MAY_TRAFFIC = 16, /* have monitoring groups for own threads (docs/who.md) */
	UNC_MAY_ALL = 31
};

struct unc_wire_client {
	int32_t pid;
	uint32_t user, sets, events; /* sets and events that count */
	int64_t since;               /* when it connected, s since 1970 */
	char program[16];
	char names[1000]; /* names of its events, as many as fit */
};

/* Maximum size of an answer after its head, without a message. */
#define UNC_WIRE_ANSWER                                                         \
	(UNC_WIRE_EVENTS * (sizeof(int64_t) + sizeof(struct unc_wire_window)) + \
	 sizeof(struct unc_wire_missed) + sizeof(struct unc_wire_samples))

#ifdef __cplusplus
}
#endif
#endif
