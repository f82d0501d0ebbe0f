/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compose.h - the program of a set: all register operations from claim to release. `uncore
 * plan` prints it, and src/lib/claim carries it out.  Pure functions.
 */
#ifndef UNC_COMPOSE_H
#define UNC_COMPOSE_H

#include "base/op.h"
#include "plan/overflow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A period of counting, ns by unc_hw_now(). */
struct unc_span {
	int64_t from, to;
	double doubt;      /* uncertainty of its length, weighted by counts */
	unsigned counters; /* of an event: the number of counters; from and to are their mean ... */
	double count;      /* ... and their count, if all had counted for that time */
	bool known;        /* the length is known well enough for a rate */
};

static inline int64_t unc_span_length(const struct unc_span *s)
{
	return s->to - s->from;
}

/* A counter claimed by a set.  The counters of a box are adjacent. */
struct unc_claimed {
	unsigned box;
	bool last;  /* no other set uses it: it is released with the set */
	bool reset; /* its box was idle, and was reset for the set */
	bool still; /* its box has been frozen since the last round read the counter */
	struct unc_assignment assignment;
	struct unc_span span; /* when it counted for the set ... */
	uint64_t zero;        /* ... and its total at the start */
};

/* The known state of the registers of a reset group (a box, or a package). */
struct unc_reset_group {
	uint64_t unlike; /* bit f: filter f does not read back as written */
	unsigned kind;   /* its boxes are of one type, and so are those of a struct unc_box_kind */
	bool taken;      /* another tool has changed it: do not restore it */
	struct unc_bracket acted; /* the last start or stop; spans.c */
};

/* The counters claimed by a set, and those in use on its machine. */
struct unc_claims {
	const struct unc_machine *machine;
	const struct unc_use *uses; /* by box; NULL: only the set itself */
	const unsigned *counting;   /* by package: counters in use that its freeze stops */
	const struct unc_reset_group *groups; /* by number; NULL: nothing is known */
	/*
	 * By package: other processes count there, or the set is followed by another one: it is
	 * neither frozen nor restored as a whole.  NULL: none.
	 */
	const bool *shared;
	size_t n;
	const struct unc_claimed *claimed;
	const struct unc_samples *samples; /* NULL: counts until it is stopped */
};

/*
 * The counters of a layout: those of its events, and the queues on counter 0 that companions
 * need. uses: counters in use, by box, or NULL. To be freed; NULL: no memory.
 */
struct unc_claimed *unc_claimed_make(const struct unc_layout *layout, const struct unc_use *uses,
				     size_t *n);

/* The phases in order. */
enum unc_phase {
	UNC_SAVE,  /* read what will change, and what must be unused */
	UNC_SETUP, /* freeze, reset, filters, controls */
	UNC_CLEAR, /* for a set that stops by itself: clear overflow bits ... */
	UNC_LOAD,  /* ... and load the counters whose overflow stops it, in the order of the samples
		    */
	UNC_VERIFY,       /* read filters: do they read back as written? */
	UNC_START,        /* start the counters */
	UNC_FREEZE_CHECK, /* read what must not change while counting */
	UNC_PAUSE,  /* for a set that stops by itself: stop what the overflow has not stopped */
	UNC_STOP,   /* freeze the counts */
	UNC_LEAVE,  /* restore the state of packages */
	UNC_CHECK,  /* read controls and filters: are they still as written? */
	UNC_DISARM, /* clear counters that were loaded */
	UNC_PHASES
};

struct unc_program {
	struct unc_ops phase[UNC_PHASES];
	bool frozen; /* starts and stops take place while the package is frozen */
};

/* Claims in a box that are the first use of a counter, or the last one; or all of them. */
enum unc_change { UNC_ENTERING, UNC_LEAVING, UNC_ALL };

/*
 * The next box in which there are such claims, as a job that changes it; then: the counters in use
 * after the change, followed by those that leave.  *i starts at 0.
 */
bool unc_next_change(const struct unc_claims *claims, enum unc_change change, size_t *i,
		     struct unc_use *then, struct unc_job *job);

/*
 * The box control was changed by another tool; a control with a bit per counter is restored in
 * part.
 */
bool unc_box_taken(const struct unc_claims *claims, const struct unc_job *job);

/* No other counters that can be frozen are in use in the package: before the set, or after it. */
bool unc_begins_package(const struct unc_claims *claims, unsigned package);
bool unc_ends_package(const struct unc_claims *claims, unsigned package);

/*
 * The register that freezes all boxes of a package, for a package that stays open between sets:
 * read its state, unfreeze the boxes, and restore it.
 */
void unc_program_open_package(struct unc_ops *save, struct unc_ops *let,
			      const struct unc_machine *machine, unsigned package);
void unc_program_close_package(struct unc_ops *leave, const struct unc_machine *machine,
			       unsigned package);

/* Fill the phases up to UNC_PAUSE, and those after it; false: no memory. */
bool unc_program_enter(struct unc_program *program, const struct unc_claims *claims);
bool unc_program_leave(struct unc_program *program, const struct unc_claims *claims);
void unc_program_free(struct unc_program *program);

/*
 * Read everything that must not change while the set counts, including shared counters: as
 * UNC_CHECK.
 */
void unc_program_look(struct unc_ops *ops, const struct unc_claims *claims);

#ifdef __cplusplus
}
#endif
#endif
