/*
 * release.c - give the counters of a set back: freeze, take the last sums, look
 * whether the controls are still ours, restore.
 */
#include <errno.h>
#include <string.h>

#include "session/core.h"

/* What a set leaves in one box. */
struct step {
	unsigned box;
	struct unc_use before; /* what stays */
	struct unc_setting last[UNC_SLOTS];
	struct unc_job job;
};

/* Holds are in the boxes' order; a set on all CPUs has thousands. */
static bool leaves(struct uncore *u, const struct uncore_set *set, unsigned box, unsigned counter)
{
	size_t low = 0, high = set->n_holds;

	if (unc_counter_of(u, box, counter)->users != 1)
		return false;
	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (set->holds[middle].box < box)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < set->n_holds && set->holds[low].box == box; low++)
		if (set->holds[low].setting.counter == counter)
			return true;
	return false;
}

/* What will still count in the other unit of the device. */
static unsigned stays_beside(struct uncore *u, const struct uncore_set *set, unsigned box)
{
	const struct unc_box *b = &u->machine.boxes[box];
	const unsigned other = (unsigned)(unc_other_unit(b) - u->machine.boxes);
	unsigned n = 0;

	for (unsigned k = 0; other != box && k < u->uses[other].n; k++)
		n += !leaves(u, set, other, u->uses[other].at[k].counter);
	return n;
}

/* The next box in which a counter loses its last user; *i starts at 0. */
static bool next_step(struct uncore *u, const struct uncore_set *set, size_t *i, struct step *s)
{
	while (*i < set->n_holds) {
		const struct unc_use *use;
		unsigned n = 0;

		s->box = set->holds[*i].box;
		while (*i < set->n_holds && set->holds[*i].box == s->box)
			(*i)++;
		use = &u->uses[s->box];
		s->before.n = 0;
		s->before.beside = stays_beside(u, set, s->box);
		for (unsigned k = 0; k < use->n; k++) {
			if (leaves(u, set, s->box, use->at[k].counter))
				s->last[n++] = use->at[k];
			else
				s->before.at[s->before.n++] = use->at[k];
		}
		if (n == 0)
			continue;
		s->job = (struct unc_job){
			&u->machine, &u->machine.boxes[s->box], &s->before, use, s->last, n};
		return true;
	}
	return false;
}

/* ---- freeze, check ---- */

/* Nothing of ours will count in the package's uncore any more. */
static bool ends_package(struct uncore *u, const struct uncore_set *set, unsigned package)
{
	bool any = false;

	for (unsigned i = 0; i < u->machine.n_boxes; i++) {
		const struct unc_use *use = &u->uses[i];

		if (!unc_freezes(&u->machine.boxes[i], package))
			continue;
		for (unsigned k = 0; k < use->n; k++) {
			if (!leaves(u, set, i, use->at[k].counter))
				return false;
			any = true;
		}
	}
	return any;
}

static void hold_packages(struct uncore *u, const struct uncore_set *set, struct unc_ops *ops)
{
	for (unsigned p = 0; p < u->machine.n_packages; p++)
		if (ends_package(u, set, p) && !u->sites[unc_site_of_package(u, p)].taken)
			unc_program_global(ops, &u->machine, p, true);
}

/* As they were before us, where that is a state; as they are, where somebody has frozen them. */
static void leave_packages(struct uncore *u, const struct uncore_set *set, struct unc_ops *ops)
{
	for (unsigned p = 0; p < u->machine.n_packages; p++) {
		const unsigned site = unc_site_of_package(u, p);
		size_t i = ops->n;

		if (!ends_package(u, set, p))
			continue;
		if (!u->sites[site].taken)
			unc_program_global_leave(ops, &u->machine, p);
		for (; i < ops->n; i++)
			if (ops->op[i].saved)
				ops->op[i].value = unc_ledger_take(&u->ledger, site, &ops->op[i]);
		unc_ledger_forget(&u->ledger, site);
	}
}

/* The box control is somebody else's now; one with a bit for each counter is in part ours. */
static bool is_taken(struct uncore *u, const struct step *s)
{
	return u->sites[unc_site_of_box(u, s->box)].taken &&
	       !unc_style_of(&u->machine, s->job.box->type)->per_counter;
}

