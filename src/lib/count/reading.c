/* SPDX-License-Identifier: BSD-3-Clause */
/* reading.c - see reading.h. */
#include "count/reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "count/read_one.h"

/* Adjacent in the config space of one device. */
static bool adjacent(const struct unc_counter *a, const struct unc_counter *b)
{
	return a->read.space == UNCORE_PCI && b->read.space == UNCORE_PCI &&
	       a->read.unit == b->read.unit && b->read.address == a->read.address + 8;
}

/* One access reads both, and the n - 1 before them. */
static bool together(const struct unc_hw *hw, const struct unc_counter *a,
		     const struct unc_counter *b, unsigned n)
{
	if (unc_is_msr(&b->read))
		return unc_is_msr(&a->read) && n < hw->batch;
	return n < UNC_RUN_MAX && adjacent(a, b);
}

static void add_addend(const struct unc_hw *hw, struct unc_reading *r, struct unc_counter *c)
{
	struct unc_access *last = r->n_accesses ? &r->accesses[r->n_accesses - 1] : NULL;
	const unsigned addend = (unsigned)r->n_addends++;

	r->addends[addend] = (struct unc_addend){c, (unsigned)r->n_users, 0};
	if (last && together(hw, r->addends[addend - 1].counter, c, last->n_addends))
		last->n_addends++;
	else
		r->accesses[r->n_accesses++] = (struct unc_access){addend, 1};
}

/* The first counter of an access. */
static const struct unc_op *read_op(const struct unc_reading *r, const struct unc_access *a)
{
	return &r->addends[a->first_addend].counter->read;
}

static void free_one(struct unc_reading *r)
{
	free(r->addends);
	free(r->accesses);
	free(r->users);
	free(r->of_package);
	free(r);
}

static void add_use(const struct unc_hw *hw, struct unc_reading *r, struct unc_counter *c,
		    unsigned event)
{
	if (r->n_addends == 0 || r->addends[r->n_addends - 1].counter != c)
		add_addend(hw, r, c);
	r->users[r->n_users++] = event;
	r->addends[r->n_addends - 1].n_users++;
}

/* The MSRs of a layout, or the rest. */
static void add_uses(const struct unc_hw *hw, struct unc_reading *r, const struct unc_machine *m,
		     struct unc_counter *counters, const struct unc_layout *l, bool msrs)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct unc_box *b = &m->boxes[l->at[i].box];
		const bool msr = b->type->space == UNC_IN_MSR || b->type->space == UNC_IN_CPU;

		if (msr == msrs)
			add_use(hw, r, &counters[b->first + l->at[i].assignment.counter],
				l->at[i].event);
	}
}

/*
 * The entries of a layout are sorted by box and counter; kinds of boxes with MSRs and others
 * alternate, so all MSRs are moved to the front.
 */
static struct unc_reading *make(const struct unc_hw *hw, const struct unc_machine *m,
				struct unc_counter *counters, const struct unc_layout *l)
{
	struct unc_reading *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->addends = calloc(l->n, sizeof(*r->addends));
	r->accesses = calloc(l->n, sizeof(*r->accesses));
	r->users = calloc(l->n, sizeof(*r->users));
	r->of_package = calloc(m->topo.n_packages, sizeof(*r->of_package));
	if (!r->addends || !r->accesses || !r->users || !r->of_package) {
		free_one(r);
		return NULL;
	}
	add_uses(hw, r, m, counters, l, true);
	add_uses(hw, r, m, counters, l, false);
	for (size_t i = 0; i < r->n_accesses; i++) {
		const struct unc_op *op = read_op(r, &r->accesses[i]);

		if (unc_is_msr(op))
			r->of_package[op->package]++;
	}
	r->addends = unc_shrink(r->addends, r->n_addends, sizeof(*r->addends));
	r->accesses = unc_shrink(r->accesses, r->n_accesses, sizeof(*r->accesses));
	return r;
}

