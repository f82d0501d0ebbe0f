/* SPDX-License-Identifier: BSD-3-Clause */
/* allow.c - the registers and bits that the programs of program.c, arch.c and global.c access. */
#include "plan/allow.h"

#include "arch/arch.h"
#include "plan/overflow.h"

struct walk {
	const struct unc_machine *machine;
	unc_register_visit *visit;
	void *arg;
};

static void found(const struct walk *w, const struct unc_box *b, const struct unc_op *op,
		  uint64_t writable, const char *what)
{
	const struct unc_register_use use = {
		.op = *op, .writable = writable, .changes = writable, .box = b, .what = what};

	w->visit(w->arg, &use);
}

static void found_nth(const struct walk *w, const struct unc_box *b, const struct unc_op *op,
		      uint64_t writable, const char *what, unsigned n)
{
	const struct unc_register_use use = {.op = *op,
					     .writable = writable,
					     .changes = writable,
					     .box = b,
					     .what = what,
					     .n = n,
					     .numbered = true};

	w->visit(w->arg, &use);
}

/* Bits that enable counting; without numbers, as the only register of its kind. */
static void found_starts(const struct walk *w, const struct unc_box *b, const struct unc_op *op,
			 uint64_t writable, uint64_t starts, const char *what, int n)
{
	const struct unc_register_use use = {.op = *op,
					     .writable = writable,
					     .changes = writable,
					     .starts = starts,
					     .box = b,
					     .what = what,
					     .n = n < 0 ? 0 : (unsigned)n,
					     .numbered = n >= 0};

	w->visit(w->arg, &use);
}

/* Bits of a register whose other bits belong to other users. */
static void found_shared(const struct walk *w, const struct unc_box *b, const struct unc_op *op,
			 uint64_t writable, uint64_t starts, const char *what)
{
	const struct unc_register_use use = {.op = *op,
					     .writable = writable,
					     .changes = writable,
					     .starts = starts,
					     .shared = true,
					     .box = b,
					     .what = what};

	w->visit(w->arg, &use);
}

/* ---- uncore boxes ---- */

static uint64_t unit_bits(const struct unc_machine *m, const struct unc_box_type *t)
{
	const struct unc_style *style = unc_style_of(m, t);
	uint64_t bits = style->run | style->freeze | style->reset;

	for (const uint32_t *step = t->reset_steps; step && *step; step++)
		bits |= *step;
	if (!style->per_counter)
		return bits;
	bits |= (UINT64_C(1) << t->n_counters) - 1;
	return t->fixed.width ? bits | UINT64_C(1) << t->fixed.bit : bits;
}

static uint64_t control_bits(const struct unc_machine *m, const struct unc_box_type *t)
{
	const struct unc_style *style = unc_style_of(m, t);

	return (t->event_mask & ~t->unwritten) | style->enable | style->clear | style->busy;
}

/* A control with a bit per counter is shared, and enables counting. */
static void walk_box_control(const struct walk *w, const struct unc_box *b)
{
	const struct unc_machine *m = w->machine;
	const uint64_t bits = unit_bits(m, b->type);
	const struct unc_style *style = unc_style_of(m, b->type);
	struct unc_op op;

	if (!unc_register_op(m, b, UNCORE_UNIT_CONTROL, 0, &op))
		return;
	if (style->per_counter)
		found_shared(w, b, &op, bits, bits & ~(style->run | style->freeze | style->reset),
			     "box control");
	else
		found(w, b, &op, bits, "box control");
}

static void walk_box(const struct walk *w, const struct unc_box *b)
{
	const struct unc_machine *m = w->machine;
	const struct unc_box_type *t = b->type;
	struct unc_op op;

	walk_box_control(w, b);
	for (unsigned n = 0; n < t->n_counters; n++) {
		if (unc_register_op(m, b, UNCORE_CONTROL, n, &op))
			found_starts(w, b, &op, control_bits(m, t), unc_style_of(m, t)->enable,
				     "control", (int)n);
		if (unc_register_op(m, b, UNCORE_COUNTER, n, &op))
			found_nth(w, b, &op, 0, "counter", n);
	}
	if (unc_register_op(m, b, UNCORE_CONTROL, t->n_counters, &op))
		found_starts(w, b, &op, t->fixed.enable, t->fixed.enable, "fixed control", -1);
	if (unc_register_op(m, b, UNCORE_COUNTER, t->n_counters, &op))
		found(w, b, &op, 0, "fixed counter");
	for (unsigned n = 0; unc_register_op(m, b, UNCORE_FILTER, n, &op); n++) {
		const struct unc_filter *f = &t->filters[n];

		found_nth(w, b, &op, f->mask | f->always | f->unset | f->set, "filter", n);
	}
}

/* ---- sets that stop after n occurrences; overflow.c ---- */

static void found_stop_after(const struct walk *w, const struct unc_box *b, const struct unc_op *op,
			     uint64_t stop_after, uint64_t starts, const char *what)
{
	const struct unc_register_use use = {
		.op = *op,
		.stop_after = stop_after,
		.changes = stop_after,
		.starts = starts,
		.box = b,
		.what = what,
	};

	w->visit(w->arg, &use);
}

