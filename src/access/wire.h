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

#define UNC_WIRE_VERSION 1
#define UNC_WIRE_SOCKET  "/run/uncored/socket"
#define UNC_WIRE_EVENTS  1024  /* of a set */
#define UNC_WIRE_NAMES   65536 /* bytes of their names */

/* The first one is answered with the machine's recording, as a file that comes with the answer. */
enum unc_wire_kind {
	UNC_WIRE_HELLO = 1,
	UNC_WIRE_START,
	UNC_WIRE_READ,
	UNC_WIRE_CHECK,
	UNC_WIRE_STOP
};

/*
 * START: UNCORE_SHARE=owner.  Behind the name of each event is that of the event or metric that it
 * is counted for: what another process of the user counts already reads 0.
 */
#define UNC_WIRE_OWNER 1u

struct unc_wire_request {
	uint16_t version, kind;
	uint32_t flags;
	uint32_t set;   /* READ, CHECK, STOP: what START was answered with */
	uint32_t n;     /* START: events, whose names follow, each with its NUL */
	uint32_t bytes; /* START: of the names */
};

struct unc_wire_reply {
	uint16_t version, kind;
	int32_t code; /* 0, or an error of uncore.h, whose sentence follows */
	uint32_t set; /* START: a number that the client has no other set of */
	/* counts (int64_t) that follow; HELLO: 1 if the machine is simulated; START: events that
	 * read 0 */
	uint32_t n;
	int64_t enabled; /* READ, STOP: for how long the set has counted, ns */
};

#ifdef __cplusplus
}
#endif
#endif
