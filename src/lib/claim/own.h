/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own.h - what this handle has changed, or is about to: its journal before it is written.
 * A register has one entry.  Under the handle's lock.
 */
#ifndef UNC_OWN_H
#define UNC_OWN_H

#include "base/index.h"
#include "base/op.h"
#include "claim/journal.h"

struct unc_own_entry {
	struct unc_saved kept; /* but for shown: that is ... */
	struct unc_op op;      /* ... where it is for this process */
	uint32_t shown;        /* ... the latest of a chain, counted from 1 */
};

struct unc_own_shown {
	struct unc_shown shown;
	uint32_t previous; /* counted from 1 */
};

/* Who counts which events. */
struct unc_own_claim {
	const void *by;
	char *names; /* each ends with 0 */
	size_t bytes;
};

struct unc_own {
	size_t n, room, n_shown, room_shown, n_claims, room_claims;
	struct unc_own_entry *at; /* in the order of the changes */
	struct unc_own_shown *shown;
	struct unc_own_claim *claims;
	struct unc_index index;
	bool changed; /* since it was written */
};

void unc_own_free(struct unc_own *own);

/* The entry of a register, NULL: there is none. */
struct unc_own_entry *unc_own_find(const struct unc_own *own, const struct unc_place *place);

/*
 * kept: of a register that is there already only the bits are added that were not there.  false:
 * no memory.
 */
bool unc_own_keep(struct unc_own *own, const struct unc_saved *kept, const struct unc_op *op);
/* One of the values that it may show; nothing without an entry. */
bool unc_own_show(struct unc_own *own, const struct unc_place *place, struct unc_shown shown);

/* All those bits go that need not be kept; 0: the entry goes. */
typedef uint64_t unc_own_needed(void *arg, const struct unc_own_entry *entry);
void unc_own_prune(struct unc_own *own, unc_own_needed *needed, void *arg);

bool unc_own_claim(struct unc_own *own, const void *by, const char *const *names, size_t n);
void unc_own_unclaim(struct unc_own *own, const void *by);

/* As a journal, with the head that is there; unc_journal_free() frees it.  false: no memory. */
bool unc_own_journal(const struct unc_own *own, struct unc_journal *journal);

#endif
