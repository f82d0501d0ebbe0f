/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.c - uncore_set_check(): do the counters of a running set still belong to it?  The
 * controls and filters that a stop compares are read back while it counts.
 */
#include <errno.h>
#include <stdlib.h>

#include "backend/backend.h"

enum { RIGHT, WRONG, FAILED };

struct checked {
	struct unc_op op;
	atomic_int found; /* and reported */
};

/* Replaced, not changed: another thread may be reading it. */
struct unc_checks {
	struct unc_checks *retired;
	atomic_uint epoch;    /* the run it belongs to */
	atomic_bool reported; /* failure of a multiplexed set was reported */
	size_t n;
	struct checked at[];
};

void unc_checks_free(struct uncore_set *set)
{
	struct unc_checks *w = atomic_load(&set->checks);

	while (w) {
		struct unc_checks *next = w->retired;

		free(w);
		w = next;
	}
	atomic_store(&set->checks, NULL);
}

/* ---- invariants while counting; under lock ---- */

static bool equal(const struct unc_op *a, const struct unc_op *b)
{
	return unc_same_register(a, b) && a->width == b->width && a->value == b->value &&
	       a->mask == b->mask;
}

static bool same(const struct unc_checks *w, const struct unc_ops *ops)
{
	if (!w || w->n != ops->n)
		return false;
	for (size_t i = 0; i < ops->n; i++)
		if (!equal(&w->at[i].op, &ops->op[i]))
			return false;
	return true;
}

static struct unc_checks *new_checks(const struct unc_ops *ops)
{
	struct unc_checks *w = calloc(1, sizeof(*w) + ops->n * sizeof(w->at[0]));

	if (!w)
		return NULL;
	w->n = ops->n;
	for (size_t i = 0; i < w->n; i++)
		w->at[i].op = ops->op[i];
	return w;
}

static struct unc_checks *renew(struct uncore_set *set, const struct unc_ops *ops)
{
	struct unc_checks *old = atomic_load(&set->checks);
	struct unc_checks *w = same(old, ops) ? old : new_checks(ops);

	if (!w)
		return NULL;
	if (w != old)
		w->retired = old;
	for (size_t i = 0; i < w->n; i++)
		atomic_store(&w->at[i].found, RIGHT);
	atomic_store(&w->reported, false);
	atomic_store(&w->epoch, atomic_load(&set->epoch));
	atomic_store(&set->checks, w);
	return w;
}

/* Windows compare their registers themselves. */
static struct unc_checks *make(struct uncore_set *set)
{
	const struct unc_claims claims = unc_claims_of(set->run);
	struct unc_ops ops = {.n = 0};
	struct unc_checks *w = NULL;

	if (!set->list->mux)
		unc_program_look(&ops, &claims);
	if (!ops.failed)
		w = renew(set, &ops);
	unc_ops_free(&ops);
	return w;
}

/* ---- comparison ---- */

/* A difference that was not reported yet; signal-safe. */
static int look(struct uncore *u, struct checked *one)
{
	uint64_t value = 0;
	const int error = unc_read_register(u->hw, &one->op, &value);
	const int found = error ? FAILED : (value ^ one->op.value) & one->op.mask ? WRONG : RIGHT;

	if (atomic_exchange(&one->found, found) == found || found == RIGHT)
		return 0;
	unc_err_late(&u->err, &one->op, error, value);
	return found == WRONG ? UNCORE_ESTOLEN : UNCORE_EIO;
}

static int look_at_all(struct uncore *u, struct unc_checks *w)
{
	int result = 0;

	for (size_t i = 0; i < w->n; i++) {
		const int r = look(u, &w->at[i]);

		result = result < 0 ? result : r;
	}
	return result;
}

static bool is_for(const struct unc_checks *w, unsigned epoch)
{
	return w && atomic_load(&w->epoch) == epoch;
}

/*
 * Under lock: the checks of this run.  NULL: it has been stopped meanwhile, or *code is an
 * error.
 */
static struct unc_checks *checks_of(struct uncore_set *set, unsigned epoch, int *code)
{
	struct unc_checks *w = atomic_load(&set->checks);

	if (atomic_load(&set->epoch) != epoch)
		return NULL;
	if (!is_for(w, epoch))
		w = make(set);
	if (!w)
		*code = unc_fail(&set->u->err, UNCORE_ENOMEM,
				 "out of memory while inspecting an event set");
	return w;
}

/* Takes the lock only once per run. */
int unc_check_registers(struct uncore_set *set, unsigned epoch)
{
	struct unc_checks *w = atomic_load(&set->checks);
	sigset_t before;
	int r = 0;

	if (!is_for(w, epoch)) {
		unc_lock(set->u, &before);
		w = checks_of(set, epoch, &r);
		unc_unlock(set->u, &before);
	}
	return w ? look_at_all(set->u, w) : r;
}

/* The failure found by windows, once per run. */
int unc_check_windows(struct uncore_set *set, unsigned epoch)
{
	const struct unc_mux *mux = set->list->mux;
	struct unc_checks *w;
	sigset_t before;
	int r = 0;

	unc_lock(set->u, &before);
	w = checks_of(set, epoch, &r);
	if (w && mux->failure && !atomic_exchange(&w->reported, true))
		r = unc_fail(&set->u->err, mux->failure, "%s", mux->why);
	unc_unlock(set->u, &before);
	return r;
}
