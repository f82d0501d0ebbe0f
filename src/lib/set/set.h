/* SPDX-License-Identifier: BSD-3-Clause */
/* session.h - event sets; shared by the files of src/lib/set. */
#ifndef UNC_SESSION_H
#define UNC_SESSION_H

#include "backend/daemon/page.h"
#include "backend/daemon/remote.h"
#include "claim/run.h"
#include "event/counted.h"
#include "set/regions.h"

struct unc_checks;
struct unc_kernel;
struct unc_mux;
struct unc_times;

/* A list of events, and what they have counted.  Replaced when others are assigned. */
struct unc_list {
	struct unc_counted counted;
	size_t n_sums;    /* counted events and, behind them, the time */
	int64_t interval; /* of windows, ns; 0: the events have to fit */
	/*
	 * Per counted event, absolute sums of totals, and the time when they were read, in one
	 * array for odd and one for even runs, so that a reader or a reset that was overtaken by a
	 * stop and a start spoils nothing.
	 */
	_Atomic uint64_t *base[2], *last[2];
	atomic_uint resets;       /* of base, begun and ended */
	_Atomic int64_t last_ns;  /* when the last read began, by unc_clock() ... */
	_Atomic int64_t read_ns;  /* ... and when the last one of a user ended ... */
	_Atomic uintptr_t reader; /* ... in this thread, 0: there was none in this run */
	_Atomic int64_t shortest; /* read of this list so far, ns, plus 1; 0: there was none */
	bool missed;              /* what was found when it stopped; under lock */
	struct uncore_missed_wrap missed_wrap;
	/* of the present or last run: its time, and per event what was there at its begin */
	_Atomic int64_t began, ended;
	_Atomic uint64_t *zero;
	_Atomic int64_t *zero_time;      /* in windows */
	_Atomic double *noise;           /* of those */
	uint64_t *scratch;               /* under lock */
	struct unc_wire_window *windows; /* of a stop that uncored answers; NULL */
	_Atomic(struct unc_page *) page; /* that uncored has kept, NULL: none so far ... */
	atomic_bool paged;               /* ... and keeps in this run */
	atomic_flag spare_busy;
	uint64_t *spare; /* of a reset, while spare_busy */
};

struct uncore_set {
	struct uncore *u;
	struct uncore_set *next;
	atomic_uint epoch; /* odd: running */
	struct unc_list *list;
	struct unc_run *run;                 /* counts it, unless its events take turns: ... */
	_Atomic(struct unc_mux *) mux;       /* ... then this does; else NULL */
	_Atomic(struct unc_checks *) checks; /* made when it is first looked at; check.c */
	_Atomic(struct unc_kernel *) kernel; /* where the kernel's driver counts it: kernel_set.c */
	struct unc_remote_set there;         /* where uncored counts it: remote_set.c */
	_Atomic int64_t there_ns;            /* for how long the way did, when it was asked last */
	atomic_bool there_missed;            /* ... and whether a wrap may be missing */
	unsigned refresh_us;                 /* of a page that is wanted, 0: none */
	atomic_uint elsewhere; /* values of this run that another process counts; owner.c */
	_Atomic(struct unc_regions *) regions; /* made with the first one; named_regions.c */
};

static inline bool unc_is_running(const struct uncore_set *set)
{
	return atomic_load_explicit(&set->epoch, memory_order_acquire) & 1;
}

/* Which of the two last[] arrays belongs to an epoch: the same while a set runs and after. */
static inline unsigned unc_which(unsigned epoch)
{
	return ((epoch + 1) >> 1) & 1;
}

/* ---- list.c ---- */

/* UNCORE_ENOMEM, or what is wrong with an event.  *out: NULL after an error. */
int unc_list_new(struct uncore *u, const unsigned *ids, const unsigned *groups, size_t n,
		 struct unc_list **out);
void unc_list_free(struct unc_list *list);
/* Under lock: what was found out about wraps; its event is one of the counted ones. */
void unc_note_missed_wrap(struct unc_list *list, bool missed,
			  const struct uncore_missed_wrap *worst);

/* ---- read.c; now: unc_clock() before the first register is read ---- */

/* Absolute sums per event.  0 or -errno; signal-safe. */
int unc_sum(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when);
/* Sums that somebody has asked for. */
struct unc_reader {
	bool timed;     /* set by the caller: the sums are divided by their time */
	unsigned epoch; /* to which they belong */
	int64_t now;    /* when the first register was read, by unc_clock() */
	int64_t time;   /* when they were read, by the clock of the set's enabled time */
	bool live;      /* they were read from the counters; else they are the last ones */
	size_t n;       /* how many there are, without the time */
};
/*
 * Sums by the counters, which are kept; of a set that does not run or was stopped meanwhile, in a
 * forked child and after a failure the last ones.  0 or UNCORE_EIO; signal-safe.
 */
int unc_read_sums(struct uncore_set *set, struct unc_reader *reader, uint64_t *sums);
/* Keep sums as the last ones of an epoch: they only grow.  time: when they were read. */
void unc_remember(struct uncore_set *set, unsigned epoch, const uint64_t *sums, int64_t time,
		  int64_t now);