/* What follows from *back on gives registers back.  True: under the freeze of a package. */
static bool plan_stop(struct uncore *u, const struct uncore_set *set, struct unc_ops *stop,
		      size_t *back, struct unc_ops *check)
{
	struct step s;
	bool frozen;

	hold_packages(u, set, stop);
	frozen = stop->n > 0;
	for (size_t i = 0; next_step(u, set, &i, &s);) {
		if (!is_taken(u, &s))
			unc_program_stop(stop, &s.job);
		unc_program_check(check, &s.job);
		unc_program_check_filters(check, &s.job,
					  u->sites[unc_site_of_box(u, s.box)].unlike);
	}
	*back = stop->n;
	unc_until_plan_end(u, set, stop);
	leave_packages(u, set, stop);
	return frozen;
}

/* ---- restore ---- */

/* A whole register is left to who has written it meanwhile. */
static void forget_register(struct uncore *u, unsigned site, const struct uncore_op *op)
{
	struct unc_entry *e = unc_ledger_find(&u->ledger, site, op);

	if (e && !e->op.mask)
		e->gone = true;
}

/* What somebody else has written meanwhile is theirs: it stays as it is. */
static void leave_taken(struct uncore *u, const struct step *s)
{
	const unsigned site = unc_site_of_box(u, s->box);
	struct unc_ops ours = {.n = 0};
	uint64_t value;

	unc_program_check(&ours, &s->job);
	unc_program_check_filters(&ours, &s->job, u->sites[site].unlike);
	for (size_t i = 0; i < ours.n; i++) {
		const struct uncore_op *op = &ours.op[i];

		if (unc_try(u, op, &value) < 0 || !((value ^ op->value) & op->mask))
			continue;
		forget_register(u, site, op);
	}
	unc_ops_free(&ours);
	if (is_taken(u, s) && s->before.n + s->before.beside == 0) {
		const struct uncore_op control =
			unc_box_op(&u->machine, s->job.box, s->job.box->type->box_ctl);

		forget_register(u, site, &control);
	}
}

static bool concerns(const struct unc_ops *ops, const struct unc_entry *e)
{
	for (size_t i = 0; i < ops->n; i++)
		if (unc_same_register(&ops->op[i], &e->op))
			return true;
	return false;
}

/* The controls and, if the box is idle then, the rest. */
static void restore_box(struct uncore *u, const struct step *s)
{
	const bool idle = s->before.n + s->before.beside == 0;
	struct unc_ops controls = {.n = 0};
	struct unc_entry *e = NULL;

	unc_program_check(&controls, &s->job);
	while ((e = unc_ledger_next(&u->ledger, unc_site_of_box(u, s->box), e))) {
		if (idle || (!e->op.mask && concerns(&controls, e)))
			e->due = UINT64_MAX;
		else if (e->op.mask)
			e->due = unc_shared_bits(&s->job, &e->op);
	}
	unc_ops_free(&controls);
}

static int give_back(struct uncore *u, int result)
{
	const struct uncore_op *ops;
	const size_t n = unc_ledger_give_back(&u->ledger, &ops);

	return unc_carry_out(u, ops, n, UNC_GIVE_BACK, result);
}

static int restore(struct uncore *u, const struct uncore_set *set, int result, bool keep)
{
	const bool stolen = result == UNCORE_ESTOLEN;
	struct step s;

	for (size_t i = 0; next_step(u, set, &i, &s);) {
		if (stolen && s.job.box->type->arch == NULL)
			leave_taken(u, &s);
		if (!keep || s.job.box->type->arch)
			restore_box(u, &s);
	}
	return give_back(u, result);
}

static void leave(struct uncore *u, struct uncore_set *set)
{
	struct step s;

	for (size_t i = 0; next_step(u, set, &i, &s);) {
		for (unsigned k = 0; k < s.job.n; k++)
			atomic_store(&unc_counter_of(u, s.box, s.last[k].counter)->running, false);
		u->uses[s.box] = s.before;
	}
	unc_count_units(u);
	for (size_t i = 0; i < set->n_holds; i++) {
		struct unc_counter *c =
			unc_counter_of(u, set->holds[i].box, set->holds[i].setting.counter);

		c->users--;
		c->hidden -= set->owner != NULL;
	}
	set->n_holds = 0;
	unc_watch_free(set);
	unc_count_change(u, set);
}

/* ---- the whole ---- */

