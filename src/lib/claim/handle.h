/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handle.h - the state of an open machine.
 *
 * Locking: `lock` protects users, uses, the ledger, the wrap poller and the list of sets.  Counter
 * totals and the baselines of sets are atomics, and are read and advanced without a lock.
 */
#ifndef UNC_HANDLE_H
#define UNC_HANDLE_H

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/marks.h"
#include "claim/share.h"
#include "claim/thread.h"
#include "count/counter.h"
#include "event/event.h"
#include "hw/pmon.h"
#include "plan/compose.h"
#include "plan/ledger.h"

/* The thread that reads each running counter before it can wrap twice. */
struct unc_wrap_poller {
	bool wanted;          /* under the handle's lock */
	uint64_t interval_ms; /* for all counters of this machine */
	uint64_t running_ms;  /* for the running counters; under the thread's lock */
	struct unc_thread thread;
};

/* The thread that switches between the rounds of multiplexed events; mux_thread.c. */
struct unc_mux_thread {
	int64_t deadline; /* of the next window; under the thread's lock */
	struct unc_thread thread;
};

/* The thread that counts what other ranks have stopped counting; set/takeover.c. */
struct unc_takeover {
	struct unc_thread thread;
	sem_t wake;
	atomic_bool stop, asked;
	atomic_uint answers;
};

/*
 * How registers have responded, in any of the boxes of a type, or packages: the same in each, so
 * that it costs an access once rather than at each start and in each box.
 */
struct unc_box_kind {
	uint64_t shows; /* bits of the box control that have read back as written */
	struct {
		uint64_t ones, zeros; /* bits that have read back so after they were written so */
	} filter[UNC_MAX_FILTERS];
};

struct unc_election; /* claim/election.h */
struct unc_guard;    /* restores at exit; exit.c */
struct unc_msrs;     /* msr_list.c */
struct unc_mux;
struct unc_readers;
struct unc_recording;
struct unc_backend; /* backend/backend.h */

struct uncore {
	struct unc_err err;
	int failed;             /* the error of uncore_open() */
	char ignored[320];      /* variables ignored in a privileged program, as a sentence */
	char *root;             /* prefix of the paths of all files */
	struct unc_marks marks; /* file for the times of regions */
	bool force;
	bool owner_counts; /* UNCORE_SHARE=owner: events that another process of the user counts
			      read 0 */
	/* with the other ranks of a step, which one counts an event; NULL: each one does */
	struct unc_election *election;
	struct unc_takeover takeover;
	bool announced, blamed; /* reported once */
	struct unc_hw *hw;
	bool with_readers; /* start threads that read MSRs once something counts */
	_Atomic(struct unc_readers *) readers; /* NULL: the caller reads MSRs */
	const struct unc_backend *backend;     /* of sets that are not multiplexed */
	/* connection to uncored, with hw a recording of its machine; or NULL */
	struct unc_remote *remote;
	struct unc_recording *recording; /* of the accesses while opening; or NULL */
	struct unc_machine machine;
	struct unc_pmon pmon; /* registers that may be written */
	struct unc_lists *lists;
	struct unc_names *names;
	struct unc_counter *counters;   /* machine.n_counters, sorted by box */
	struct unc_use *uses;           /* machine.n_boxes: the counters in use */
	unsigned *counting;             /* by package: counters in use that its freeze stops */
	struct unc_reset_group *groups; /* of boxes and packages; freeze_check.c */
	struct unc_box_kind *kinds;     /* by number of the type; the last one: packages */
	struct unc_ledger ledger;       /* the registers that are changed */
	struct unc_share *share;        /* other processes; NULL: a machine in this process */
	bool *shared;                   /* by package: see struct unc_claims; others.c */
	bool *behind;     /* by package: others_end() lacked memory or files to restore it */
	unsigned *opened; /* by package: multiplexed sets that keep it open between runs */
	unsigned *pinned; /* by group: rounds that keep it in the journal between runs */
	unsigned lock_timeout_ms;
	bool *packages;    /* of the present call */
	atomic_int *alive; /* in a page that is zeroed in a forked child */
	struct unc_guard *guard;
	struct unc_mutex lock;
	struct uncore_set *sets;
	unsigned n_running; /* sets */
	struct unc_wrap_poller wrap_poller;
	struct unc_mux *muxes;
	struct unc_mux_thread mux_thread;
	struct unc_device_infos *devices; /* the last list; device_info.c; or NULL */
	unsigned changes;                 /* number of changes of uses */
	_Atomic(struct unc_msrs *) msrs;  /* created on demand */
};

/* A forked child must not touch a register. */
static inline bool unc_is_child(const struct uncore *u)
{
	return !u->alive || !atomic_load_explicit(u->alive, memory_order_relaxed);
}

/* 0, or the error with which uncore_open() has failed, whose message stays; NULL: no memory. */
static inline int unc_unopened(const struct uncore *u)
{
	return u ? u->failed : UNCORE_ENOMEM;
}

/* The same, and UNCORE_EFORK in a forked child. */
int unc_refuse_child(struct uncore *u);

/* Signals are blocked while the lock is held, since a handler may start and stop sets. */
void unc_lock(struct uncore *u, sigset_t *before);
void unc_unlock(struct uncore *u, const sigset_t *before);
/* For a thread to which no signal is delivered.  false: another thread holds the lock. */
bool unc_lock_try(struct uncore *u);
void unc_lock_end(struct uncore *u);

struct unc_counter *unc_counter_of(struct uncore *u, unsigned box, unsigned counter);

static inline struct unc_box_kind *unc_kind_of(const struct uncore *u, unsigned group)
{
	return &u->kinds[u->groups[group].kind];
}

/*
 * restore.c, under lock: carry out the lists that end a run.  Each failed access is retried at
 * once, and the rest of the list follows.  Writes that restore registers and still fail are
 * recorded in the ledger: retry repeats them, refuse fails if one is of a register in a list.
 */
enum unc_carry {
	UNC_HALT,    /* the registers are restored later */
	UNC_COMPARE, /* as UNC_HALT, and values read must be those written: UNCORE_ESTOLEN */
	UNC_RESTORE,
};
#define UNC_TRIES 3
/* result: an earlier error, whose message is kept, or 0. */
int unc_carry_out(struct uncore *u, const struct unc_op *ops, size_t n, enum unc_carry how,
		  int result);
/* After operations that restore: whether their bits that read back do; each is read once. */
int unc_look_back(struct uncore *u, const struct unc_op *ops, const struct unc_back *backs,
		  size_t n, int result);
/* One operation, with retries; 0 or -errno. */
int unc_try(struct uncore *u, const struct unc_op *op, uint64_t *value);
void unc_failed_retry(struct uncore *u);
int unc_failed_refuse(struct uncore *u, const struct unc_op *ops, size_t n);
/* The error and message of a recorded failure, or 0. */
int unc_report_failed(struct uncore *u);

/* Set the message for a register that must hold op's value and does not; returns UNCORE_ESTOLEN. */
int unc_held_other(struct unc_err *err, const struct unc_machine *machine, const struct unc_op *op,
		   uint64_t value, const char *when);

/* Set the message of the error that this thread noted with unc_err_late(). */
void unc_report_late(struct uncore *u);

/* wrap_poller.c; start, if it is wanted, and stop require the lock, which the thread never takes */
void unc_wrap_poller_init(struct uncore *u);
int unc_wrap_poller_start(struct uncore *u);
static inline void unc_wrap_poller_stop(struct uncore *u)
{
	if (u->wrap_poller.thread.runs && !unc_is_child(u))
		unc_thread_stop(&u->wrap_poller.thread);
}

#endif
