/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.c - an assignment as register operations; design.md 8, docs/hardware/README.md.
 *
 * An idle box is frozen and reset with one write.  A box that is counting is neither frozen nor
 * reset: a new counter is cleared by its own control.  A box that another round of multiplexed
 * events has just left is frozen already, and its counters keep their values.
 */
#include <stdlib.h>
#include <string.h>

#include "plan/arch.h"
#include "plan/plan.h"

static bool grow(struct unc_ops *ops)
{
	const size_t room = ops->room ? 2 * ops->room : 64;
	struct unc_op *op = realloc(ops->op, room * sizeof(*op));
	struct unc_scope *scope;

	if (!op)
		return false;
	ops->op = op;
	scope = realloc(ops->scope, room * sizeof(*scope));
	if (!scope)
		return false;
	ops->scope = scope;
	ops->room = room;
	return true;
}

void unc_ops_push(struct unc_ops *ops, struct unc_op op)
{
	if (ops->n == ops->room && !grow(ops)) {
		ops->failed = true;
		return;
	}
	ops->scope[ops->n] = ops->now;
	ops->op[ops->n++] = op;
}

void unc_ops_free(struct unc_ops *ops)
{
	free(ops->op);
	free(ops->scope);
	memset(ops, 0, sizeof(*ops));
}

/* ---- operations ---- */

static struct unc_op control_op(const struct unc_job *j, unsigned counter)
{
	return unc_control_op(j->machine, j->box, counter);
}

static struct unc_op box_op(const struct unc_job *j)
{
	return unc_box_op(j->machine, j->box, j->box->type->box_ctl);
}

static struct unc_op filter_op(const struct unc_job *j, unsigned f)
{
	return unc_filter_op(j->machine, j->box, f);
}

static struct unc_op writing(struct unc_op op, uint64_t value)
{
	op.kind = UNCORE_WRITE;
	op.value = value;
	return op;
}

static struct unc_op changing(struct unc_op op, uint64_t value, uint64_t mask)
{
	op.kind = UNCORE_RMW;
	op.value = value;
	op.mask = mask;
	return op;
}

/* To be restored later, under mask. */
static struct unc_op saving(struct unc_op op, uint64_t mask)
{
	op.mask = mask;
	op.saved = true;
	return op;
}

/* ---- registers of a job ---- */

uint64_t unc_busy_bits(const struct unc_machine *m, const struct unc_box_type *t, unsigned counter)
{
	const struct unc_style *style = unc_style_of(m, t);

	if (counter == t->n_counters)
		return t->fixed.enable;
	return style->busy ? style->busy : style->enable;
}

bool unc_is_reset(const struct unc_machine *m, const struct unc_box_type *t)
{
	return !t->free && !t->arch && !t->no_box_ctl && !unc_style_of(m, t)->per_counter;
}

static bool idle(const struct unc_use *use)
{
	return use->n + use->paired == 0;
}

bool unc_will_reset(const struct unc_machine *m, const struct unc_box_type *t,
		    const struct unc_use *use)
{
	return unc_is_reset(m, t) && idle(use) && !use->held;
}

static bool owns_filter(const struct unc_assignment *assignments, unsigned n, unsigned f)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned b = 0; b < assignments[i].n_bits; b++)
			if (assignments[i].bits[b].filter == f)
				return true;
	return false;
}

/* The filter registers that the job has to write.  A gate that is already open stays open. */
static bool writes_filter(const struct unc_job *j, unsigned f)
{
	const struct unc_box_type *t = j->box->type;

	if (t->filters[f].gate && owns_filter(j->before->at, j->before->n, f))
		return false;
	return owns_filter(j->assignments, j->n, f) || (t->filter_always && idle(j->before));
}

static uint32_t enable_bit(const struct unc_job *j, const struct unc_assignment *s)
{
	const struct unc_box_type *t = j->box->type;

	return s->counter == t->n_counters ? t->fixed.enable : unc_style_of(j->machine, t)->enable;
}

static uint64_t enabled(const struct unc_job *j, const struct unc_assignment *s)
{
	const struct unc_box_type *t = j->box->type;

	return enable_bit(j, s) | s->overflow |
	       (s->counter == t->n_counters ? 0 : s->control & ~t->unwritten);
}

/* Where the box control has an enable bit per counter: those of the job. */
static uint64_t enable_bits(const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;
	uint64_t bits = 0;

	for (unsigned i = 0; i < j->n; i++) {
		const unsigned counter = j->assignments[i].counter;

		bits |= UINT64_C(1) << (counter == t->n_counters ? t->fixed.bit : counter);
	}
	return bits;
}

/* Without a freeze, the enable bit itself starts the counter. */
static bool starts_by_control(const struct unc_job *j, const struct unc_style *style)
{
	return j->box->type->no_box_ctl || (!idle(j->before) && !style->per_counter);
}

/* ---- programs of uncore boxes, and of CPUs, which arch.c makes ---- */