/* Under lock: sums and time in list->scratch become the zero point of a run that begins. */
void unc_begin_at(struct uncore_set *set, int64_t now);
/* Under lock: the same of what the registers hold. */
int unc_take_base(struct uncore_set *set);

/* ---- multiplex.c, under lock ---- */

/* Start and stop a set whose events take turns. */
int unc_set_start_windows(struct uncore_set *set);
int unc_set_stop_windows(struct uncore_set *set);
/* Take over what was found out about wraps in the windows so far. */
void unc_take_missed_wrap(struct uncore_set *set);

/* ---- stop_after.c, under lock ---- */

/* No other set may count in a package whose boxes one of them stops. */
int unc_stop_after_ready(struct uncore *u, const struct uncore_set *set);
/* After the layout was made. */
int unc_stop_after_assign(struct uncore_set *set);
/* The public list, of a list of events; its numbers become those of counted events. */
int unc_stop_after_fill(struct unc_samples *samples, const struct unc_counted *counted,
			const struct uncore_stop_after *list, size_t n, struct unc_err *err);

/* ---- set.c, under lock ---- */

/* Beside each other if that is possible, else one after the other. */
int unc_plan_list(struct uncore *u, struct uncore_set *set);
/* Nothing counts in its boxes. */
bool unc_is_idle(const struct uncore *u, const struct unc_layout *layout);

/* ---- owner.c, under lock ---- */

/* 0, or UNCORE_ECOMBO for what cannot be summed over processes. */
int unc_owner_ready(struct uncore_set *set);
/* Tell others what is counted here, but for what one of them counts. */
int unc_owner_claim(struct uncore_set *set);

/* ---- way.c: who counts the sets of a handle if not the registers of this process ---- */

struct unc_way {
	/* under lock: 0, or an error with its sentence; without an answer of a stop the counts
	 * stay what was read last */
	int (*start)(struct uncore *u, struct uncore_set *set);
	int (*stop)(struct uncore_set *set);
	/* as unc_sum(); *enabled: for how long the set has been counted then */
	int (*sum)(struct uncore_set *set, uint64_t *sums, int64_t *enabled);
	/* uncore_set_check() of a set that runs */
	int (*check)(struct uncore_set *set);
	/* NULL: of windows it knows nothing.  Of a set with an interval: what its events have
	 * counted in windows; 0 or -errno; signal-safe */
	int (*times)(struct uncore_set *set, bool running, struct unc_times *times);
	/* NULL: it misses none.  uncore_set_missed_wrap() of a set that runs; signal-safe */
	int (*missed_wrap)(struct uncore_set *set, struct uncore_missed_wrap *worst);
	/* NULL: it starts none that stop by themselves.  Under lock: uncore_set_wait() without
	 * waiting, and uncore_set_rearm() */
	int (*look)(struct uncore_set *set);
	int (*rearm)(struct uncore_set *set);
};

extern const struct unc_way unc_way_there;  /* uncored; remote_set.c */
extern const struct unc_way unc_way_kernel; /* its driver; kernel_set.c */

/* Counts of this run begin at 0, the sums where those of the run before have ended. */
void unc_way_begin(struct uncore_set *set);
/* From what was counted since then to sums. */
void unc_way_add_zero(const struct uncore_set *set, uint64_t *counts);
/* The time of sums that were read when the set had been counted for so many ns. */
int64_t unc_way_time(const struct uncore_set *set, int64_t enabled);
/* Under lock: what list->scratch has was counted until now, for so many ns, and is the last. */
void unc_way_end(struct uncore_set *set, int64_t enabled);

void unc_kernel_free(struct unc_kernel *kernel); /* kernel_set.c; may be NULL */

/*
 * open_kernel.c: a machine whose boxes are those that the kernel's driver has, which counts there.
 * An error leaves the handle without hw.
 */
int unc_kernel_open(struct uncore *u);

/* later_cpus.c: a warning of the CPUs below u->root that the machine, uncored's, does not have. */
void unc_note_later_cpus(struct uncore *u);

/* ---- start.c ---- */

/* Stop all sets that run, once other processes let us. */
void unc_stop_all(struct uncore *u);

/* ---- turn.c: while another process claims or gives back ---- */

#define UNC_WAIT 1 /* what a function returns that has to be called again */

/* Under the handle's lock. */
typedef int unc_turn(struct uncore *u, void *arg);
/*
 * Call it until it does not return UNC_WAIT, or the time that was set for that is over: then
 * UNC_WAIT, or UNCORE_EBUSY with the name of who is claiming.
 */
int unc_in_turn(struct uncore *u, unc_turn *body, void *arg);
int unc_in_turn_or_busy(struct uncore *u, unc_turn *body, void *arg);

/* ---- others ---- */

void unc_checks_free(struct uncore_set *set); /* check.c */
void unc_msrs_free(struct uncore *u);         /* msr_list.c */

/* exit.c: at exit() the handle stops its sets, at dlclose() it is closed. */
int unc_guard_add(struct uncore *u, void (*close)(struct uncore *u));
void unc_guard_remove(struct uncore *u);

#endif
