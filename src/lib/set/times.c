/* SPDX-License-Identifier: BSD-3-Clause */
/* times.c - how long the events of a set were counted, and in how many rounds; missed wraps. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backend/cost.h"
#include "backend/ranks.h"
#include "base/sized.h"
#include "set/inside.h"
#include "set/set.h"

/* As planned by the library, unless the backend knows better. */
static unsigned rounds_of(const struct uncore_set *set)
{
	struct unc_mux *mux = set->list->mux;
	const unsigned planned = mux ? atomic_load(&mux->split)->n : 1;
	const struct unc_backend *backend = unc_backend_of(set);
	const bool asks = backend->rounds && unc_is_running(set);
	const unsigned rounds = asks ? backend->rounds(set) : planned;

	return rounds ? rounds : 1;
}

int uncore_set_info(struct uncore_set *set, struct uncore_set_info *info)
{
	const struct uncore_set_info is = {
		.events = (unsigned)set->list->counted.n_values,
		.rounds = rounds_of(set),
		.running = unc_is_running(set),
		.elsewhere = set->n_by_others,
		.switched = (unsigned)unc_counters_of_window(set),
	};

	return unc_give(&set->u->err, info, &is, UNC_SIZED(uncore_set_info), 0);
}

bool unc_multiplex_next(struct uncore_set *set)
{
	struct unc_mux *r = set->list->mux;
	sigset_t before;

	if (!r || unc_is_child(set->u))
		return false;
	unc_lock(set->u, &before);
	if (r->running)
		unc_mux_next_window(r);
	unc_unlock(set->u, &before);
	return true;
}

int64_t unc_multiplex_due(struct uncore *u)
{
	sigset_t before;
	int64_t next;

	unc_lock(u, &before);
	next = unc_mux_due(u);
	unc_unlock(u, &before);
	return next;
}

/* ---- enabled and running time ---- */

static int times_of_counted(struct uncore_set *set, struct unc_times *times)
{
	unsigned epoch;
	int code;

	do { /* repeat if it was stopped meanwhile */
		epoch = atomic_load_explicit(&set->epoch, memory_order_acquire);
		code = unc_backend_of(set)->times(set, epoch, times);
	} while ((epoch & 1) && atomic_load(&set->epoch) != epoch);
	return code < 0 ? UNCORE_EIO : 0;
}

/* Extrapolate the count of these windows to the whole time. */
static int64_t estimate_of(const struct unc_times *t)
{
	return t->running_ns > 0
		       ? (int64_t)((double)t->count * (double)t->enabled_ns / (double)t->running_ns)
		       : 0;
}

static double value_of(const struct unc_formula *f, const int64_t *counts, int64_t ns)
{
	const int64_t value = unc_formula_value(f, counts, (double)ns * 1e-9);

	return unc_formula_is_real(f) ? uncore_real(value) : (double)value;
}

/* The change of the value per error of each count, assuming independent errors. */
static double error_of(const struct unc_formula *f, const struct unc_times *times)
{
	int64_t counts[UNC_MAX_READ];
	double value, squares = 0;

	for (size_t e = 0; e < f->n; e++) {
		if (times[e].error < 0)
			return times[e].error;
		counts[e] = estimate_of(&times[e]);
	}
	value = value_of(f, counts, times->enabled_ns);
	for (size_t e = 0; e < f->n; e++) {
		const int64_t count = counts[e];
		double change;

		counts[e] = count + (int64_t)times[e].error;
		change = value_of(f, counts, times->enabled_ns) - value;
		squares += change * change;
		counts[e] = count;
	}
	return isfinite(squares) ? unc_root(squares) : UNCORE_ERROR_UNKNOWN;
}

/* The events of a metric are counted together, so they have the same times. */
__attribute__((noinline)) static int times_of_values(struct uncore_set *set,
						     struct unc_times *times)
{
	struct unc_times counted[UNC_MAX_READ] = {0};
	int64_t counts[UNC_MAX_READ + 1];
	const struct unc_counted *t = &set->list->counted;
	int code;

