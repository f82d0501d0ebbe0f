/* whole.c - the complete plan of a list of events on an idle machine. */
#include "plan/whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lists {
	struct unc_ops save, setup, start, read, stop, restore;
	struct unc_ops global; /* reads before all others */
	struct unc_ops late;   /* starts that have to come last: boxes without freeze */
	struct unc_ops watch;  /* reads at the end of start and at the begin of stop */
	struct unc_ops verify; /* reads at the end of setup */
	struct unc_ops check;  /* reads at the end of stop */
};

/* The settings of one box from the layout; equal events are one counter. */
static unsigned settings_of_box(const struct unc_layout *l, size_t *i, struct unc_use *use)
{
	const unsigned box = l->places[*i].box;

	use->n = 0;
	for (; *i < l->n && l->places[*i].box == box; (*i)++) {
		const struct unc_setting *s = &l->places[*i].setting;

		if (use->n == 0 || use->at[use->n - 1].counter != s->counter)
			use->at[use->n++] = *s;
	}
	return box;
}

/* The freeze of a package is one of its uncore. */
static bool uses_package(const struct unc_machine *m, const struct unc_layout *l, unsigned package)
{
	for (size_t i = 0; i < l->n; i++)
		if (unc_freezes(&m->boxes[l->places[i].box], package))
			return true;
	return false;
}

static void global(struct lists *lists, const struct unc_machine *m, const struct unc_layout *l,
		   bool begin)
{
	for (unsigned p = 0; p < m->n_packages; p++) {
		if (!uses_package(m, l, p))
			continue;
		if (begin) {
			unc_program_global_watch(&lists->watch, m, p);
			unc_program_global_save(&lists->global, m, p);
			unc_program_global(&lists->start, m, p, true);
			unc_program_global(&lists->stop, m, p, true);
		} else {
			unc_program_global(&lists->late, m, p, false);
			unc_program_global_leave(&lists->stop, m, p);
		}
	}
}

static void program_boxes(struct lists *lists, const struct unc_machine *m,
			  const struct unc_layout *l)
{
	static const struct unc_use nothing;
	size_t i = 0;

	while (i < l->n) {
		struct unc_use use;
		const struct unc_box *b = &m->boxes[settings_of_box(l, &i, &use)];
		const struct unc_job job = {m, b, &nothing, &use, use.at, use.n};

		unc_program_save(&lists->save, &job);
		unc_program_setup(&lists->setup, &job);
		unc_program_start(b->type->no_box_ctl ? &lists->late : &lists->start, &job);
		unc_program_watch(&lists->watch, &job);
		unc_program_read(&lists->read, &job);
		unc_program_stop(&lists->stop, &job);
		unc_program_check(&lists->check, &job);
		unc_program_check_filters(&lists->verify, &job, 0);
		unc_program_check_filters(&lists->check, &job, 0);
	}
}

static void program_samples(struct lists *lists, const struct unc_machine *m,
			    const struct unc_samples *samples)
{
	unc_samples_save(&lists->global, samples, m);
	unc_samples_clear(&lists->setup, samples, m);
	unc_samples_load(&lists->setup, samples, m, false);
	unc_samples_mode(&lists->late, samples, m);
	unc_samples_clear(&lists->stop, samples, m);
	unc_samples_restore(&lists->stop, samples, m);
	unc_samples_load(&lists->check, samples, m, true);
}

static void program(struct lists *lists, const struct unc_machine *m, const struct unc_layout *l,
		    const struct unc_samples *samples)
{
	global(lists, m, l, true);
	program_boxes(lists, m, l);
	if (samples)
		program_samples(lists, m, samples);
	global(lists, m, l, false);
	unc_program_restore(&lists->restore, &lists->save);
}

static bool join(struct unc_ops *a, const struct unc_ops *b)
{
	struct uncore_op *op;

	if (b->n == 0)
		return !a->failed && !b->failed;
	op = realloc(a->op, (a->n + b->n) * sizeof(*op));
	if (!op)
		return false;
	memcpy(op + a->n, b->op, b->n * sizeof(*op));
	a->op = op;
	a->n += b->n;
	a->room = a->n;
	return !a->failed && !b->failed;
}

