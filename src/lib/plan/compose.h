/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compose.h - the program of a set: all that is done to registers while it comes, counts and
 * goes.  `uncore plan` prints it, and src/lib/set carries it out.  Pure functions.
 */
#ifndef UNC_COMPOSE_H
#define UNC_COMPOSE_H

#include "base/op.h"
#include "plan/overflow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A time during which something was counted, ns by unc_hw_now(). */
struct unc_span {
	int64_t from, to;
	double doubt;      /* by which its length may be wrong, by what was counted */
	unsigned counters; /* of an event: its counters, of which from and to are the mean ... */
	double count;      /* ... their count if all had counted as long */
	bool known;        /* the length is known well enough for a rate */
};

static inline int64_t unc_span_length(const struct unc_span *s)
{
	return s->to - s->from;
}

/* A counter that a set has claimed; those of a box stand together. */
struct unc_claimed {
	unsigned box;
	bool last; /* nobody else has it: it is given back when the set goes */
	struct unc_assignment assignment;
	struct unc_span span; /* in which it counted for the set ... */
	uint64_t zero;        /* ... from that total on */
};

/* What was found out about the registers of a group: of a box, or of a package. */
struct unc_reset_group {
	uint64_t unlike;          /* bit f: filter f does not show what is written to it */
	uint64_t shows;           /* bits of the box control that were seen to show what they do */
	bool taken;               /* somebody else has changed it: it is left alone */
	struct unc_bracket acted; /* when it was started or stopped last; spans.c */
};

/* A machine and what counts on it. */
struct unc_state {
	const struct unc_machine *machine;
	const struct unc_use *uses; /* by box; NULL: nothing but the set itself */
	const unsigned *counting;   /* by package: counters in uses that its freeze holds */
	const struct unc_reset_group *groups; /* by number; NULL: nothing was found out */
	/*
	 * By package: others count there, or what is to follow this set: it is neither frozen nor
	 * given back as a whole.  NULL: none.
	 */
	const bool *shared;
};

/* What a set has claimed on it. */
struct unc_claims {
	size_t n;
	const struct unc_claimed *claimed;
	const struct unc_samples *samples; /* NULL: it counts until it is stopped */
};

/*
 * The counters of a layout: of its events, and the queue on counter 0 that a companion needs.
 * uses: what counts already, by box; NULL: nothing.  To be freed; NULL: no memory.
 */
struct unc_claimed *unc_claimed_make(const struct unc_layout *layout, const struct unc_use *uses,
				     size_t *n);

/* The phases in their order. */
enum unc_phase {
	UNC_SAVE,   /* read what will be changed, and what must be unused */
	UNC_SETUP,  /* freeze, reset, filters, controls */
	UNC_CLEAR,  /* of a set that stops by itself: overflow bits */
	UNC_LOAD,   /* ... and the counters whose overflow stops it, in the samples' order */
	UNC_VERIFY, /* read filters: do they show what was written? */
	UNC_START,  /* let the counters count */
	UNC_WATCH,  /* read what must not change while they do */
	UNC_PAUSE,  /* of a set that stops by itself: stop what the overflow has not stopped */
	UNC_STOP,   /* hold the counts */
	UNC_LEAVE,  /* let packages be as they were */
	UNC_CHECK,  /* read controls and filters: are they still as written? */
	UNC_DISARM, /* clear counters that were loaded */
	UNC_PHASES
};

struct unc_program {
	struct unc_ops phase[UNC_PHASES];
	bool frozen; /* starts and stops are under the freeze of a package */
};

/*
 * What a set adds to, or takes from, one box.  next_entering: the next box in which a claim is
 * the first use of its counter; next_leaving: in which it is the last.  *i starts at 0.
 */
struct unc_step {
	unsigned box;
	struct unc_use then; /* what counts there when it has come, or has gone */
	struct unc_assignment last[UNC_SLOTS];
	struct unc_job job;
};

bool unc_next_entering(const struct unc_state *state, const struct unc_claims *claims, size_t *i,
		       struct unc_step *step);
bool unc_next_leaving(const struct unc_state *state, const struct unc_claims *claims, size_t *i,
		      struct unc_step *step);

/* The box control is somebody else's now; one with a bit for each counter is in part ours. */
bool unc_box_taken(const struct unc_state *state, const struct unc_step *step);

/* Nothing that can be frozen counts in the package without the set: yet, or any more. */
bool unc_begins_package(const struct unc_state *state, const struct unc_claims *claims,
			unsigned package);
bool unc_ends_package(const struct unc_state *state, const struct unc_claims *claims,
		      unsigned package);

/*
 * What holds all boxes of a package, for who keeps it open while sets come and go in it: read
 * what it was, let the boxes run, and give it back as it was.
 */
void unc_program_open_package(struct unc_ops *save, struct unc_ops *let,
			      const struct unc_state *state, unsigned package);
void unc_program_close_package(struct unc_ops *leave, const struct unc_state *state,
			       unsigned package);

/* Fill the phases up to UNC_PAUSE, and those behind it; false: no memory. */
bool unc_program_enter(struct unc_program *program, const struct unc_state *state,
		       const struct unc_claims *claims);
bool unc_program_leave(struct unc_program *program, const struct unc_state *state,
		       const struct unc_claims *claims);
void unc_program_free(struct unc_program *program);

/* All that must stay as it is while the set counts, its own or shared: as in UNC_CHECK. */
void unc_program_look(struct unc_ops *ops, const struct unc_state *state,
		      const struct unc_claims *claims);

#ifdef __cplusplus
}
#endif
#endif
