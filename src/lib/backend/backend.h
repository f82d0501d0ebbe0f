/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * backend.h - how the events of a set are counted: by registers of this process (all at once or
 * multiplexed), by uncored, or by the kernel driver.
 *
 * A set has a backend from its creation, and may get another one when its events are planned.
 * Code outside this folder does not depend on which one it is.
 */
#ifndef UNC_BACKEND_H
#define UNC_BACKEND_H

#include "backend/multiplexed/mux.h"
#include "claim/run.h"
#include "event/counted.h"

struct unc_checks;
struct unc_page;
struct unc_ranks;
struct unc_regions;
struct unc_wire_window;

/* Returned by start and stop: call again, another process is claiming counters. */
#define UNC_WAIT 1

struct unc_backend {
	bool pages; /* it can refresh counts in a page, every set->list->refresh_us */
	/* the backend to use if the events have to be multiplexed; may be the same */
	const struct unc_backend *multiplexed;
	/* Under lock: 0, or why the events cannot be counted as planned; NULL: they can */
	int (*plan)(struct uncore_set *set);
	/*
	 * Under lock: 0, UNC_WAIT, or an error with its message. anyway: do not wait.  If a
	 * stop gets no answer, the counts remain those of the last read.
	 */
	int (*start)(struct uncore_set *set);
	int (*stop)(struct uncore_set *set, bool anyway);
	/*
	 * For backends that use registers.c: what it calls between claiming and releasing packages.
	 */
	int (*go)(struct uncore_set *set);
	int (*halt)(struct uncore_set *set);
	/*
	 * Absolute sums per event, and their time. now: unc_clock() before the call; when->took:
	 * the time that the reads are expected to take, 0: to be measured. 0 or -errno;
	 * signal-safe
	 */
	int (*sum)(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when);
	/* uncore_set_check() of a set that is running in this epoch */
	int (*check)(struct uncore_set *set, unsigned epoch);
	/* uncore_set_times() per counted event; 0 or -errno; signal-safe */
	int (*times)(struct uncore_set *set, unsigned epoch, struct unc_times *times);
	/* uncore_set_missed_wrap() of a running set; NULL: wraps cannot be missed; signal-safe */
	int (*missed_wrap)(struct uncore_set *set, struct uncore_missed_wrap *worst);
	/*
	 * Under lock: uncore_set_wait() without waiting, and uncore_set_rearm().  NULL: sets
	 * that stop by themselves are not supported
	 */
	int (*look)(struct uncore_set *set);
	int (*rearm)(struct uncore_set *set);
	/* The number of rounds of a running set; NULL: as planned by the library */
	unsigned (*rounds)(const struct uncore_set *set);
	void (*free)(void *state); /* NULL: no state */
};

extern const struct unc_backend unc_backend_registers;   /* registers.c */
extern const struct unc_backend unc_backend_multiplexed; /* multiplexed.c */
extern const struct unc_backend unc_backend_daemon;      /* daemon.c */
extern const struct unc_backend unc_backend_kernel;      /* kernel.c */
extern const struct unc_backend unc_backend_recording;   /* registers.c: cannot start */
extern const struct unc_backend unc_backend_replay;      /* replay.c: counts of a recording */

/* A list of events and their counts.  Replaced when other events are assigned. */
struct unc_list {
	struct unc_counted counted;
	size_t n_sums;       /* counted events, and the time at the end */
	int64_t interval;    /* length of a window, ns; 0: do not multiplex */
	unsigned refresh_us; /* of a page, if requested; else 0 */
	/* rounds of the multiplexed events; NULL: not multiplexed */
	_Atomic(struct unc_mux *) mux;
	/* with other ranks; created by the first start; ranks.h */
	_Atomic(struct unc_ranks *) ranks;
	/*
	 * Per counted event, absolute sums of totals and the time when they were read.  One
	 * array for odd and one for even runs, so that a reader or a reset that is overtaken by
	 * a stop and a start does no harm.
	 */
	_Atomic uint64_t *base[2], *last[2];
	atomic_uint resets;       /* number of resets, begun and ended */
	_Atomic int64_t last_ns;  /* start of the last read, by unc_clock() ... */
	_Atomic int64_t read_ns;  /* ... end of the last read by a user ... */
	_Atomic uintptr_t reader; /* ... and its thread; 0: no read in this run */
	/* shortest read of this list so far, ns, plus 1; 0: no read yet */
	_Atomic int64_t shortest;
	bool missed; /* a wrap was missed, found at the stop; under lock */
	struct uncore_missed_wrap missed_wrap;
	/* of the current or last run: its time, and per event the sum at its start */
	_Atomic int64_t began, ended;
	_Atomic uint64_t *zero;
	_Atomic int64_t *zero_time;      /* of multiplexed events */
	_Atomic double *noise;           /* noise of their counts */
	uint64_t *scratch;               /* under lock */
	struct unc_wire_window *windows; /* the stop that uncored is counting; or NULL */
	_Atomic(struct unc_page *) page; /* counts kept by uncored; NULL: none so far ... */
	atomic_bool paged;               /* ... and refreshed in this run */
	atomic_flag spare_busy;
	uint64_t *spare; /* used by a reset, while spare_busy */
};

