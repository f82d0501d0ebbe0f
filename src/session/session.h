/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - the state of an open machine; shared by the files of src/session.
 *
 * Who may touch what: `lock` guards users, uses, the ledger, the wrap poller
 * and the list of sets.  Counter totals and the sets' baselines are atomics and
 * are read and advanced without any lock.
 */
#ifndef UNC_SESSION_H
#define UNC_SESSION_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "event/event.h"
#include "machine/machine.h"
#include "plan/compose.h"
#include "regs/pmon.h"
#include "session/counted.h"
#include "session/ledger.h"
#include "session/thread.h"

/*
 * One physical counter.  total never goes backwards, also not when the counter
 * is reset or handed on: it is advanced to the next value whose low bits are
 * what the register reads.  So a reader that is overtaken by a stop can do no
 * harm (see count.c).
 */
struct unc_counter {
	struct uncore_op read;
	uint64_t mask; /* its width */
	_Atomic uint64_t total;
	/*
	 * A counter that is loaded anew (stop_after.c) goes on where its total is: bias is added to
	 * what it reads.  bias_seq is odd while the two are changed.
	 */
	_Atomic uint64_t bias;
	atomic_uint bias_seq;
	atomic_bool running;
	unsigned users;  /* sets that count on it; under lock */
	unsigned hidden; /* ... of which belong to a multiplexed list */
	/* See missed_wrap.c.  Times are those of unc_clock(), 0: never. */
	uint64_t wrap_ns;          /* shortest time in which it can count its width */
	uint64_t per_ns;           /* most counts in a nanosecond */
	uint64_t slack_ns;         /* what it has counted may show so much later */
	_Atomic int64_t seen_ns;   /* not folded for no longer than since then; 0: as good as new */
	_Atomic int64_t gap_ns;    /* how long it was last unseen for too long ... */
	_Atomic int64_t gap_end;   /* ... and until when */
	_Atomic int64_t jumped_ns; /* when it last counted more than it can */
};

/* A write that failed when a set stopped; pending.c. */
struct unc_pending {
	struct uncore_op op;
	int error;     /* the last one */
	uint64_t held; /* what the register held after that, if it was readable */
	bool readable;
};

#define UNC_RUN_MAX 8 /* counters of one PCI device that one access reads */

struct unc_guard; /* restores at exit; exit.c */

/* The thread that reads each running counter before it can wrap twice. */
struct unc_wrap_poller {
	bool wanted;          /* under the handle's lock */
	uint64_t interval_ms; /* for whatever may count on this machine */
	uint64_t running_ms;  /* for what counts since the last start; under the thread's lock */
	struct unc_thread thread;
};

/* The thread that lets events take turns; mux_thread.c. */
struct unc_mux_thread {
	int64_t deadline; /* of the next window; under the thread's lock */
	struct unc_thread thread;
};

struct unc_mux;

struct uncore {
	struct unc_err err;
	char ignored[320]; /* variables that a privileged program ignores, as a sentence; "": none
			    */
	bool force;
	struct unc_hw *hw;
	struct unc_machine machine;
	struct unc_pmon pmon; /* what may be written */
	struct unc_lists *lists;
	struct unc_names *names;
	struct unc_counter *counters; /* machine.n_counters, in the boxes' order */
	struct unc_use *uses;         /* machine.n_boxes: what each counts */
	struct unc_site *sites;       /* of boxes and packages; filters.c, watch.c */
	struct unc_ledger ledger;     /* of the sites' registers */
	atomic_int *alive;            /* in a page that a forked child finds zeroed */
	struct unc_guard *guard;
	pthread_mutex_t lock;
	struct uncore_set *sets;
	unsigned n_running; /* sets */
	struct unc_pending *pending;
	size_t n_pending;
	struct unc_wrap_poller wrap_poller;
	struct unc_mux *muxes;
	struct unc_mux_thread mux_thread;
	unsigned changes;                /* of uses */
	_Atomic int64_t looks;           /* at a clock that is stepped */
	_Atomic(struct unc_msrs *) msrs; /* made when it is asked for; msr_list.c */
};

/* A counter that a running set reads, and the events that it belongs to. */
struct unc_addend {
	struct unc_counter *counter;
	unsigned first_user, n_users; /* in users[] */
};

