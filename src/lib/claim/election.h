/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * election.h - which rank of a step counts an event: one handle at a time holds the event's name.
 *
 * Each handle that holds names has two files in a directory of its user.  One has the names, as
 * hashes.  The other one is locked, and belongs to a process that has ended if it is not.  It is a
 * lock that a forked child does not inherit.  A third file is locked while a handle looks at the
 * files of the others and takes names, so it takes those of a set all together.
 *
 * The same for registers, uncored and the kernel's driver: it depends on the names only.
 */
#ifndef UNC_ELECTION_H
#define UNC_ELECTION_H

#include "base/error.h"
#include "claim/launcher.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct unc_election;

/* NULL: no memory. */
struct unc_election *unc_election_new(const struct unc_launch *step);
/* Also releases the names. child: in a forked child, the files stay. */
void unc_election_free(struct unc_election *election, bool child);
const struct unc_launch *unc_election_launch(const struct unc_election *election);

/*
 * Lock out the others, and look who holds which name. 1; 0: another process has the lock;
 * UNCORE_EACCESS or UNCORE_ENOMEM, with a message.
 */
int unc_election_begin(struct unc_election *election, struct unc_err *err);
void unc_election_end(struct unc_election *election);
/* Whether another process had the lock at the last begin. */
bool unc_election_is_locked(const struct unc_election *election);

/*
 * In between: hold a name once more. 1: held; 0: another handle holds it; UNCORE_EIO or
 * UNCORE_ENOMEM, with a message.
 */
int unc_election_take(struct unc_election *election, const char *name, struct unc_err *err);
/* At any time: as often as it was taken. */
void unc_election_leave(struct unc_election *election, const char *name);

/*
 * Whether a handle that held a wanted name has released one, or has ended.  Otherwise notes the
 * time.  Signal-safe, in any thread.
 */
bool unc_election_changed(struct unc_election *election);
/* The last time that none had; ns, CLOCK_MONOTONIC. */
int64_t unc_election_unchanged(const struct unc_election *election);
/* After a begin: what has changed so far is known, and wanted names will be taken again. */
void unc_election_renew(struct unc_election *election);

#ifdef __cplusplus
}
#endif
#endif
