/*
 * save.c - before the first write: what the registers of a set held, and that nobody
 * else counts there.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "session/claim.h"

static int busy(struct uncore *u, const struct unc_box *b, unsigned counter, uint64_t value)
{
	const bool fixed = counter == b->type->n_counters;

	return unc_fail(&u->err, UNCORE_EBUSY,
			"%s%s%u of package %u: %s %u is enabled by somebody else (control %#" PRIx64
			"); stop perf, PCM or LIKWID, or set UNCORE_FORCE=1 to take it over",
			b->type->name, unc_gap(b->type), b->number, b->socket,
			fixed ? "fixed counter" : "counter", fixed ? 0 : counter, value);
}

static int busy_cpu(struct uncore *u, const struct unc_box *b, unsigned counter,
		    const struct uncore_op *op, uint64_t value)
{
	const unsigned own = b->type->arch->n_counters;

	return unc_fail(&u->err, UNCORE_EBUSY,
			"CPU %u: %s counter %u is in use by the kernel or by another program "
			"(MSR %#" PRIx64 " holds %#" PRIx64 "); stop perf, PCM or LIKWID, switch "
			"the NMI watchdog off (sysctl kernel.nmi_watchdog=0), or set "
			"UNCORE_FORCE=1 to take it over",
			b->index, counter < own ? "programmable" : "fixed",
			counter < own ? counter : counter - own, op->address, value);
}

/* UNCORE_EBUSY if the value is that of a control of the box that somebody uses. */
static int check_free(struct uncore *u, const struct unc_box *b, const struct uncore_op *op,
		      uint64_t value)
{
	const int counter = unc_counter_of_control(b, op);

	if (counter < 0 || !(value & unc_busy_bits(&u->machine, b->type, (unsigned)counter)))
		return 0;
	return busy(u, b, (unsigned)counter, value);
}

/* Counters of CPUs are shared in more ways than a box is; arch.c knows them. */
static int check(struct uncore *u, const struct unc_step *s, const struct uncore_op *op,
		 uint64_t value)
{
	const struct unc_box *b = s->job.box, *other = unc_other_unit(b);
	const int counter = b->type->arch ? unc_arch_busy(&s->job, op, value) : -1;
	int r;

	if (b->type->arch)
		return counter < 0 ? 0 : busy_cpu(u, b, (unsigned)counter, op, value);
	r = check_free(u, b, op, value);
	return r < 0 || other == b ? r : check_free(u, other, op, value);
}

/* Neither read nor checked again: what is saved as a whole has been ours since. */
static void drop_known(struct uncore *u, unsigned site, struct unc_ops *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct unc_entry *known = unc_ledger_find(&u->ledger, site, &list->op[i]);

		if (!known || known->op.mask)
			list->op[n++] = list->op[i];
	}
	list->n = n;
}

/* All boxes are read before any is judged, so that msr-safe can read them at once. */
struct survey {
	struct unc_ops ops;
	size_t *ends; /* by step: where its part of the list ends */
	uint64_t *values;
};

static void survey_free(struct survey *y)
{
	unc_ops_free(&y->ops);
	free(y->ends);
	free(y->values);
}

static bool survey_plan(struct uncore *u, const struct uncore_set *set, struct survey *y)
{
	struct unc_step s;
	size_t k = 0;

	y->ends = calloc(set->n_holds + 1, sizeof(*y->ends));
	for (size_t i = 0; y->ends && unc_next_step(u, set, &i, &s);) {
		struct unc_ops part = {.n = 0};

		unc_program_save(&part, &s.job);
		drop_known(u, unc_site_of_box(u, s.box), &part);
		for (size_t n = 0; n < part.n; n++)
			unc_ops_push(&y->ops, part.op[n]);
		y->ops.failed |= part.failed;
		unc_ops_free(&part);
		y->ends[k++] = y->ops.n;
	}
	y->values = calloc(y->ops.n + 1, sizeof(*y->values));
	return y->ends && y->values && !y->ops.failed;
}

/* What the registers of one box held: its part of the list. */
static int save_box(struct uncore *u, const struct unc_step *s, const struct survey *y,
		    size_t begin, size_t end)
{
	int r = 0;

	for (size_t i = begin; r == 0 && !u->force && i < end; i++)
		r = check(u, s, &y->ops.op[i], y->values[i]);
	for (size_t i = begin; r == 0 && i < end; i++)
		if (!y->ops.op[i].mask || y->ops.op[i].saved)
			unc_ledger_add(&u->ledger, unc_site_of_box(u, s->box), &y->ops.op[i],
				       y->values[i]);
	return r;
}

static int save_boxes(struct uncore *u, const struct uncore_set *set)
{
	struct survey y = {.ends = NULL};
	struct unc_step s;
	size_t done, k = 0;
	int r;

	if (survey_plan(u, set, &y) && unc_ledger_reserve(&u->ledger, y.ops.n))
		r = unc_pending_refuse(u, y.ops.op, y.ops.n);
	else
		r = unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for saved registers");
	if (r == 0)
		r = unc_run_list(u->hw, y.ops.op, y.ops.n, y.values, &done, &u->err);
	for (size_t i = 0; r == 0 && unc_next_step(u, set, &i, &s); k++)
		r = save_box(u, &s, &y, k ? y.ends[k - 1] : 0, y.ends[k]);
	survey_free(&y);
	return r;
}

int unc_save_packages(struct uncore *u, struct unc_ops *list)
{
	uint64_t *values = calloc(list->n + 1, sizeof(*values));
	size_t done;
	int r;

	if (!values || list->failed || !unc_ledger_reserve(&u->ledger, list->n))
		r = unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for saved registers");
	else
		r = unc_run_list(u->hw, list->op, list->n, values, &done, &u->err);
	for (size_t i = 0; r == 0 && i < list->n; i++)
		unc_ledger_add(&u->ledger, unc_site_of_package(u, list->op[i].package),
			       &list->op[i], values[i]);
	free(values);
	unc_ops_free(list);
	return r;
}

/*
 * Nothing was written yet: registers of boxes that stay unused are forgotten, unless
 * the set that was there before has left something in them.
 */
static void forget(struct uncore *u, const struct uncore_set *set)
{
	for (size_t k = 0; k < set->n_holds && !set->owner; k++)
		if (u->uses[set->holds[k].box].n + u->uses[set->holds[k].box].beside == 0)
			unc_ledger_forget(&u->ledger, unc_site_of_box(u, set->holds[k].box));
	for (unsigned p = 0; p < u->machine.n_packages; p++)
		if (unc_begins_package(u, set, p))
			unc_ledger_forget(&u->ledger, unc_site_of_package(u, p));
}

int unc_save(struct uncore *u, const struct uncore_set *set)
{
	struct unc_ops packages = {.n = 0};
	int r;

	for (unsigned p = 0; p < u->machine.n_packages; p++)
		if (unc_begins_package(u, set, p))
			unc_program_global_save(&packages, &u->machine, p);
	r = unc_save_packages(u, &packages);
	if (r == 0)
		r = save_boxes(u, set);
	if (r < 0)
		forget(u, set);
	return r;
}
