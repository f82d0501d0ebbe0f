/* SPDX-License-Identifier: BSD-3-Clause */
/* compose.c - see compose.h; the order of the phases is explained in docs/design.md. */
#include "plan/compose.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"

static const struct unc_use nothing;

static const struct unc_use *use_of(const struct unc_state *s, unsigned box)
{
	return s->uses ? &s->uses[box] : &nothing;
}

static struct unc_scope of_box(const struct unc_state *s, unsigned box)
{
	return (struct unc_scope){unc_group_of_box(s->machine, box), box};
}

static struct unc_scope of_package(const struct unc_state *s, unsigned package)
{
	return (struct unc_scope){unc_group_of_package(s->machine, package), UNC_NO_BOX};
}

static bool counts(const struct unc_use *use, unsigned counter)
{
	for (unsigned i = 0; i < use->n; i++)
		if (use->at[i].counter == counter)
			return true;
	return false;
}

/* ---- claimed counters ---- */

static const struct unc_assignment *queue_of(const struct unc_layout *l, const struct unc_use *uses,
					     unsigned box)
{
	for (unsigned i = 0; uses && i < uses[box].n; i++)
		if (uses[box].at[i].counter == 0)
			return &uses[box].at[i];
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].box == box && l->at[i].assignment.counter == 0)
			return &l->at[i].assignment;
	return NULL;
}

/* Claims of a box are adjacent, and this box is the last so far. */
static void claim_counter(struct unc_claimed *claimed, size_t *n, unsigned box,
			  const struct unc_assignment *assignment)
{
	for (size_t i = *n; i-- > 0 && claimed[i].box == box;)
		if (claimed[i].assignment.counter == assignment->counter)
			return;
	claimed[(*n)++] = (struct unc_claimed){.box = box, .last = true, .assignment = *assignment};
}

/* A companion depends on the queue on counter 0, so it claims that, too. */
struct unc_claimed *unc_claimed_make(const struct unc_layout *l, const struct unc_use *uses,
				     size_t *n)
{
	struct unc_claimed *claimed = calloc(2 * l->n + 1, sizeof(*claimed));

	*n = 0;
	if (!claimed)
		return NULL;
	for (size_t i = 0; i < l->n; i++) {
		const struct unc_box_event *p = &l->at[i];
		const struct unc_assignment *queue =
			p->assignment.companion ? queue_of(l, uses, p->box) : NULL;

		claim_counter(claimed, n, p->box, &p->assignment);
		if (queue)
			claim_counter(claimed, n, p->box, queue);
	}
	return unc_shrink(claimed, *n, sizeof(*claimed));
}

/* ---- entering, box by box ---- */

/* Only the part in use, because the struct is large. */
static void copy_use(struct unc_use *to, const struct unc_use *from)
{
	to->n = from->n;
	to->paired = from->paired;
	memcpy(to->at, from->at, from->n * sizeof(*from->at));
}

bool unc_next_entering(const struct unc_state *state, const struct unc_claims *h, size_t *i,
		       struct unc_step *s)
{
	while (*i < h->n) {
		const struct unc_use *use = use_of(state, h->claimed[*i].box);

		s->box = h->claimed[*i].box;
		copy_use(&s->then, use);
		for (; *i < h->n && h->claimed[*i].box == s->box; (*i)++)
			if (!counts(use, h->claimed[*i].assignment.counter))
				s->then.at[s->then.n++] = h->claimed[*i].assignment;
		if (s->then.n == use->n)
			continue;
		s->job = (struct unc_job){state->machine,
					  &state->machine->boxes[s->box],
					  use,
					  &s->then,
					  s->then.at + use->n,
					  s->then.n - use->n};
		return true;
	}
	return false;
}

static bool in_package(const struct unc_machine *m, const struct unc_claims *h, unsigned package)
{
	for (size_t i = 0; i < h->n; i++)
		if (unc_freezes(&m->boxes[h->claimed[i].box], package))
			return true;
	return false;
}

bool unc_begins_package(const struct unc_state *state, const struct unc_claims *h, unsigned package)
{
	if (state->shared && state->shared[package])
		return false;
	if (state->uses && state->counting[package])
		return false;
	return in_package(state->machine, h, package);
}

/* ---- state of the set's own registers ---- */

static struct unc_scope all_of_box(const struct unc_state *state, const struct unc_claims *h,
				   size_t *i, struct unc_step *s)
{
	s->box = h->claimed[*i].box;
	s->then.n = s->then.paired = 0;
	for (; *i < h->n && h->claimed[*i].box == s->box; (*i)++)
		s->then.at[s->then.n++] = h->claimed[*i].assignment;
	s->job = (struct unc_job){state->machine, &state->machine->boxes[s->box],
				  &nothing,       &s->then,
				  s->then.at,     s->then.n};
	return of_box(state, s->box);
}

/* ---- leaving, box by box ---- */

/* Claims are sorted by box; a set on all CPUs has thousands. */
static bool leaves(const struct unc_claims *h, unsigned box, unsigned counter)
{
	size_t low = 0, high = h->n;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (h->claimed[middle].box < box)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < h->n && h->claimed[low].box == box; low++)
		if (h->claimed[low].assignment.counter == counter)
			return h->claimed[low].last;
	return false;
}

