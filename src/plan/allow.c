/* allow.c - what the programs of program.c, arch.c and global.c do to MSRs. */
#include "plan/allow.h"

#include "arch/arch.h"
#include "plan/overflow.h"

struct walk {
	const struct unc_machine *machine;
	unc_msr_visit *visit;
	void *arg;
};

static void found(const struct walk *w, const struct unc_box *b, uint64_t address,
		  uint64_t writable, const char *what)
{
	const struct unc_msr_use use = {
		.msr = (uint32_t)address, .writable = writable, .box = b, .what = what};

	w->visit(w->arg, &use);
}

static void found_nth(const struct walk *w, const struct unc_box *b, uint64_t address,
		      uint64_t writable, const char *what, unsigned n)
{
	const struct unc_msr_use use = {.msr = (uint32_t)address,
					.writable = writable,
					.box = b,
					.what = what,
					.n = n,
					.numbered = true};

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

static void walk_box(const struct walk *w, const struct unc_box *b)
{
	const struct unc_machine *m = w->machine;
	const struct unc_box_type *t = b->type;
	struct uncore_op op;

	if (unc_register_op(m, b, UNCORE_UNIT_CONTROL, 0, &op))
		found(w, b, op.address, unit_bits(m, t), "box control");
	for (unsigned n = 0; n < t->n_counters; n++) {
		if (unc_register_op(m, b, UNCORE_CONTROL, n, &op))
			found_nth(w, b, op.address, control_bits(m, t), "control", n);
		if (unc_register_op(m, b, UNCORE_COUNTER, n, &op))
			found_nth(w, b, op.address, 0, "counter", n);
	}
	if (unc_register_op(m, b, UNCORE_CONTROL, t->n_counters, &op))
		found(w, b, op.address, t->fixed.enable, "fixed control");
	if (unc_register_op(m, b, UNCORE_COUNTER, t->n_counters, &op))
		found(w, b, op.address, 0, "fixed counter");
	for (unsigned n = 0; unc_register_op(m, b, UNCORE_FILTER, n, &op); n++) {
		const struct unc_filter *f = &t->filters[n];

		found_nth(w, b, op.address, f->mask | f->always | f->unset | f->set, "filter", n);
	}
}

/* ---- sets that stop after so many occurrences; overflow.c ---- */

static void found_until(const struct walk *w, const struct unc_box *b, uint64_t address,
			uint64_t until, bool only, const char *what)
{
	const struct unc_msr_use use = {.msr = (uint32_t)address,
					.until = until,
					.box = b,
					.what = what,
					.until_only = only};

	w->visit(w->arg, &use);
}

/*
 * Overflow bits are cleared by writing ones.  Under a mask msr-safe would write the
 * others as they are read, and so clear them, too: the mask has to have all bits.
 */
static void found_status(const struct walk *w, const struct unc_box *b, const struct uncore_op *op,
			 uint64_t bits, uint8_t clear, const char *what)
{
	if (!bits || op->space != UNCORE_MSR)
		return;
	if (clear)
		found_until(w, b, op->address, 0, true, what);
	found_until(w, b, op->address + clear, UINT64_MAX, true, what);
}

static void walk_overflow(const struct walk *w, unsigned box)
{
	const struct unc_machine *m = w->machine;
	const struct unc_box *b = &m->boxes[box];
	const struct unc_box_type *t = b->type;
	struct uncore_op op;

	if (!m->platform->overflow)
		return;
	if (t->space == UNCORE_MSR && unc_register_op(m, b, UNCORE_UNIT_CONTROL, 0, &op))
		found_until(w, b, op.address, m->platform->overflow->run, false, "box control");
	for (unsigned n = 0; n <= t->n_counters; n++) {
		const bool fixed = n == t->n_counters;
		struct unc_shows shows;

		unc_shows(m, box, n, &shows);
		if (!shows.enable)
			continue;
		found_status(w, b, &shows.box, shows.box_clear, shows.clear, "status");
		found_status(w, NULL, &shows.global, shows.global_clear, shows.clear,
			     "global status");
		if (t->space != UNCORE_MSR)
			continue;
		if (unc_register_op(m, b, UNCORE_CONTROL, n, &op))
			found_until(w, b, op.address, shows.enable, false,
				    fixed ? "fixed control" : "control");
		if (unc_register_op(m, b, UNCORE_COUNTER, n, &op))
			found_until(w, b, op.address, unc_preload_bits(t, n), false,
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

static void walk_globals(const struct walk *w, const struct unc_box *b)
{
	const struct unc_arch *arch = b->type->arch;
	const bool resets = arch->version >= UNC_ARCH_VERSION_RESET;
	const uint64_t all = global_bits(arch);

	found(w, b, UNC_ARCH_DEBUGCTL, 0, "DEBUGCTL");
	found(w, b, UNC_ARCH_FIXED_CTRL, fixed_bits(arch), "FIXED_CTR_CTRL");
	found(w, b, UNC_ARCH_STATUS, 0, "PERF_GLOBAL_STATUS");
	found(w, b, UNC_ARCH_GLOBAL_CTRL, all, "PERF_GLOBAL_CTRL");
	found(w, b, UNC_ARCH_CLEAR, all | (resets ? UNC_ARCH_FROZEN : 0),
	      resets ? "PERF_GLOBAL_STATUS_RESET" : "PERF_GLOBAL_OVF_CTRL");
	if (!resets)
		return;
	found(w, b, UNC_ARCH_IN_USE, 0, "PERF_GLOBAL_INUSE");
	if (w->machine->platform->overflow)
		found_until(w, b, UNC_ARCH_CLEAR, UNC_ARCH_UNCORE, false,
			    "PERF_GLOBAL_STATUS_RESET");
}

/* A CPU's counters are cleared by writing 0. */
static void walk_cpu(const struct walk *w, const struct unc_box *b)
{
	const struct unc_box_type *t = b->type;
	const struct unc_arch *arch = t->arch;

	for (unsigned n = 0; n < t->n_counters; n++) {
		const bool fixed = n >= arch->n_counters;
		const unsigned width = fixed ? arch->fixed_width : t->width;

		if (fixed && !(arch->fixed >> (n - arch->n_counters) & 1))
			continue;
		found_nth(w, b, t->ctrs[n], UINT64_MAX >> (64 - width), fixed ? "FIXED_CTR" : "PMC",
			  fixed ? n - arch->n_counters : n);
		if (!fixed)
			found_nth(w, b, t->ctls[n], t->event_mask | t->any_of | UNC_ARCH_ENABLE,
				  "PERFEVTSEL", n);
	}
	if (arch->version >= UNC_ARCH_VERSION_GLOBAL)
		walk_globals(w, b);
}

/* ---- packages ---- */

static void walk_package(const struct walk *w)
{
	const struct unc_machine *m = w->machine;
	const struct unc_global *g = m->platform->global;

	if (g)
		found(w, NULL, g->msr, g->freeze | g->unfreeze | g->zero, "global control");
	if (g && m->platform->overflow)
		found_until(w, NULL, g->msr,
			    m->platform->overflow->mode | m->platform->overflow->cores, false,
			    "global control");
	for (unsigned i = 0; i < m->n_globals; i++)
		if (m->globals[i].space == UNCORE_MSR)
			found(w, NULL, m->globals[i].address, 1, "global control");
	for (unsigned t = 0; m->types[t]; t++)
		if (m->types[t]->capid && !m->types[t]->capid->device)
			found(w, NULL, m->types[t]->capid->offset, 0, "number of boxes");
	for (const struct unc_found_type *t = m->platform->found; t && t->number != UNC_UNNAMED;
	     t++)
		if (t->count_msr)
			found(w, NULL, t->count_msr, 0, "number of boxes");
}

void unc_each_msr(const struct unc_machine *m, unc_msr_visit *visit, void *arg)
{
	const struct walk w = {m, visit, arg};

	if (!m->platform)
		return;
	walk_package(&w);
	for (size_t i = 0; i < m->n_boxes; i++) {
		if (m->boxes[i].type->arch)
			walk_cpu(&w, &m->boxes[i]);
		else if (m->boxes[i].type->space == UNCORE_MSR)
			walk_box(&w, &m->boxes[i]);
		if (!m->boxes[i].type->arch && !m->boxes[i].type->free)
			walk_overflow(&w, (unsigned)i);
	}
}

struct search {
	uint32_t msr;
	uint64_t bits;
};

static void add_bits(void *arg, const struct unc_msr_use *use)
{
	struct search *s = arg;

	if (use->msr == s->msr)
		s->bits |= use->writable;
}

uint64_t unc_writable_bits(const struct unc_machine *m, const struct uncore_op *op)
{
	struct search s = {.msr = (uint32_t)op->address};

	unc_each_msr(m, add_bits, &s);
	return s.bits;
}
