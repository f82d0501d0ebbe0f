/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel.c - the backend of sets that the kernel driver counts.  The layout says what is
 * counted in which box; each box gets a pinned group, to which the kernel assigns counters of
 * its choice, or none.
 *
 * Groups stay open until the set gets other events: a reader in another thread may be using a
 * group that is stopped, and its descriptor must not become that of another file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/kernel/perf.h"
#include "base/documents.h"

/* A counter of a box, shared by equal events of the set. */
struct counter {
	int fd;                /* -1: not open */
	_Atomic uint64_t base; /* count at the start of the run */
};

struct tap {
	unsigned event, counter; /* indices into the list of events, and of counters */
};

/* The counters of one box; the first one is the group leader. */
struct group {
	unsigned box, first, n;
	bool heard;                        /* the driver counts something in this box; under lock */
	_Atomic uint64_t enabled, running; /* at the start of the run */
};

struct unc_kernel {
	struct unc_kernel *retired; /* readers may still be using it */
	bool failed;                /* the kernel refuses to let it count again; under lock */
	size_t n_taps, n_counters, n_groups;
	struct tap *taps; /* by counter */
	struct counter *counters;
	struct group *groups;
};

/* ---- sentences; under lock ---- */

static int fail(struct uncore *u, const struct group *g, int code, const char *why)
{
	const struct unc_box *b = &u->machine.boxes[g->box];
	char name[UNC_DIE_NAME];

	return unc_fail(&u->err, code, "%s%s%u of %s: %s", b->type->name, unc_gap(b->type),
			b->number, unc_die_name(name, &u->machine, b->package), why);
}

static int cannot(struct uncore *u, const char *what)
{
	return unc_fail(&u->err, UNCORE_ENOSUPP,
			"the kernel's driver does not support this: %s; use UNCORE_ACCESS=direct "
			"or uncored",
			what);
}

/* An error of perf_event_open(). */
static int not_opened(struct uncore *u, const struct group *g, int error)
{
	switch (-error) {
	case EACCES:
	case EPERM:
		return unc_perf_no_rights(u->root, error, &u->err);
	case EINVAL:
		return fail(u, g, UNCORE_ECONFLICT,
			    "the kernel's driver cannot count these events together, or does not "
			    "support one of them");
	case EMFILE:
	case ENFILE:
		return fail(u, g, UNCORE_ENOMEM,
			    "too many open files: the kernel's driver needs one per event and box; "
			    "raise the limit (ulimit -n)");
	case ENODEV:
	case ENOENT:
	case ENXIO:
		return fail(u, g, UNCORE_ENODEV,
			    "the kernel no longer provides this PMU: was intel_uncore unloaded?");
	case ENOMEM:
		return fail(u, g, UNCORE_ENOMEM, "the kernel ran out of memory for a counter");
	default:
		return fail(u, g, UNCORE_EIO, strerror(-error));
	}
}

/* An error of a group that was to run. */
static int not_counted(struct uncore *u, const struct group *g, int error)
{
	if (error == -EBUSY || error == -ESTALE)
		return fail(u, g, UNCORE_ESTOLEN,
			    "the kernel's driver did not count for the whole run (another perf "
			    "session, or a CPU went offline): the counts of this run are invalid");
	return fail(u, g, UNCORE_EIO,
		    error == -EBADF ? "its perf_event_open() descriptor was closed"
				    : strerror(-error));
}

/* ---- groups ---- */

static void free_one(struct unc_kernel *k)
{
	for (size_t i = 0; i < k->n_counters; i++)
		if (k->counters[i].fd >= 0)
			unc_perf_close(k->counters[i].fd);
	free(k->taps);
	free(k->counters);
	free(k->groups);
	free(k);
}

static void kernel_free(void *state)
{
	struct unc_kernel *k = state;

	while (k) {
		struct unc_kernel *next = k->retired;

		free_one(k);
		k = next;
	}
}

static bool same_counter(const struct unc_box_event *a, const struct unc_box_event *b)
{
	return a->box == b->box && a->assignment.counter == b->assignment.counter;
}

/* The layout is sorted by box, then counter. */
static void fill(struct unc_kernel *k, const struct unc_layout *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct unc_box_event *p = &l->at[i];

		if (i == 0 || p->box != p[-1].box)
			k->groups[k->n_groups++] =
				(struct group){.box = p->box, .first = (unsigned)k->n_counters};
		if (i == 0 || !same_counter(p, p - 1)) {
			k->groups[k->n_groups - 1].n++;
			k->counters[k->n_counters++].fd = -1;
		}
		k->taps[k->n_taps++] = (struct tap){p->event, (unsigned)k->n_counters - 1};
	}
}

static struct unc_kernel *new_kernel(const struct unc_layout *l)
{
	struct unc_kernel *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->taps = calloc(l->n, sizeof(*k->taps));
	k->counters = calloc(l->n, sizeof(*k->counters));
	k->groups = calloc(l->n, sizeof(*k->groups));
	if (k->taps && k->counters && k->groups) {
		fill(k, l);
		return k;
	}
	free_one(k);
	return NULL;
}

