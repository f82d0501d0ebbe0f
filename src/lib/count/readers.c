/* SPDX-License-Identifier: BSD-3-Clause */
/* readers.c - see readers.h. */
#include "count/readers.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mutex.h"
#include "count/pace.h"

#define FEW   8  /* fewer accesses take less time than waking a thread */
#define SIZES 16 /* sizes of readings, in powers of two */
#define IDLE  32 /* readings by the caller alone after which idle threads end */

enum { BY_CALLER, BY_THREADS };

struct reader {
	struct unc_readers *all;
	unsigned package;
	pthread_t thread;
	bool runs;
	bool asked; /* in the current reading */
	/* under the lock of all readers: */
	bool ready;
	const struct unc_reading *reading; /* NULL: idle */
	struct unc_hw *hw;
	struct unc_err *err;
	int64_t now;
	int result;
};

struct unc_readers {
	const struct unc_topology *topo;
	struct unc_mutex one; /* of the caller that uses the threads: one at a time */
	pthread_mutex_t lock; /* callers hold the other one, too */
	pthread_cond_t wake, done;
	/* under `one`: */
	struct unc_pace paces[SIZES];
	bool run;
	unsigned idle; /* readings since they last read */
	/* under lock: */
	bool stop;
	unsigned n;
	struct reader reader[];
};

/* ---- a thread ---- */

/*
 * The process may not be allowed to run on the package's CPUs: then the thread runs on another
 * one.
 */
static void move_to(const struct unc_topology *topo, unsigned package)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	for (size_t i = 0; i < topo->n_cpus; i++)
		if (unc_package_of_cpu(topo, topo->cpus[i].id) == (int)package &&
		    topo->cpus[i].id < CPU_SETSIZE)
			CPU_SET(topo->cpus[i].id, &cpus);
	pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
}

static void *read_for_others(void *arg)
{
	struct reader *r = arg;
	struct unc_readers *all = r->all;

	move_to(all->topo, r->package);
	pthread_mutex_lock(&all->lock);
	r->ready = true;
	pthread_cond_signal(&all->done);
	while (!all->stop) {
		const struct unc_reading *reading = r->reading;

		if (!reading) {
			pthread_cond_wait(&all->wake, &all->lock);
			continue;
		}
		pthread_mutex_unlock(&all->lock);
		r->result = unc_reading_look(reading, r->hw, r->err, (int)r->package, r->now);
		pthread_mutex_lock(&all->lock);
		r->reading = NULL;
		pthread_cond_signal(&all->done);
	}
	pthread_mutex_unlock(&all->lock);
	return NULL;
}

/* ---- all readers ---- */

static void end(struct unc_readers *all)
{
	pthread_mutex_lock(&all->lock);
	all->stop = true;
	pthread_cond_broadcast(&all->wake);
	pthread_mutex_unlock(&all->lock);
	for (unsigned p = 0; p < all->n; p++)
		if (all->reader[p].runs)
			pthread_join(all->reader[p].thread, NULL);
	all->run = all->stop = false;
}

