/* SPDX-License-Identifier: BSD-3-Clause */
/* compose.c - see compose.h; the order of the phases is explained in docs/design.md. */
#include "plan/compose.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"

static const struct unc_use nothing;

static struct unc_scope of_box(const struct unc_job *j)
{
	const unsigned box = (unsigned)(j->box - j->machine->boxes);

	return (struct unc_scope){unc_group_of_box(j->machine, box), box};
}

static struct unc_scope of_package(const struct unc_machine *m, unsigned package)
{
	return (struct unc_scope){unc_group_of_package(m, package), UNC_NO_BOX};
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

/* ---- entering and leaving a box ---- */

/* Claims that are the first use of a counter.  The struct is large, so its rest is not copied. */
static void enter_box(const struct unc_use *use, const struct unc_claimed *claimed, size_t n,
		      struct unc_use *then, struct unc_job *j)
{
	then->n = use->n;
	then->paired = use->paired;
	then->held = 0;
	memcpy(then->at, use->at, use->n * sizeof(*use->at));
	for (size_t i = 0; i < n; i++)
		if (!counts(use, claimed[i].assignment.counter))
			then->at[then->n++] = claimed[i].assignment;
	j->before = use;
	j->after = then;
	j->assignments = then->at + use->n;
	j->n = then->n - use->n;
}

static bool in_package(const struct unc_claims *h, unsigned package)
{
	for (size_t i = 0; i < h->n; i++)
		if (unc_freezes(&h->machine->boxes[h->claimed[i].box], package))
			return true;
	return false;
}

bool unc_begins_package(const struct unc_claims *h, unsigned package)
{
	if (h->shared && h->shared[package])
		return false;
	if (h->uses && h->counting[package])
		return false;
	return in_package(h, package);
}

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
static unsigned combined_with(const struct unc_claims *h, const struct unc_box *b)
{
	const unsigned other = (unsigned)(unc_other_unit(b) - h->machine->boxes);
	unsigned n = 0;

	for (unsigned k = 0; k < h->uses[other].n; k++)
		n += !leaves(h, other, h->uses[other].at[k].counter);
	return n;
}

/* Claims that are the last use of a counter. */
static void leave_box(const struct unc_claims *h, const struct unc_claimed *claimed, size_t n,
		      struct unc_use *then, struct unc_job *j)
{
	const struct unc_use *use = &h->uses[claimed->box];
	unsigned last[UNC_SLOTS];

