/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow.c - stop after n occurrences, as register programs; docs/hardware/README.md, "Freeze
 * on overflow"; manuals 329468-002 2.1.2 to 2.1.4 and 323535 2.1.4.
 *
 * The manual's order for a new sample: clear counters, clear the overflow bits, load the
 * counter, unfreeze.  Here the counter is loaded without being cleared, and the counters of
 * other events continue from their values.
 */
#include "plan/overflow.h"

#include <stdio.h>

#include "arch/arch.h"

/* ---- location of overflow bits ---- */

static const struct unc_overflow_at *row_of(const struct unc_machine *m, const struct unc_box *b)
{
	const struct unc_overflow *o = m->platform->desc->overflow;
	const struct unc_overflow_at *at = o ? o->at : NULL;

	while (at && at->type && strcmp(at->type, b->type->name) != 0)
		at++;
	return at && at->type ? at : NULL;
}

static uint32_t enable_of(const struct unc_machine *m, const struct unc_box *b, unsigned counter)
{
	const struct unc_overflow *o = m->platform->desc->overflow;
	const struct unc_overflow_at *at = row_of(m, b);

	if (!o || b->type->free || b->type->arch)
		return 0;
	if (counter >= b->type->n_counters)
		return at ? at->fixed : 0;
	return at && at->enable ? at->enable : o->enable;
}

static int position_of(const struct unc_overflow_at *at, const struct unc_box *b, unsigned counter)
{
	if (counter == b->type->n_counters)
		return at->fixed_position;
	if (at->position < 0 || b->index >= at->positions)
		return -1;
	return at->position + (int)(b->index / (at->share ? at->share : 1u));
}

static void shows_by_row(const struct unc_machine *m, const struct unc_box *b, unsigned counter,
			 struct unc_shows *out)
{
	const struct unc_overflow *o = m->platform->desc->overflow;
	const struct unc_overflow_at *at = row_of(m, b);
	const unsigned unit = b->type->units ? (unsigned)b->index * b->type->n_counters : 0;
	int position;

	out->clear = o->clear;
	if (!at)
		return;
	if (at->status) {
		out->box = unc_box_op(m, b, at->status);
		out->box_bit = at->unordered ? 0 : UINT64_C(1) << (at->first + unit + counter);
		out->box_clear = at->unordered | out->box_bit;
	}
	position = position_of(at, b, counter);
	if (position < 0)
		return;
	out->global = unc_msr_op(b->package, o->status);
	out->global_clear = UINT64_C(1) << position;
	out->global_bit = at->unsure ? 0 : out->global_clear;
}

void unc_shows(const struct unc_machine *m, unsigned box, unsigned counter, struct unc_shows *out)
{
	const struct unc_box *b = &m->boxes[box];
	struct unc_summary summary;

	*out = (struct unc_shows){.enable = enable_of(m, b, counter)};
	if (!out->enable)
		return;
	if (!unc_summary_of(m, box, &summary)) {
		shows_by_row(m, b, counter, out);
		return;
	}
	if (summary.offset) {
		out->box = unc_box_op(m, b, b->type->box_ctl + summary.offset);
		out->box_clear = out->box_bit = UINT64_C(1) << counter;
	}
	if (summary.msr) {
		out->global = unc_msr_op(b->package, summary.msr);
		out->global_clear = out->global_bit = UINT64_C(1) << summary.bit;
	}
}

/* ---- samples ---- */

static const char *why_polled(const struct unc_machine *m, const struct unc_box *b,
			      unsigned counter)
{
	if (b->type->free)
		return "a free-running counter cannot be preset";
	if (b->type->arch)
		return "the overflow of a core counter does not stop boxes";
	if (!m->platform->desc->overflow)
		return "stopping all counters on overflow is not supported on this CPU";
	if (!m->platform->desc->global && m->n_globals == 0)
		return "this machine has no register that stops all boxes";
	if (!enable_of(m, b, counter))
		return "this fixed counter does not report its overflow";
	return NULL;
}

static unsigned width_of(const struct unc_machine *m, const struct unc_sample *s)
{
	return unc_counter_width(m->boxes[s->box].type, s->counter);
}

