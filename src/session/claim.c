/*
 * claim.c - take the counters of a set: save, check that nobody else counts,
 * program, start.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "session/core.h"
#include "session/until.h"

/* ---- holds ---- */

/* Holds of a box stand together, and the one asked for is the last so far. */
static bool held(const struct uncore_set *set, unsigned box, unsigned counter)
{
	for (size_t i = set->n_holds; i-- > 0 && set->holds[i].box == box;)
		if (set->holds[i].setting.counter == counter)
			return true;
	return false;
}

static const struct unc_setting *queue_of(const struct uncore *u, const struct uncore_set *set,
					  unsigned box)
{
	const struct unc_use *use = &u->uses[box];

	for (unsigned i = 0; i < use->n; i++)
		if (use->at[i].counter == 0)
			return &use->at[i];
	for (size_t i = 0; i < set->layout.n; i++)
		if (set->layout.places[i].box == box && set->layout.places[i].setting.counter == 0)
			return &set->layout.places[i].setting;
	return NULL;
}

static void hold(struct uncore_set *set, unsigned box, const struct unc_setting *setting)
{
	if (!held(set, box, setting->counter))
		set->holds[set->n_holds++] = (struct unc_hold){box, *setting};
}

/* A companion is only as good as the queue on counter 0: it holds that, too. */
static int make_holds(struct uncore *u, struct uncore_set *set)
{
	const struct unc_layout *l = &set->layout;

	set->n_holds = 0;
	free(set->holds);
	set->holds = calloc(2 * l->n, sizeof(*set->holds));
	if (!set->holds)
		return UNCORE_ENOMEM;
	for (size_t i = 0; i < l->n; i++) {
		const struct unc_place *p = &l->places[i];
		const struct unc_setting *queue =
			p->setting.companion ? queue_of(u, set, p->box) : NULL;

		hold(set, p->box, &p->setting);
		if (queue)
			hold(set, p->box, queue);
	}
	set->n_held = set->n_holds;
	return 0;
}

/* ---- box by box ---- */

/* What a set adds to one box. */
struct step {
	unsigned box;
	struct unc_use after;
	struct unc_setting fresh[UNC_SLOTS]; /* held by this set and by nobody else so far */
	struct unc_job job;
};

/* The next box to which the set adds something; *i starts at 0. */
static bool next_step(struct uncore *u, const struct uncore_set *set, size_t *i, struct step *s)
{
	while (*i < set->n_holds) {
		unsigned n = 0;

		s->box = set->holds[*i].box;
		for (; *i < set->n_holds && set->holds[*i].box == s->box; (*i)++) {
			const struct unc_setting *setting = &set->holds[*i].setting;

			if (unc_counter_of(u, s->box, setting->counter)->users == 0)
				s->fresh[n++] = *setting;
		}
		if (n == 0)
			continue;
		s->after = u->uses[s->box];
		memcpy(s->after.at + s->after.n, s->fresh, n * sizeof(*s->fresh));
		s->after.n += n;
		s->job = (struct unc_job){&u->machine,      &u->machine.boxes[s->box],
					  &u->uses[s->box], &s->after,
					  s->fresh,         n};
		return true;
	}
	return false;
}

static int run_and_free(struct uncore *u, struct unc_ops *ops, uint64_t *values)
{
	size_t done;
	int r;

	if (ops->failed)
		r = unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a register program");
	else
		r = unc_run_list(u->hw, ops->op, ops->n, values, &done, &u->err);
	unc_ops_free(ops);
	return r;
}

/* ---- save ---- */

