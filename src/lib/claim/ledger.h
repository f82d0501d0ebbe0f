/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ledger.h - what registers held before they were changed, in the order of the changes.
 *
 * Every register that a set changes has one entry; giving back is going through them
 * backwards.  All under the handle's lock.
 */
#ifndef UNC_LEDGER_H
#define UNC_LEDGER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_entry {
	struct unc_op op; /* where; mask: the bits that are ours, 0: all of them */
	uint64_t before;  /* what these held */
	uint64_t due;     /* those of them that unc_ledger_give_back() gives back */
	unsigned group;   /* whose register it is, a number below n_groups */
	size_t previous;  /* of the same group, counted from 1; 0: none */
	bool gone;        /* given back, or left to somebody else */
};

/* A write that gives bits back and failed: it is tried again; restore.c. */
struct unc_failed {
	struct unc_op op;
	int error;     /* the last one */
	uint64_t held; /* what the register held after that, if it was readable */
	bool readable;
};

struct unc_ledger {
	size_t n, room;
	struct unc_entry *at;
	struct unc_op *back; /* room for what is given back */
	unsigned n_groups;
	size_t *last; /* by group: its latest entry, counted from 1; 0: none */
	size_t n_failed;
	struct unc_failed *failed;
};

/* false: no memory */
bool unc_ledger_make(struct unc_ledger *ledger, unsigned n_groups);
void unc_ledger_free(struct unc_ledger *ledger);

/* Room for n more entries, so that adding and giving back need no memory; false: none. */
bool unc_ledger_reserve(struct unc_ledger *ledger, size_t n);

/* A group's entries, the latest first: NULL ends them; after NULL comes the latest. */
struct unc_entry *unc_ledger_next(struct unc_ledger *ledger, unsigned group,
				  const struct unc_entry *entry);
/* The entry of op's register, NULL: there is none. */
struct unc_entry *unc_ledger_find(struct unc_ledger *ledger, unsigned group,
				  const struct unc_op *op);

/*
 * op read value.  Of a register that is there already only the bits are added that were not
 * ours so far.  There must be room.
 */
void unc_ledger_add(struct unc_ledger *ledger, unsigned group, const struct unc_op *op,
		    uint64_t value);

/* What the bits of op (mask 0: all) held; they are not ours any more.  0 without an entry. */
uint64_t unc_ledger_take(struct unc_ledger *ledger, unsigned group, const struct unc_op *op);

/* The group's registers stay as they are. */
void unc_ledger_forget(struct unc_ledger *ledger, unsigned group);

/* The operations that give back all bits that are due, the latest change first; how many. */
size_t unc_ledger_give_back(struct unc_ledger *ledger, const struct unc_op **ops);

#ifdef __cplusplus
}
#endif
#endif