static int check_n(const struct unc_sample *s, const struct unc_machine *m, const char *name,
		   char *reason, size_t len)
{
	const unsigned width = s->polled ? 63 : width_of(m, s);

	if (s->n > 0 && s->n >> width == 0)
		return 0;
	snprintf(reason, len,
		 "%s cannot stop after %llu: its counter has %u bits, the number must be from 1 to "
		 "2^%u - 1",
		 name, (unsigned long long)s->n, width, width);
	return UNCORE_ECOMBO;
}

/*
 * Only one counter can stop after n: counters of several boxes do not know each other's counts.
 */
static int find_counter(struct unc_sample *s, struct unc_layout *l, const struct unc_machine *m,
			const char *name, char *reason, size_t len)
{
	struct unc_assignment *assignment = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->at[i].event != s->event)
			continue;
		assignment = &l->at[i].assignment;
		s->box = l->at[i].box;
		s->counter = assignment->counter;
		n++;
	}
	if (n != 1) {
		snprintf(reason, len,
			 "%s is counted by %u counters, and a stop condition requires one: select "
			 "a box and package, for example %s:box=0:pkg=0",
			 name, n, name);
		return UNCORE_ECOMBO;
	}
	s->polled = why_polled(m, &m->boxes[s->box], s->counter);
	if (!s->polled)
		assignment->overflow = enable_of(m, &m->boxes[s->box], s->counter);
	return check_n(s, m, name, reason, len);
}

bool unc_samples_stop(const struct unc_samples *s, const struct unc_machine *m, unsigned package)
{
	for (unsigned i = 0; i < s->n; i++)
		if (!s->at[i].polled && m->boxes[s->at[i].box].package == package)
			return true;
	return false;
}

/* All boxes of the package must react, not only the one that reports the overflow. */
static void mark_boxes(const struct unc_samples *s, struct unc_layout *l,
		       const struct unc_machine *m)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct unc_box *b = &m->boxes[l->at[i].box];

		if (unc_freezes(b, b->package) && unc_samples_stop(s, m, b->package))
			l->at[i].assignment.run = m->platform->desc->overflow->run;
	}
}

static int check_cores(const struct unc_samples *s, const struct unc_machine *m, char *reason,
		       size_t len)
{
	const struct unc_overflow *o = m->platform->desc->overflow;
	const uint64_t known = o && o->cores ? o->cores / (o->cores & -o->cores) : 0;

	if (!(s->cores & ~known))
		return 0;
	snprintf(reason, len,
		 "invalid cores %#llx for the overflow interrupt: this platform supports %#llx (0: "
		 "no interrupt)",
		 (unsigned long long)s->cores, (unsigned long long)known);
	return UNCORE_EINVAL;
}

/* A core does not react. */
static int check_reported(const struct unc_samples *s, const struct unc_machine *m,
			  const char *const *names, char *reason, size_t len)
{
	for (unsigned p = 0; p < m->topo.n_packages; p++)
		if (!s->cores || s->n == 0 || unc_samples_stop(s, m, p))
			return 0;
	snprintf(reason, len, "%s cannot interrupt a core: %s", names[s->at[0].event],
		 s->at[0].polled);
	return UNCORE_EINVAL;
}

int unc_samples_assign(struct unc_samples *s, struct unc_layout *l, const struct unc_machine *m,
		       const char *const *names, char *reason, size_t len)
{
	int r = check_cores(s, m, reason, len);

	for (size_t i = 0; i < l->n; i++) {
		l->at[i].assignment.overflow = 0;
		l->at[i].assignment.run = 0;
	}
	for (unsigned i = 0; r == 0 && i < s->n; i++)
		r = find_counter(&s->at[i], l, m, names[s->at[i].event], reason, len);
	if (r == 0)
		r = check_reported(s, m, names, reason, len);
	if (r == 0)
		mark_boxes(s, l, m);
	return r;
}

/* ---- programs ---- */

/*
 * The counter of Ivy Bridge-EP has 44 bits in the manual's table and 48 in its text (329468-002
 * table 2-9): loaded as a 48-bit counter, it overflows at the n-th occurrence in both cases.
 */
#define FIXED_BITS 48

uint64_t unc_preload_bits(const struct unc_box_type *t, unsigned counter)
{
	const unsigned width = counter == t->n_counters ? FIXED_BITS : t->width;

	return UINT64_MAX >> (64 - width);
}

