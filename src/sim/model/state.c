/* SPDX-License-Identifier: BSD-3-Clause */
/* state.c - time, lock, CPUs and boxes of a simulated machine. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "sim/model/model.h"

/* ---- time ---- */

uint64_t sim_monotonic(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * UINT64_C(1000000000) + (uint64_t)ts.tv_nsec;
}

uint64_t sim_now(struct sim *sim)
{
	if (sim->virtual_time)
		return atomic_load_explicit(&sim->virtual_ns, memory_order_acquire);
	return sim_monotonic() - sim->birth;
}

void sim_advance(struct sim *sim, uint64_t ns)
{
	if (sim->virtual_time)
		atomic_fetch_add_explicit(&sim->virtual_ns, ns, memory_order_acq_rel);
}

/* ---- lock ---- */

void sim_signals_blocked(struct sim *sim, bool blocked)
{
	atomic_store_explicit(&sim->signals_blocked, blocked ? pthread_self() : 0,
			      memory_order_relaxed);
}

/* No other thread can have stored this one. */
static bool are_blocked(const struct sim *sim)
{
	return atomic_load_explicit(&sim->signals_blocked, memory_order_relaxed) == pthread_self();
}

/*
 * A signal handler may read counters, so the thread that holds the lock must not be
 * interrupted by one: signals are blocked first, unless the library has done so already, since
 * the two system calls cost more than most accesses.  A cancelled thread would never release the
 * lock, so cancellation is disabled, too.
 */
void sim_lock(struct sim *sim, sigset_t *saved)
{
	sigset_t all;
	int cancel_state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	if (!are_blocked(sim)) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, saved);
	}
	while (atomic_flag_test_and_set_explicit(&sim->busy, memory_order_acquire))
		sched_yield();
	sim->cancel_state = cancel_state;
}

void sim_unlock(struct sim *sim, const sigset_t *saved)
{
	const int cancel_state = sim->cancel_state;

	atomic_flag_clear_explicit(&sim->busy, memory_order_release);
	if (!are_blocked(sim))
		pthread_sigmask(SIG_SETMASK, saved, NULL);
	pthread_setcancelstate(cancel_state, &(int){0});
}

/* ---- CPUs and boxes ---- */

const struct sim_cpu *sim_cpus(const struct sim *sim, size_t *n)
{
	*n = (size_t)sim->packages * sim->cores;
	return sim->cpus;
}

struct sim_box *sim_box_find(const struct sim *sim, unsigned package, const char *kind,
			     unsigned index)
{
	if (package >= sim->packages)
		return NULL;
	for (size_t i = 0; i < sim->n_boxes; i++) {
		struct sim_box *box = &sim->boxes[package * sim->n_boxes + i];

		if (box->kind != NULL && box->index == index && strcmp(box->kind->name, kind) == 0)
			return box;
	}
	return NULL;
}

unsigned sim_box_count(const struct sim *sim, const struct sim_kind *kind)
{
	if (kind->n_boxes != 0)
		return kind->n_boxes;
	return kind->count != NULL ? kind->count(sim) : sim->slices;
}

unsigned sim_box_active(const struct sim *sim, const struct sim_kind *kind)
{
	return kind->count != NULL ? kind->count(sim) : sim_box_count(sim, kind);
}

bool sim_is_slice(const struct sim_kind *kind)
{
	return strcmp(kind->name, "cbox") == 0 || strcmp(kind->name, "cbo") == 0 ||
	       strcmp(kind->name, "cha") == 0;
}
