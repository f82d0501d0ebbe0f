/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote.h - the client's side of uncored.  Clients request events, not registers
 * (docs/daemon.md).
 */
#ifndef UNC_REMOTE_H
#define UNC_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/daemon/wire.h"
#include "base/error.h"
#include "base/shared.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_remote;

/* A set in uncored: its number, its connection, and its number of rounds. */
struct unc_remote_set {
	uint32_t number, connection;
	unsigned rounds;
};

/*
 * Ask a daemon for its machine.
 *
 * @param path  of its socket
 * @param file  receives a descriptor of the machine's recording, which the caller closes
 * @return 0, UNCORE_ENODEV (no daemon is listening), UNCORE_EACCESS (the user may not),
 *         UNCORE_EIO, UNCORE_EBUSY (too many clients), UNCORE_ENOSUPP (another version),
 *         UNCORE_ENOMEM
 */
int unc_remote_open(struct unc_remote **out, const char *path, int *file, struct unc_err *err);
UNC_SHARED void unc_remote_close(struct unc_remote *remote);
bool unc_remote_is_simulated(const struct unc_remote *remote);

/* The events of a set to be planned. */
struct unc_remote_wish {
	const char *const *names;
	const char *const
		*owners;        /* NULL, or the value each is counted for: wire.h, UNC_WIRE_OWNER */
	const uint64_t *codes;  /* struct uncore_encoding */
	const unsigned *groups; /* by event, or NULL */
	size_t n;
	unsigned interval_us;
	const struct unc_wire_stop *stops;
	uint32_t n_stops;
	uint64_t cores;
	uint32_t refresh_us; /* of a page; 0: no page */
};

/*
 * Start a set of events by name.  Connects again if the daemon was restarted.
 *
 * @param samples  filled if the request has stops, else NULL
 * @param page     receives the file of a page, which the caller closes, or -1
 * @return the number of events that another process counts, or an error
 */
int unc_remote_start(struct unc_remote *remote, const struct unc_remote_wish *wish,
		     struct unc_remote_set *set, struct unc_wire_samples *samples, int *page,
		     struct unc_err *err);

/* How long a set has been counting, ns, and whether it may have missed a wrap. */
struct unc_remote_state {
	int64_t enabled;
	bool missed;
};

/* Counts since the start: one round trip. 0 or -errno; signal-safe. */
int unc_remote_read(struct unc_remote *remote, struct unc_remote_set set, uint64_t *counts,
		    size_t n, struct unc_remote_state *state);
/* For unc_err_late_by(): why a set could not be read. */
void unc_remote_report_unread(const void *remote, struct unc_err *err);
/* The same for counts and lengths of windows. */
int unc_remote_windows(struct unc_remote *remote, struct unc_remote_set set,
		       struct unc_wire_window *windows, size_t n, struct unc_remote_state *state);
/* The same for missed wraps. */
int unc_remote_missed(struct unc_remote *remote, struct unc_remote_set set,
		      struct unc_wire_missed *missed);

/*
 * A request whose answer is a number: CHECK, WAIT, REARM.
 *
 * @param samples  of WAIT, else NULL
 * @return the number, or an error
 */
int unc_remote_ask(struct unc_remote *remote, enum unc_wire_kind kind, struct unc_remote_set set,
		   struct unc_wire_samples *samples, struct unc_err *err);

/* Memory for the last counts of a set. */
struct unc_remote_last {
	uint64_t *counts;
	struct unc_wire_window *windows; /* NULL: not multiplexed */
	size_t n;
	int64_t enabled;
	struct unc_wire_missed missed;
	struct unc_wire_samples *samples; /* NULL: it does not stop by itself */
};

/* Stop the set in uncored; *last is filled unless the connection has ended. */
int unc_remote_stop(struct unc_remote *remote, struct unc_remote_set set,
		    struct unc_remote_last *last, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