/* The units of a device share their box control: one access serves both. */
static void push_shared(struct unc_ops *ops, const struct unc_job *j, struct unc_op op)
{
	for (size_t i = 0; j->box->type->units && i < ops->n; i++)
		if (ops->op[i].kind == op.kind && ops->op[i].unit == op.unit &&
		    ops->op[i].address == op.address && ops->op[i].value == op.value)
			return;
	unc_ops_push(ops, op);
}

/* A counter of another set must not be cleared. */
static void check_counters(struct unc_ops *ops, const struct unc_job *j, const struct unc_box *b)
{
	const struct unc_box_type *t = b->type;
	const unsigned n = t->n_counters + (t->fixed.width ? 1u : 0u);
	const uint64_t busy = unc_busy_bits(j->machine, t, 0);
	uint64_t own = 0;

	for (unsigned i = 0; b == j->box && i < j->n; i++)
		own |= UINT64_C(1) << j->assignments[i].counter;
	for (unsigned c = 0; c < n; c++) {
		struct unc_op op;

		if (own >> c & 1)
			continue;
		op = unc_control_op(j->machine, b, c);
		op.mask = op.value = c == t->n_counters ? t->fixed.enable : busy;
		unc_ops_push(ops, op);
	}
}

/* The value of each read: the bits that must be 0, since the counter is in use otherwise. */
void unc_program_save(struct unc_ops *ops, const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;
	const bool resets = unc_will_reset(j->machine, t, j->before);

	if (t->arch)
		unc_arch_save(ops, j);
	if (t->arch || t->free)
		return;
	if (resets)
		push_shared(ops, j, box_op(j));
	else if (unc_style_of(j->machine, t)->per_counter)
		unc_ops_push(ops, saving(box_op(j), enable_bits(j)));
	for (unsigned f = 0; f < t->n_filters; f++)
		if (writes_filter(j, f))
			unc_ops_push(ops, filter_op(j, f));
	if (resets)
		check_counters(ops, j, j->box);
	if (resets && t->units)
		check_counters(ops, j, unc_other_unit(j->box));
	for (unsigned i = 0; i < j->n; i++) {
		struct unc_op op = control_op(j, j->assignments[i].counter);

		op.value = unc_busy_bits(j->machine, t, j->assignments[i].counter);
		unc_ops_push(ops, op);
	}
}

static void freeze_box(struct unc_ops *ops, const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;
	const struct unc_style *style = unc_style_of(j->machine, t);

	if (style->per_counter) {
		unc_ops_push(ops, changing(box_op(j), 0, enable_bits(j)));
	} else if (!t->no_box_ctl && idle(j->before) && !j->before->held) {
		for (const uint32_t *step = t->reset_steps; step && *step; step++)
			unc_ops_push(ops, writing(box_op(j), *step));
		push_shared(ops, j, writing(box_op(j), style->reset));
	}
}

/* The last round has written the same value. */
static bool holds_filter(const struct unc_job *j, unsigned f)
{
	const struct unc_box_type *t = j->box->type;
	const struct unc_use *last = j->before;

	return last->held && !t->filters[f].gate &&
	       (t->filter_always || owns_filter(last->at, last->held, f)) &&
	       unc_filter_value(t, last->at, last->held, f) ==
		       unc_filter_value(t, j->after->at, j->after->n, f);
}

static bool holds_control(const struct unc_job *j, const struct unc_assignment *s)
{
	const struct unc_assignment *last =
		j->before->held ? unc_held(j->before, s->counter) : NULL;

	return last && enabled(j, last) == enabled(j, s);
}

/* Gates are closed while the registers behind them change. */
static void set_filters(struct unc_ops *ops, const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;

	for (unsigned f = 0; f < t->n_filters; f++)
		if (t->filters[f].gate && writes_filter(j, f))
			unc_ops_push(ops, writing(filter_op(j, f), 0));
	for (int gate = 0; gate <= 1; gate++)
		for (unsigned f = 0; f < t->n_filters; f++)
			if (t->filters[f].gate == (gate == 1) && writes_filter(j, f) &&
			    !holds_filter(j, f))
				unc_ops_push(ops, writing(filter_op(j, f),
							  unc_filter_value(t, j->after->at,
									   j->after->n, f)));
}

static void set_control(struct unc_ops *ops, const struct unc_job *j,
			const struct unc_assignment *s)
{
	const struct unc_style *style = unc_style_of(j->machine, j->box->type);
	const bool fixed = s->counter == j->box->type->n_counters;
	uint64_t value = enabled(j, s);

	if (holds_control(j, s))
		return;
	if (starts_by_control(j, style))
		value = fixed || style->no_enable ? 0 : s->control | style->clear;
	unc_ops_push(ops, writing(control_op(j, s->counter), value));
}

