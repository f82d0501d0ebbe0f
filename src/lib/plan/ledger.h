/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ledger.h - registers that are changed: their previous values, the bits to be restored, and the
 * entries of a journal (claim/journal.h).  A handle has one for its runs, under its lock, and a
 * plan one for what it prints.  Pure functions.
 *
 * A register has one entry from the first note to the last restored bit, in the order of the
 * changes; restoring goes through them backwards.
 */
#ifndef UNC_LEDGER_H
#define UNC_LEDGER_H

#include "plan/place.h"
#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_SAVED_PACKAGE   1u /* controls all boxes of a package: several processes may use it */
#define UNC_SAVED_EXCLUSIVE 2u /* no other process may count in the package */
#define UNC_SAVED_CLEARED \
	4u /* a loaded counter or overflow bits: `before` is written regardless of the contents */
#define UNC_SAVED_WHOLE \
	8u /* no other process may use any bit: it is written without holding the lock */

/* The previous value of a register. */
struct unc_saved {
	struct unc_place place;
	uint32_t flags;
	uint32_t group;   /* of a box or package: recovery decides for all of them together */
	uint64_t bits;    /* the ones that change, 0: all */
	uint64_t before;  /* their previous value */
	uint32_t shown;   /* index of the first ... */
	uint32_t n_shown; /* ... of the values it may read back as; 0: unknown */
	uint64_t since;   /* s since 1970 */
};

/* A value that the owner writes, in the bits that read back. */
struct unc_shown {
	uint64_t mask, value;
};

struct unc_ledger_entry {
	struct unc_op op; /* reads the register; mask: the bits that are in the journal, 0: all */
	uint64_t before;  /* their previous value */
	uint64_t saved;  /* those of them that this handle restores; 0: they are only in the journal
			  */
	uint64_t due;    /* those of them that unc_ledger_restore() will restore */
	uint64_t since;  /* s since 1970 */
	unsigned group;  /* reset group, a number below n_groups */
	unsigned flags;  /* UNC_SAVED_* */
	size_t previous; /* of the same group, counted from 1; 0: none */
	uint32_t shown;  /* the latest of the values it may read back as, counted from 1 */
	uint32_t n_shown;
	bool gone;
};

/* Values that a register may read back as: a chain per entry. */
struct unc_ledger_shown {
	struct unc_shown shown;
	uint32_t previous; /* counted from 1 */
};

/* Of an operation that restores: the group of its register, and the bits that read back. */
struct unc_back {
	unsigned group;
	uint64_t bits;
};

/* A write that restores bits and failed, or had no effect; it is retried, see restore.c. */
struct unc_failed {
	struct unc_op op;
	int error;     /* the last one */
	uint64_t back; /* bits that must read back; 0: unknown */
	uint64_t held; /* what the register held after that, if it was readable */
	bool readable;
};

struct unc_ledger {
	size_t n, room;
	struct unc_ledger_entry *at;
	struct unc_op *ops;     /* room for the operations of a restore ... */
	struct unc_back *backs; /* ... and what is known of them */
	unsigned n_groups;
	size_t *last; /* by group: its latest entry, counted from 1; 0: none */
	size_t n_shown, room_shown;
	struct unc_ledger_shown *shown;
	bool changed; /* since the journal was written */
	uint64_t now; /* of the next notes, s since 1970 */
	size_t n_failed;
	struct unc_failed *failed;
};

/* false: no memory */
bool unc_ledger_make(struct unc_ledger *ledger, unsigned n_groups);
void unc_ledger_free(struct unc_ledger *ledger);

/*
 * Note that op, which reads or writes a register, is about to be changed: its bits under the mask
 * (0: all) held `value`.  Bits that are saved keep the value that they held first.  false: no
 * memory.  Pointers to entries are invalid then.
 */
bool unc_ledger_note(struct unc_ledger *ledger, unsigned group, const struct unc_op *op,
		     uint64_t value, unsigned flags);
/* The bits of op that were noted are changed from now on, and restored by this handle. */
void unc_ledger_save(struct unc_ledger *ledger, unsigned group, const struct unc_op *op);

/* Add a value that a register may read back as, in the bits of the mask.  false: no memory. */
bool unc_ledger_show(struct unc_ledger *ledger, unsigned group, const struct unc_op *op);
/* The register does not read back as written. */
void unc_ledger_unshow(struct unc_ledger *ledger, unsigned group, const struct unc_op *op);

/* Entries with saved bits of a group, the latest first; NULL begins and ends. */
struct unc_ledger_entry *unc_ledger_next(struct unc_ledger *ledger, unsigned group,
					 const struct unc_ledger_entry *entry);
/* The entry of op's register with saved bits, or NULL. */
struct unc_ledger_entry *unc_ledger_find(struct unc_ledger *ledger, unsigned group,
					 const struct unc_op *op);
/* Whether the journal has a bit of op's register, in any group. */
bool unc_ledger_has(const struct unc_ledger *ledger, const struct unc_op *op);

/* The previous value of the bits of op (mask 0: all), which are not saved any more; 0 if not saved.
 */
uint64_t unc_ledger_take(struct unc_ledger *ledger, unsigned group, const struct unc_op *op);

/* Do not restore the registers of a group. */
void unc_ledger_forget(struct unc_ledger *ledger, unsigned group);

/*
 * When a job's counters leave their box: its registers are due if the box becomes idle, otherwise
 * the bits that only they use.
 */
void unc_ledger_leave(struct unc_ledger *ledger, const struct unc_job *job);

/*
 * The operations that restore all bits that are due, the latest change first; how many.
 * ledger->backs has the bits of each that are in its list of values.
 */
size_t unc_ledger_restore(struct unc_ledger *ledger, const struct unc_op **ops);

/* Remove the bits that the journal does not need any more. */
typedef uint64_t unc_ledger_needed(void *arg, const struct unc_ledger_entry *entry);
void unc_ledger_prune(struct unc_ledger *ledger, unc_ledger_needed *needed, void *arg);

/* An entry in the form of the journal, without the values it may read back as. */
struct unc_saved unc_ledger_saved(const struct unc_ledger_entry *entry,
				  const struct unc_topology *topo);
/* The number of entries, and of values that they may read back as. */
void unc_ledger_count(const struct unc_ledger *ledger, uint32_t *n_saved, uint32_t *n_shown);
/* The same entries, in the arrays of a journal. */
void unc_ledger_journal(const struct unc_ledger *ledger, const struct unc_topology *topo,
			struct unc_saved *saved, struct unc_shown *shown);

#ifdef __cplusplus
}
#endif
#endif
