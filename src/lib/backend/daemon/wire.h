/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire.h - what a client and uncored say to each other: a request is one message of a
 * SOCK_SEQPACKET socket, and so is its answer (docs/daemon.md).  Both run on one computer.
 */
#ifndef UNC_WIRE_H
#define UNC_WIRE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_WIRE_VERSION 4
#define UNC_WIRE_SOCKET  "/run/uncored/socket"
#define UNC_WIRE_EVENTS  1024  /* of a set */
#define UNC_WIRE_BYTES   65536 /* that follow a request: names and all */
#define UNC_WIRE_STOPS   8     /* events of a set that can stop it */
#define UNC_WIRE_SOURCES 16    /* who did, at most */

/* The first one is answered with the machine's recording, as a file that comes with the answer. */
enum unc_wire_kind {
	UNC_WIRE_HELLO = 1,
	UNC_WIRE_START,
	/* Of a set: */
	UNC_WIRE_READ,   /* n counts (int64_t); with an interval they are estimates */
	UNC_WIRE_TIMES,  /* of one with an interval: n unc_wire_window */
	UNC_WIRE_CHECK,  /* uncore_set_check() */
	UNC_WIRE_MISSED, /* an unc_wire_missed */
	UNC_WIRE_WAIT,   /* uncore_set_wait() without waiting: its code, an unc_wire_samples */
	UNC_WIRE_REARM,  /* uncore_set_rearm() */
	/* counts; windows if it has an interval; an unc_wire_missed; if it has stops, an
	 * unc_wire_samples */
	UNC_WIRE_STOP,
	/* Of others: */
	UNC_WIRE_CLIENTS,    /* the one from place n on: 1, its unc_wire_client, the next n; or 0 */
	UNC_WIRE_STOP_CLIENT /* all sets of process n: how many were stopped, in n */
};

/*
 * START: UNCORE_SHARE=owner.  Behind the name of each event is that of the event or metric that it
 * is counted for: what another process of the user counts already reads 0.
 */
#define UNC_WIRE_OWNER 1u
/* START: by event a uint32_t: uncore_set_assign_groups(). */
#define UNC_WIRE_GROUPS 2u
/*
 * START: by event a uint64_t, the code of its encoding (struct uncore_encoding).  What the daemon
 * knows under its name as something else is refused: lists of events and versions may differ.
 */
#define UNC_WIRE_CODES 4u

struct unc_wire_request {
	uint16_t version, kind;
	uint32_t flags;
	uint32_t set;         /* what START was answered with */
	uint32_t n;           /* START: events */
	uint32_t bytes;       /* START: that follow: unc_wire_stop, codes, groups, names with NUL */
	uint32_t interval_us; /* START: 0: events have to fit; else uncore_set_multiplex() */
	uint64_t cores;       /* START: uncore_set_stop_after() */
	uint32_t stops;
	uint32_t refresh_us; /* START: 0, or a page comes with the answer, as a file */
};

struct unc_wire_stop {
	uint32_t event, pad;
	uint64_t count;
};

struct unc_wire_reply {
	uint16_t version, kind;
	int32_t code; /* an error of uncore.h, whose sentence is the end of the message; or 0, 1 */
	uint32_t set; /* START: a number that the client has no other set of */
	/* events whose counts follow; HELLO: 1 if the machine is simulated; START: events that
	 * read 0 */
	uint32_t n;
	uint32_t rounds; /* START; HELLO: enum unc_wire_may of this user */
	uint32_t missed; /* READ: 1 if a wrap may be missing */
	int64_t enabled; /* READ, TIMES, STOP: for how long the set has counted, ns */
};

/* Of an event that takes turns. */
struct unc_wire_window {
	int64_t count, running;
	double error; /* struct uncore_times */
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
	char kind[24], polled[200]; /* "": NULL */
};

/* Of a set that stops after so many: START, WAIT, STOP. */
struct unc_wire_samples {
	uint32_t n, n_sources;
	struct unc_wire_sample at[UNC_WIRE_STOPS];
	struct unc_wire_sample sources[UNC_WIRE_SOURCES];
};

/*
 * Counts of a set, in memory that the client may only read.  seq is odd while they change; all but
 * size and n change by atomic stores.
 */
struct unc_wire_page {
	uint32_t size, n; /* of all, in bytes; of events */
	uint64_t seq;
	int64_t code;    /* of the last reading: 0, or an error of uncore.h */
	int64_t when;    /* it began, by CLOCK_MONOTONIC, ns; 0: there was none yet */
	int64_t enabled; /* for how long the set had counted then, ns */
	int64_t counts[UNC_WIRE_EVENTS];
};

/* What the daemon's policy lets a user do. */
enum unc_wire_may {
	UNC_MAY_COUNT = 1,
	UNC_MAY_SEE = 2,    /* what the sets of other users are */
	UNC_MAY_STOP = 4,   /* them */
	UNC_MAY_ENERGY = 8, /* count energy (docs/permissions.md, "Energy") */
	UNC_MAY_ALL = 15
};

struct unc_wire_client {
	int32_t pid;
	uint32_t user, sets, events; /* those that count */
	int64_t since;               /* it connected, s since 1970 */
	char program[16];
	char names[1000]; /* of its events, as many as there is room for */
};

/* Bytes behind the head of an answer, at most, without a sentence. */
#define UNC_WIRE_ANSWER                                                         \
	(UNC_WIRE_EVENTS * (sizeof(int64_t) + sizeof(struct unc_wire_window)) + \
	 sizeof(struct unc_wire_missed) + sizeof(struct unc_wire_samples))

#ifdef __cplusplus
}
#endif
#endif