/* The counters that remain in use in the other unit of the device. */
static unsigned combined_with(const struct unc_state *s, const struct unc_claims *h, unsigned box)
{
	const struct unc_box *b = &s->machine->boxes[box];
	const unsigned other = (unsigned)(unc_other_unit(b) - s->machine->boxes);
	unsigned n = 0;

	for (unsigned k = 0; other != box && k < s->uses[other].n; k++)
		n += !leaves(h, other, s->uses[other].at[k].counter);
	return n;
}

bool unc_next_leaving(const struct unc_state *state, const struct unc_claims *h, size_t *i,
		      struct unc_step *s)
{
	if (*i < h->n && !state->uses) {
		all_of_box(state, h, i, s);
		return true;
	}
	while (*i < h->n) {
		const struct unc_use *use = &state->uses[h->claimed[*i].box];
		unsigned n = 0;

		s->box = h->claimed[*i].box;
		while (*i < h->n && h->claimed[*i].box == s->box)
			(*i)++;
		s->then.n = 0;
		s->then.paired = combined_with(state, h, s->box);
		for (unsigned k = 0; k < use->n; k++) {
			if (leaves(h, s->box, use->at[k].counter))
				s->last[n++] = use->at[k];
			else
				s->then.at[s->then.n++] = use->at[k];
		}
		if (n == 0)
			continue;
		s->job = (struct unc_job){
			state->machine, &state->machine->boxes[s->box], &s->then, use, s->last, n};
		return true;
	}
	return false;
}

bool unc_ends_package(const struct unc_state *state, const struct unc_claims *h, unsigned package)
{
	unsigned n = 0;

	if (state->shared && state->shared[package])
		return false;
	if (!state->uses)
		return in_package(state->machine, h, package);
	for (size_t i = 0; i < h->n; i++)
		n += h->claimed[i].last &&
		     unc_freezes(&state->machine->boxes[h->claimed[i].box], package);
	return n > 0 && n == state->counting[package];
}

/* ---- enabling counters ---- */

static uint64_t unlike(const struct unc_state *s, unsigned group)
{
	return s->groups ? s->groups[group].unlike : 0;
}

static bool taken(const struct unc_state *s, unsigned group)
{
	return s->groups && s->groups[group].taken;
}

static void compose_freeze_check(struct unc_ops *ops, const struct unc_state *state,
				 const struct unc_claims *h)
{
	struct unc_step s;

	for (unsigned p = 0; p < state->machine->topo.n_packages; p++) {
		if (!in_package(state->machine, h, p))
			continue;
		ops->now = of_package(state, p);
		unc_program_global_freeze_check(ops, state->machine, p);
	}
	for (size_t i = 0; i < h->n;) {
		ops->now = all_of_box(state, h, &i, &s);
		unc_program_freeze_check(ops, &s.job);
	}
}

void unc_program_look(struct unc_ops *ops, const struct unc_state *state,
		      const struct unc_claims *h)
{
	struct unc_step s;

	for (size_t i = 0; i < h->n;) {
		ops->now = all_of_box(state, h, &i, &s);
		unc_program_check(ops, &s.job);
		unc_program_check_filters(ops, &s.job, unlike(state, ops->now.group));
	}
}

/* ---- join a running box ---- */

/*
 * A set that stops by itself is stopped, and resumed, without checking for other processes.  No
 * other process counts in a package that its overflow stops; other packages are not frozen.
 */
static bool may_freeze(const struct unc_state *state, const struct unc_claims *h, unsigned package)
{
	return !h->samples || unc_samples_stop(h->samples, state->machine, package);
}

static void switch_package(struct unc_ops *ops, const struct unc_state *state, unsigned package,
			   bool freeze)
{
	ops->now = of_package(state, package);
	unc_program_global(ops, state->machine, package, freeze);
}

static void enter_packages(struct unc_program *p, const struct unc_state *state,
			   const struct unc_claims *h)
{
	struct unc_ops *save = &p->phase[UNC_SAVE];

	for (unsigned k = 0; k < state->machine->topo.n_packages; k++) {
		if (!unc_begins_package(state, h, k))
			continue;
		save->now = of_package(state, k);
		unc_program_global_save(save, state->machine, k);
		if (h->samples && may_freeze(state, h, k))
			switch_package(&p->phase[UNC_PAUSE], state, k, true);
		if (may_freeze(state, h, k))
			switch_package(&p->phase[UNC_START], state, k, true);
	}
	if (h->samples)
		unc_samples_save(save, h->samples, state->machine);
}

/*
 * If the package is not frozen, boxes run from the setup on, so each is frozen until its start.
 */
static void let_packages(struct unc_program *p, const struct unc_state *state,
			 const struct unc_claims *h)
{
	for (unsigned k = 0; k < state->machine->topo.n_packages; k++)
		if (unc_begins_package(state, h, k))
			switch_package(&p->phase[may_freeze(state, h, k) ? UNC_START : UNC_SETUP],
				       state, k, false);
}

