/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - events get boxes and counters, counters become register operations.
 *
 * Pure functions: values in, values out, no I/O.
 */
#ifndef UNC_PLAN_H
#define UNC_PLAN_H

#include <limits.h>

#include "event/event.h"
#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_SLOTS (UNC_MAX_COUNTERS + 1) /* the last one used is the fixed counter */

/* An event on a counter of a box. */
struct unc_assignment {
	const struct unc_event *event; /* asked for */
	uint64_t control;              /* without the enable bit */
	struct unc_bits bits[UNC_MAX_BITS];
	uint8_t n_bits;
	uint8_t counter;   /* type->n_counters: the fixed one */
	bool companion;    /* counts the queue on counter 0 */
	uint32_t overflow; /* bits of the control beside the event's: tell of an overflow */
	uint32_t run;      /* bits of a running box control beside the style's */
};

/* The counters of one box that are in use. */
struct unc_use {
	unsigned n;
	unsigned beside; /* in use in the other unit of the device, under the same box control */
	struct unc_assignment at[UNC_SLOTS]; /* in no order */
};

/*
 * Give each event a counter beside those in use, which stay as they are.
 * Complete: finds an assignment if there is one.  Equal events get a counter
 * each; sharing is the caller's business.
 *
 * out[i] is the assignment of events[i].
 */
bool unc_assign(const struct unc_box_type *type, const struct unc_use *use,
		const struct unc_event *const *events, unsigned n, struct unc_assignment *out);

/*
 * The smallest set of events that cannot live together in a box: fills indices
 * into events, returns how many, and tells why in one sentence.  names[i] is
 * what events[i] is called.
 */
unsigned unc_conflict(const struct unc_box *box, const struct unc_use *use,
		      const struct unc_event *const *events, const char *const *names, unsigned n,
		      unsigned *indices, char *reason, size_t len);

/* The value that the events in use give filter register f. */
uint64_t unc_filter_value(const struct unc_use *use, unsigned f);

/* ---- a whole list of events on a whole machine ---- */

struct unc_box_event {
	unsigned event; /* index into the list */
	unsigned box;   /* index into machine->boxes */
	bool shared;    /* the counter is in use already, for the same event */
	struct unc_assignment assignment;
};

struct unc_layout {
	size_t n, room;
	struct unc_box_event *at; /* by box, then counter; one per event and box */
	unsigned n_conflict;
	unsigned *conflict; /* indices into the list */
	char reason[1024];
};

/*
 * use[i] belongs to machine->boxes[i]; NULL: an idle machine.
 * @return 0, UNCORE_ECONFLICT with conflict and reason, UNCORE_ENODEV with
 *         reason (an event that no box can count), UNCORE_ENOMEM
 */
int unc_layout_make(struct unc_layout *layout, const struct unc_machine *machine,
		    const struct unc_use *use, const struct unc_event *const *events,
		    const char *const *names, size_t n);
void unc_layout_free(struct unc_layout *layout);

/* The groups of boxes and packages; units of one device share their box control. */
static inline unsigned unc_group_of_box(const struct unc_machine *m, unsigned box)
{
	const struct unc_box *b = &m->boxes[box];

	return b->type->units ? box - (b->index & 1u) : box;
}

static inline unsigned unc_group_of_package(const struct unc_machine *m, unsigned package)
{
	return (unsigned)m->n_boxes + package;
}

static inline unsigned unc_count_groups(const struct unc_machine *m)
{
	return (unsigned)m->n_boxes + m->topo.n_packages;
}

/* ---- register programs ---- */

#define UNC_NO_BOX UINT_MAX

/* Whose registers an operation concerns: those of a group, and there of which box. */
struct unc_scope {
	unsigned group; /* box or package: the numbers of unc_site_of_...() */
	unsigned box;   /* UNC_NO_BOX: a package's own */
};

struct unc_ops {
	struct unc_op *op;
	struct unc_scope *scope; /* by operation: what `now` was when it was pushed */
	size_t n, room;
	bool failed; /* out of memory: the list is not complete */
	struct unc_scope now;
};

void unc_ops_free(struct unc_ops *ops);
void unc_ops_push(struct unc_ops *ops, struct unc_op op);

/* New assignments of one box, beside those that it counts already. */
struct unc_job {
	const struct unc_machine *machine;
	const struct unc_box *box;
	const struct unc_use *before, *after; /* assignments in use without and with the new ones */
	const struct unc_assignment *assignments; /* the new ones */
	unsigned n;
};

/*
 * Read what will be changed: to be put back as a whole or, with saved, under a
 * mask.  The reset of an idle box clears all of its
 * counters, so its other controls are read, too: with mask and value set to what
 * an unused control shows.
 */