/* A register that is used for nothing else. */
static void found_only(const struct walk *w, const struct unc_box *b, const struct unc_op *op,
		       uint64_t stop_after, uint64_t changes, const char *what)
{
	const struct unc_register_use use = {.op = *op,
					     .stop_after = stop_after,
					     .changes = changes,
					     .stop_after_only = true,
					     .box = b,
					     .what = what};

	w->visit(w->arg, &use);
}

/*
 * Overflow bits are cleared by writing ones.  With a mask, msr-safe would write the other bits
 * as they were read, and so clear them, too: the mask must have all bits.
 */
static void found_status(const struct walk *w, const struct unc_box *b, const struct unc_op *op,
			 uint64_t bits, uint8_t clear, const char *what)
{
	struct unc_op cleared = *op;

	if (!bits)
		return;
	if (clear)
		found_only(w, b, op, 0, 0, what);
	cleared.address += clear;
	found_only(w, b, &cleared, UINT64_MAX, bits, what);
}

static void walk_overflow(const struct walk *w, unsigned box)
{
	const struct unc_machine *m = w->machine;
	const struct unc_box *b = &m->boxes[box];
	const struct unc_box_type *t = b->type;
	struct unc_op op;

	if (!m->platform->desc->overflow)
		return;
	if (unc_register_op(m, b, UNCORE_UNIT_CONTROL, 0, &op))
		found_stop_after(w, b, &op, m->platform->desc->overflow->run, 0, "box control");
	for (unsigned n = 0; n <= t->n_counters; n++) {
		const bool fixed = n == t->n_counters;
		struct unc_shows shows;

		unc_shows(m, box, n, &shows);
		if (!shows.enable)
			continue;
		found_status(w, b, &shows.box, shows.box_clear, shows.clear, "status");
		found_status(w, NULL, &shows.global, shows.global_clear, shows.clear,
			     "global status");
		if (unc_register_op(m, b, UNCORE_CONTROL, n, &op))
			found_stop_after(w, b, &op, shows.enable, shows.enable,
					 fixed ? "fixed control" : "control");
		if (unc_register_op(m, b, UNCORE_COUNTER, n, &op))
			found_stop_after(w, b, &op, unc_preload_bits(t, n), 0,
					 fixed ? "fixed counter" : "counter");
	}
}

/* ---- CPUs ---- */

/* In the global registers. */
static uint64_t global_bits(const struct unc_arch *arch)
{
	return ((UINT64_C(1) << arch->n_counters) - 1) | (uint64_t)arch->fixed
								 << UNC_ARCH_FIXED_FIRST;
}

static uint64_t fixed_bits(const struct unc_arch *arch)
{
	uint64_t bits = 0;

	for (unsigned i = 0; arch->fixed >> i; i++)
		if (arch->fixed >> i & 1)
			bits |= (uint64_t)UNC_ARCH_FIXED_ALL << UNC_ARCH_FIXED_BITS * i;
	return bits;
}

static struct unc_op cpu_op(const struct unc_box *b, uint32_t msr)
{
	return (struct unc_op){
		.kind = UNCORE_READ,
		.space = UNCORE_CPU,
		.width = 64,
		.package = b->package,
		.unit = b->index,
		.address = msr,
	};
}

static void walk_globals(const struct walk *w, const struct unc_box *b)
{
	const struct unc_arch *arch = b->type->arch;
	const bool resets = arch->version >= UNC_ARCH_VERSION_RESET;
	const uint64_t all = global_bits(arch);
	struct unc_op op = cpu_op(b, UNC_ARCH_DEBUGCTL);

	found(w, b, &op, 0, "DEBUGCTL");
	op.address = UNC_ARCH_FIXED_CTRL;
	found_shared(w, b, &op, fixed_bits(arch), fixed_bits(arch), "FIXED_CTR_CTRL");
	op.address = UNC_ARCH_STATUS;
	found(w, b, &op, 0, "PERF_GLOBAL_STATUS");
	op.address = UNC_ARCH_GLOBAL_CTRL;
	found_shared(w, b, &op, all, all, "PERF_GLOBAL_CTRL");
	op.address = UNC_ARCH_CLEAR;
	found(w, b, &op, all | (resets ? UNC_ARCH_FROZEN | UNC_ARCH_ENCLAVE : 0),
	      resets ? "PERF_GLOBAL_STATUS_RESET" : "PERF_GLOBAL_OVF_CTRL");
	if (!resets)
		return;
	if (w->machine->platform->desc->overflow)
		found_stop_after(w, b, &op, UNC_ARCH_UNCORE, 0, "PERF_GLOBAL_STATUS_RESET");
	op.address = UNC_ARCH_IN_USE;
	found(w, b, &op, 0, "PERF_GLOBAL_INUSE");
}