static const struct unc_event *event_of(const struct uncore_set *set, const struct unc_kernel *k,
					unsigned counter)
{
	size_t i = 0;

	while (k->taps[i].counter != counter)
		i++;
	return set->list->counted.events[k->taps[i].event];
}

static int open_group(struct uncore *u, const struct uncore_set *set, struct unc_kernel *k,
		      const struct group *g)
{
	struct counter *c = &k->counters[g->first];
	struct unc_perf_event e;

	for (unsigned i = 0; i < g->n; i++) {
		const struct unc_event *event = event_of(set, k, g->first + i);
		int r = unc_perf_event(&u->machine, u->root, event, &u->machine.boxes[g->box], &e,
				       &u->err);

		if (r == 0 && unc_perf_misplaced(&u->machine, event->type, event->control))
			r = fail(u, g, UNCORE_ENOSUPP,
				 "the kernel's driver may put this event on a counter that does "
				 "not support it (" UNC_DOC_DIFFERENCES ")");
		if (r < 0)
			return r;
		c[i].fd = unc_perf_group_add(i ? c->fd : -1, &e);
		if (c[i].fd < 0)
			return not_opened(u, g, c[i].fd);
	}
	return 0;
}

/* Open, not counting yet. */
static int make(struct uncore *u, const struct uncore_set *set, struct unc_kernel **out)
{
	struct unc_kernel *k = new_kernel(&set->run->layout);
	int r = 0;

	*out = k;
	if (!k)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for %zu events",
				set->list->counted.n);
	for (size_t i = 0; r == 0 && i < k->n_groups; i++)
		r = open_group(u, set, k, &k->groups[i]);
	return r;
}

/* ---- reading; signal-safe ---- */

/* The count of the group in this run: 0, or -errno, -ESTALE if it did not count all the time. */
static int read_group(const struct unc_kernel *k, const struct group *g, struct unc_perf_group *is)
{
	const struct counter *c = &k->counters[g->first];
	int r = unc_perf_group_read(c->fd, g->n, is);

	if (r < 0)
		return r;
	is->enabled -= atomic_load_explicit(&g->enabled, memory_order_relaxed);
	is->running -= atomic_load_explicit(&g->running, memory_order_relaxed);
	for (unsigned i = 0; i < g->n; i++)
		is->counts[i] -= atomic_load_explicit(&c[i].base, memory_order_relaxed);
	return is->enabled == is->running ? 0 : -ESTALE;
}

/* Add the counts of all groups; *failed: the first one that failed. */
static int add_up(const struct unc_kernel *k, uint64_t *counts, int64_t *enabled,
		  const struct group **failed)
{
	struct unc_perf_group is;
	size_t t = 0;

	for (const struct group *g = k->groups; g < k->groups + k->n_groups; g++) {
		const int r = read_group(k, g, &is);

		if (r < 0) {
			*failed = g;
			return r;
		}
		if (g == k->groups)
			*enabled = (int64_t)is.enabled;
		for (; t < k->n_taps && k->taps[t].counter < g->first + g->n; t++)
			counts[k->taps[t].event] += is.counts[k->taps[t].counter - g->first];
	}
	return 0;
}

static int kernel_sum(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when)
{
	const struct unc_kernel *k = atomic_load_explicit(&set->state, memory_order_acquire);
	const struct group *failed = NULL;
	struct unc_op op = {.kind = UNCORE_READ};
	int64_t enabled = 0;
	int r;

	(void)now;
	for (size_t e = 0; e < set->list->counted.n; e++)
		sums[e] = 0;
	r = add_up(k, sums, &enabled, &failed);
	if (r < 0) {
		op.unit = (uint16_t)failed->box;
		unc_err_late(&set->u->err, &op, r, 0);
		return r;
	}
	*when = (struct unc_when){.at = unc_external_time(set, enabled)};
	unc_external_add_zero(set, sums);
	return 0;
}

/* ---- start, stop, check; under lock ---- */

static int enable(const struct unc_kernel *k, bool on, const struct group **failed)
{
	int result = 0;

	for (const struct group *g = k->groups; g < k->groups + k->n_groups; g++) {
		const int r = unc_perf_group_enable(k->counters[g->first].fd, on);

		if (r == 0 || result < 0)
			continue;
		result = r;
		*failed = g;
	}
	return result;
}

/* Kernel counts are never reset, so the counts of this run start at their current values. */
static int take_bases(struct uncore *u, struct unc_kernel *k)
{
	struct unc_perf_group is;

	for (struct group *g = k->groups; g < k->groups + k->n_groups; g++) {
		struct counter *c = &k->counters[g->first];
		const int r = unc_perf_group_read(c->fd, g->n, &is);

		if (r < 0)
			return not_counted(u, g, r);
		atomic_store(&g->enabled, is.enabled);
		atomic_store(&g->running, is.running);
		for (unsigned i = 0; i < g->n; i++)
			atomic_store(&c[i].base, is.counts[i]);
	}
	return 0;
}