static bool make(struct unc_readers *all)
{
	sigset_t none, before;
	bool good = true;

	sigfillset(&none);
	pthread_sigmask(SIG_SETMASK, &none, &before);
	for (unsigned p = 0; p < all->n; p++) {
		struct reader *r = &all->reader[p];

		r->ready = false;
		good = good && pthread_create(&r->thread, NULL, read_for_others, r) == 0;
		r->runs = good;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return good;
}

/* Starting threads is not part of the time of a reading. */
static bool start(struct unc_readers *all)
{
	if (all->run)
		return true;
	all->run = make(all);
	if (!all->run) {
		end(all);
		return false;
	}
	pthread_mutex_lock(&all->lock);
	for (unsigned p = 0; p < all->n; p++)
		while (!all->reader[p].ready)
			pthread_cond_wait(&all->done, &all->lock);
	pthread_mutex_unlock(&all->lock);
	return true;
}

struct unc_readers *unc_readers_new(const struct unc_hw *hw, const struct unc_topology *topo)
{
	const unsigned n = topo->n_packages;
	struct unc_readers *all =
		n > 1 && !hw->batch ? calloc(1, sizeof(*all) + n * sizeof(*all->reader)) : NULL;

	if (!all)
		return NULL;
	all->topo = topo;
	all->n = n;
	for (unsigned p = 0; p < n; p++)
		all->reader[p] = (struct reader){.all = all, .package = p};
	pthread_mutex_init(&all->one.mutex, NULL);
	pthread_mutex_init(&all->lock, NULL);
	pthread_cond_init(&all->wake, NULL);
	pthread_cond_init(&all->done, NULL);
	return all;
}

void unc_readers_free(struct unc_readers *all)
{
	if (!all)
		return;
	if (all->run)
		end(all);
	pthread_cond_destroy(&all->done);
	pthread_cond_destroy(&all->wake);
	pthread_mutex_destroy(&all->lock);
	pthread_mutex_destroy(&all->one.mutex);
	free(all);
}

/* ---- a reading ---- */

/* The package of the caller is read by the caller. */
static int here(const struct unc_topology *topo)
{
	const int cpu = sched_getcpu();

	return cpu < 0 ? -1 : unc_package_of_cpu(topo, (unsigned)cpu);
}

/* The packages that threads could read; NULL: waking one would take longer. */
static struct unc_pace *choose(struct unc_readers *all, const struct unc_reading *reading)
{
	const int own = here(all->topo);
	unsigned accesses = 0, size = 0;

	for (unsigned p = 0; p < all->n; p++) {
		const unsigned n = (int)p == own ? 0 : reading->of_package[p];

		all->reader[p].asked = n >= FEW;
		accesses += n >= FEW ? n : 0;
	}
	while (size + 1 < SIZES && accesses >> (size + 1))
		size++;
	return accesses ? &all->paces[size] : NULL;
}

static void start_threads(struct unc_readers *all, const struct unc_reading *reading,
			  struct unc_hw *hw, struct unc_err *err, int64_t now)
{
	pthread_mutex_lock(&all->lock);
	for (unsigned p = 0; p < all->n; p++) {
		struct reader *r = &all->reader[p];

		if (!r->asked)
			continue;
		r->reading = reading;
		r->hw = hw;
		r->err = err;
		r->now = now;
	}
	pthread_cond_broadcast(&all->wake);
	pthread_mutex_unlock(&all->lock);
}

/* Read what no thread reads. */
static int read_rest(const struct unc_readers *all, const struct unc_reading *reading,
		     struct unc_hw *hw, struct unc_err *err, int64_t now)
{
	int result = unc_reading_look(reading, hw, err, UNC_NO_MSR, now);

	for (unsigned p = 0; result == 0 && p < all->n; p++)
		if (!all->reader[p].asked)
			result = unc_reading_look(reading, hw, err, (int)p, now);
	return result;
}

static int wait_for(struct unc_readers *all, int result)
{
	pthread_mutex_lock(&all->lock);
	for (unsigned p = 0; p < all->n; p++) {
		struct reader *r = &all->reader[p];

		if (!r->asked)
			continue;
		while (r->reading)
			pthread_cond_wait(&all->done, &all->lock);
		if (r->result < 0)
			unc_err_adopt(r->err, r->thread);
		if (result == 0)
			result = r->result;
	}
	pthread_mutex_unlock(&all->lock);
	return result;
}

static void note(struct unc_readers *all, struct unc_pace *pace, unsigned way, int64_t ns)
{
	unc_mutex_lock(&all->one);
	unc_pace_note(pace, way, ns);
	unc_mutex_unlock(&all->one);
}

/*
 * Whether threads are faster depends on the machine: an access to another package needs an
 * interrupt there; waking a thread may need one, too, and a CPU in an idle state.
 */
int unc_readers_sum(struct unc_readers *all, const struct unc_reading *reading, struct unc_hw *hw,
		    struct unc_err *err, uint64_t *sums, int64_t now)
{
	struct unc_pace *pace;
	unsigned way;
	int64_t began;
	int result = 0;

	if (!unc_mutex_trylock(&all->one)) /* do not wait for a long reading of another thread */
		return unc_reading_sum(reading, hw, err, sums, now);
	pace = choose(all, reading);
	way = pace ? unc_pace_method(pace) : BY_CALLER;
	if (way == BY_THREADS && !start(all)) {
		pace = NULL;
		way = BY_CALLER;
	}
	all->idle = way == BY_THREADS ? 0 : all->idle + 1;
	if (all->run && all->idle == IDLE)
		end(all);
	began = pace ? unc_monotonic() : 0;
	if (way == BY_THREADS) {
		start_threads(all, reading, hw, err, now);
		result = wait_for(all, read_rest(all, reading, hw, err, now));
	}
	unc_mutex_unlock(&all->one);
	if (way == BY_CALLER)
		result = unc_reading_sum(reading, hw, err, sums, now);
	else if (result == 0)
		unc_reading_totals(reading, sums);
	if (pace && result == 0)
		note(all, pace, way, unc_monotonic() - began);
	return result;
}

/* ---- the faster of two methods, pace.h ---- */

unsigned unc_pace_method(const struct unc_pace *pace)
{
	const unsigned better = pace->ns[1] < pace->ns[0];

	if (pace->n < UNC_PACE_LEARN)
		return 1 - pace->n % 2;
	return pace->n % UNC_PACE_AGAIN < 2 ? 1 - better : better;
}

/*
 * The shortest time at first, since a thread that is new or waits for a CPU takes long; then a
 * step towards each measured time, so that an outlier has little effect.
 */
void unc_pace_note(struct unc_pace *pace, unsigned way, int64_t ns)
{
	int64_t *typical = &pace->ns[way];

	if (*typical == 0 || (pace->n < UNC_PACE_LEARN && ns < *typical))
		*typical = ns;
	else if (pace->n >= UNC_PACE_LEARN)
		*typical += ns > *typical ? *typical / 8 + 1 : -(*typical / 8);
	pace->n++;
}