/* Addends that one register access serves. */
struct unc_access {
	unsigned first_addend, n_addends;
};

/*
 * How a set is read.  Replaced, not changed, when a restart finds other
 * counters: a reader in another thread may still be on its way through it.
 */
struct unc_reading {
	struct unc_reading *retired;
	size_t n_addends, n_accesses, n_users;
	struct unc_addend *addends;
	struct unc_access *accesses;
	unsigned *users; /* indices of counted events */
};

struct uncore_set {
	struct uncore *u;
	struct uncore_set *next;
	struct unc_counted counted; /* of the list of events; what is counted: */
	size_t n;
	size_t n_sums; /* with metrics one more: the time */
	unsigned *ids;
	const struct unc_event **events;
	const char **names;
	struct unc_layout layout;
	bool layout_idle;              /* layout was made for boxes that nobody used */
	atomic_uint epoch;             /* odd: running */
	int64_t interval;              /* of windows, ns; 0: the events have to fit */
	_Atomic(struct unc_mux *) mux; /* NULL: they do */
	unsigned *groups; /* NULL: none; events of the same number other than 0 count together */
	struct unc_mux *owner; /* of a set that is hidden in a multiplexed list ... */
	unsigned *own_changes; /* ... and counts its changes there, ... */
	unsigned planned;      /* ... and what others had changed when its layout was made */
	/* while running */
	size_t n_claimed, n_held; /* now, and at the last start */
	struct unc_claimed *claimed;
	_Atomic(struct unc_reading *) reading;
	struct unc_program program;          /* with which it came */
	struct unc_result *watched;          /* by operation of UNC_WATCH: as last read */
	struct unc_stop_after *stop_after;   /* NULL: it counts until it is stopped */
	_Atomic(struct unc_checks *) checks; /* made when it is first looked at; check.c */
	/*
	 * Per counted event, absolute sums of totals, in one array for odd and one for even
	 * runs, so that a reader or a reset that was overtaken by a stop and a start
	 * spoils nothing: see count.c.
	 */
	_Atomic uint64_t *base[2], *last[2];
	atomic_uint resets;       /* of base, begun and ended */
	_Atomic int64_t last_ns;  /* when the last read began, by unc_clock() ... */
	_Atomic int64_t read_ns;  /* ... and when the last one of a user ended ... */
	_Atomic uintptr_t reader; /* ... in this thread, 0: there was none in this run */
	_Atomic int64_t base_ns;  /* since when the counts count */
	bool missed;              /* what was found when it stopped; under lock */
	struct uncore_missed_wrap missed_wrap;
	/* of the present or last run: its time, and per event what was there at its begin */
	_Atomic int64_t began, ended;
	int64_t unsure; /* how long these two moments took */
	_Atomic uint64_t *zero;
	_Atomic int64_t *zero_time; /* in windows */
	uint64_t *scratch;          /* under lock */
	atomic_flag spare_busy;
	uint64_t *spare; /* of a reset, while spare_busy */
};

/* A forked child must not touch a register. */
static inline bool unc_is_child(const struct uncore *u)
{
	return !u->alive || !atomic_load_explicit(u->alive, memory_order_relaxed);
}

/* 0, or UNCORE_EFORK in a forked child; open.c. */
int unc_refuse_child(struct uncore *u);

/* The lock is only held with signals blocked: a handler may start and stop sets. */
void unc_lock(struct uncore *u, sigset_t *before);
void unc_unlock(struct uncore *u, const sigset_t *before);

/* Machine and session state of a handle; open.c */
struct unc_counter *unc_counter_of(struct uncore *u, unsigned box, unsigned counter);

/*
 * claim.c, under lock.  Claim programs the counters of set->layout that nobody
 * uses yet and leaves them ready; go lets them count.  On failure everything is
 * as before.
 */
