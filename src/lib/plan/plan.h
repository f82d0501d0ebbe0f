/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - assign boxes and counters to events, and turn them into register operations.
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
	const struct unc_event *event; /* the one requested */
	uint64_t control;              /* without the enable bit */
	struct unc_bits bits[UNC_MAX_BITS];
	uint8_t n_bits;
	uint8_t counter;   /* type->n_counters: the fixed one */
	bool companion;    /* counts the queue on counter 0, for another event */
	uint32_t overflow; /* bits of the control that report an overflow, in addition to the
			      event's */
	uint32_t run;      /* bits of a running box control, in addition to the style's */
};

/* The counters of one box that are in use. */
struct unc_use {
	unsigned n;
	unsigned paired; /* in use in the other unit of the device, under the same box control */
	/*
	 * Of an idle box: a round of multiplexed events has just left it frozen, with this many
	 * assignments in its registers.
	 */
	unsigned held;
	struct unc_assignment at[UNC_SLOTS]; /* unordered */
};

/*
 * Assign a counter to each event, around those in use, which do not change.  Complete: finds an
 * assignment if one exists.  Equal events get a counter each; sharing is up to the caller.
 *
 * out[i] is the assignment of events[i].
 */
bool unc_assign(const struct unc_box_type *type, const struct unc_use *use,
		const struct unc_event *const *events, unsigned n, struct unc_assignment *out);

/* A bit for each counter of the box that is not in use; bit n_counters: the fixed one. */
uint32_t unc_free_counters(const struct unc_box_type *type, const struct unc_use *use);
/* The event cannot be encoded in another way, as a member of a family or by its queue. */
bool unc_has_one_encoding(const struct unc_event *ev);
/* Whether unc_assign() would find an assignment: faster for events that have one encoding. */
bool unc_fits(const struct unc_box_type *type, const struct unc_use *use,
	      const struct unc_event *const *events, unsigned n);

/*
 * The smallest set of events that cannot be counted together in a box: fills indices into
 * events, returns how many, and sets the reason. names[i] is the name of events[i].
 */
unsigned unc_conflict(const struct unc_box *box, const struct unc_use *use,
		      const struct unc_event *const *events, const char *const *names, unsigned n,
		      unsigned *indices, char *reason, size_t len);

/* The value of filter register f for these assignments. */
uint64_t unc_filter_value(const struct unc_box_type *type, const struct unc_assignment *at,
			  unsigned n, unsigned f);

/* The assignment of a counter that the last round has left in a frozen box, or NULL. */
const struct unc_assignment *unc_held(const struct unc_use *use, unsigned counter);

/* ---- a whole list of events on a whole machine ---- */

struct unc_box_event {
	unsigned event; /* index into the list */
	unsigned box;   /* index into machine->boxes */
	bool shared;    /* the counter is already in use for the same event */
	struct unc_assignment assignment;
};