/* The counters stand: a read that fails once may well succeed. */
static int take_sums(struct uncore *u, struct uncore_set *set, int64_t now, int result)
{
	const unsigned epoch = atomic_load(&set->epoch);
	int r = -EIO;

	for (int i = 0; r < 0 && i < UNC_TRIES; i++)
		r = unc_sum(set, set->scratch, now);
	if (set->terms.derived)
		set->scratch[set->n] = (uint64_t)atomic_load(&set->ended);
	if (r == 0)
		unc_remember(set, epoch, set->scratch, now);
	unc_doubt_note(set);
	if (r < 0 && result == 0)
		result = unc_fail(&u->err, UNCORE_EIO,
				  "a counter could not be read at the end: its device has gone");
	atomic_store(&set->epoch, epoch + 1);
	return result;
}

int unc_hold(struct uncore *u, struct uncore_set *set, struct unc_ops *check)
{
	const bool ran = atomic_load(&set->epoch) & 1;
	struct unc_ops stop = {.n = 0};
	const int64_t now = unc_clock(u);
	int result = ran ? unc_watch_look(u, set) : 0;
	int64_t before, after;
	size_t back;
	bool frozen;

	if (result == 0)
		result = unc_until_latch(u, set);
	frozen = plan_stop(u, set, &stop, &back, check);
	before = unc_hw_now(u->hw);
	result = unc_carry_out(u, stop.op, back, ran ? UNC_COMPARE : UNC_HALT, result);
	result = unc_carry_out(u, stop.op + back, stop.n - back, UNC_GIVE_BACK, result);
	unc_ops_free(&stop);
	if (!ran)
		return result;
	after = unc_hw_now(u->hw);
	set->unsure += after - before;
	atomic_store(&set->ended, frozen ? before : before + (after - before) / 2);
	return take_sums(u, set, now, result);
}

/* A set whose start failed half-way has no counts to keep, and so none to check. */
int unc_part(struct uncore *u, struct uncore_set *set, struct unc_ops *check, int held, bool keep)
{
	if (held == 0)
		held = unc_carry_out(u, check->op, check->n, UNC_COMPARE, 0);
	held = unc_until_disarm(u, set, held);
	held = restore(u, set, held, keep);
	leave(u, set);
	unc_ops_free(check);
	return held;
}

int unc_release(struct uncore *u, struct uncore_set *set)
{
	const bool ran = atomic_load(&set->epoch) & 1;
	struct unc_ops check = {.n = 0};
	const int held = unc_hold(u, set, &check);

	if (!ran)
		unc_ops_free(&check);
	return unc_part(u, set, &check, held, false);
}

/* ---- what a set has left behind for the next one ---- */

/* All that is in use in a box, as if it had been claimed just now. */
static void push_owned(struct uncore *u, const struct unc_box *b, struct unc_ops *ops)
{
	static const struct unc_use nothing;
	const struct unc_use *use = &u->uses[b - u->machine.boxes];
	const struct unc_job job = {&u->machine, b, &nothing, use, use->at, use->n};

	if (use->n)
		unc_program_save(ops, &job);
}

/* Bits of a register that are to be written back. */
static uint64_t left_over(const struct unc_ops *owned, const struct unc_entry *e)
{
	for (size_t i = 0; i < owned->n; i++) {
		const struct uncore_op *op = &owned->op[i];

		if (unc_same_register(op, &e->op) && (!op->mask || op->saved))
			return e->op.mask & ~op->mask;
	}
	return UINT64_MAX;
}

static int tidy_box(struct uncore *u, unsigned box, int result)
{
	const struct unc_box *b = &u->machine.boxes[box];
	struct unc_ops owned = {.n = 0};
	struct unc_entry *e = NULL;

	push_owned(u, b, &owned);
	if (unc_other_unit(b) != b)
		push_owned(u, unc_other_unit(b), &owned);
	while (!owned.failed && (e = unc_ledger_next(&u->ledger, unc_site_of_box(u, box), e)))
		e->due = left_over(&owned, e);
	if (owned.failed)
		result = unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a register program");
	unc_ops_free(&owned);
	return result;
}

int unc_tidy(struct uncore *u, const struct uncore_set *set)
{
	int result = 0;

	for (size_t i = 0; i < set->n_held; i++)
		if (i == 0 || set->holds[i].box != set->holds[i - 1].box)
			result = tidy_box(u, set->holds[i].box, result);
	return give_back(u, result);
}