struct uncore_set {
	struct uncore *u;
	struct uncore_set *next;
	atomic_uint epoch; /* odd: running */
	struct unc_list *list;
	struct unc_run *run; /* the counters of a set that is not multiplexed */
	const struct unc_backend *backend;
	_Atomic(void *) state;               /* of the backend, or NULL */
	_Atomic(struct unc_checks *) checks; /* created by the first check; check.c */
	/* number of values of this run that another process counts; owner.c, ranks.c */
	atomic_uint n_by_others;
	/* created with the first region; set/named_regions.c */
	_Atomic(struct unc_regions *) regions;
};

static inline bool unc_is_running(const struct uncore_set *set)
{
	return atomic_load_explicit(&set->epoch, memory_order_acquire) & 1;
}

/* Index of the last[] array of an epoch; it is the same while a set runs and after the stop. */
static inline unsigned unc_which(unsigned epoch)
{
	return ((epoch + 1) >> 1) & 1;
}

/* ---- list.c ---- */

/*
 * before: a list that may begin with the same events, or NULL.  UNCORE_ENOMEM, or the error of an
 * invalid event. *out: NULL after an error.
 */
int unc_list_new(struct uncore *u, const struct unc_list *before, const unsigned *ids,
		 const unsigned *groups, size_t n, struct unc_list **out);
void unc_list_free(struct unc_list *list);

/* ---- choose.c, under lock ---- */

/*
 * Assign counters to the events of a set, and choose its backend: multiplexed if the events do
 * not fit at once.
 */
int unc_choose(struct uncore_set *set);
/*
 * The same for a set whose list will replace that of `before`; if it continues that list, only
 * the boxes of the additional events are planned.
 */
int unc_choose_after(struct uncore_set *set, struct uncore_set *before);
/* The same again, if the counters in use on the machine have changed. */
int unc_choose_again(struct uncore_set *set);
/* Mark the counters of a set that stops after n occurrences. */
int unc_mark_samples(struct uncore_set *set);
/* No other set may count in a package whose boxes such a counter stops. */
int unc_stop_after_ready(const struct uncore_set *set);

/* ---- owner.c, under lock ---- */

/* 0, or UNCORE_ECOMBO for events that cannot be summed over processes. */
int unc_owner_ready(struct uncore_set *set);
/*
 * Publish the names of the events that this process counts, without those that another one
 * counts.
 */
int unc_owner_claim(struct uncore_set *set);

/* ---- registers.c: start and stop, with other processes on the machine ---- */

int unc_registers_start(struct uncore_set *set);
int unc_registers_stop(struct uncore_set *set, bool anyway);

/* ---- totals.c; signal-safe unless marked as under lock ---- */

/* Under lock: the missed wrap that was found; its event is one of the counted ones. */
void unc_note_missed_wrap(struct unc_list *list, bool missed,
			  const struct uncore_missed_wrap *worst);

/*
 * Sums, zero points and times are monotonic: a thread that lost the race must not overwrite a
 * newer value.
 */
void unc_raise_to(_Atomic int64_t *held, int64_t to);
/* Record sums as the last ones of an epoch. time: when they were read. */
void unc_remember(struct uncore_set *set, unsigned epoch, const uint64_t *sums, int64_t time,
		  int64_t now);
void unc_raise_to_last(struct uncore_set *set, unsigned epoch, uint64_t *sums);

#define UNC_DESCHEDULED_NS 20000 /* a descheduled thread loses more than this */

/* A request for sums. */
struct unc_reader {
	bool timed;     /* set by the caller: the sums will be divided by their time */
	unsigned epoch; /* the epoch of the sums */
	int64_t now;    /* start of the read, by unc_clock() */
	int64_t time;   /* time of the read, by the clock of the set's enabled time */
	int64_t took;   /* its length, ns; 0: not measured */
	bool live;      /* read from the counters; else the last known sums */
	size_t n;       /* number of sums, without the time */
};
/* With reader->timed, the read is repeated if its time is not known well. 0 or -errno. */
int unc_sum_timed(struct uncore_set *set, uint64_t *sums, struct unc_reader *reader);
/* Under lock: sums and time in list->scratch become the zero point of a run that begins. */
void unc_begin_at(struct uncore_set *set, int64_t now);
/* Under lock: the same with the current values of the registers. */
int unc_take_base(struct uncore_set *set);
/* Enabled time without a read: up to the stop, or up to the last read; ns. */
int64_t unc_last_enabled(const struct uncore_set *set, unsigned epoch);
/* For sets that are not multiplexed. */
int unc_times_of_sums(struct uncore_set *set, unsigned epoch, struct unc_times *times);

/* ---- check.c ---- */

/*
 * Whether the registers of a set still hold what it has written; and the failure that its
 * windows have found.
 */
int unc_check_registers(struct uncore_set *set, unsigned epoch);
int unc_check_windows(struct uncore_set *set, unsigned epoch);
void unc_checks_free(struct uncore_set *set);

/* ---- totals.c: sets that are counted outside this process ---- */

/* The counts of this run begin at 0, its sums at the last sums of the previous run. */
void unc_external_begin(struct uncore_set *set);
/* Turn counts since the start of the run into sums. */
void unc_external_add_zero(const struct uncore_set *set, uint64_t *counts);
/* The time of sums read when the set had been counting for that many ns. */
int64_t unc_external_time(const struct uncore_set *set, int64_t enabled);
/*
 * Under lock: the counts in list->scratch, up to now and for that many ns, are the last ones;
 * or, if they are unknown, those of the last read are.
 */
void unc_external_end(struct uncore_set *set, int64_t enabled);
void unc_external_lost(struct uncore_set *set);

#endif
