/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * save.c - before the first write: read the registers of a run, and check that no other process or
 * tool uses them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "claim/claim.h"
#include "claim/others.h"

static int busy(struct uncore *u, const struct unc_box *b, unsigned counter, uint64_t value)
{
	const bool fixed = counter == b->type->n_counters;

	return unc_fail(&u->err, UNCORE_EBUSY,
			"%s%s%u of package %u: %s %u is enabled by %s (control %#" PRIx64
			"); stop it, or set UNCORE_FORCE=1 to take the counter over",
			b->type->name, unc_gap(b->type), b->number, b->socket,
			fixed ? "fixed counter" : "counter", fixed ? 0 : counter,
			unc_share_suspect(u->share), value);
}

static int busy_cpu(struct uncore *u, const struct unc_box *b, unsigned counter,
		    const struct unc_op *op, uint64_t value)
{
	const unsigned own = b->type->arch->n_counters;

	return unc_fail(&u->err, UNCORE_EBUSY,
			"CPU %u: %s counter %u is in use by the kernel or by another program "
			"(MSR %#" PRIx64 " holds %#" PRIx64 "); stop perf, PCM or LIKWID, switch "
			"the NMI watchdog off (sysctl kernel.nmi_watchdog=0), or set "
			"UNCORE_FORCE=1 to take it over",
			b->index, counter < own ? "programmable" : "fixed",
			counter < own ? counter : counter - own, op->address, value);
}

/* UNCORE_EBUSY if the value is that of an enabled control of the box. */
static int check_free(struct uncore *u, const struct unc_box *b, const struct unc_op *op,
		      uint64_t value)
{
	const int counter = unc_counter_of_control(b, op);

	if (counter < 0 || !(value & unc_busy_bits(&u->machine, b->type, (unsigned)counter)))
		return 0;
	return busy(u, b, (unsigned)counter, value);
}

/* Core counters are shared in more ways than uncore counters; see arch.c. */
static int check(struct uncore *u, const struct unc_step *s, const struct unc_op *op,
		 uint64_t value)
{
	const struct unc_box *b = s->job.box, *other;
	const int counter = b->type->arch ? unc_arch_busy(&s->job, op, value) : -1;
	int r;

	if (b->type->arch)
		return counter < 0 ? 0 : busy_cpu(u, b, (unsigned)counter, op, value);
	/* the mask of a control that is only checked has the bits set in an enabled one */
	if (op->mask && !op->saved && !(value & op->mask))
		return 0;
	other = unc_other_unit(b);
	r = check_free(u, b, op, value);
	return r < 0 || other == b ? r : check_free(u, other, op, value);
}

/* A register that is saved as a whole is neither read nor checked again. */
static bool is_known(struct uncore *u, const struct unc_ops *save, size_t i)
{
	const struct unc_ledger_entry *known =
		unc_ledger_find(&u->ledger, save->scope[i].group, &save->op[i]);

	return known && !known->op.mask;
}

static void drop_known(struct uncore *u, struct unc_ops *save)
{
	size_t n = 0;

	if (u->ledger.n == 0)
		return;
	for (size_t i = 0; i < save->n; i++) {
		if (is_known(u, save, i))
			continue;
		save->scope[n] = save->scope[i];
		save->op[n++] = save->op[i];
	}
	save->n = n;
}

/* Operations are sorted by box. */
static int check_boxes(const struct unc_run *run, const struct unc_ops *save,
		       const uint64_t *values)
{
	struct uncore *u = run->u;
	const struct unc_state state = unc_state_of(u);
	const struct unc_claims claims = unc_claims_of(run);
	struct unc_step s;
	size_t k = 0;
	int r = 0;

	while (k < save->n && save->scope[k].box == UNC_NO_BOX)
		k++;
	for (size_t i = 0; r == 0 && unc_next_entering(&state, &claims, &i, &s);)
		for (; r == 0 && k < save->n && save->scope[k].box == s.box; k++)
			r = check(u, &s, &save->op[k], values[k]);
	return r;
}

/* All boxes are read before any is checked, so that msr-safe can read them in one batch. */
static int save_all(const struct unc_run *run, const struct unc_ops *save, uint64_t *values,
		    bool later)
{
	struct uncore *u = run->u;
	size_t done;
	int r = unc_others_check(run, save, later);

	if (r == 0)
		r = unc_run_list(u->hw, save->op, save->n, values, &done, &u->err);
	if (r == 0 && !u->force)
		r = check_boxes(run, save, values);
	if (r == 0)
		r = unc_others_note(run, save, values, later);
	for (size_t i = 0; r == 0 && !later && i < save->n; i++)
		if (unc_op_is_saved(&save->op[i]))
			unc_ledger_save(&u->ledger, save->scope[i].group, &save->op[i]);
	return r;
}

static int save(struct unc_run *run, bool later)
{
	struct uncore *u = run->u;
	struct unc_ops *ops = &run->program.phase[UNC_SAVE];
	uint64_t *values = calloc(ops->n + 1, sizeof(*values));
	int r;

	drop_known(u, ops);
	r = values ? unc_failed_refuse(u, ops->op, ops->n)
		   : unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for saved registers");
	if (r == 0)
		r = save_all(run, ops, values, later);
	free(values);
	return r;
}

int unc_save(struct unc_run *run)
{
	return save(run, false);
}

int unc_foresee(struct unc_run *run)
{
	return save(run, true);
}