	memset(counted, 0, t->n * sizeof(*counted));
	code = times_of_counted(set, counted);
	for (size_t e = 0; e < t->n; e++)
		counts[e] = counted[e].count;
	for (size_t i = 0; i < t->n_values; i++) {
		const struct unc_value *v = &t->values[i];

		times[i] = counted[v->first];
		if (!v->formula)
			continue;
		times[i].error = (float)error_of(v->formula, &counted[v->first]);
		times[i].count = unc_formula_is_real(v->formula)
					 ? 0
					 : unc_formula_value(v->formula, counts + v->first, 0);
	}
	return code;
}

/* From the start of the caller's memory to its elements, which are larger. */
static void spread(struct uncore_times *times, size_t n, size_t size)
{
	const struct unc_times *packed = (const struct unc_times *)times;
	char *const elements = (char *)times;

	for (size_t i = n; i-- > 0;) {
		const struct unc_times from = packed[i];
		const struct uncore_times to = {
			.enabled_ns = from.enabled_ns,
			.running_ns = from.running_ns,
			.count = from.count,
			.error = from.error,
			.shift_ns = from.shift_ns,
		};

		memcpy(elements + i * size, &size, sizeof(size));
		unc_give(NULL, elements + i * size, &to, UNC_SIZED(uncore_times), 0);
	}
}

int uncore_set_times(struct uncore_set *set, struct uncore_times *times)
{
	const size_t n = set->list->counted.n_values;
	struct unc_times *packed = (struct unc_times *)times;
	size_t size;
	int r;

	if (n == 0)
		return 0;
	r = unc_size_check(&set->u->err, times, UNC_SIZED(uncore_times));
	if (r < 0)
		return r;
	memcpy(&size, times, sizeof(size)); /* before anything is written to it */
	r = set->list->counted.derived ? times_of_values(set, packed)
				       : times_of_counted(set, packed);
	spread(times, n, size);
	return r;
}

/* ---- public functions about missed wraps; counter.c detects them ---- */

static int find(struct uncore_set *set, struct uncore_missed_wrap *worst)
{
	const struct unc_backend *backend = unc_backend_of(set);
	struct uncore *u = set->u;
	sigset_t before;
	int missed;

	if (unc_is_child(u)) {
		*worst = set->list->missed_wrap;
		return set->list->missed;
	}
	if (unc_is_running(set))
		return backend->missed_wrap ? backend->missed_wrap(set, worst) : 0;
	unc_lock(u, &before);
	*worst = set->list->missed_wrap;
	missed = set->list->missed;
	unc_unlock(u, &before);
	return missed;
}

int uncore_set_missed_wrap(struct uncore_set *set, struct uncore_missed_wrap *missed_wrap)
{
	struct uncore_missed_wrap worst = {.size = sizeof(worst)};
	const int missed = find(set, &worst);

	return unc_give(&set->u->err, missed_wrap, &worst, UNC_SIZED(uncore_missed_wrap), missed);
}

/* The message for a struct of invalid size. */
char *uncore_missed_wrap_text(struct uncore_set *set, const struct uncore_missed_wrap *missed_wrap,
			      char *buf, size_t len)
{
	struct uncore_missed_wrap is;
	const struct unc_counted *t = &set->list->counted;
	const char *name;

	if (unc_take(&set->u->err, &is, missed_wrap, UNC_SIZED(uncore_missed_wrap)) < 0)
		return uncore_errmsg(set->u, buf, len);
	name = is.event < t->n_values ? unc_names_name(set->u->names, t->list[is.event]) : "?";
	if (is.jumped)
		snprintf(buf, len,
			 "%s: a counter advanced further than it can count: another tool wrote to "
			 "it, or its register is broken",
			 name);
	else
		snprintf(buf, len,
			 "%s: a counter was not read for %" PRIu64 ".%01" PRIu64 " s and can "
			 "wrap within %" PRIu64 ".%01" PRIu64 " s: counts may be too low; "
			 "keep the wrap poller enabled or read more often",
			 name, is.unseen_ms / 1000, is.unseen_ms / 100 % 10, is.wrap_ms / 1000,
			 is.wrap_ms / 100 % 10);
	return buf;
}