void unc_program_setup(struct unc_ops *ops, const struct unc_job *j)
{
	if (j->box->type->arch)
		unc_arch_setup(ops, j);
	if (j->box->type->arch || j->box->type->free)
		return;
	freeze_box(ops, j);
	set_filters(ops, j);
	for (unsigned i = 0; i < j->n; i++)
		set_control(ops, j, &j->assignments[i]);
}

void unc_program_start(struct unc_ops *ops, const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;
	const struct unc_style *style;

	if (t->arch)
		unc_arch_start(ops, j);
	if (t->arch || t->free)
		return;
	style = unc_style_of(j->machine, t);
	if (style->per_counter) {
		unc_ops_push(ops, changing(box_op(j), enable_bits(j), enable_bits(j)));
		return;
	}
	if (!starts_by_control(j, style)) {
		push_shared(ops, j, writing(box_op(j), style->run | j->assignments->run));
		return;
	}
	for (unsigned i = 0; i < j->n; i++)
		unc_ops_push(ops, writing(control_op(j, j->assignments[i].counter),
					  enabled(j, &j->assignments[i])));
}

void unc_program_read(struct unc_ops *ops, const struct unc_job *j)
{
	for (unsigned i = 0; i < j->n; i++)
		unc_ops_push(ops, unc_read_op(j->machine, j->box, j->assignments[i].counter));
}

void unc_program_stop(struct unc_ops *ops, const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;
	const struct unc_style *style;

	if (t->arch)
		unc_arch_stop(ops, j);
	if (t->arch || t->free)
		return;
	style = unc_style_of(j->machine, t);
	if (style->per_counter)
		unc_ops_push(ops, changing(box_op(j), 0, enable_bits(j)));
	else if (!t->no_box_ctl && idle(j->before))
		push_shared(ops, j, writing(box_op(j), style->freeze));
	for (unsigned i = 0; i < j->n && t->no_box_ctl; i++)
		unc_ops_push(ops, writing(control_op(j, j->assignments[i].counter),
					  enabled(j, &j->assignments[i]) &
						  ~(uint64_t)enable_bit(j, &j->assignments[i])));
}

void unc_program_freeze_check(struct unc_ops *ops, const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;
	const struct unc_style *style = t->arch ? NULL : unc_style_of(j->machine, t);
	struct unc_op op = box_op(j);

	if (!style || t->free || (t->no_box_ctl && !style->per_counter))
		return;
	if (style->per_counter) {
		op.mask = op.value = enable_bits(j);
	} else {
		op.value = style->run | j->assignments->run;
		op.mask = style->freeze | op.value;
	}
	push_shared(ops, j, op);
}

void unc_program_check(struct unc_ops *ops, const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;
	const uint64_t event = t->event_mask & ~t->unwritten;

	if (t->arch)
		unc_arch_check(ops, j);
	for (unsigned i = 0; i < j->n && !t->free && !t->arch; i++) {
		const struct unc_assignment *s = &j->assignments[i];
		const bool fixed = s->counter == t->n_counters;
		struct unc_op op = control_op(j, s->counter);

		op.mask =
			(fixed ? 0 : event) | s->overflow | (t->no_box_ctl ? 0 : enable_bit(j, s));
		op.value = enabled(j, s) & op.mask;
		unc_ops_push(ops, op);
	}
}

/* ---- filters: what they hold while their events count ---- */

/* The bits of filter register f that the job's events own. */
static uint64_t owned_bits(const struct unc_job *j, unsigned f)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < j->n; i++)
		for (unsigned b = 0; b < j->assignments[i].n_bits; b++)
			if (j->assignments[i].bits[b].filter == f)
				mask |= j->assignments[i].bits[b].mask;
	return mask;
}

bool unc_filter_check(const struct unc_job *j, unsigned f, struct unc_op *op)
{
	const struct unc_box_type *t = j->box->type;
	const uint64_t mask = f < t->n_filters ? owned_bits(j, f) : 0;

	if (mask == 0 || !unc_register_op(j->machine, j->box, UNCORE_FILTER, f, op))
		return false;
	op->kind = UNCORE_READ;
	op->mask = mask;
	op->value = unc_filter_value(t, j->after->at, j->after->n, f) & mask;
	return true;
}

void unc_program_check_filters(struct unc_ops *ops, const struct unc_job *j, uint64_t except)
{
	struct unc_op op;

	for (unsigned f = 0; f < j->box->type->n_filters; f++)
		if (!(except >> f & 1) && unc_filter_check(j, f, &op))
			unc_ops_push(ops, op);
}

/* ---- registers and their owners ---- */

uint64_t unc_own_bits(const struct unc_job *j, const struct unc_op *op)
{
	if (j->box->type->arch)
		return unc_arch_own_bits(j, op);
	if (op->mask && unc_style_of(j->machine, j->box->type)->per_counter &&
	    op->address == box_op(j).address)
		return enable_bits(j);
	for (unsigned i = 0; !op->mask && i < j->n; i++)
		if (unc_counter_of_control(j->box, op) == j->assignments[i].counter)
			return UINT64_MAX;
	return 0;
}
