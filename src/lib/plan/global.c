/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * global.c - all boxes of a package at once: the platform's register, or those listed by its
 * discovery tables; docs/hardware/README.md.
 */
#include "plan/plan.h"

/* ---- the platform's ---- */

/* The other bits of the register, which select the cores that get an interrupt, do not change. */
static struct unc_op changing(const struct unc_global *g, unsigned package, uint64_t value,
			      uint64_t mask)
{
	struct unc_op op = unc_msr_op(package, g->msr);

	op.kind = UNCORE_RMW;
	op.value = value;
	op.mask = mask;
	return op;
}

static struct unc_op switching(const struct unc_global *g, unsigned package, bool freeze)
{
	return changing(g, package, freeze ? g->freeze : g->unfreeze,
			g->freeze | g->unfreeze | g->zero);
}

/* ---- the tables' ---- */

/* Such a register has a freeze bit and no other bit in use. */
static void write_found(struct unc_ops *ops, const struct unc_machine *m, unsigned package,
			bool freeze, bool saved)
{
	for (unsigned i = 0; i < m->n_globals; i++) {
		struct unc_op op = m->globals[i];

		op.kind = UNCORE_WRITE;
		op.value = freeze;
		op.saved = saved;
		if (op.package == package)
			unc_ops_push(ops, op);
	}
}

/* ---- package and box ---- */

void unc_program_global_save(struct unc_ops *ops, const struct unc_machine *m, unsigned package)
{
	const struct unc_global *g = m->platform->desc->global;
	struct unc_op op;

	if (g && g->state) {
		op = changing(g, package, 0, g->unfreeze);
		op.kind = UNCORE_READ;
		op.saved = true;
		unc_ops_push(ops, op);
	}
	for (unsigned i = 0; i < m->n_globals; i++)
		if (m->globals[i].package == package)
			unc_ops_push(ops, m->globals[i]);
}

void unc_program_global(struct unc_ops *ops, const struct unc_machine *m, unsigned package,
			bool freeze)
{
	if (m->platform->desc->global)
		unc_ops_push(ops, switching(m->platform->desc->global, package, freeze));
	write_found(ops, m, package, freeze, false);
}

void unc_program_global_freeze_check(struct unc_ops *ops, const struct unc_machine *m,
				     unsigned package)
{
	const size_t begin = ops->n;

	/* the value that lets the boxes run; a register of a discovery table has only one bit */
	unc_program_global(ops, m, package, false);
	for (size_t i = begin; i < ops->n; i++) {
		ops->op[i].mask = ops->op[i].kind == UNCORE_RMW ? ops->op[i].mask : 1;
		ops->op[i].kind = UNCORE_READ;
	}
}

void unc_program_global_leave(struct unc_ops *ops, const struct unc_machine *m, unsigned package)
{
	const struct unc_global *g = m->platform->desc->global;
	struct unc_op op;

	if (g && g->state) {
		op = changing(g, package, 0, g->unfreeze);
		op.saved = true;
		unc_ops_push(ops, op);
	} else if (g) {
		unc_ops_push(ops, switching(g, package, false));
	}
	write_found(ops, m, package, false, true);
}