static bool same(const struct unc_reading *a, const struct unc_reading *b)
{
	return a->n_addends == b->n_addends &&
	       memcmp(a->addends, b->addends, a->n_addends * sizeof(*a->addends)) == 0 &&
	       memcmp(a->users, b->users, a->n_users * sizeof(*a->users)) == 0;
}

bool unc_reading_make(_Atomic(struct unc_reading *) *reading, const struct unc_hw *hw,
		      const struct unc_machine *machine, struct unc_counter *counters,
		      const struct unc_layout *layout)
{
	struct unc_reading *old = atomic_load(reading), *new = make(hw, machine, counters, layout);

	if (!new)
		return false;
	if (old && same(old, new)) {
		free_one(new);
		return true;
	}
	new->retired = old;
	atomic_store(reading, new);
	return true;
}

void unc_reading_free(_Atomic(struct unc_reading *) *reading)
{
	struct unc_reading *r = atomic_load(reading);

	while (r) {
		struct unc_reading *next = r->retired;

		free_one(r);
		r = next;
	}
	atomic_store(reading, NULL);
}

/* ---- sums; signal-safe ---- */

static inline void add(const struct unc_reading *reading, const struct unc_addend *addend,
		       uint64_t total, uint64_t *sums)
{
	const unsigned *user = &reading->users[addend->first_user];

	for (unsigned k = 0; k < addend->n_users; k++)
		sums[user[k]] += total;
}

/* Note which counter failed, and why, for the message. */
__attribute__((noinline, cold)) static void failed(struct unc_hw *hw, struct unc_err *err,
						   const struct unc_reading *reading,
						   const struct unc_access *a, int r)
{
	const struct unc_addend *addend = &reading->addends[a->first_addend];

	for (unsigned i = 0; i < a->n_addends && a->n_addends > 1; i++) {
		const struct unc_counter *c = addend[i].counter;
		uint64_t raw;
		const int again = unc_read_whole(
			hw, c, atomic_load_explicit(&c->total, memory_order_acquire), &raw);

		if (again < 0) {
			unc_err_late(err, &c->read, again, 0);
			return;
		}
	}
	unc_err_late(err, &addend->counter->read, r, 0);
}

/* Read the counters of one access, and add their counts. */
static int count_some(struct unc_hw *hw, const struct unc_reading *reading,
		      const struct unc_access *a, int64_t now, uint64_t *totals)
{
	const struct unc_addend *addends = &reading->addends[a->first_addend];
	struct unc_counter *counters[UNC_BATCH_MAX];

	counters[0] = addends->counter;
	for (unsigned i = 1; i < a->n_addends; i++)
		counters[i] = addends[i].counter;
	return unc_count_some(hw, counters, a->n_addends, now, totals);
}

static int sum_some(struct unc_hw *hw, const struct unc_reading *reading,
		    const struct unc_access *a, int64_t now, uint64_t *sums)
{
	uint64_t totals[UNC_BATCH_MAX];
	const int r = count_some(hw, reading, a, now, totals);

	for (unsigned i = 0; r == 0 && i < a->n_addends; i++)
		add(reading, &reading->addends[a->first_addend + i], totals[i], sums);
	return r;
}

static inline int sum_access(struct unc_hw *hw, const struct unc_reading *reading,
			     const struct unc_access *a, int64_t now, uint64_t *sums)
{
	const struct unc_addend *addend = &reading->addends[a->first_addend];
	uint64_t total = 0;
	int r;

	if (a->n_addends > 1)
		return sum_some(hw, reading, a, now, sums);
	r = unc_count_one(hw, addend->counter, now, &total);
	add(reading, addend, total, sums);
	return r;
}

int unc_reading_sum(const struct unc_reading *reading, struct unc_hw *hw, struct unc_err *err,
		    uint64_t *sums, int64_t now)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < reading->n_accesses; i++) {
		r = sum_access(hw, reading, &reading->accesses[i], now, sums);
		if (__builtin_expect(r < 0, 0))
			failed(hw, err, reading, &reading->accesses[i], r);
	}
	return r;
}

