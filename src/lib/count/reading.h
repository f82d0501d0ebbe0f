/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reading.h - which registers are read for a list of events, with the fewest accesses, and
 * for which events.  Made under the handle's lock; read without any.
 */
#ifndef UNC_READING_H
#define UNC_READING_H

#include "count/counter.h"
#include "plan/plan.h"

#define UNC_RUN_MAX 8 /* counters of one PCI device that one access reads */

/* A counter that is read, and the events that it belongs to. */
struct unc_addend {
	struct unc_counter *counter;
	unsigned first_user, n_users; /* in users[] */
};

/* Addends that one register access serves. */
struct unc_access {
	unsigned first_addend, n_addends;
};

/*
 * Replaced, not changed, when a restart finds other counters: a reader in another thread
 * may still be on its way through it.
 */
struct unc_reading {
	struct unc_reading *retired;
	size_t n_addends, n_accesses, n_users;
	struct unc_addend *addends;
	struct unc_access *accesses;
	unsigned *users;      /* indices of events */
	unsigned *of_package; /* accesses to the MSRs of each */
};

/*
 * The reading of a layout's counters, of a machine whose counters are in the order of its
 * boxes.  It takes the place of *reading, unless that is the same.  false: no memory.
 */
bool unc_reading_make(_Atomic(struct unc_reading *) *reading, const struct unc_hw *hw,
		      const struct unc_machine *machine, struct unc_counter *counters,
		      const struct unc_layout *layout);
void unc_reading_free(_Atomic(struct unc_reading *) *reading);

/* When registers were read, by unc_hw_now(). */
struct unc_when {
	int64_t at;   /* the middle */
	int64_t took; /* from the first register to the last one; 0: not known */
};

static inline struct unc_when unc_between(int64_t before, int64_t after)
{
	return (struct unc_when){.at = before + (after - before) / 2, .took = after - before};
}

/*
 * Add to sums, by event, what the counters have counted: by the registers, or without.
 * 0 or -errno; which register it was is kept in err for a later message.  Signal-safe.
 */
int unc_reading_sum(const struct unc_reading *reading, struct unc_hw *hw, struct unc_err *err,
		    uint64_t *sums, int64_t now);
void unc_reading_totals(const struct unc_reading *reading, uint64_t *sums);
/* As unc_reading_sum(), under the handle's lock; each counter's `looked` is when. */
int unc_reading_sum_timed(const struct unc_reading *reading, struct unc_hw *hw, struct unc_err *err,
			  uint64_t *sums, int64_t now);

/*
 * Read a package's MSRs, or, UNC_NO_MSR, all other registers, so that unc_reading_totals() has
 * them: as unc_reading_sum().
 */
#define UNC_NO_MSR (-1)
int unc_reading_look(const struct unc_reading *reading, struct unc_hw *hw, struct unc_err *err,
		     int package, int64_t now);

/*
 * Whether wraps may be missing from what was counted since `base`, and of which event, which
 * is an index as in users[]: the worst case.  Signal-safe.
 */
bool unc_missed_wrap_find(const struct unc_reading *reading, int64_t base, int64_t now,
			  struct uncore_missed_wrap *missed_wrap);

#endif
