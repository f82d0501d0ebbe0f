/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * share.h - other processes (and other handles of this one) that count on the same machine: the
 * lock under which counters are claimed and given back, what this handle has claimed, what
 * others have, and what those left behind who ended without giving it back.
 *
 * All under the handle's lock.  A NULL share is that of a machine in this process: nobody else
 * counts there.
 */
#ifndef UNC_SHARE_H
#define UNC_SHARE_H

#include "claim/journal.h"
#include "claim/ledger.h"
#include "hw/regs.h"
#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_share;

/*
 * directory: of the journals; NULL: run/uncore below root; "none": no journals.  NULL with *code:
 * UNCORE_ENOMEM, or UNCORE_EACCESS if a directory that was named cannot be trusted.
 */
struct unc_share *unc_share_new(const char *root, const char *directory,
				struct unc_machine *machine, struct unc_ledger *ledger,
				struct unc_err *err, int *code);
/* leave: registers have not been given back, so the journal stays. */
void unc_share_free(struct unc_share *share);

/*
 * Take the locks of packages; see who counts there; restore what dead owners have left.
 * 1: it is held, unc_share_drop() has to follow; 0: somebody else has it; or an error.
 */
int unc_share_take(struct unc_share *share, struct unc_hw *hw, const bool *packages);
void unc_share_drop(struct unc_share *share);
/* Who had it when 0 was returned, in a sentence; returns UNCORE_EBUSY. */
int unc_share_held(struct unc_share *share, uint64_t waited_ms);

/* All files that a process may lose its locks by when they are closed: none is held then. */
void unc_share_quiesce(struct unc_share *share);

/* ---- what others count, as of the last take ---- */

/* By package, whether somebody else counts there; NULL: nobody can be seen. */
const bool *unc_share_others(const struct unc_share *share);
/* 0, or UNCORE_EBUSY with the name of who has a package for himself, or anything there. */
int unc_share_package(struct unc_share *share, unsigned package, bool exclusive);

/* Another owner of a register of an operation, in the bits that it changes. */
struct unc_owner {
	const struct unc_journal_head *head;
	uint64_t since;
};
bool unc_share_owner(const struct unc_share *share, const struct unc_op *op, struct unc_owner *who);
/* Another process of this user that counts an event of that name. */
bool unc_share_counts(const struct unc_share *share, const char *event, struct unc_owner *who);

/* Who counts that has no journal: the kernel's driver, or another tool. */
const char *unc_share_suspect(const struct unc_share *share);

#define UNC_OWNER_NAME 128
/* "lulesh (pid 4711, user anna)"; returns name. */
const char *unc_owner_name(char name[UNC_OWNER_NAME], const struct unc_journal_head *head);
/* "12:03:17", with the date if that was not today; returns text. */
const char *unc_since(char text[32], uint64_t since);

/* Look without a lock, and restore nothing: 0 or UNCORE_ENOMEM.  Then number i of the living. */
int unc_share_look(struct unc_share *share);
const struct unc_journal *unc_share_live(const struct unc_share *share, size_t i);
/* How many have ended, and not all of what they left is restored. */
size_t unc_share_dead(const struct unc_share *share);

/* ---- what this handle claims ---- */

/* The names of the events that count; by: whose.  false: no memory. */
bool unc_share_name_events(struct unc_share *share, const void *by, const char *const *names,
			   size_t n);
void unc_share_unname_events(struct unc_share *share, const void *by);
/*
 * Bring the journal up to date with the ledger: no register is written before it is in there.  0,
 * or UNCORE_EIO, UNCORE_ENOMEM.
 */
int unc_share_write(struct unc_share *share);
/* Registers of a group that others still need are left for the last of them to restore. */
int unc_share_leave(struct unc_share *share, unsigned group);
/* After something was given back: restore what is due now that nobody needs it. */
void unc_share_settle(struct unc_share *share, struct unc_hw *hw, const bool *packages);

/* ---- what was done, and how things are ---- */

/* A register that was restored for a dead owner, or left to somebody else. */
struct unc_restored {
	char owner[UNC_OWNER_NAME];
	struct unc_op op;
	uint64_t held, value;
	bool left;
};
const struct unc_restored *unc_share_restored(const struct unc_share *share, size_t i);

/* What is missing for sharing to be safe; NULL: nothing. */
const char *unc_share_missing(struct unc_share *share);
/* The directory that is used, NULL: none. */
const char *unc_share_directory(const struct unc_share *share);

#ifdef __cplusplus
}
#endif
#endif
