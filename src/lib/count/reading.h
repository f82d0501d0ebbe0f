/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reading.h - the registers to read for a list of events, with the fewest accesses, and the
 * events they belong to.  Created under the handle's lock, used without.
 */
#ifndef UNC_READING_H
#define UNC_READING_H

#include "count/counter.h"
#include "plan/plan.h"

#define UNC_RUN_MAX 8 /* counters of one PCI device in one access */

/* A counter that is read, and its events. */
struct unc_addend {
	struct unc_counter *counter;
	unsigned first_user, n_users; /* indices into users[] */
};

/* Addends that are read by one access. */
struct unc_access {
	unsigned first_addend, n_addends;
};

/*
 * Replaced, not changed, when a start finds other counters: a reader in another thread may
 * still be using it.
 */
struct unc_reading {
	struct unc_reading *retired;
	size_t n_addends, n_accesses, n_users;
	struct unc_addend *addends;
	struct unc_access *accesses;
	unsigned *users;      /* indices of events */
	unsigned *of_package; /* number of accesses to the MSRs of each package */
};

/*
 * Create the reading for the counters of a layout, with `counters` sorted by box.  It replaces
 * *reading unless that is equal. false: no memory.
 */
bool unc_reading_make(_Atomic(struct unc_reading *) *reading, const struct unc_hw *hw,
		      const struct unc_machine *machine, struct unc_counter *counters,
		      const struct unc_layout *layout);
void unc_reading_free(_Atomic(struct unc_reading *) *reading);

/* When registers were read, by unc_hw_now(). */
struct unc_when {
	int64_t at;   /* the middle of the read */
	int64_t took; /* from the first register to the last; 0: unknown */
};

static inline struct unc_when unc_between(int64_t before, int64_t after)
{
	return (struct unc_when){.at = before + (after - before) / 2, .took = after - before};
}

/*
 * Add the counts to sums, by event; with or without reading the registers. 0 or -errno, with
 * the register noted in err for a later message.  Signal-safe.
 */
int unc_reading_sum(const struct unc_reading *reading, struct unc_hw *hw, struct unc_err *err,
		    uint64_t *sums, int64_t now);
void unc_reading_totals(const struct unc_reading *reading, uint64_t *sums);
/* As unc_reading_sum(), under the handle's lock; also sets each counter's `looked`. */
int unc_reading_sum_timed(const struct unc_reading *reading, struct unc_hw *hw, struct unc_err *err,
			  uint64_t *sums, int64_t now);

/*
 * Read the MSRs of a package, or with UNC_NO_MSR all other registers, for unc_reading_totals():
 * as unc_reading_sum().
 */
#define UNC_NO_MSR (-1)
int unc_reading_look(const struct unc_reading *reading, struct unc_hw *hw, struct unc_err *err,
		     int package, int64_t now);

/*
 * Whether wraps may have been missed since `base`, and for which event (an index as in
 * users[]): the worst case.  Signal-safe.
 */
bool unc_missed_wrap_find(const struct unc_reading *reading, int64_t base, int64_t now,
			  struct uncore_missed_wrap *missed_wrap);

#endif
