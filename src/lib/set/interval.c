/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.c - counts of the time during which at least one thread is inside a region. */
#include "set/interval.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "uncore.h"

struct sums {
	_Atomic uint64_t serial; /* changes each time the totals are written */
	_Atomic uint64_t ns,
		lost; /* lost: number of intervals whose begin or end could not be read */
	_Atomic uint64_t *sums;
};

struct unc_interval {
	/*
	 * The number of threads inside, the index of the valid totals, and the number of
	 * changes.  A change is made only if there was no other one since its sums were read.
	 * So intervals do not overlap, and only the last thread inside writes to the totals
	 * that are not valid.
	 */
	_Atomic uint64_t state;
	size_t n;          /* number of sums */
	const bool *level; /* by sum: a level, whose current value counts and not its increase;
			      NULL: none is */
	_Atomic uint64_t began_ns;
	_Atomic unsigned began_run;
	_Atomic bool began_bad;
	_Atomic uint64_t *began;
	struct sums totals[2];
};

/* ---- the state: changes in bits 63:17, which totals in bit 16, threads inside in bits 15:0 ----
 */

#define INSIDE UINT64_C(0xffff)
#define WHICH  UINT64_C(0x10000)
#define CHANGE UINT64_C(0x20000)

static unsigned inside(uint64_t state)
{
	return (unsigned)(state & INSIDE);
}

static unsigned which(uint64_t state)
{
	return (state & WHICH) != 0;
}

/* Each entry and each exit is a change. */
static uint64_t entries(uint64_t state)
{
	return (state / CHANGE + inside(state)) / 2;
}

static bool change(struct unc_interval *interval, uint64_t *from, uint64_t to)
{
	return atomic_compare_exchange_strong_explicit(&interval->state, from, to + CHANGE,
						       memory_order_acq_rel, memory_order_acquire);
}

/* ---- memory ---- */

static bool make(struct unc_interval *interval, size_t n)
{
	interval->n = n;
	interval->began = calloc(n, sizeof(*interval->began));
	for (int i = 0; i < 2; i++)
		interval->totals[i].sums = calloc(n, sizeof(*interval->totals[i].sums));
	return interval->began && interval->totals[0].sums && interval->totals[1].sums;
}

struct unc_interval *unc_interval_new(size_t n, const bool *level)
{
	struct unc_interval *interval = calloc(1, sizeof(*interval));

	if (!interval)
		return NULL;
	interval->level = level;
	if (make(interval, n))
		return interval;
	unc_interval_free(interval);
	return NULL;
}

void unc_interval_free(struct unc_interval *interval)
{
	if (!interval)
		return;
	free((void *)interval->began);
	for (int i = 0; i < 2; i++)
		free((void *)interval->totals[i].sums);
	free(interval);
}

/* ---- begin of an interval ---- */

/* The serial number of totals is written first and read last. */
static uint64_t get(const _Atomic uint64_t *from)
{
	return atomic_load_explicit(from, memory_order_acquire);
}

static void set(_Atomic uint64_t *to, uint64_t value)
{
	atomic_store_explicit(to, value, memory_order_release);
}

/* No thread can be the last one to leave before the thread that does this. */
static void begin(struct unc_interval *interval, const struct unc_moment *now)
{
	set(&interval->began_ns, (uint64_t)now->ns);
	atomic_store_explicit(&interval->began_run, now->run, memory_order_relaxed);
	atomic_store_explicit(&interval->began_bad, now->code < 0, memory_order_relaxed);
	for (size_t i = 0; now->code == 0 && i < interval->n; i++)
		set(&interval->began[i], now->sums[i]);
}

int unc_interval_enter(struct unc_interval *interval, unc_look *look, void *arg)
{
	uint64_t state = atomic_load_explicit(&interval->state, memory_order_acquire);
	struct unc_moment now;
	bool first;

	do {
		if (inside(state) == INSIDE)
			return UNCORE_ESTATE;
		first = inside(state) == 0;
		if (first)
			look(arg, &now);
	} while (!change(interval, &state, state + 1));
	if (!first)
		return 0;
	begin(interval, &now);
	return now.code;
}

/* ---- end of an interval ---- */

static bool is_whole(const struct unc_interval *interval, const struct unc_moment *now)
{
	return now->code == 0 &&
	       !atomic_load_explicit(&interval->began_bad, memory_order_relaxed) &&
	       atomic_load_explicit(&interval->began_run, memory_order_relaxed) == now->run;
}

static uint64_t added(const struct unc_interval *interval, size_t i, uint64_t total, uint64_t now)
{
	if (interval->level && interval->level[i])
		return now;
	return total + now - get(&interval->began[i]);
}

/* Add to the totals that are not valid yet. */
static void add(struct unc_interval *interval, unsigned holds, const struct unc_moment *now)
{
	const struct sums *from = &interval->totals[holds];
	struct sums *to = &interval->totals[!holds];
	const bool whole = is_whole(interval, now);

	set(&to->serial, get(&from->serial) + 1);
	set(&to->ns, get(&from->ns) + (whole ? (uint64_t)now->ns - get(&interval->began_ns) : 0));
	set(&to->lost, get(&from->lost) + !whole);
	for (size_t i = 0; i < interval->n; i++) {
		const uint64_t total = get(&from->sums[i]);

		set(&to->sums[i], whole ? added(interval, i, total, now->sums[i]) : total);
	}
}

int unc_interval_leave(struct unc_interval *interval, unc_look *look, void *arg)
{
	uint64_t state = atomic_load_explicit(&interval->state, memory_order_acquire), next;
	struct unc_moment now;

	do {
		now.code = 0;
		if (inside(state) == 0)
			return UNCORE_ESTATE;
		next = state - 1;
		if (inside(next) == 0) {
			look(arg, &now);
			add(interval, which(state), &now);
			next ^= WHICH;
		}
	} while (!change(interval, &state, next));
	return now.code;
}

/* ---- read ---- */

/*
 * Totals were complete when they became valid, and are not written before the state has changed
 * twice.  Then they have another serial number.
 */
void unc_interval_read(struct unc_interval *interval, struct unc_interval_totals *totals,
		       uint64_t *sums)
{
	const struct sums *from;
	uint64_t serial, state = get(&interval->state);

	do {
		from = &interval->totals[which(state)];
		serial = get(&from->serial);
		state = get(&interval->state);
		*totals = (struct unc_interval_totals){
			.calls = entries(state),
			.ns = get(&from->ns),
			.lost = get(&from->lost),
			.inside = inside(state),
		};
		for (size_t i = 0; i < interval->n; i++)
			sums[i] = get(&from->sums[i]);
	} while (from != &interval->totals[which(state)] || get(&from->serial) != serial);
}
