/*
 * watch.c - has somebody else frozen what a set counts in?
 *
 * Not all bits of these controls read back, and the manuals do not agree on which do.  What
 * was once seen to show what was written is relied on, and nothing else.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "session/core.h"

void unc_watch_free(struct uncore_set *set)
{
	unc_ops_free(&set->watch.ops);
	free(set->watch.of);
	free(set->watch.results);
	set->watch.of = NULL;
	set->watch.results = NULL;
}

/* ---- what to watch ---- */

static bool in_package(const struct uncore *u, const struct uncore_set *set, unsigned package)
{
	for (size_t i = 0; i < set->n_holds; i++)
		if (unc_freezes(&u->machine.boxes[set->holds[i].box], package))
			return true;
	return false;
}

/* All that the set holds in the box of hold *i, its own or shared with others. */
static unsigned watch_box(struct uncore *u, struct uncore_set *set, size_t *i)
{
	static const struct unc_use nothing;
	struct unc_use own;
	const unsigned box = unc_holds_of_box(set, i, &own);
	const struct unc_job job = {&u->machine, &u->machine.boxes[box], &nothing, &nothing, own.at,
				    own.n};

	unc_program_watch(&set->watch.ops, &job);
	return unc_site_of_box(u, box);
}

/* Operations from `begin` on are those of u->sites[of]. */
static void note(struct uncore *u, struct unc_watch *w, size_t begin, unsigned of)
{
	for (size_t k = begin; !w->ops.failed && k < w->ops.n; k++)
		w->of[k] = of;
	u->sites[of].taken = false;
}

int unc_watch_make(struct uncore *u, struct uncore_set *set)
{
	const struct unc_machine *m = &u->machine;
	const size_t most = set->n_holds + m->n_globals + m->n_packages;
	struct unc_watch *w = &set->watch;

	unc_watch_free(set);
	w->of = calloc(most, sizeof(*w->of));
	w->results = calloc(most, sizeof(*w->results));
	if (!w->of || !w->results)
		return UNCORE_ENOMEM;
	for (unsigned p = 0; p < m->n_packages; p++) {
		const size_t begin = w->ops.n;

		if (in_package(u, set, p))
			unc_program_global_watch(&w->ops, m, p);
		note(u, w, begin, unc_site_of_package(u, p));
	}
	for (size_t i = 0; i < set->n_holds;) {
		const size_t begin = w->ops.n;
		const unsigned of = watch_box(u, set, &i);

		note(u, w, begin, of);
	}
	return w->ops.failed ? UNCORE_ENOMEM : 0;
}

/* ---- what can be relied on ---- */

/* A device that is gone answers all ones; that is told by its counters. */
static bool is_dead(const struct uncore_op *op, uint64_t value)
{
	return !unc_is_msr(op) && value == UINT64_MAX >> (64 - op->width);
}

static void read_all(struct uncore *u, const struct unc_watch *w)
{
	for (size_t i = 0; i < w->ops.n;)
		i += unc_run_some(u->hw, w->ops.op + i, w->ops.n - i, w->results + i);
}

/* Bits that are as they were written, now or in a second look. */
static uint64_t showing(struct uncore *u, const struct uncore_op *op, struct unc_result seen)
{
	const uint64_t missing = seen.error < 0 ? op->mask : (seen.value ^ op->value) & op->mask;
	uint64_t value;

	if (!missing)
		return op->mask;
	if (unc_run_op(u->hw, op, &value) < 0)
		return op->mask & ~missing;
	return op->mask & ~(missing & (value ^ op->value));
}

static bool all_known(const struct uncore *u, const struct unc_watch *w)
{
	for (size_t i = 0; i < w->ops.n; i++)
		if (w->ops.op[i].mask & ~u->sites[w->of[i]].shows)
			return false;
	return true;
}

/* Once known, this costs no access.  A package may have several registers, all alike. */
void unc_watch_learn(struct uncore *u, const struct uncore_set *set)
{
	const struct unc_watch *w = &set->watch;

	if (all_known(u, w))
		return;
	read_all(u, w);
	for (size_t i = 0; i < w->ops.n;) {
		const unsigned of = w->of[i];
		uint64_t shows = UINT64_MAX;

		for (; i < w->ops.n && w->of[i] == of; i++)
			shows &= showing(u, &w->ops.op[i], w->results[i]);
		u->sites[of].shows |= shows;
	}
}

/* ---- looking ---- */

static int tell(struct uncore *u, unsigned of, const struct uncore_op *op, uint64_t bits,
		uint64_t value)
{
	const struct unc_box *b = of < u->machine.n_boxes ? &u->machine.boxes[of] : NULL;
	char name[UNC_DIE_NAME];

	u->sites[of].taken = true;
	if (!b)
		return unc_fail(&u->err, UNCORE_ESTOLEN,
				"%s, register %#" PRIx64 " held %#" PRIx64 " instead of %#" PRIx64
				" under mask %#" PRIx64
				" just before the stop: another tool has frozen all boxes of the "
				"package, the counts are void",
				unc_die_name(name, &u->machine, op->package), op->address,
				value & bits, op->value & bits, bits);
	return unc_fail(&u->err, UNCORE_ESTOLEN,
			"%s%s%u of package %u: box control %#" PRIx64 " held %#" PRIx64
			" instead of %#" PRIx64 " under mask %#" PRIx64
			" just before the stop: another tool has frozen or changed the box, its "
			"counts are void",
			b->type->name, unc_gap(b->type), b->number, b->socket, op->address,
			value & bits, op->value & bits, bits);
}

/* It differed, or could not be read.  perf freezes for moments, so it is looked at again. */
static int judge(struct uncore *u, struct uncore_set *set, size_t i)
{
	const struct uncore_op *op = &set->watch.ops.op[i];
	const unsigned of = set->watch.of[i];
	uint64_t value = 0, bits;
	const int error = unc_try(u, op, &value);

	if (error < 0)
		return unc_op_failed(u->hw, op, error, &u->err);
	bits = is_dead(op, value) ? 0 : (value ^ op->value) & op->mask & u->sites[of].shows;
	if (!bits || unc_until_stopped(u, set, op->package))
		return 0;
	return tell(u, of, op, bits, value);
}

int unc_watch_look(struct uncore *u, struct uncore_set *set)
{
	const struct unc_watch *w = &set->watch;
	int result = 0;

	for (size_t i = 0; i < w->ops.n; i++)
		u->sites[w->of[i]].taken = false;
	read_all(u, w);
	for (size_t i = 0; i < w->ops.n; i++) {
		const struct unc_result *seen = &w->results[i];
		const struct uncore_op *op = &w->ops.op[i];
		const uint64_t shows = op->mask & u->sites[w->of[i]].shows;
		int r = 0;

		if (seen->error < 0 || (seen->value ^ op->value) & shows)
			r = judge(u, set, i);
		result = result < 0 ? result : r;
	}
	return result;
}
