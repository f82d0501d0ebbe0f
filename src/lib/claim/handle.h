/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handle.h - the state of an open machine.
 *
 * Who may touch what: `lock` guards users, uses, the ledger, the wrap poller and the list
 * of sets.  Counter totals and the sets' baselines are atomics and are read and advanced
 * without any lock.
 */
#ifndef UNC_HANDLE_H
#define UNC_HANDLE_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "claim/ledger.h"
#include "claim/share.h"
#include "claim/thread.h"
#include "count/counter.h"
#include "event/event.h"
#include "hw/pmon.h"
#include "plan/compose.h"

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

struct unc_guard; /* restores at exit; exit.c */
struct unc_msrs;  /* msr_list.c */
struct unc_mux;
struct unc_readers;
struct unc_recording;
struct unc_backend; /* backend/backend.h */

struct uncore {
	struct unc_err err;
	char ignored[320]; /* variables that a privileged program ignores, as a sentence; "": none
			    */
	char *root;        /* of all files that are looked at */
	bool force;
	bool owner_counts; /* what another process of the user counts reads 0 */
	struct unc_hw *hw;
	bool with_readers;                     /* once something counts: ... */
	_Atomic(struct unc_readers *) readers; /* ... of MSRs; NULL: who asks reads them */
	const struct unc_backend *backend;     /* of a set that does not take turns */
	struct unc_remote *remote; /* of uncored, hw is a recording of its machine; NULL: none */
	struct unc_recording *recording; /* of what opening has read; NULL: none was wanted */
	struct unc_machine machine;
	struct unc_pmon pmon; /* what may be written */
	struct unc_lists *lists;
	struct unc_names *names;
	struct unc_counter *counters;   /* machine.n_counters, in the boxes' order */
	struct unc_use *uses;           /* machine.n_boxes: what each counts */
	unsigned *counting;             /* by package: counters in uses that its freeze holds */
	struct unc_reset_group *groups; /* of boxes and packages; watch.c */
	struct unc_ledger ledger;       /* of the groups' registers */
	struct unc_share *share;        /* other processes; NULL: there can be none */
	bool *shared;                   /* by package: see struct unc_state; claims.c */
	unsigned *opened;               /* by package: who keeps it open while runs come and go */
	unsigned *kept; /* by group: who stays in the journal while runs come and go */
	unsigned lock_timeout_ms;
	bool *packages;    /* of the present call */
	atomic_int *alive; /* in a page that a forked child finds zeroed */
	struct unc_guard *guard;
	struct unc_mutex lock;
	struct uncore_set *sets;
	unsigned n_running; /* sets */
	struct unc_wrap_poller wrap_poller;
	struct unc_mux *muxes;
	struct unc_mux_thread mux_thread;
	unsigned changes;                /* of uses */
	_Atomic(struct unc_msrs *) msrs; /* made when it is asked for */
};

/* A forked child must not touch a register. */
static inline bool unc_is_child(const struct uncore *u)
{
	return !u->alive || !atomic_load_explicit(u->alive, memory_order_relaxed);
}

/* 0, or UNCORE_EFORK in a forked child. */
int unc_refuse_child(struct uncore *u);

/* The lock is only held with signals blocked: a handler may start and stop sets. */
void unc_lock(struct uncore *u, sigset_t *before);
void unc_unlock(struct uncore *u, const sigset_t *before);

struct unc_counter *unc_counter_of(struct uncore *u, unsigned box, unsigned counter);

/* What counts on the machine. */
static inline struct unc_state unc_state_of(const struct uncore *u)
{
	return (struct unc_state){&u->machine, u->uses, u->counting, u->groups, u->shared};
}

/*
 * restore.c, under lock: how the lists that end a run are carried out.  Each access that fails
 * is tried again at once, and so is all behind it.  Writes that give registers back are kept in
 * the ledger if that does not help: retry tries them again, refuse says so of the registers in a
 * list.
 */
enum unc_carry {
	UNC_HALT,    /* what follows gives the same registers back */
	UNC_COMPARE, /* the same; what is read must be as it was written: UNCORE_ESTOLEN */
	UNC_GIVE_BACK,
};
#define UNC_TRIES 3
/* result: of what was done before; its sentence stays if it is an error. */
int unc_carry_out(struct uncore *u, const struct unc_op *ops, size_t n, enum unc_carry how,
		  int result);
/* One operation, as often as it takes to say that it fails; 0 or -errno. */
int unc_try(struct uncore *u, const struct unc_op *op, uint64_t *value);
void unc_failed_retry(struct uncore *u);
int unc_failed_refuse(struct uncore *u, const struct unc_op *ops, size_t n);
/* Something is kept: its error and sentence; else 0. */
int unc_report_failed(struct uncore *u);

/* The sentence for a register that has to hold op's value; returns UNCORE_ESTOLEN. */
int unc_held_other(struct unc_err *err, const struct unc_machine *machine, const struct unc_op *op,
		   uint64_t value, const char *when);

/* Make the sentence of what this thread has noted with unc_err_late(). */
void unc_report_late(struct uncore *u);

/* wrap_poller.c; start and stop under lock, which the thread itself never takes */
void unc_wrap_poller_init(struct uncore *u);
int unc_wrap_poller_start(struct uncore *u);
void unc_wrap_poller_stop(struct uncore *u);

#endif