int unc_claim(struct uncore *u, struct uncore_set *set);
/* set->began is when: under a package's freeze its end, else the middle of the writes. */
int unc_go(struct uncore *u, struct uncore_set *set);
/* Carry a phase of the program that a set came with out. */
int unc_run_phase(struct uncore *u, const struct uncore_set *set, enum unc_phase phase);
/* What counts on the machine, and what the set has claimed there. */
static inline struct unc_state unc_state_of(const struct uncore *u)
{
	return (struct unc_state){&u->machine, u->uses, u->sites};
}
struct unc_claims unc_claims_of(const struct uncore_set *set);
/* Uses have changed by a set; mux.c. */
void unc_count_change(struct uncore *u, const struct uncore_set *set);
/* What units of one device know of each other, after uses have changed. */
void unc_count_units(struct uncore *u);

/* filters.c, under lock: the filters of UNC_VERIFY were just written; which of them show it? */
void unc_learn_filters(struct uncore *u, const struct unc_ops *verify);

/*
 * pending.c, under lock: how the lists that end a set are carried out.  Each access that fails
 * is tried again at once, and so is all behind it.  Writes that give registers back are kept if
 * that does not help: retry tries them again, refuse says so of the registers in a list.
 */
enum unc_carry {
	UNC_HALT,    /* what follows gives the same registers back */
	UNC_COMPARE, /* the same; what is read must be as it was written: UNCORE_ESTOLEN */
	UNC_GIVE_BACK,
};
#define UNC_TRIES 3
/* result: of what was done before; its sentence stays if it is an error. */
int unc_carry_out(struct uncore *u, const struct uncore_op *ops, size_t n, enum unc_carry how,
		  int result);
/* One operation, as often as it takes to say that it fails; 0 or -errno. */
int unc_try(struct uncore *u, const struct uncore_op *op, uint64_t *value);
void unc_pending_retry(struct uncore *u);
int unc_pending_refuse(struct uncore *u, const struct uncore_op *ops, size_t n);
/* Something is kept: its error and sentence; else 0. */
int unc_pending_tell(struct uncore *u);

/*
 * watch.c, under lock.  A freeze by somebody else shows in no control of a counter, so the
 * controls of boxes and packages are watched: made with the claim; learned, which bits of
 * them can be relied on, after go; looked at before the set's own freeze.  UNCORE_ESTOLEN.
 */
int unc_watch_make(struct uncore *u, struct uncore_set *set);
void unc_watch_learn(struct uncore *u, const struct uncore_set *set);
/* may_stand: whether the boxes of a package may stand for a reason of the set's own; or NULL. */
typedef bool unc_may_stand(struct uncore *u, struct uncore_set *set, unsigned package);
int unc_watch_look(struct uncore *u, struct uncore_set *set, unc_may_stand *may_stand);
void unc_watch_free(struct uncore_set *set);

/*
 * release.c, under lock: hold the counts, take the last sums, give the counters
 * back.  Goes on after a failure and returns the first one; result is one from before.
 */
int unc_release(struct uncore *u, struct uncore_set *set, int result);

/* The sentence for a register that has to hold op's value; returns UNCORE_ESTOLEN. */
int unc_held_other(struct unc_err *err, const struct unc_machine *machine,
		   const struct uncore_op *op, uint64_t value, const char *when);

/*
 * stop_after.c, under lock; all of them do nothing for a set without stop_after.  ready: no other
 * set may count in a package whose boxes one of them stops.  assign: after the layout was made.
 * armed: after the totals were brought to what the counters were loaded with.  latch: who
 * stopped it, first of all at the end.
 */
int unc_stop_after_ready(struct uncore *u, const struct uncore_set *set);
int unc_stop_after_assign(struct uncore *u, struct uncore_set *set);
void unc_stop_after_armed(struct uncore *u, struct uncore_set *set);
int unc_stop_after_latch(struct uncore *u, struct uncore_set *set);
/* The boxes of the package may stand because a counter told them to. */
bool unc_stop_after_stopped(struct uncore *u, struct uncore_set *set, unsigned package);
void unc_stop_after_free(struct uncore_set *set);

/*
 * The same in steps, for a set whose boxes the next one will use.  Halt leaves the
 * counts standing, the last sums in set->scratch and the moment in set->ended.  Part
 * takes over what halt gave and, with keep, leaves what was saved for unc_tidy() to
 * write back what nobody has taken over.
 */
