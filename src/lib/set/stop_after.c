/* SPDX-License-Identifier: BSD-3-Clause */
/* stop_after.c - public functions of sets that stop after n occurrences of an event. */
#include "claim/stop_after.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/sized.h"
#include "set/set.h"

/* ---- validation ---- */

static void forget(struct unc_run *run)
{
	free(run->stop_after);
	run->stop_after = NULL;
}

static int fill_one(struct unc_samples *samples, const struct unc_counted *t,
		    const struct uncore_stop_after *one, struct unc_err *err)
{
	if (one->event >= t->n_values)
		return unc_fail(err, UNCORE_EINVAL,
				"invalid stop condition: no event number %u, the set has %zu "
				"events",
				one->event, t->n_values);
	if (t->values[one->event].formula)
		return unc_fail(err, UNCORE_EINVAL,
				"invalid stop condition: %s is computed from several events; use "
				"one of them",
				unc_metric_of(t->values[one->event].formula->recipe)->name);
	samples->at[samples->n++] =
		(struct unc_sample){.event = t->values[one->event].first, .n = one->count};
	return 0;
}

int unc_stop_after_fill(struct unc_samples *samples, const struct unc_counted *t,
			const struct uncore_stop_after *list, size_t n, struct unc_err *err)
{
	struct uncore_stop_after one;
	int r = 0;

	if (n > UNC_SAMPLES)
		return unc_fail(err, UNCORE_EINVAL, "too many stop conditions: the maximum is %d",
				UNC_SAMPLES);
	for (size_t i = 0; r == 0 && i < n; i++) {
		r = unc_take_element(err, &one, list, i, UNC_SIZED(uncore_stop_after));
		if (r == 0)
			r = fill_one(samples, t, &one, err);
	}
	return r;
}

static int set_stop_after(struct uncore *u, struct uncore_set *set,
			  const struct uncore_stop_after *list, size_t n, uint64_t cores)
{
	struct unc_run *run = set->run;
	int r;

	if (unc_is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE,
				"cannot change the stop condition of a running event set: stop it "
				"first");
	if (set->list->mux)
		return unc_fail(&u->err, UNCORE_ECOMBO,
				"a stop condition is not supported for a multiplexed event set: "
				"count fewer events");
	forget(run);
	run->layout_idle = false; /* without the marks of the previous one */
	if (n == 0)
		return 0;
	run->stop_after = calloc(1, sizeof(*run->stop_after));
	if (!run->stop_after)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for an event set");
	run->stop_after->samples.cores = cores;
	r = unc_stop_after_fill(&run->stop_after->samples, &set->list->counted, list, n, &u->err);
	if (r == 0)
		r = unc_mark_samples(set);
	if (r < 0)
		forget(run);
	return r;
}

int uncore_set_stop_after(struct uncore_set *set, const struct uncore_stop_after *list, size_t n,
			  uint64_t cores)
{
	struct uncore *u = set->u;
	sigset_t before;
	int r = unc_refuse_child(u);

	if (r < 0)
		return r;
	unc_lock(u, &before);
	r = set_stop_after(u, set, list, n, cores);
	unc_unlock(u, &before);
	return r;
}

int uncore_set_stop_after_info(struct uncore_set *set, unsigned i,
			       struct uncore_stop_after_info *info)
{
	const struct unc_stop_after *stop_after = set->run->stop_after;
	const struct unc_sample *s =
		stop_after && i < stop_after->samples.n ? &stop_after->samples.at[i] : NULL;
	const struct unc_box *b = s ? &set->u->machine.boxes[s->box] : NULL;

	struct uncore_stop_after_info is;

	if (!s)
		return 0;
	is = (struct uncore_stop_after_info){
		.event = unc_owner(&set->list->counted, s->event),
		.count = s->n,
		.kind = b->type->name,
		.box = b->number,
		.package = b->socket,
		.counter = s->counter,
		.width = unc_counter_width(b->type, s->counter),
		.preload = unc_sample_preload(s, &set->u->machine),
		.polled = s->polled ? s->polled : stop_after->not_stopped[i],
	};
	return unc_give(&set->u->err, info, &is, UNC_SIZED(uncore_stop_after_info), 1);
}

/* ---- wait ---- */

static int look(struct uncore *u, struct uncore_set *set)
{
	const struct unc_stop_after *stop_after = set->run->stop_after;

	if (!stop_after)
		return unc_fail(&u->err, UNCORE_ESTATE, "the event set has no stop condition");
	if (stop_after->stopped)
		return 1;
	if (!unc_is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE, "the event set is not running");
	return set->backend->look(set);
}

static void sleep_ns(int64_t ns)
{
	const struct timespec t = {ns / 1000000000, (long)(ns % 1000000000)};

	nanosleep(&t, NULL);
}

#define FIRST_SLEEP_NS 20000
#define LAST_SLEEP_NS  1000000

int uncore_set_wait(struct uncore_set *set, int timeout_ms)
{
	struct uncore *u = set->u;
	const int64_t end =
		timeout_ms < 0 ? INT64_MAX : unc_monotonic() + (int64_t)timeout_ms * 1000000;
	int64_t step = FIRST_SLEEP_NS, left;
	int r = unc_refuse_child(u);

	while (r == 0) {
		sigset_t before;

		unc_lock(u, &before);
		r = look(u, set);
		unc_unlock(u, &before);
		left = end - unc_monotonic();
		if (r != 0 || left <= 0)
			break;
		sleep_ns(left < step ? left : step);
		step = 2 * step < LAST_SLEEP_NS ? 2 * step : LAST_SLEEP_NS;
	}
	return r;
}

int uncore_set_overflow_source(struct uncore_set *set, unsigned i,
			       struct uncore_overflow_source *source)
{
	const struct unc_stop_after *stop_after;
	struct uncore_overflow_source is;
	struct uncore *u = set->u;
	bool found;
	sigset_t before;

	unc_lock(u, &before);
	stop_after = set->run->stop_after;
	found = stop_after && i < stop_after->n_sources;
	if (found)
		is = stop_after->source[i];
	unc_unlock(u, &before);
	if (!found)
		return 0;
	if (is.event >= 0)
		is.event = (int)unc_owner(&set->list->counted, (unsigned)is.event);
	return unc_give(&u->err, source, &is, UNC_SIZED(uncore_overflow_source), 1);
}

/* ---- again ---- */

static int rearm(struct uncore *u, struct uncore_set *set)
{
	if (!set->run->stop_after || !unc_is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE,
				"the event set is not running or has no stop condition");
	return set->backend->rearm(set);
}

int uncore_set_rearm(struct uncore_set *set)
{
	struct uncore *u = set->u;
	sigset_t before;
	int r = unc_refuse_child(u);

	if (r < 0)
		return r;
	unc_lock(u, &before);
	r = rearm(u, set);
	unc_unlock(u, &before);
	return r;
}