uint64_t unc_sample_preload(const struct unc_sample *s, const struct unc_machine *m)
{
	const struct unc_box_type *t = m->boxes[s->box].type;

	return s->polled ? 0 : unc_preload_bits(t, s->counter) + 1 - s->n;
}

static struct unc_op writing(struct unc_op op, uint64_t value)
{
	op.kind = UNCORE_WRITE;
	op.value = value;
	return op;
}

/* The mode and the cores, in the register that also starts and stops; mask 0: no such bits. */
static struct unc_op mode_op(const struct unc_machine *m, unsigned package)
{
	const struct unc_overflow *o = m->platform->desc->overflow;
	const struct unc_global *g = m->platform->desc->global;
	struct unc_op op = unc_msr_op(package, g ? g->msr : 0);

	op.mask = g ? o->mode | o->cores : 0;
	op.saved = true;
	return op;
}

static void each_mode(struct unc_ops *ops, const struct unc_samples *s, const struct unc_machine *m,
		      enum uncore_op_kind kind, bool saved)
{
	for (unsigned p = 0; p < m->topo.n_packages; p++) {
		const struct unc_overflow *o = m->platform->desc->overflow;
		struct unc_op op;

		if (!unc_samples_stop(s, m, p))
			continue;
		ops->now = (struct unc_scope){unc_group_of_package(m, p), UNC_NO_BOX};
		op = mode_op(m, p);
		op.kind = (uint8_t)kind;
		op.saved = saved;
		if (kind == UNCORE_RMW && !saved)
			op.value = o->mode | s->cores * (o->cores & -o->cores);
		if (op.mask)
			unc_ops_push(ops, op);
	}
}

void unc_samples_save(struct unc_ops *ops, const struct unc_samples *s, const struct unc_machine *m)
{
	each_mode(ops, s, m, UNCORE_READ, true);
}

void unc_samples_mode(struct unc_ops *ops, const struct unc_samples *s, const struct unc_machine *m)
{
	each_mode(ops, s, m, UNCORE_RMW, false);
}

void unc_samples_restore(struct unc_ops *ops, const struct unc_samples *s,
			 const struct unc_machine *m)
{
	each_mode(ops, s, m, UNCORE_RMW, true);
}

/* From version 4 on, a core that got the interrupt keeps a status bit until it is cleared. */
static void reset_cores(struct unc_ops *ops, const struct unc_samples *s,
			const struct unc_machine *m)
{
	for (size_t i = 0; s->cores && i < m->n_boxes; i++) {
		const struct unc_box *b = &m->boxes[i];

		if (!b->type->arch || b->type->arch->version < UNC_ARCH_VERSION_RESET ||
		    b->absent || !unc_samples_stop(s, m, b->package))
			continue;
		unc_ops_push(ops, (struct unc_op){
					  .kind = UNCORE_WRITE,
					  .space = UNCORE_CPU,
					  .width = 64,
					  .package = b->package,
					  .unit = b->index,
					  .address = UNC_ARCH_CLEAR,
					  .value = UNC_ARCH_UNCORE,
				  });
	}
}

void unc_samples_clear(struct unc_ops *ops, const struct unc_samples *s,
		       const struct unc_machine *m)
{
	for (unsigned i = 0; i < s->n; i++) {
		struct unc_shows shows;

		if (s->at[i].polled)
			continue;
		unc_shows(m, s->at[i].box, s->at[i].counter, &shows);
		shows.box.address += shows.clear;
		shows.global.address += shows.clear;
		if (shows.box_clear)
			unc_ops_push(ops, writing(shows.box, shows.box_clear));
		if (shows.global_clear)
			unc_ops_push(ops, writing(shows.global, shows.global_clear));
	}
	reset_cores(ops, s, m);
}

void unc_samples_load(struct unc_ops *ops, const struct unc_samples *s, const struct unc_machine *m,
		      bool zero)
{
	for (unsigned i = 0; i < s->n; i++) {
		const struct unc_sample *one = &s->at[i];
		const struct unc_op op = unc_read_op(m, &m->boxes[one->box], one->counter);

		if (!one->polled)
			unc_ops_push(ops, writing(op, zero ? 0 : unc_sample_preload(one, m)));
	}
}
