/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * backend.h - who counts the events of a set: the registers of this process, all at once or in
 * windows, uncored, or the kernel's driver.
 *
 * A set has a backend as soon as there is one, and another one may take its place when its events
 * are planned.  Nobody outside this folder asks which one it is.
 */
#ifndef UNC_BACKEND_H
#define UNC_BACKEND_H

#include "backend/multiplexed/mux.h"
#include "claim/run.h"
#include "event/counted.h"

struct unc_checks;
struct unc_page;
struct unc_regions;
struct unc_wire_window;

/* What start and stop return if they have to be called again: another process claims counters. */
#define UNC_WAIT 1

struct unc_backend {
	bool pages; /* it refreshes counts at the rate of set->list->refresh_us */
	/* counts in its place if the events have to take turns; may be the same */
	const struct unc_backend *multiplexed;
	/* Under lock: 0, UNC_WAIT, or an error with its sentence.  anyway: do not wait.  Without an
	 * answer of a stop the counts stay what was read last. */
	int (*start)(struct uncore_set *set);
	int (*stop)(struct uncore_set *set, bool anyway);
	/* Of those whose start and stop are start.c's: from a claim of packages to counting, and
	 * back. */
	int (*go)(struct uncore_set *set);
	int (*halt)(struct uncore_set *set);
	/* Absolute sums per event, and when.  now: unc_clock() before.  0 or -errno; signal-safe */
	int (*sum)(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when);
	/* uncore_set_check() of a set that runs in this epoch */
	int (*check)(struct uncore_set *set, unsigned epoch);
	/* uncore_set_times() by counted event; 0 or -errno; signal-safe */
	int (*times)(struct uncore_set *set, unsigned epoch, struct unc_times *times);
	/* NULL: it misses none.  uncore_set_missed_wrap() of a set that runs; signal-safe */
	int (*missed_wrap)(struct uncore_set *set, struct uncore_missed_wrap *worst);
	/* NULL: it starts none that stop by themselves.  Under lock: uncore_set_wait() without
	 * waiting, and uncore_set_rearm() */
	int (*look)(struct uncore_set *set);
	int (*rearm)(struct uncore_set *set);
	/* NULL: as planned here.  Rounds in which the events of a set that runs take turns */
	unsigned (*rounds)(const struct uncore_set *set);
	void (*free)(void *state); /* NULL: it has none */
};

extern const struct unc_backend unc_backend_registers;   /* registers.c */
extern const struct unc_backend unc_backend_multiplexed; /* multiplexed.c */
extern const struct unc_backend unc_backend_daemon;      /* daemon.c */
extern const struct unc_backend unc_backend_kernel;      /* kernel.c */
extern const struct unc_backend unc_backend_recording;   /* registers.c: it cannot start */

/* A list of events, and what they have counted.  Replaced when others are assigned. */
struct unc_list {
	struct unc_counted counted;
	size_t n_sums;                   /* counted events and, behind them, the time */
	int64_t interval;                /* of windows, ns; 0: the events have to fit */
	unsigned refresh_us;             /* of a page that is wanted, 0: none */
	_Atomic(struct unc_mux *) turns; /* in which they are counted; NULL: they fit */
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
	struct unc_run *run; /* the counters that they have if they do not take turns */
	const struct unc_backend *backend;
	_Atomic(void *) state;               /* of the backend; NULL: none yet */
	_Atomic(struct unc_checks *) checks; /* made when it is first looked at; check.c */
	atomic_uint elsewhere; /* values of this run that another process counts; owner.c */
	_Atomic(struct unc_regions *) regions; /* made with the first one; set/named_regions.c */
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

/* ---- choose.c, under lock ---- */

/* The counters of a set's events, and its backend: beside each other if that is possible, else one
 * after the other. */
int unc_choose(struct uncore_set *set);
/* Again, if what else counts on the machine has changed. */
int unc_choose_again(struct uncore_set *set);
/* Mark the counters of a set that stops after so many. */
int unc_mark_samples(struct uncore_set *set);
/* No other set may count in a package whose boxes one of them stops. */
int unc_stop_after_ready(const struct uncore_set *set);

/* ---- owner.c, under lock ---- */

/* 0, or UNCORE_ECOMBO for what cannot be summed over processes. */
int unc_owner_ready(struct uncore_set *set);
/* Tell others what is counted here, but for what one of them counts. */
int unc_owner_claim(struct uncore_set *set);

/* ---- start.c: start and stop beside other processes ---- */

int unc_registers_start(struct uncore_set *set);
int unc_registers_stop(struct uncore_set *set, bool anyway);

/* ---- totals.c; signal-safe, but for what is said to be under lock ---- */

/* Sums, zero points and times only grow: who comes late must not take them back. */
void unc_raise_to(_Atomic int64_t *held, int64_t to);
/* Keep sums as the last ones of an epoch.  time: when they were read. */
void unc_remember(struct uncore_set *set, unsigned epoch, const uint64_t *sums, int64_t time,
		  int64_t now);
void unc_raise_to_last(struct uncore_set *set, unsigned epoch, uint64_t *sums);
/* Sums that somebody has asked for. */
struct unc_reader {
	bool timed;     /* set by the caller: the sums are divided by their time */
	unsigned epoch; /* to which they belong */
	int64_t now;    /* when the first register was read, by unc_clock() */
	int64_t time;   /* when they were read, by the clock of the set's enabled time */
	bool live;      /* they were read from the counters; else they are the last ones */
	size_t n;       /* how many there are, without the time */
};
/* What is divided by its time is read again if that is not known well.  0 or -errno. */
int unc_sum_timed(struct uncore_set *set, uint64_t *sums, struct unc_reader *reader);
/* Under lock: sums and time in list->scratch become the zero point of a run that begins. */
void unc_begin_at(struct uncore_set *set, int64_t now);
/* Under lock: the same of what the registers hold. */
int unc_take_base(struct uncore_set *set);
/* Without a read: up to the stop, or up to the last read; ns. */
int64_t unc_last_enabled(const struct uncore_set *set, unsigned epoch);
/* Of sets whose events count all the time. */
int unc_times_of_sums(struct uncore_set *set, unsigned epoch, struct unc_times *times);

/* ---- check.c ---- */

/* The registers of a set are as it has written them; what its windows have shown. */
int unc_check_registers(struct uncore_set *set, unsigned epoch);
int unc_check_windows(struct uncore_set *set, unsigned epoch);
void unc_checks_free(struct uncore_set *set);

/* ---- external.c: sets that are counted elsewhere than by registers of this process ---- */

/* Counts of this run begin at 0, the sums where those of the run before have ended. */
void unc_external_begin(struct uncore_set *set);
/* From what was counted since then to sums. */
void unc_external_add_zero(const struct uncore_set *set, uint64_t *counts);
/* The time of sums that were read when the set had been counted for so many ns. */
int64_t unc_external_time(const struct uncore_set *set, int64_t enabled);
/* Under lock: what list->scratch has was counted until now, for so many ns, and is the last; or
 * nobody knows, and the last read was. */
void unc_external_end(struct uncore_set *set, int64_t enabled);
void unc_external_lost(struct uncore_set *set);

#endif
