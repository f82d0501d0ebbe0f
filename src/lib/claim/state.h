/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - the state behind share.h; for src/lib/claim only. */
#ifndef UNC_SHARE_STATE_H
#define UNC_SHARE_STATE_H

#include "claim/counted_names.h"
#include "claim/lock.h"
#include "claim/share.h"

#define UNC_SHARE_NAME 40 /* of a file: pid, dash, 16 digits, suffix */

/* A journal of another process. */
struct unc_other {
	struct unc_journal journal;
	char file[UNC_SHARE_NAME];
	bool opaque; /* it cannot be read: assume it owns everything */
};

/* A register of a running owner. */
struct unc_taken {
	struct unc_place place;
	uint64_t bits; /* 0: all */
	uint64_t since;
	size_t owner; /* index into live */
};

struct unc_others {
	size_t n_live, n_dead, n_taken;
	struct unc_other *live, *dead;
	struct unc_taken *taken; /* sorted by place */
	bool *counts;            /* by package: a running owner has registers there */
	int error;               /* -errno; 0: all were read */
};

struct unc_share {
	char root[PATH_MAX];
	struct unc_machine *machine;
	struct unc_err *err;
	struct unc_hw *hw; /* of the current call */
	bool wanted;       /* journals are used ... */
	bool named;        /* ... in a directory that the user named */
	struct unc_directory dir;
	struct unc_locks locks;
	bool *mine; /* by package: locked by this handle */
	/* this handle's journal */
	struct unc_journal_head self;
	char file[UNC_SHARE_NAME]; /* "": not created yet */
	int lock;                  /* of the journal, or -1 */
	bool on_disk;
	struct unc_journal_file text; /* of the latest journal that was written */
	struct unc_ledger *ledger;    /* of the handle */
	struct unc_counted_names names;
	struct unc_others others;
	/* the last failure to lock: holder and package */
	pid_t holder;
	unsigned package;
	/* reports */
	size_t n_restored, room_restored;
	struct unc_restored *restored;
	char missing[640];
};

/* ---- identity.c ---- */

/* Fill in `self` once: program, boot, machine.  -errno if a descriptor or memory is missing. */
int unc_identify(struct unc_share *share);
/* Fill in name and user of another process. */
void unc_identify_process(pid_t pid, struct unc_journal_head *head);
bool unc_is_same_machine(const struct unc_share *share, const struct unc_journal_head *head);

/* ---- journals.c ---- */

/* Read the journals of all other processes.  0 or -errno. */
int unc_others_read(struct unc_share *share);
/* The error of a failed unc_others_read() as that of the call. */
int unc_others_unread(struct unc_share *share, int error);
void unc_others_free(struct unc_others *others);
/* Choose a unique name for this handle's journal, and lock it.  0 or -errno. */
int unc_share_name(struct unc_share *share);
/* A new name, "PREFIX-NUMBER"; false: no random number is available. */
bool unc_share_number(char file[UNC_SHARE_NAME], const char *prefix);
/* Remove a journal and its lock. */
void unc_share_discard(const struct unc_share *share, const char *file);

/* ---- share.c ---- */

/* Replace a journal by one that was laid out in share->text, atomically.  0 or -errno. */
int unc_share_rewrite(struct unc_share *share, const char *file,
		      const struct unc_journal_head *head);

/* ---- recover.c ---- */

/*
 * Restore an ended owner's registers in the locked packages, and shorten its journal.  False if
 * memory is short: nothing has changed.
 */
bool unc_recover(struct unc_share *share, struct unc_other *dead);

#endif