int unc_reading_sum_timed(const struct unc_reading *reading, struct unc_hw *hw, struct unc_err *err,
			  uint64_t *sums, int64_t now)
{
	struct unc_bracket m = {.after = unc_hw_now(hw)};
	int r = 0;

	for (size_t i = 0; r == 0 && i < reading->n_accesses; i++) {
		const struct unc_access *a = &reading->accesses[i];

		m.before = m.after;
		r = sum_access(hw, reading, a, now, sums);
		m.after = unc_hw_now(hw);
		for (unsigned k = 0; k < a->n_addends; k++)
			reading->addends[a->first_addend + k].counter->looked =
				unc_bracket_part(m, k, a->n_addends);
		if (r < 0)
			failed(hw, err, reading, a, r);
	}
	return r;
}

/* The MSRs of a package, or everything else. */
static bool is_of(const struct unc_reading *reading, const struct unc_access *a, int package)
{
	const struct unc_op *op = read_op(reading, a);

	return unc_is_msr(op) ? op->package == (unsigned)package : package == UNC_NO_MSR;
}

static int look_at(struct unc_hw *hw, const struct unc_reading *reading, const struct unc_access *a,
		   int64_t now)
{
	uint64_t totals[UNC_BATCH_MAX];

	return a->n_addends > 1
		       ? count_some(hw, reading, a, now, totals)
		       : unc_count_one(hw, reading->addends[a->first_addend].counter, now, totals);
}

int unc_reading_look(const struct unc_reading *reading, struct unc_hw *hw, struct unc_err *err,
		     int package, int64_t now)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < reading->n_accesses; i++) {
		const struct unc_access *a = &reading->accesses[i];

		if (!is_of(reading, a, package))
			continue;
		r = look_at(hw, reading, a, now);
		if (r < 0)
			failed(hw, err, reading, a, r);
	}
	return r;
}

void unc_reading_totals(const struct unc_reading *reading, uint64_t *sums)
{
	for (size_t i = 0; i < reading->n_addends; i++)
		add(reading, &reading->addends[i],
		    atomic_load_explicit(&reading->addends[i].counter->total, memory_order_acquire),
		    sums);
}

/* ---- missed wraps ---- */

static int64_t unseen(const struct unc_counter *c, int64_t base, int64_t now)
{
	const int64_t seen = atomic_load_explicit(&c->seen_ns, memory_order_acquire);
	int64_t ns = seen ? now - seen : 0;

	if (atomic_load_explicit(&c->gap_end, memory_order_acquire) > base) {
		const int64_t gap = atomic_load_explicit(&c->gap_ns, memory_order_relaxed);

		ns = gap > ns ? gap : ns;
	}
	return ns;
}

/* The counter that was not read for the largest part of its wrap time. */
bool unc_missed_wrap_find(const struct unc_reading *r, int64_t base, int64_t now,
			  struct uncore_missed_wrap *missed_wrap)
{
	double worst = 0;

	*missed_wrap = (struct uncore_missed_wrap){.event = 0};
	for (size_t i = 0; r && i < r->n_addends; i++) {
		const struct unc_counter *c = r->addends[i].counter;
		const bool jumped =
			atomic_load_explicit(&c->jumped_ns, memory_order_acquire) > base;
		const int64_t ns = unseen(c, base, now);
		const double part = (double)ns / (double)c->wrap_ns + (jumped ? 1 : 0);

		if (part <= worst)
			continue;
		worst = part;
		missed_wrap->event = r->users[r->addends[i].first_user];
		missed_wrap->jumped = jumped;
		missed_wrap->unseen_ms = (uint64_t)ns / 1000000;
		missed_wrap->wrap_ms = c->wrap_ns / 1000000;
	}
	return worst >= 1;
}