void unc_program_open_package(struct unc_ops *save, struct unc_ops *let,
			      const struct unc_state *state, unsigned package)
{
	save->now = let->now = of_package(state, package);
	unc_program_global_save(save, state->machine, package);
	unc_program_global(let, state->machine, package, false);
}

/* late: the starts of boxes without a freeze. */
static void enter_boxes(struct unc_program *p, const struct unc_state *state,
			const struct unc_claims *h, struct unc_ops *late)
{
	struct unc_ops *start = &p->phase[UNC_START];
	struct unc_step s;

	for (size_t i = 0; unc_next_entering(state, h, &i, &s);) {
		p->phase[UNC_SAVE].now = p->phase[UNC_VERIFY].now = of_box(state, s.box);
		start->now = late->now = of_box(state, s.box);
		unc_program_save(&p->phase[UNC_SAVE], &s.job);
		unc_program_setup(&p->phase[UNC_SETUP], &s.job);
		unc_program_start(s.job.box->type->no_box_ctl ? late : start, &s.job);
		unc_program_check_filters(&p->phase[UNC_VERIFY], &s.job, 0);
		if (h->samples && unc_freezes(s.job.box, s.job.box->package))
			unc_program_stop(&p->phase[UNC_PAUSE], &s.job);
	}
}

static bool complete(const struct unc_program *p)
{
	for (int i = 0; i < UNC_PHASES; i++)
		if (p->phase[i].failed)
			return false;
	return true;
}

bool unc_program_enter(struct unc_program *p, const struct unc_state *state,
		       const struct unc_claims *h)
{
	struct unc_ops *start = &p->phase[UNC_START], late = {.n = 0};

	enter_packages(p, state, h);
	p->frozen = start->n > 0;
	enter_boxes(p, state, h, &late);
	/* boxes with a freeze start first, close together; the others last */
	for (size_t i = 0; i < late.n; i++) {
		start->now = late.scope[i];
		unc_ops_push(start, late.op[i]);
	}
	start->failed |= late.failed;
	unc_ops_free(&late);
	if (h->samples) {
		unc_samples_clear(&p->phase[UNC_CLEAR], h->samples, state->machine);
		unc_samples_load(&p->phase[UNC_LOAD], h->samples, state->machine, false);
		unc_samples_mode(start, h->samples, state->machine);
	}
	if (p->frozen || h->samples)
		let_packages(p, state, h);
	compose_freeze_check(&p->phase[UNC_FREEZE_CHECK], state, h);
	return complete(p);
}

/* ---- leave a running box ---- */

bool unc_box_taken(const struct unc_state *state, const struct unc_step *s)
{
	return taken(state, unc_group_of_box(state->machine, s->box)) &&
	       !unc_style_of(state->machine, s->job.box->type)->per_counter;
}

static void stop_boxes(struct unc_program *p, const struct unc_state *state,
		       const struct unc_claims *h)
{
	struct unc_ops *check = &p->phase[UNC_CHECK];
	struct unc_step s;

	for (size_t i = 0; unc_next_leaving(state, h, &i, &s);) {
		check->now = p->phase[UNC_STOP].now = of_box(state, s.box);
		if (!unc_box_taken(state, &s))
			unc_program_stop(&p->phase[UNC_STOP], &s.job);
		unc_program_check(check, &s.job);
		unc_program_check_filters(check, &s.job, unlike(state, check->now.group));
	}
}

/*
 * Restore the state from before the set, if it is a state; leave it if another tool has frozen
 * it.
 */
static void leave_packages(struct unc_ops *ops, const struct unc_state *state,
			   const struct unc_claims *h)
{
	for (unsigned p = 0; p < state->machine->topo.n_packages; p++) {
		ops->now = of_package(state, p);
		if (unc_ends_package(state, h, p) && !taken(state, ops->now.group))
			unc_program_global_leave(ops, state->machine, p);
	}
}

void unc_program_close_package(struct unc_ops *leave, const struct unc_state *state,
			       unsigned package)
{
	leave->now = of_package(state, package);
	unc_program_global_leave(leave, state->machine, package);
}

bool unc_program_leave(struct unc_program *p, const struct unc_state *state,
		       const struct unc_claims *h)
{
	const struct unc_machine *m = state->machine;
	struct unc_ops *stop = &p->phase[UNC_STOP], *leave = &p->phase[UNC_LEAVE];

	for (unsigned k = 0; k < m->topo.n_packages; k++) {
		stop->now = of_package(state, k);
		if (unc_ends_package(state, h, k) && !taken(state, stop->now.group))
			unc_program_global(stop, m, k, true);
	}
	p->frozen = stop->n > 0;
	stop_boxes(p, state, h);
	if (h->samples) {
		unc_samples_clear(leave, h->samples, m);
		unc_samples_restore(leave, h->samples, m);
		unc_samples_load(&p->phase[UNC_DISARM], h->samples, m, true);
	}
	leave_packages(leave, state, h);
	return complete(p);
}

void unc_program_free(struct unc_program *p)
{
	for (int i = 0; i < UNC_PHASES; i++)
		if (p->phase[i].op || p->phase[i].failed)
			unc_ops_free(&p->phase[i]);
}
