/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - what is behind share.h; src/lib/claim only. */
#ifndef UNC_SHARE_STATE_H
#define UNC_SHARE_STATE_H

#include "claim/counted_names.h"
#include "claim/lock.h"
#include "claim/share.h"

#define UNC_SHARE_NAME 40 /* of a file: process, a dash, 16 digits, an ending */

/* A journal of somebody else. */
struct unc_other {
	struct unc_journal journal;
	char file[UNC_SHARE_NAME];
	bool opaque; /* it cannot be read: all may be claimed by it */
};

/* A register that a live owner has. */
struct unc_taken {
	struct unc_place place;
	uint64_t bits; /* 0: all */
	uint64_t since;
	size_t owner; /* index into live */
};

struct unc_others {
	size_t n_live, n_dead, n_taken;
	struct unc_other *live, *dead;
	struct unc_taken *taken; /* by place */
	bool *counts;            /* by package: a live owner has registers there */
	bool failed;             /* no memory */
};

struct unc_share {
	char root[PATH_MAX];
	struct unc_machine *machine;
	struct unc_err *err;
	struct unc_hw *hw; /* of the present call */
	bool wanted;       /* journals are ... */
	bool named;        /* ... in a directory that the user has named */
	struct unc_directory dir;
	struct unc_locks locks;
	bool *mine; /* by package: what is held */
	/* who we are */
	struct unc_journal_head self;
	char file[UNC_SHARE_NAME]; /* "": not made yet */
	int lock;                  /* of our journal; -1 */
	bool on_disk;
	struct unc_ledger *ledger; /* the handle's */
	struct unc_counted_names names;
	struct unc_others others;
	/* who had the lock */
	pid_t holder;
	unsigned package;
	/* what was done */
	size_t n_restored;
	struct unc_restored *restored;
	char missing[640];
};

/* ---- identity.c ---- */

/* Fill in who we are, once: the program, the boot, the machine. */
void unc_identify(struct unc_share *share);
/* Another process, by its number: its name and user. */
void unc_identify_process(pid_t pid, struct unc_journal_head *head);
bool unc_is_same_machine(const struct unc_share *share, const struct unc_journal_head *head);

/* ---- others.c ---- */

/* Read the journals of all others; false: no memory. */
bool unc_others_read(struct unc_share *share);
void unc_others_free(struct unc_others *others);
/* For our journal: a name that nobody else has, and its lock.  0 or -errno. */
int unc_share_name(struct unc_share *share);
/* A new name, "WHOSE-NUMBER"; false: there is no random number. */
bool unc_share_number(char file[UNC_SHARE_NAME], const char *whose);
/* Remove a journal and its lock. */
void unc_share_discard(const struct unc_share *share, const char *file);

/* ---- share.c ---- */

/* A journal in the place of another, as a whole.  0 or -errno. */
int unc_share_rewrite(struct unc_share *share, const char *file, const struct unc_journal *journal);

/* ---- recover.c ---- */

/* Give back what a dead owner has left in the packages that are held; its journal becomes less. */
void unc_recover(struct unc_share *share, struct unc_other *dead);

#endif
