/* SPDX-License-Identifier: BSD-3-Clause */
/* remote.h - the client's side of uncored: events are asked for, no registers (docs/daemon.md). */
#ifndef UNC_REMOTE_H
#define UNC_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_remote;

/* A set there: its number, and which connection it belongs to. */
struct unc_remote_set {
	uint32_t number, connection;
};

/*
 * Ask a daemon for its machine.
 *
 * @param path  of its socket
 * @param file  receives a descriptor of the machine's recording, which the caller closes
 * @return 0, UNCORE_ENODEV (none listens there), UNCORE_EACCESS (who may not), UNCORE_EIO,
 *         UNCORE_ENOSUPP (another version), UNCORE_ENOMEM
 */
int unc_remote_open(struct unc_remote **out, const char *path, int *file, struct unc_err *err);
void unc_remote_close(struct unc_remote *remote);
bool unc_remote_is_simulated(const struct unc_remote *remote);

/*
 * Start a set of events by their names.  A daemon that has been started anew meanwhile is
 * connected to.
 *
 * @param owners  NULL, or what each event is counted for: wire.h, UNC_WIRE_OWNER
 * @return how many of the events another process counts, or an error
 */
int unc_remote_start(struct unc_remote *remote, const char *const *names, const char *const *owners,
		     size_t n, struct unc_remote_set *set, struct unc_err *err);
/*
 * What each has counted since the start, and how many ns that is ago: one round trip.  0 or -errno;
 * signal-safe.
 */
int unc_remote_read(struct unc_remote *remote, struct unc_remote_set set, uint64_t *counts,
		    size_t n, int64_t *enabled);
/* uncore_set_check() there. */
int unc_remote_check(struct unc_remote *remote, struct unc_remote_set set, struct unc_err *err);
/* As unc_remote_read(), while the set ends there; counts are the last ones unless the daemon has
 * gone. */
int unc_remote_stop(struct unc_remote *remote, struct unc_remote_set set, uint64_t *counts,
		    size_t n, int64_t *enabled, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
