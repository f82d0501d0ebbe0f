/* SPDX-License-Identifier: BSD-3-Clause */
/* remote.h - the client's side of uncored: events are asked for, no registers (docs/daemon.md). */
#ifndef UNC_REMOTE_H
#define UNC_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/daemon/wire.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_remote;

/* A set there: its number, which connection it belongs to, and how many rounds take turns. */
struct unc_remote_set {
	uint32_t number, connection;
	unsigned rounds;
};

/*
 * Ask a daemon for its machine.
 *
 * @param path  of its socket
 * @param file  receives a descriptor of the machine's recording, which the caller closes
 * @return 0, UNCORE_ENODEV (none listens there), UNCORE_EACCESS (who may not), UNCORE_EIO,
 *         UNCORE_EBUSY (it has no room for another client), UNCORE_ENOSUPP (another version),
 *         UNCORE_ENOMEM
 */
int unc_remote_open(struct unc_remote **out, const char *path, int *file, struct unc_err *err);
void unc_remote_close(struct unc_remote *remote);
bool unc_remote_is_simulated(const struct unc_remote *remote);

/* What a set is to count. */
struct unc_remote_wish {
	const char *const *names;
	const char *const *owners; /* NULL, or what each is counted for: wire.h, UNC_WIRE_OWNER */
	const uint64_t *codes;     /* struct uncore_encoding */
	const unsigned *groups;    /* NULL, or by event */
	size_t n;
	unsigned interval_us;
	const struct unc_wire_stop *stops;
	uint32_t n_stops;
	uint64_t cores;
	uint32_t refresh_us; /* 0, or a page is wanted */
};

/*
 * Start a set of events by their names.  A daemon that has been started anew meanwhile is
 * connected to.
 *
 * @param samples  filled if the wish has stops, else NULL
 * @param page     receives the file of a page, which the caller closes; -1: there is none
 * @return how many of the events another process counts, or an error
 */
int unc_remote_start(struct unc_remote *remote, const struct unc_remote_wish *wish,
		     struct unc_remote_set *set, struct unc_wire_samples *samples, int *page,
		     struct unc_err *err);

/* How long a set has counted, ns, and whether a wrap may be missing. */
struct unc_remote_state {
	int64_t enabled;
	bool missed;
};

/* What each has counted since the start: one round trip.  0 or -errno; signal-safe. */
int unc_remote_read(struct unc_remote *remote, struct unc_remote_set set, uint64_t *counts,
		    size_t n, struct unc_remote_state *state);
/* For unc_err_late_by(): why a set could not be read. */
void unc_remote_report_unread(const void *remote, struct unc_err *err);
/* Counts and lengths of windows: the same. */
int unc_remote_windows(struct unc_remote *remote, struct unc_remote_set set,
		       struct unc_wire_window *windows, size_t n, struct unc_remote_state *state);
/* Whether a wrap may be missing: the same. */
int unc_remote_missed(struct unc_remote *remote, struct unc_remote_set set,
		      struct unc_wire_missed *missed);

/*
 * A request that is answered with a number: CHECK, WAIT, REARM.
 *
 * @param samples  of WAIT, else NULL
 * @return it, or an error
 */
int unc_remote_ask(struct unc_remote *remote, enum unc_wire_kind kind, struct unc_remote_set set,
		   struct unc_wire_samples *samples, struct unc_err *err);

/* Where the last counts of a set go. */
struct unc_remote_last {
	uint64_t *counts;
	struct unc_wire_window *windows; /* NULL: its events do not take turns */
	size_t n;
	int64_t enabled;
	struct unc_wire_missed missed;
	struct unc_wire_samples *samples; /* NULL: nothing stops it */
};

/* The set ends there; *last changes unless the daemon has gone. */
int unc_remote_stop(struct unc_remote *remote, struct unc_remote_set set,
		    struct unc_remote_last *last, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