static bool copy_placements(struct uncore_plan *plan, const struct unc_machine *m,
			    const struct unc_layout *l)
{
	plan->placements = calloc(l->n ? l->n : 1, sizeof(*plan->placements));
	if (!plan->placements)
		return false;
	plan->n_placements = l->n;
	for (size_t i = 0; i < l->n; i++) {
		const struct unc_place *p = &l->places[i];
		const struct unc_box *b = &m->boxes[p->box];

		plan->placements[i] = (struct uncore_placement){
			.event = p->event,
			.package = b->socket,
			.die = b->die,
			.kind = b->type->name,
			.box = b->number,
			.counter = p->setting.counter,
			.fixed = p->setting.counter == b->type->n_counters,
			.control = p->setting.control,
		};
	}
	return true;
}

static void name_ops(const struct unc_machine *m, struct uncore_op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		unc_op_name(m, &ops[i]);
}

static bool fill(struct uncore_plan *plan, const struct unc_machine *m, const struct unc_layout *l,
		 const struct unc_samples *samples)
{
	struct lists lists = {.save = {.n = 0}};
	bool ok;

	program(&lists, m, l, samples);
	ok = join(&lists.global, &lists.save);
	ok = join(&lists.global, &lists.setup) && ok;
	ok = join(&lists.global, &lists.verify) && ok;
	ok = join(&lists.start, &lists.late) && ok;
	ok = join(&lists.start, &lists.watch) && ok;
	ok = join(&lists.watch, &lists.stop) && ok;
	ok = join(&lists.watch, &lists.check) && ok;
	ok = ok && !lists.read.failed && !lists.restore.failed;
	unc_ops_free(&lists.save);
	unc_ops_free(&lists.setup);
	unc_ops_free(&lists.verify);
	unc_ops_free(&lists.late);
	unc_ops_free(&lists.stop);
	unc_ops_free(&lists.check);
	plan->setup = lists.global.op;
	plan->n_setup = lists.global.n;
	plan->start = lists.start.op;
	plan->n_start = lists.start.n;
	plan->read = lists.read.op;
	plan->n_read = lists.read.n;
	plan->stop = lists.watch.op;
	plan->n_stop = lists.watch.n;
	plan->restore = lists.restore.op;
	plan->n_restore = lists.restore.n;
	name_ops(m, plan->setup, plan->n_setup);
	name_ops(m, plan->start, plan->n_start);
	name_ops(m, plan->read, plan->n_read);
	name_ops(m, plan->stop, plan->n_stop);
	name_ops(m, plan->restore, plan->n_restore);
	return copy_placements(plan, m, l) && ok;
}

int unc_plan_whole(const struct unc_machine *m, const struct unc_event *const *events,
		   const char *const *names, size_t n, struct unc_samples *samples,
		   struct uncore_plan **out)
{
	struct uncore_plan *plan = calloc(1, sizeof(*plan));
	struct unc_layout layout;
	int r;

	*out = plan;
	if (!plan)
		return UNCORE_ENOMEM;
	r = unc_layout_make(&layout, m, NULL, events, names, n);
	memcpy(plan->reason, layout.reason, sizeof(plan->reason));
	if (r == 0 && samples)
		r = unc_samples_place(samples, &layout, m, names, plan->reason,
				      sizeof(plan->reason));
	if (r == 0 && !fill(plan, m, &layout, samples))
		r = UNCORE_ENOMEM;
	plan->feasible = r == 0;
	if (r == UNCORE_ECONFLICT) {
		plan->n_conflict = layout.n_conflict;
		plan->conflict = layout.conflict;
		layout.conflict = NULL;
		r = 0;
	}
	unc_layout_free(&layout);
	return r;
}

void uncore_plan_free(struct uncore_plan *plan)
{
	if (!plan)
		return;
	free(plan->placements);
	free(plan->setup);
	free(plan->start);
	free(plan->read);
	free(plan->stop);
	free(plan->restore);
	free(plan->conflict);
	free(plan);
}