	then->n = then->held = j->n = 0;
	then->paired = j->box->type->units ? combined_with(h, j->box) : 0;
	for (unsigned k = 0; k < use->n; k++) {
		size_t i = 0;

		while (i < n && claimed[i].assignment.counter != use->at[k].counter)
			i++;
		if (i < n && claimed[i].last)
			last[j->n++] = k;
		else
			then->at[then->n++] = use->at[k];
	}
	for (unsigned k = 0; k < j->n; k++)
		then->at[then->n + k] = use->at[last[k]];
	j->before = then;
	j->after = use;
	j->assignments = then->at + then->n;
}

/* ---- one box after another ---- */

bool unc_next_change(const struct unc_claims *h, enum unc_change change, size_t *i,
		     struct unc_use *then, struct unc_job *j)
{
	while (*i < h->n) {
		const struct unc_claimed *first = &h->claimed[*i];
		size_t n = 0;

		while (*i + n < h->n && first[n].box == first->box)
			n++;
		*i += n;
		j->machine = h->machine;
		j->box = &h->machine->boxes[first->box];
		if (change == UNC_LEAVING && h->uses)
			leave_box(h, first, n, then, j);
		else if (change == UNC_ENTERING && h->uses)
			enter_box(&h->uses[first->box], first, n, then, j);
		else
			enter_box(&nothing, first, n, then, j);
		if (j->n)
			return true;
	}
	return false;
}

bool unc_ends_package(const struct unc_claims *h, unsigned package)
{
	unsigned n = 0;

	if (h->shared && h->shared[package])
		return false;
	if (!h->uses)
		return in_package(h, package);
	for (size_t i = 0; h->counting[package] && i < h->n; i++)
		n += h->claimed[i].last &&
		     unc_freezes(&h->machine->boxes[h->claimed[i].box], package);
	return n > 0 && n == h->counting[package];
}

/* ---- enabling counters ---- */

static bool taken(const struct unc_claims *h, unsigned group)
{
	return h->groups && h->groups[group].taken;
}

static void compose_freeze_check(struct unc_ops *ops, const struct unc_claims *h)
{
	struct unc_use then;
	struct unc_job j;

	for (unsigned p = 0; p < h->machine->topo.n_packages; p++) {
		if (!in_package(h, p))
			continue;
		ops->now = of_package(h->machine, p);
		unc_program_global_freeze_check(ops, h->machine, p);
	}
	for (size_t i = 0; unc_next_change(h, UNC_ALL, &i, &then, &j);) {
		ops->now = of_box(&j);
		unc_program_freeze_check(ops, &j);
	}
}

void unc_program_look(struct unc_ops *ops, const struct unc_claims *h)
{
	struct unc_use then;
	struct unc_job j;

	for (size_t i = 0; unc_next_change(h, UNC_ALL, &i, &then, &j);) {
		ops->now = of_box(&j);
		unc_program_check(ops, &j);
		unc_program_check_filters(ops, &j,
					  h->groups ? h->groups[ops->now.group].unlike : 0);
	}
}

/* ---- join a running box ---- */

/*
 * A set that stops by itself is stopped, and resumed, without checking for other processes.  No
 * other process counts in a package that its overflow stops; other packages are not frozen.
 */
static bool may_freeze(const struct unc_claims *h, unsigned package)
{
	return !h->samples || unc_samples_stop(h->samples, h->machine, package);
}

static void switch_package(struct unc_ops *ops, const struct unc_machine *m, unsigned package,
			   bool freeze)
{
	ops->now = of_package(m, package);
	unc_program_global(ops, m, package, freeze);
}

static void enter_packages(struct unc_program *p, const struct unc_claims *h)
{
	const struct unc_machine *m = h->machine;
	struct unc_ops *save = &p->phase[UNC_SAVE];

	for (unsigned k = 0; k < m->topo.n_packages; k++) {
		if (!unc_begins_package(h, k))
			continue;
		save->now = of_package(m, k);
		unc_program_global_save(save, m, k);
		if (h->samples && may_freeze(h, k))
			switch_package(&p->phase[UNC_PAUSE], m, k, true);
		if (may_freeze(h, k))
			switch_package(&p->phase[UNC_START], m, k, true);
	}
	if (h->samples)
		unc_samples_save(save, h->samples, m);
}

/*
 * If the package is not frozen, boxes run from the setup on, so each is frozen until its start.
 */
static void let_packages(struct unc_program *p, const struct unc_claims *h)
{
	for (unsigned k = 0; k < h->machine->topo.n_packages; k++)
		if (unc_begins_package(h, k))
			switch_package(&p->phase[may_freeze(h, k) ? UNC_START : UNC_SETUP],
				       h->machine, k, false);
}

void unc_program_open_package(struct unc_ops *save, struct unc_ops *let,
			      const struct unc_machine *m, unsigned package)
{
	save->now = let->now = of_package(m, package);
	unc_program_global_save(save, m, package);
	unc_program_global(let, m, package, false);
}

/* late: the starts of boxes without a freeze. */
static void enter_boxes(struct unc_program *p, const struct unc_claims *h, struct unc_ops *late)
{
	struct unc_ops *start = &p->phase[UNC_START];
	struct unc_use then;
	struct unc_job j;

	for (size_t i = 0; unc_next_change(h, UNC_ENTERING, &i, &then, &j);) {
		p->phase[UNC_SAVE].now = p->phase[UNC_VERIFY].now = start->now = late->now =
			of_box(&j);
		unc_program_save(&p->phase[UNC_SAVE], &j);
		unc_program_setup(&p->phase[UNC_SETUP], &j);
		unc_program_start(j.box->type->no_box_ctl ? late : start, &j);
		unc_program_check_filters(&p->phase[UNC_VERIFY], &j, 0);
		if (h->samples && unc_freezes(j.box, j.box->package))
			unc_program_stop(&p->phase[UNC_PAUSE], &j);
	}
}

static bool complete(const struct unc_program *p)
{
	for (int i = 0; i < UNC_PHASES; i++)
		if (p->phase[i].failed)
			return false;
	return true;
}

bool unc_program_enter(struct unc_program *p, const struct unc_claims *h)
{
	struct unc_ops *start = &p->phase[UNC_START], late = {.n = 0};

	enter_packages(p, h);
	p->frozen = start->n > 0;
	enter_boxes(p, h, &late);
	/* boxes with a freeze start first, close together; the others last */
	for (size_t i = 0; i < late.n; i++) {
		start->now = late.scope[i];
		unc_ops_push(start, late.op[i]);
	}
	start->failed |= late.failed;
	unc_ops_free(&late);
	if (h->samples) {
		unc_samples_clear(&p->phase[UNC_CLEAR], h->samples, h->machine);
		unc_samples_load(&p->phase[UNC_LOAD], h->samples, h->machine, false);
		unc_samples_mode(start, h->samples, h->machine);
	}
	if (p->frozen || h->samples)
		let_packages(p, h);
	compose_freeze_check(&p->phase[UNC_FREEZE_CHECK], h);
	return complete(p);
}

/* ---- leave a running box ---- */

bool unc_box_taken(const struct unc_claims *h, const struct unc_job *j)
{
	const unsigned box = (unsigned)(j->box - j->machine->boxes);

	return taken(h, unc_group_of_box(j->machine, box)) &&
	       !unc_style_of(j->machine, j->box->type)->per_counter;
}

void unc_program_close_package(struct unc_ops *leave, const struct unc_machine *m, unsigned package)
{
	leave->now = of_package(m, package);
	unc_program_global_leave(leave, m, package);
}

bool unc_program_leave(struct unc_program *p, const struct unc_claims *h)
{
	const struct unc_machine *m = h->machine;
	struct unc_ops *stop = &p->phase[UNC_STOP], *leave = &p->phase[UNC_LEAVE];
	struct unc_ops *check = &p->phase[UNC_CHECK];
	struct unc_use then;
	struct unc_job j;

	if (h->samples) {
		unc_samples_clear(leave, h->samples, m);
		unc_samples_restore(leave, h->samples, m);
		unc_samples_load(&p->phase[UNC_DISARM], h->samples, m, true);
	}
	/* restore the state from before the set; leave packages that another tool has frozen */
	for (unsigned k = 0; k < m->topo.n_packages; k++) {
		if (!unc_ends_package(h, k))
			continue;
		stop->now = leave->now = of_package(m, k);
		if (taken(h, stop->now.group))
			continue;
		unc_program_global(stop, m, k, true);
		unc_program_global_leave(leave, m, k);
	}
	p->frozen = stop->n > 0;
	for (size_t i = 0; unc_next_change(h, UNC_LEAVING, &i, &then, &j);) {
		check->now = stop->now = of_box(&j);
		if (!unc_box_taken(h, &j))
			unc_program_stop(stop, &j);
		unc_program_check(check, &j);
		unc_program_check_filters(check, &j,
					  h->groups ? h->groups[check->now.group].unlike : 0);
	}
	return complete(p);
}

void unc_program_free(struct unc_program *p)
{
	for (int i = 0; i < UNC_PHASES; i++) {
		free(p->phase[i].op);
		free(p->phase[i].scope);
		p->phase[i] = (struct unc_ops){.n = 0};
	}
}
