/* claim.c - take the counters of a set: save, program, start. */
#include "session/claim.h"

#include <stdlib.h>
#include <string.h>

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

unsigned unc_holds_of_box(const struct uncore_set *set, size_t *i, struct unc_use *own)
{
	const unsigned box = set->holds[*i].box;

	*own = (struct unc_use){.n = 0};
	for (; *i < set->n_holds && set->holds[*i].box == box; (*i)++)
		own->at[own->n++] = set->holds[*i].setting;
	return box;
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

bool unc_next_step(struct uncore *u, const struct uncore_set *set, size_t *i, struct unc_step *s)
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

bool unc_begins_package(struct uncore *u, const struct uncore_set *set, unsigned package)
{
	bool wanted = false;

	for (size_t i = 0; i < u->machine.n_boxes; i++)
		if (unc_freezes(&u->machine.boxes[i], package) && u->uses[i].n)
			return false;
	for (size_t i = 0; i < set->n_holds; i++)
		wanted |= unc_freezes(&u->machine.boxes[set->holds[i].box], package);
	return wanted;
}

/* ---- programs ---- */

int unc_run_ops(struct uncore *u, struct unc_ops *ops, uint64_t *values)
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

static int set_up(struct uncore *u, const struct uncore_set *set)
{
	struct unc_ops ops = {.n = 0};
	struct unc_step s;
	size_t i = 0;

	int r;

	while (unc_next_step(u, set, &i, &s))
		unc_program_setup(&ops, &s.job);
	r = unc_run_ops(u, &ops, NULL);
	for (i = 0; r == 0 && unc_next_step(u, set, &i, &s);)
		unc_learn_filters(u, s.box, &s.job);
	return r;
}

static void plan_global(struct unc_ops *ops, struct uncore *u, const struct uncore_set *set,
			bool freeze)
{
	for (unsigned p = 0; p < u->machine.n_packages; p++)
		if (unc_begins_package(u, set, p))
			unc_program_global(ops, &u->machine, p, freeze);
}

/* Boxes with a freeze first, close together; the others as the very last. */
static void plan_go(struct uncore *u, struct uncore_set *set)
{
	struct unc_step s;

	plan_global(&set->go, u, set, true);
	set->frozen = set->go.n > 0;
	for (int late = 0; late <= 1; late++)
		for (size_t i = 0; unc_next_step(u, set, &i, &s);)
			if (s.job.box->type->no_box_ctl == (late == 1))
				unc_program_start(&set->go, &s.job);
	unc_until_mode(u, set);
	plan_global(&set->go, u, set, false);
}

/* Of a set that stops by itself: how to stop all of its boxes, and how to go on. */
static void plan_again(struct uncore *u, struct uncore_set *set)
{
	struct unc_until *until = set->until;
	struct unc_step s;

	if (!until)
		return;
	unc_ops_free(&until->hold);
	unc_ops_free(&until->again);
	plan_global(&until->hold, u, set, true);
	for (size_t i = 0; unc_next_step(u, set, &i, &s);)
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

/* What an earlier set left in a register would be taken for what was there before. */
static int refuse_pending(struct uncore *u, const struct uncore_set *set)
{
	int r = unc_pending_refuse(u, set->go.op, set->go.n);

	for (size_t i = 0; r == 0 && i < set->n_holds; i++) {
		const struct unc_hold *h = &set->holds[i];

		r = unc_pending_refuse(u, &unc_counter_of(u, h->box, h->setting.counter)->read, 1);
	}
	return r;
}

/* Nothing is written so far. */
static int prepare(struct uncore *u, struct uncore_set *set)
{
	int r = make_holds(u, set);

	if (r == 0)
		r = unc_reading_make(u, set);
	if (r == 0)
		r = unc_watch_make(u, set);
	if (r < 0)
		return unc_fail(&u->err, r, "out of memory for the counters of a set");
	u->hw->ops->prepare(u->hw);
	plan_go(u, set);
	r = refuse_pending(u, set);
	return r < 0 ? r : unc_save(u, set);
}

int unc_claim(struct uncore *u, struct uncore_set *set)
{
	int r = prepare(u, set);

	if (r < 0) {
		set->n_holds = 0;
		unc_watch_free(set);
		unc_ops_free(&set->go);
		return r;
	}
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
	const int r = unc_run_ops(u, &set->go, NULL);
	const int64_t after = unc_hw_now(u->hw);

	set->unsure = after - before;
	atomic_store(&set->began, set->frozen ? after : before + (after - before) / 2);
	for (size_t i = 0; i < set->n_holds; i++)
		atomic_store(&unc_counter_of(u, set->holds[i].box, set->holds[i].setting.counter)
				      ->running,
			     true);
	if (r == 0)
		unc_watch_learn(u, set);
	return r;
}
