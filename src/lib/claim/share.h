/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * share.h - other processes, and other handles of this one, that count on the same machine: the
 * lock under which counters are claimed and released, this handle's journal, the journals of
 * others, and recovery of registers that ended processes did not restore.
 *
 * All functions require the handle's lock.  The share is NULL for a machine simulated in this
 * process, where no other process counts.
 */
#ifndef UNC_SHARE_H
#define UNC_SHARE_H

#include "claim/journal.h"
#include "hw/regs.h"
#include "machine/machine.h"
#include "plan/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_share;

/*
 * directory: of the journals; NULL: run/uncore below root; "none": no journals.  Returns NULL with
 * *code set: UNCORE_ENOMEM, or UNCORE_EACCESS if a directory that was named cannot be trusted.
 */
struct unc_share *unc_share_new(const char *root, const char *directory,
				struct unc_machine *machine, struct unc_ledger *ledger,
				struct unc_err *err, int *code);
/* The journal is removed unless registers are still to be restored. */
void unc_share_free(struct unc_share *share);

/*
 * Lock packages, read the journals of others, and recover registers of ended owners.  1: locked,
 * unc_share_drop() must follow; 0: another process holds a lock; or an error.
 */
int unc_share_take(struct unc_share *share, struct unc_hw *hw, const bool *packages);
void unc_share_drop(struct unc_share *share);
/* Set the message that names the holder when 0 was returned; returns UNCORE_EBUSY. */
int unc_share_held(struct unc_share *share, uint64_t waited_ms);

/* Before files with locks are closed: wait until no handle of this process holds one. */
void unc_share_quiesce(struct unc_share *share);

/* ---- other processes, as of the last take ---- */

/* By package, whether another process counts there; NULL: no journals. */
const bool *unc_share_others(const struct unc_share *share);
/*
 * 0, or UNCORE_EBUSY naming a process that uses the package exclusively; with exclusive: that uses
 * it at all.
 */
int unc_share_package(struct unc_share *share, unsigned package, bool exclusive);

/* Another process that owns bits of a register that an operation changes. */
struct unc_owner {
	const struct unc_journal_head *head;
	uint64_t since;
};
bool unc_share_owner(const struct unc_share *share, const struct unc_op *op, struct unc_owner *who);
/* Another process of this user that counts the event of this name. */
bool unc_share_counts(const struct unc_share *share, const char *event, struct unc_owner *who);

/* A name for the process without a journal that counts: the kernel driver, or another tool. */
const char *unc_share_suspect(const struct unc_share *share);

#define UNC_OWNER_NAME 128
/* "lulesh (pid 4711, user anna)"; returns name. */
const char *unc_owner_name(char name[UNC_OWNER_NAME], const struct unc_journal_head *head);
/* "12:03:17", with the date if it is not today; returns text. */
const char *unc_since(char text[32], uint64_t since);

/*
 * Read the journals without a lock and without recovery: 0 or UNCORE_ENOMEM.  Then the i-th running
 * process.
 */
int unc_share_look(struct unc_share *share);
const struct unc_journal *unc_share_live(const struct unc_share *share, size_t i);
/* The number of ended processes with registers that are not restored. */
size_t unc_share_dead(const struct unc_share *share);

/* ---- this handle's journal ---- */

/* Add the names of counted events; by: their owner.  false: no memory. */
bool unc_share_name_events(struct unc_share *share, const void *by, const char *const *names,
			   size_t n);
void unc_share_unname_events(struct unc_share *share, const void *by);
/*
 * Write the journal if the ledger or the names have changed; a register is not written before the
 * journal has it.  0, UNCORE_EIO or UNCORE_ENOMEM.
 */
int unc_share_write(struct unc_share *share);
/*
 * The same for what is no longer needed: if it fails, with -errno, there is no message; the next
 * write does it.
 */
int unc_share_shorten(struct unc_share *share);
/* Leave the registers of a group, some of them saved, to the last process that needs them. */
int unc_share_leave(struct unc_share *share, unsigned group);
/*
 * After a release: restore registers that others left and no process needs any more.  False: memory
 * or files were too short for this, or for the journal.
 */
bool unc_share_settle(struct unc_share *share, struct unc_hw *hw, const bool *packages);

/* ---- reports ---- */

/* A register of an ended owner that was restored, or left because another tool has changed it. */
struct unc_restored {
	char owner[UNC_OWNER_NAME];
	struct unc_op op;
	uint64_t held, value;
	bool left;
};
const struct unc_restored *unc_share_restored(const struct unc_share *share, size_t i);

/* A sentence: what makes sharing unsafe; NULL: nothing. */
const char *unc_share_missing(struct unc_share *share);
/* The directory in use, or NULL. */
const char *unc_share_directory(const struct unc_share *share);

#ifdef __cplusplus
}
#endif
#endif