struct unc_layout {
	size_t n, room;
	struct unc_box_event *at; /* by box, counter, then event; one per event and box */
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
/*
 * Add events[first] to events[n - 1] to the layout of those before them: the result is that of
 * unc_layout_make(), but only boxes that count new events are planned.  The boxes of the layout
 * must be idle.  After an error its entries are those of before.
 */
int unc_layout_extend(struct unc_layout *layout, const struct unc_machine *machine,
		      const struct unc_use *use, const struct unc_event *const *events,
		      const char *const *names, size_t first, size_t n);
void unc_layout_free(struct unc_layout *layout);

/*
 * Reset groups: of boxes and packages.  The units of a device share their box control, and so a
 * group.
 */
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

/* Whether a freeze of the package stops the box. */
static inline bool unc_freezes(const struct unc_box *box, unsigned package)
{
	return box->package == package && !box->type->free && !box->type->arch;
}

/* ---- register programs ---- */

#define UNC_NO_BOX UINT_MAX

/* The scope of an operation: a reset group, and the box in it. */
struct unc_scope {
	unsigned group; /* of a box or package: unc_group_of_box(), unc_group_of_package() */
	unsigned box;   /* UNC_NO_BOX: a register of the package */
};

struct unc_ops {
	struct unc_op *op;
	struct unc_scope *scope; /* by operation: the value of `now` when it was pushed */
	size_t n, room;
	bool failed; /* out of memory: the list is incomplete */
	struct unc_scope now;
};

void unc_ops_free(struct unc_ops *ops);
void unc_ops_push(struct unc_ops *ops, struct unc_op op);

/* New assignments of a box, in addition to those in use. */
struct unc_job {
	const struct unc_machine *machine;
	const struct unc_box *box;
	const struct unc_use *before, *after; /* all assignments without and with the new ones */
	const struct unc_assignment *assignments; /* the new ones */
	unsigned n;
};

/*
 * Read the registers that will change: to be restored as a whole or, with saved, under a mask.
 * The reset of an idle box clears all of its counters, so its other controls are read, too, with
 * a mask.  The value of each read has the bits that are 0 unless the register is in use.
 */
void unc_program_save(struct unc_ops *ops, const struct unc_job *job);
/* Freeze and reset (an idle box only), filters, controls. */
void unc_program_setup(struct unc_ops *ops, const struct unc_job *job);
/* Start the counters. */
void unc_program_start(struct unc_ops *ops, const struct unc_job *job);
void unc_program_read(struct unc_ops *ops, const struct unc_job *job);
/* Freeze the box, unless it counts for others. */
void unc_program_stop(struct unc_ops *ops, const struct unc_job *job);
/* Read the controls back, with mask and value set to what they must hold. */
void unc_program_check(struct unc_ops *ops, const struct unc_job *job);
/*
 * The same for the filter bits that the job's events use, except for filters whose bit is set
 * in `except`; for one filter, false if they use no bit of it.
 */
void unc_program_check_filters(struct unc_ops *ops, const struct unc_job *job, uint64_t except);
bool unc_filter_check(const struct unc_job *job, unsigned f, struct unc_op *op);
/*
 * Read the box control, with mask and value set to what it holds while the job's counters
 * count: another value means that another tool has frozen or unfrozen it.  Core counters are
 * checked when they are stopped.
 */
void unc_program_freeze_check(struct unc_ops *ops, const struct unc_job *job);
/*
 * Freeze or unfreeze all boxes of a package at once, on platforms that support it: around
 * starts and stops, so that all boxes count for the same time.  Where running is a state of the
 * register, it is saved before the first start in a package, and restored after the last stop.
 */
void unc_program_global_save(struct unc_ops *ops, const struct unc_machine *machine,
			     unsigned package);
void unc_program_global(struct unc_ops *ops, const struct unc_machine *machine, unsigned package,
			bool freeze);
void unc_program_global_leave(struct unc_ops *ops, const struct unc_machine *machine,
			      unsigned package);
/*
 * Read the register that freezes the package's boxes, with mask and value set to what it holds
 * while they run.
 */
void unc_program_global_freeze_check(struct unc_ops *ops, const struct unc_machine *machine,
				     unsigned package);

/* Whether an idle box is frozen and reset as a whole, by its control. */
bool unc_is_reset(const struct unc_machine *machine, const struct unc_box_type *type);
/* Whether a box in this use is reset when its next counter is claimed. */
bool unc_will_reset(const struct unc_machine *machine, const struct unc_box_type *type,
		    const struct unc_use *use);

/* The filter of a box that the operation accesses. */
unsigned unc_filter_number(const struct unc_machine *machine, unsigned box,
			   const struct unc_op *op);

/* The counter of an operation on its control; -1: not a control. */
int unc_counter_of_control(const struct unc_box *box, const struct unc_op *op);

/*
 * For a core: the counter that another tool uses, from the value that a read of the save
 * returned; -1: none does.
 */
int unc_arch_busy(const struct unc_job *job, const struct unc_op *op, uint64_t value);

/* Bits of a control that are all 0 if the counter is not in use. */
uint64_t unc_busy_bits(const struct unc_machine *machine, const struct unc_box_type *type,
		       unsigned counter);

/* The width of a counter in bits; 0: no such counter. */
unsigned unc_counter_width(const struct unc_box_type *type, unsigned counter);

/* The operation that reads a register; false: the box does not have it. */
bool unc_register_op(const struct unc_machine *machine, const struct unc_box *box,
		     enum uncore_register which, unsigned n, struct unc_op *op);

/*
 * Operations that read the control of a counter, a filter, and the register at an address of
 * the box.
 */
struct unc_op unc_control_op(const struct unc_machine *machine, const struct unc_box *box,
			     unsigned counter);
struct unc_op unc_filter_op(const struct unc_machine *machine, const struct unc_box *box,
			    unsigned filter);
struct unc_op unc_box_op(const struct unc_machine *machine, const struct unc_box *box,
			 uint32_t address);

/*
 * Whether the value returned by a read of a save will be restored: all of it, or under its
 * mask.
 */
static inline bool unc_op_is_saved(const struct unc_op *op)
{
	return !op->mask || op->saved;
}

/* The operation that reads the register of an operation. */
struct unc_op unc_op_reading(const struct unc_op *op);
/*
 * The operation that restores the bits that are due of a register that `saved` has read with
 * value `before`.
 */
struct unc_op unc_op_restoring(const struct unc_op *saved, uint64_t before, uint64_t due);
/*
 * The bits that an operation writes, and the operation without some of them; false: no bits
 * remain.
 */
uint64_t unc_op_bits(const struct unc_op *op);
bool unc_op_leave_out(struct unc_op *op, uint64_t bits);

/* The bits of a register that only the job's counters use: of controls, shared or not. */
uint64_t unc_own_bits(const struct unc_job *job, const struct unc_op *op);

/* The operation that reads a counter. */
struct unc_op unc_read_op(const struct unc_machine *machine, const struct unc_box *box,
			  unsigned counter);

#ifdef __cplusplus
}
#endif
#endif
