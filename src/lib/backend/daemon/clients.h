/* SPDX-License-Identifier: BSD-3-Clause */
/* clients.h - who counts by uncored, and the end of their sets; `uncore clients`. */
#ifndef UNC_ACCESS_CLIENTS_H
#define UNC_ACCESS_CLIENTS_H

#include "backend/daemon/remote.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The user's own rights at a daemon, enum unc_wire_may. */
unsigned unc_remote_rights(const struct unc_remote *remote);

/*
 * A walk over those whom this user may see.
 *
 * @param place   0 at first; where to go on
 * @return 1, 0 (there are no more), or an error
 */
int unc_remote_client(struct unc_remote *remote, uint32_t *place, struct unc_wire_client *client,
		      struct unc_err *err);

/*
 * Stop all sets of a process: its counts so far stay, and its next read fails.
 *
 * @return how many sets were stopped, UNCORE_EINVAL (no such process counts), UNCORE_EACCESS (this
 *         user may not), UNCORE_EIO (the daemon has gone)
 */
int unc_remote_stop_client(struct unc_remote *remote, uint32_t pid, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