/* The counters of a core are cleared by writing 0. */
static void walk_cpu(const struct walk *w, const struct unc_box *b)
{
	const struct unc_box_type *t = b->type;
	const struct unc_arch *arch = t->arch;

	for (unsigned n = 0; n < t->n_counters; n++) {
		const bool fixed = n >= arch->n_counters;
		const unsigned width = fixed ? arch->fixed_width : t->width;
		struct unc_op op = cpu_op(b, t->ctrs[n]);

		if (fixed && !(arch->fixed >> (n - arch->n_counters) & 1))
			continue;
		found_nth(w, b, &op, UINT64_MAX >> (64 - width), fixed ? "FIXED_CTR" : "PMC",
			  fixed ? n - arch->n_counters : n);
		if (fixed)
			continue;
		op.address = t->ctls[n];
		found_starts(w, b, &op, t->event_mask | t->any_of | UNC_ARCH_ENABLE,
			     UNC_ARCH_ENABLE, "PERFEVTSEL", (int)n);
	}
	if (arch->version >= UNC_ARCH_VERSION_GLOBAL)
		walk_globals(w, b);
}

/* ---- packages ---- */

static void walk_counts(const struct walk *w)
{
	const struct unc_machine *m = w->machine;
	struct unc_op op = unc_msr_op(0, 0);

	for (unsigned t = 0; m->types[t]; t++) {
		op.address = m->types[t]->capid ? m->types[t]->capid->offset : 0;
		if (m->types[t]->capid && !m->types[t]->capid->device)
			found(w, NULL, &op, 0, "number of boxes");
	}
	for (const struct unc_discovered_type *t = m->platform->desc->discovered;
	     t && t->number != UNC_UNNAMED; t++) {
		op.address = t->count_msr;
		if (t->count_msr)
			found(w, NULL, &op, 0, "number of boxes");
	}
	op.address = m->platform->desc->table_msr;
	if (op.address)
		found(w, NULL, &op, 0, "discovery table");
	for (unsigned t = 0; m->types[t]; t++) {
		op.address = m->types[t]->energy ? m->types[t]->energy->unit : 0;
		if (op.address && m->types[t]->space == UNC_IN_MSR)
			found(w, NULL, &op, 0, "unit of energy");
	}
}

static void walk_package(const struct walk *w, unsigned package)
{
	const struct unc_machine *m = w->machine;
	const struct unc_global *g = m->platform->desc->global;
	const struct unc_overflow *o = m->platform->desc->overflow;
	const struct unc_op op = unc_msr_op(package, g ? g->msr : 0);

	if (g)
		found_shared(w, NULL, &op, g->freeze | g->unfreeze | g->zero, 0, "global control");
	if (g && o)
		found_stop_after(w, NULL, &op, o->mode | o->cores, o->mode | o->cores,
				 "global control");
}

/* All cores have the same registers: the first usable one stands for all. */
static bool repeats(const struct unc_machine *m, size_t i)
{
	const struct unc_box *b = &m->boxes[i];

	return b->type->arch && i > 0 && b[-1].type == b->type && !b[-1].absent;
}

/* Not in any list: unusable boxes without MSRs, and energy counters that are not used. */
static bool is_out(const struct unc_box *b)
{
	if (!b->absent || b->type->arch)
		return false;
	return b->type->space != UNC_IN_MSR || (!unc_is_uncore(b->type) && !b->unreached);
}

static void walk_boxes(const struct walk *w)
{
	const struct unc_machine *m = w->machine;

	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct unc_box *b = &m->boxes[i];

		if (repeats(m, i) || is_out(b))
			continue;
		if (b->type->arch) {
			walk_cpu(w, b);
			continue;
		}
		walk_box(w, b);
		if (!b->type->free)
			walk_overflow(w, (unsigned)i);
	}
}

void unc_each_register(const struct unc_machine *m, unc_register_visit *visit, void *arg)
{
	const struct walk w = {m, visit, arg};

	if (!m->platform)
		return;
	for (unsigned p = 0; p < m->topo.n_packages; p++)
		walk_package(&w, p);
	for (unsigned i = 0; i < m->n_globals; i++)
		found(&w, NULL, &m->globals[i], 1, "global control");
	walk_counts(&w);
	walk_boxes(&w);
}

struct search {
	uint32_t msr;
	uint64_t bits;
};

static void add_bits(void *arg, const struct unc_register_use *use)
{
	struct search *s = arg;

	if (unc_is_msr(&use->op) && use->op.address == s->msr)
		s->bits |= use->writable;
}

uint64_t unc_writable_bits(const struct unc_machine *m, const struct unc_op *op)
{
	struct search s = {.msr = (uint32_t)op->address};

	unc_each_register(m, add_bits, &s);
	return s.bits;
}

/* ---- the registers that programs write, for the check in hw/pmon.c ---- */

static void add_to_map(void *arg, const struct unc_register_use *use)
{
	struct unc_pmon_register reg = unc_pmon_key(&use->op);

	/* boxes that cannot be used are never written */
	if (!use->changes || (use->box && use->box->absent))
		return;
	reg.bits = use->changes;
	reg.starts = use->starts;
	reg.shared = use->shared;
	unc_pmon_add(arg, &reg);
}

int unc_map_make(struct unc_pmon *map, const struct unc_machine *m)
{
	*map = (struct unc_pmon){.n = 0};
	unc_each_register(m, add_to_map, map);
	return map->failed ? UNCORE_ENOMEM : 0;
}