static int busy(struct uncore *u, const struct unc_box *b, unsigned counter, uint64_t value)
{
	const bool fixed = counter == b->type->n_counters;

	return unc_fail(&u->err, UNCORE_EBUSY,
			"%s%s%u of package %u: %s %u is enabled by somebody else (control %#" PRIx64
			"); stop perf, PCM or LIKWID, or set UNCORE_FORCE=1 to take it over",
			b->type->name, unc_gap(b->type), b->index, b->package,
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

/* Of a register that is shared, the bits that are not known from before. */
static void remember(struct unc_box_saved *saved, const struct uncore_op *op, uint64_t value)
{
	for (unsigned i = 0; i < saved->n_saved; i++) {
		struct unc_saved *known = &saved->saved[i];

		if (known->op.address != op->address || known->op.unit != op->unit)
			continue;
		known->value |= value & op->mask & ~known->op.mask;
		known->op.mask |= op->mask;
		return;
	}
	if (op->mask)
		value &= op->mask;
	if (saved->n_saved < UNC_MAX_SAVED)
		saved->saved[saved->n_saved++] = (struct unc_saved){*op, value};
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
static int check(struct uncore *u, const struct step *s, const struct uncore_op *op, uint64_t value)
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
static void drop_known(const struct unc_box_saved *saved, struct unc_ops *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct uncore_op *op = &list->op[i];
		unsigned k = 0;

		while (k < saved->n_saved &&
		       (saved->saved[k].op.mask || saved->saved[k].op.address != op->address ||
			saved->saved[k].op.unit != op->unit))
			k++;
		if (k == saved->n_saved)
			list->op[n++] = *op;
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
	struct step s;
	size_t k = 0;

	y->ends = calloc(set->n_holds + 1, sizeof(*y->ends));
	for (size_t i = 0; y->ends && next_step(u, set, &i, &s);) {
		struct unc_ops part = {.n = 0};

		unc_program_save(&part, &s.job);
		drop_known(unc_saved_of(u, s.box), &part);
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
static int save_box(struct uncore *u, const struct step *s, const struct survey *y, size_t begin,
		    size_t end)
{
	int r = 0;

	for (size_t i = begin; r == 0 && !u->force && i < end; i++)
		r = check(u, s, &y->ops.op[i], y->values[i]);
	for (size_t i = begin; r == 0 && i < end; i++)
		if (!y->ops.op[i].mask || y->ops.op[i].saved)
			remember(unc_saved_of(u, s->box), &y->ops.op[i], y->values[i]);
	return r;
}

static int save_boxes(struct uncore *u, const struct uncore_set *set)
{
	struct survey y = {.ends = NULL};
	struct step s;
	size_t done, k = 0;
	int r;

	if (survey_plan(u, set, &y))
		r = unc_run_list(u->hw, y.ops.op, y.ops.n, y.values, &done, &u->err);
	else
		r = unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for saved registers");
	for (size_t i = 0; r == 0 && next_step(u, set, &i, &s); k++)
		r = save_box(u, &s, &y, k ? y.ends[k - 1] : 0, y.ends[k]);
	survey_free(&y);
	return r;
}

/* Nothing of ours that can be frozen counts in the package yet, and the set will. */
static bool begins_package(struct uncore *u, const struct uncore_set *set, unsigned package)
{
	bool wanted = false;

	for (size_t i = 0; i < u->machine.n_boxes; i++)
		if (unc_freezes(&u->machine.boxes[i], package) && u->uses[i].n)
			return false;
	for (size_t i = 0; i < set->n_holds; i++)
		wanted |= unc_freezes(&u->machine.boxes[set->holds[i].box], package);
	return wanted;
}

static int save_package(struct uncore *u, unsigned package)
{
	struct unc_ops list = {.n = 0};
	struct uncore_op ops[UNC_MAX_GLOBALS];
	uint64_t values[UNC_MAX_GLOBALS];
	size_t n;
	int r;

	unc_program_global_save(&list, &u->machine, package);
	n = list.failed ? 0 : list.n;
	if (n)
		memcpy(ops, list.op, n * sizeof(*ops));
	r = run_and_free(u, &list, values);
	for (size_t i = 0; r == 0 && i < n; i++)
		remember(unc_package_saved(u, package), &ops[i], values[i]);
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
			unc_saved_of(u, set->holds[k].box)->n_saved = 0;
	for (unsigned p = 0; p < u->machine.n_packages; p++)
		if (begins_package(u, set, p))
			unc_package_saved(u, p)->n_saved = 0;
}

static int save(struct uncore *u, const struct uncore_set *set)
{
	int r = 0;

	for (unsigned p = 0; r == 0 && p < u->machine.n_packages; p++)
		if (begins_package(u, set, p))
			r = save_package(u, p);
	if (r == 0)
		r = save_boxes(u, set);
	if (r < 0)
		forget(u, set);
	return r;
}

/* ---- programs ---- */

static int set_up(struct uncore *u, const struct uncore_set *set)
{
	struct unc_ops ops = {.n = 0};
	struct step s;
	size_t i = 0;

	int r;

	while (next_step(u, set, &i, &s))
		unc_program_setup(&ops, &s.job);
	r = run_and_free(u, &ops, NULL);
	for (i = 0; r == 0 && next_step(u, set, &i, &s);)
		unc_learn_filters(u, s.box, &s.job);
	return r;
}

static void plan_global(struct unc_ops *ops, struct uncore *u, const struct uncore_set *set,
			bool freeze)
{
	for (unsigned p = 0; p < u->machine.n_packages; p++)
		if (begins_package(u, set, p))
			unc_program_global(ops, &u->machine, p, freeze);
}

/* Boxes with a freeze first, close together; the others as the very last. */
static void plan_go(struct uncore *u, struct uncore_set *set)
{
	struct step s;

	plan_global(&set->go, u, set, true);
	set->frozen = set->go.n > 0;
	for (int late = 0; late <= 1; late++)
		for (size_t i = 0; next_step(u, set, &i, &s);)
			if (s.job.box->type->no_box_ctl == (late == 1))
				unc_program_start(&set->go, &s.job);
	unc_until_mode(u, set);
	plan_global(&set->go, u, set, false);
}

/* Of a set that stops by itself: how to stop all of its boxes, and how to go on. */
static void plan_again(struct uncore *u, struct uncore_set *set)
{
	struct unc_until *until = set->until;
	struct step s;

	if (!until)
		return;
	unc_ops_free(&until->hold);
	unc_ops_free(&until->again);
	plan_global(&until->hold, u, set, true);
	for (size_t i = 0; next_step(u, set, &i, &s);)
		if (unc_freezes(s.job.box, s.job.box->package))
			unc_program_stop(&until->hold, &s.job);
	for (size_t i = 0; i < set->go.n; i++)
		unc_ops_push(&until->again, set->go.op[i]);
}

/* ---- claim ---- */

void unc_count_units(struct uncore *u)
{
	for (size_t i = 0; i < u->machine.n_boxes; i++) {
		const struct unc_box *b = &u->machine.boxes[i];
		const struct unc_box *other = unc_other_unit(b);

		if (other != b)
			u->uses[i].beside = u->uses[other - u->machine.boxes].n;
	}
}

/* From here on the counters are ours: unc_release() gives them back. */
static void enter(struct uncore *u, const struct uncore_set *set)
{
	for (size_t i = 0; i < set->n_holds; i++) {
		const struct unc_hold *h = &set->holds[i];
		struct unc_use *use = &u->uses[h->box];
		struct unc_counter *c = unc_counter_of(u, h->box, h->setting.counter);

		c->hidden += set->owner != NULL;
		if (c->users++ == 0)
			use->at[use->n++] = h->setting;
	}
	unc_count_units(u);
	unc_count_change(u, set);
}

/* Together, if that is one access; which of them cannot be read shows one by one. */
static int fold(struct uncore *u, struct unc_counter *const *counters, unsigned n, int64_t now)
{
	if (n > 1 && unc_fold(u, counters, n, now) == 0)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		const int r = unc_fold(u, &counters[i], 1, now);

		if (r < 0)
			return unc_op_failed(u->hw, &counters[i]->read, r, &u->err);
	}
	return 0;
}

/* The registers now hold a new zero point: the totals jump ahead to it. */
static int take_baselines(struct uncore *u, struct uncore_set *set)
{
	const unsigned most = u->hw->batch ? u->hw->batch : 1;
	struct unc_counter *some[UNC_BATCH_MAX];
	const int64_t now = unc_clock(u);
	unsigned n = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < set->n_holds; i++) {
		const struct unc_hold *h = &set->holds[i];

		some[n] = unc_counter_of(u, h->box, h->setting.counter);
		if (some[n]->users == 1)
			unc_forget(some[n]);
		if (++n == most || i + 1 == set->n_holds) {
			r = fold(u, some, n, now);
			n = 0;
		}
	}
	return r;
}

int unc_claim(struct uncore *u, struct uncore_set *set)
{
	int r = make_holds(u, set);

	if (r == 0)
		r = unc_reading_make(u, set);
	if (r < 0)
		return unc_fail(&u->err, r, "out of memory for the counters of a set");
	u->hw->ops->prepare(u->hw);
	r = save(u, set);
	if (r < 0) {
		set->n_holds = 0;
		return r;
	}
	plan_go(u, set);
	plan_again(u, set);
	r = set_up(u, set);
	enter(u, set);
	if (r == 0)
		r = unc_until_arm(u, set);
	if (r == 0)
		r = take_baselines(u, set);
	if (r == 0)
		unc_until_armed(u, set);
	return r;
}

int unc_go(struct uncore *u, struct uncore_set *set)
{
	const int64_t before = unc_hw_now(u->hw);
	const int r = run_and_free(u, &set->go, NULL);
	const int64_t after = unc_hw_now(u->hw);

	set->unsure = after - before;
	atomic_store(&set->began, set->frozen ? after : before + (after - before) / 2);
	for (size_t i = 0; i < set->n_holds; i++)
		atomic_store(&unc_counter_of(u, set->holds[i].box, set->holds[i].setting.counter)
				      ->running,
			     true);
	return r;
}