/* Whether a group has counters is only known once it is enabled. */
static int not_scheduled(struct uncore *u, const struct group *g, int error)
{
	if (error != -EBUSY && error != -ESTALE)
		return not_counted(u, g, error);
	return fail(u, g, UNCORE_EBUSY,
		    "the kernel's driver has no free counter in this box: another perf session is "
		    "using it");
}

static int go(struct uncore *u, const struct unc_kernel *k)
{
	const struct group *failed = NULL;
	struct unc_perf_group is;
	int r = enable(k, true, &failed);

	if (r < 0)
		return not_counted(u, failed, r);
	for (const struct group *g = k->groups; r == 0 && g < k->groups + k->n_groups; g++) {
		r = read_group(k, g, &is);
		failed = g;
	}
	if (r == 0)
		return 0;
	r = not_scheduled(u, failed, r);
	enable(k, false, &failed);
	return r;
}

/* If a group has failed or lost its descriptor, all are opened again. */
static int start_groups(struct uncore *u, struct uncore_set *set)
{
	struct unc_kernel *old = atomic_load(&set->state), *fresh = NULL, *k = old;
	int r = 0;

	if (!old || old->failed) {
		r = make(u, set, &fresh);
		k = fresh;
	}
	if (r == 0)
		r = take_bases(u, k);
	if (r == 0)
		r = go(u, k);
	if (r < 0) {
		if (old)
			old->failed = true;
		kernel_free(fresh);
		return r;
	}
	if (fresh) {
		fresh->retired = old;
		atomic_store(&set->state, fresh);
	}
	return 0;
}

/* ---- boxes in which the driver counts nothing; under lock ---- */

#define LONG_ENOUGH 1000000 /* ns */

static bool has_counts(const struct group *g, const struct unc_perf_group *is)
{
	for (unsigned i = 0; i < g->n; i++)
		if (is->counts[i])
			return true;
	return false;
}

/* A box whose events have not occurred is asked for its clock, once. */
static int listen_to(struct uncore *u, struct group *g, const struct unc_perf_group *is)
{
	if (g->heard || is->enabled < LONG_ENOUGH)
		return 0;
	g->heard = has_counts(g, is) ||
		   !unc_perf_silent(&u->machine, u->root, &u->machine.boxes[g->box]);
	if (g->heard)
		return 0;
	return fail(
		u, g, UNCORE_EIO,
		"the kernel's driver counts nothing in this box, not even its clock, because "
		"its initialization failed (see dmesg): sums over these boxes would be too low");
}

static int listen_to_all(struct uncore *u, const struct unc_kernel *k)
{
	struct unc_perf_group is;

	for (size_t i = 0; i < k->n_groups; i++) {
		struct group *g = &k->groups[i];
		int r = read_group(k, g, &is);

		if (r < 0)
			return not_counted(u, g, r);
		r = listen_to(u, g, &is);
		if (r < 0)
			return r;
	}
	return 0;
}

static int kernel_start(struct uncore_set *set)
{
	struct uncore *u = set->u;
	int r;

	if (set->list->mux)
		return cannot(u, "the events of this set must be multiplexed");
	if (set->run->stop_after)
		return cannot(u, "this set has a stop condition");
	r = start_groups(u, set);
	if (r < 0)
		return r;
	unc_external_begin(set);
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

static int kernel_stop(struct uncore_set *set, bool anyway)
{
	const unsigned epoch = atomic_load(&set->epoch);
	struct unc_kernel *k = atomic_load(&set->state);
	struct unc_list *list = set->list;
	const struct group *failed = NULL;
	int64_t enabled = 0;
	int r = enable(k, false, &failed);

	(void)anyway; /* this backend does not wait */
	memset(list->scratch, 0, list->n_sums * sizeof(*list->scratch));
	if (r == 0)
		r = add_up(k, list->scratch, &enabled, &failed);
	if (r < 0)
		r = not_counted(set->u, failed, r);
	else
		r = listen_to_all(set->u, k);
	if (r == 0) {
		unc_external_end(set, enabled);
	} else {
		unc_external_lost(set);
		k->failed = true;
	}
	atomic_store(&set->epoch, epoch + 1);
	return r;
}

static int kernel_check(struct uncore_set *set, unsigned epoch)
{
	(void)epoch;
	return listen_to_all(set->u, atomic_load(&set->state));
}

const struct unc_backend unc_backend_kernel = {
	.multiplexed = &unc_backend_kernel, /* its start refuses events that do not fit */
	.start = kernel_start,
	.stop = kernel_stop,
	.sum = kernel_sum,
	.check = kernel_check,
	.times = unc_times_of_sums,
	.free = kernel_free,
};
