/* SPDX-License-Identifier: BSD-3-Clause */
/* clients.h - list the clients of uncored, and stop their sets; for `uncore clients`. */
#ifndef UNC_ACCESS_CLIENTS_H
#define UNC_ACCESS_CLIENTS_H

#include "backend/daemon/remote.h"
#include "base/shared.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where uncored listens: UNCORE_DAEMON, or the default. */
UNC_SHARED const char *unc_remote_path(void);

/* A connection for these requests, without the machine.  0, or an error of unc_remote_open(). */
UNC_SHARED int unc_remote_visit(struct unc_remote **out, const char *path, struct unc_err *err);

/* The rights of this user at a daemon, enum unc_wire_may. */
UNC_SHARED unsigned unc_remote_rights(const struct unc_remote *remote);

/*
 * Walk over the clients that this user may see.
 *
 * @param place   0 at first; receives the place of the next one
 * @return 1, 0 (no more), or an error
 */
UNC_SHARED int unc_remote_client(struct unc_remote *remote, uint32_t *place, struct unc_wire_client *client,
		      struct unc_err *err);

/*
 * Stop all sets of a process.  Its counts so far remain; its next read fails.
 *
 * @return number of sets stopped, UNCORE_EINVAL (the process is not a client), UNCORE_EACCESS
 *         (this user may not), UNCORE_EIO (the daemon has ended)
 */
UNC_SHARED int unc_remote_stop_client(struct unc_remote *remote, uint32_t pid, struct unc_err *err);

/*
 * Make a monitoring group of resctrl in a control group ("": the default one), until the connection
 * is closed.  Its path goes to `group`, and a file to which numbers of own threads are written to
 * `tasks`.
 *
 * @return 0, UNCORE_EACCESS (not allowed by the policy), UNCORE_ENODEV (no resctrl), UNCORE_EBUSY
 *         (no monitoring ID is left for this user), UNCORE_EINVAL, UNCORE_EIO
 */
UNC_SHARED int unc_remote_group(struct unc_remote *remote, const char *control, char *group, size_t len,
		     int *tasks, struct unc_err *err);
/* Remove it.  @return 0, UNCORE_EINVAL (no group of this connection), UNCORE_EIO */
UNC_SHARED int unc_remote_ungroup(struct unc_remote *remote, const char *group, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