int unc_halt(struct uncore *u, struct uncore_set *set, struct unc_program *leaving, int result);
int unc_part(struct uncore *u, struct uncore_set *set, struct unc_program *leaving, int held,
	     bool keep);
int unc_tidy(struct uncore *u, const struct uncore_set *set);

/* reading.c, under lock: how to read a set's counters with the fewest accesses. */
int unc_reading_make(struct uncore *u, struct uncore_set *set);
void unc_reading_free(struct uncore_set *set);

/* Which of the two last[] arrays belongs to an epoch: the same while a set runs and after. */
static inline unsigned unc_run(unsigned epoch)
{
	return ((epoch + 1) >> 1) & 1;
}

/* count.c; now: unc_clock() before the first register is read */
void unc_remember(struct uncore_set *set, unsigned epoch, const uint64_t *sums, int64_t now);
/* Bring the totals of counters up to date; at most UNC_BATCH_MAX.  0 or -errno. */
int unc_fold(struct uncore *u, struct unc_counter *const *counters, unsigned n, int64_t now);
int unc_sum(struct uncore_set *set, uint64_t *sums, int64_t now);
/* Of a set that has counters of its own: added to sums; by the registers, or without. */
int unc_sum_counters(struct uncore_set *set, uint64_t *sums, int64_t now);
void unc_sum_totals(struct uncore_set *set, uint64_t *sums);
void unc_last_sums(struct uncore_set *set, unsigned epoch, uint64_t *sums);
/* The clock that the counters go by; never 0.  Signal-safe. */
int64_t unc_clock(struct uncore *u);
/* One that the register of a counter was read from: what it held, not torn and not dead. */
int unc_read_whole(struct unc_hw *hw, const struct unc_counter *c, uint64_t from, uint64_t *raw);
/* What the register has counted beyond the total, if it has not wrapped twice. */
static inline uint64_t unc_ahead(const struct unc_counter *c, uint64_t total, uint64_t raw)
{
	return (raw + atomic_load_explicit(&c->bias, memory_order_acquire) - total) & c->mask;
}

/* missed_wrap.c */
#define UNC_CLOCK_MAX_GHZ 5 /* no uncore clock is faster */

/* What was known of a counter before its register was read. */
struct unc_look {
	int64_t seen;
	uint64_t total;
	unsigned bias_seq;
};

/* What was read since then, and its bias, belong together. */
static inline bool unc_settled(const struct unc_counter *c, const struct unc_look *look)
{
	return !(look->bias_seq & 1) &&
	       atomic_load_explicit(&c->bias_seq, memory_order_acquire) == look->bias_seq;
}

uint64_t unc_wrap_ns(unsigned width, unsigned max_inc);
void unc_wrap_times_init(struct unc_counter *c, unsigned width, unsigned max_inc, bool always);
/* The register is about to be given a value that nothing is known of. */
void unc_forget(struct unc_counter *c);
/* The value cannot be, or a wrap may be missing: look again, and keep a record. */
int unc_look_again(struct uncore *u, struct unc_counter *c, int64_t now, struct unc_look *look,
		   uint64_t *raw);
/* The missed wrap that the counts of a set may lack, if there is one; signal-safe. */
bool unc_missed_wrap_find(const struct uncore_set *set, int64_t now,
			  struct uncore_missed_wrap *missed_wrap);
/* Under lock: of a set that stops. */
void unc_missed_wrap_note(struct uncore_set *set);

/* check.c */
void unc_checks_free(struct uncore_set *set);

/* wrap_poller.c; start and stop under lock, which the thread itself never takes */
void unc_wrap_poller_init(struct uncore *u);
int unc_wrap_poller_start(struct uncore *u);
void unc_wrap_poller_stop(struct uncore *u);

/* msr_list.c */
void unc_msrs_free(struct uncore *u);

/* exit.c */
int unc_guard_add(struct uncore *u);
void unc_guard_remove(struct uncore *u);

/* set.c, under lock: stop if running; for close and exit, too */
int unc_stop_locked(struct uncore_set *set);
int unc_take_base(struct uncore *u, struct uncore_set *set);
/* Arrays for n events. */
bool unc_list_alloc(struct uncore_set *list, size_t n);
void unc_list_free(struct uncore_set *list);

#endif