void unc_program_save(struct unc_ops *ops, const struct unc_job *job);
/* Freeze and reset (an idle box only), filters, controls. */
void unc_program_setup(struct unc_ops *ops, const struct unc_job *job);
/* Let them count. */
void unc_program_start(struct unc_ops *ops, const struct unc_job *job);
void unc_program_read(struct unc_ops *ops, const struct unc_job *job);
/* Hold the counts, if the box counts for nobody else. */
void unc_program_stop(struct unc_ops *ops, const struct unc_job *job);
/* Read the controls back, with mask and value set to what they must show. */
void unc_program_check(struct unc_ops *ops, const struct unc_job *job);
/*
 * The same for the filter bits that the job's events own, but for filters whose
 * bit is set in except; for one filter, false if they own nothing of it.
 */
void unc_program_check_filters(struct unc_ops *ops, const struct unc_job *job, uint64_t except);
bool unc_filter_check(const struct unc_job *job, unsigned f, struct unc_op *op);
/*
 * Read the box control, with mask and value set to what it shows while the job's counters
 * count: another value is a freeze, or the end of one, by somebody else.  CPUs' counters
 * are looked at when they are stopped.
 */
void unc_program_watch(struct unc_ops *ops, const struct unc_job *job);
/*
 * Freeze or unfreeze all boxes of a package at once, on platforms that can:
 * around the starts and the stops, so that the boxes' windows are the same.  Where
 * running is a state of the register it is saved before the first start in a
 * package, and what it was is left behind after the last stop.
 */
void unc_program_global_save(struct unc_ops *ops, const struct unc_machine *machine,
			     unsigned package);
void unc_program_global(struct unc_ops *ops, const struct unc_machine *machine, unsigned package,
			bool freeze);
void unc_program_global_leave(struct unc_ops *ops, const struct unc_machine *machine,
			      unsigned package);
/* Read what holds the package's boxes, with mask and value set to what it shows while they run. */
void unc_program_global_watch(struct unc_ops *ops, const struct unc_machine *machine,
			      unsigned package);
/* Write back, in reverse order, what a list of reads saved of boxes (not what it checked). */
void unc_program_restore(struct unc_ops *ops, const struct unc_ops *save);

/* Bit f for an operation on filter f of a box, 0: it is no filter. */
uint64_t unc_filter_bit(const struct unc_machine *machine, unsigned box, const struct unc_op *op);

/* The counter that an operation on a control belongs to, -1: it is no control. */
int unc_counter_of_control(const struct unc_box *box, const struct unc_op *op);

/* Of a CPU: the counter that somebody else uses, by what a read of the save gave; -1: none. */
int unc_arch_busy(const struct unc_job *job, const struct unc_op *op, uint64_t value);

/* Bits of a control that are all 0 if nobody counts with it. */
uint64_t unc_busy_bits(const struct unc_machine *machine, const struct unc_box_type *type,
		       unsigned counter);

/* Bits of a counter, 0: there is none such. */
unsigned unc_counter_width(const struct unc_box_type *type, unsigned counter);

/* The operation that reads a register; false: the box has none such. */
bool unc_register_op(const struct unc_machine *machine, const struct unc_box *box,
		     enum uncore_register which, unsigned n, struct unc_op *op);

/* Operations that read the control of a counter, a filter, and what is at an address of the box. */
struct unc_op unc_control_op(const struct unc_machine *machine, const struct unc_box *box,
			     unsigned counter);
struct unc_op unc_filter_op(const struct unc_machine *machine, const struct unc_box *box,
			    unsigned filter);
struct unc_op unc_box_op(const struct unc_machine *machine, const struct unc_box *box,
			 uint32_t address);

/* Whether what a read of a save has given will be put back: all of it, or under its mask. */
static inline bool unc_op_is_saved(const struct unc_op *op)
{
	return !op->mask || op->saved;
}

/* The read of an operation's register. */
struct unc_op unc_op_reading(const struct unc_op *op);
/* What `saved` has read, and gave `before`, is given back: the bits that are due. */
struct unc_op unc_op_restoring(const struct unc_op *saved, uint64_t before, uint64_t due);
/* Bits that an operation writes, and the operation without some; false: nothing is left. */
uint64_t unc_op_bits(const struct unc_op *op);
bool unc_op_leave_out(struct unc_op *op, uint64_t bits);

/* Bits of a register that nobody needs but the job's counters: of controls, shared or not. */
uint64_t unc_own_bits(const struct unc_job *job, const struct unc_op *op);

/* The operation that reads a counter. */
struct unc_op unc_read_op(const struct unc_machine *machine, const struct unc_box *box,
			  unsigned counter);

#ifdef __cplusplus
}
#endif
#endif
