/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * freeze_check.c - detect that another tool has frozen the boxes of a set, and learn which
 * registers read back as they were written.
 *
 * Not all bits of the controls of boxes and packages read back, and the manuals disagree on which
 * do.  Only bits that once read back as written are relied on.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "claim/run.h"

void unc_freeze_check_free(struct unc_run *run)
{
	free(run->control_values);
	run->control_values = NULL;
}

int unc_freeze_check_make(struct unc_run *run)
{
	struct uncore *u = run->u;
	const struct unc_ops *controls = &run->program.phase[UNC_FREEZE_CHECK];

	unc_freeze_check_free(run);
	run->control_values = calloc(controls->n + 1, sizeof(*run->control_values));
	for (size_t i = 0; i < controls->n; i++)
		u->groups[controls->scope[i].group].taken = false;
	return run->control_values ? 0 : UNCORE_ENOMEM;
}

/* ---- filters ---- */

_Static_assert(UNC_MAX_FILTERS <= 64, "a bit for each filter register of a box");

/* Once bits of a filter of the type are known, no access is needed. */
static bool is_known(const struct unc_box_kind *kind, unsigned f, const struct unc_op *op)
{
	const uint64_t ones = op->value & op->mask, zeros = ~op->value & op->mask;

	return !(ones & ~kind->filter[f].ones) && !(zeros & ~kind->filter[f].zeros);
}

static bool reads_back(struct uncore *u, struct unc_box_kind *kind, unsigned f,
		       const struct unc_op *op)
{
	uint64_t value;

	if (is_known(kind, f, op))
		return true;
	if (unc_run_op(u->hw, op, &value) < 0 || (value ^ op->value) & op->mask)
		return false;
	kind->filter[f].ones |= op->value & op->mask;
	kind->filter[f].zeros |= ~op->value & op->mask;
	return true;
}

/* The boxes of a kind in which a filter did not read back, now or at an earlier start. */
static unsigned count_unlike(const struct uncore *u, const struct unc_box_kind *kind, unsigned f)
{
	unsigned n = 0;

	for (size_t box = 0; box < u->machine.n_boxes; box++)
		n += unc_kind_of(u, (unsigned)box) == kind && u->groups[box].unlike >> f & 1;
	return n;
}

/* The value before the write; a reset of the box may clear it.  Bits that do not exist read as 0.
 */
static bool is_unchanged(struct uncore *u, unsigned group, const struct unc_op *op, uint64_t value)
{
	const struct unc_ledger_entry *e = unc_ledger_find(&u->ledger, group, op);

	return !(value & op->mask) || (e && !((value ^ e->before) & op->mask));
}

/*
 * Whether the write had no effect, although the filter can be read: another box has shown it, or,
 * for a single box, the manual documents the bits.  All filter bits of the manuals can be read.
 */
static bool is_lost(struct uncore *u, unsigned box, unsigned f, const struct unc_op *op,
		    uint64_t value)
{
	const struct unc_box_kind *kind = unc_kind_of(u, box);

	if (is_known(kind, f, op))
		return true;
	return count_unlike(u, kind, f) == 1 && is_unchanged(u, box, op, value) &&
	       !(op->mask & ~u->machine.boxes[box].type->filters[f].mask);
}

static int fail_lost(struct uncore *u, const struct unc_op *op, uint64_t value)
{
	char location[UNC_DIE_NAME];

	return unc_fail(&u->err, UNCORE_EIO,
			"%s, register %#" PRIx64 " holds %#" PRIx64 " instead of %#" PRIx64 " "
			"after it was written: the filter would not affect the counts; start again",
			unc_op_location(location, &u->machine, op), op->address, value & op->mask,
			op->value);
}

/* Once all boxes have been looked at.  Filters are read again: another tool may have been faster.
 */
static int judge_filter(struct uncore *u, struct unc_scope scope, unsigned f,
			const struct unc_op *op)
{
	const uint64_t bit = UINT64_C(1) << f;
	uint64_t value;
	const int error = unc_run_op(u->hw, op, &value);
	const bool same = error == 0 && !((value ^ op->value) & op->mask);
	const bool lost = error == 0 && !same && is_lost(u, scope.box, f, op, value);

	if (same || lost)
		u->groups[scope.group].unlike &= ~bit;
	else
		unc_ledger_unshow(&u->ledger, scope.group, op);
	return lost ? fail_lost(u, op, value) : 0;
}

/* Whether some filter did not read back. */
static bool look_at_filters(const struct unc_run *run)
{
	struct uncore *u = run->u;
	const struct unc_ops *verify = &run->program.phase[UNC_VERIFY];
	bool any = false;

	for (size_t i = 0; i < verify->n; i++) {
		const struct unc_scope scope = verify->scope[i];
		const unsigned f = unc_filter_number(&u->machine, scope.box, &verify->op[i]);
		const uint64_t bit = UINT64_C(1) << f;

		u->groups[scope.group].unlike &= ~bit;
		if (reads_back(u, unc_kind_of(u, scope.group), f, &verify->op[i]))
			continue;
		u->groups[scope.group].unlike |= bit;
		any = true;
	}
	return any;
}

/*
 * A user may ask for filter bits that do not exist, and not every filter register may be readable.
 * If a filter does not read back as written right after the write, its value at the end proves
 * nothing.
 */
int unc_learn_filters(const struct unc_run *run)
{
	struct uncore *u = run->u;
	const struct unc_ops *verify = &run->program.phase[UNC_VERIFY];
	int r = 0;

	if (!look_at_filters(run))
		return 0;
	for (size_t i = 0; r == 0 && i < verify->n; i++) {
		const struct unc_scope scope = verify->scope[i];
		const unsigned f = unc_filter_number(&u->machine, scope.box, &verify->op[i]);

		if (u->groups[scope.group].unlike >> f & 1)
			r = judge_filter(u, scope, f, &verify->op[i]);
	}
	/* recovery of a journal that still has the values would leave the registers as they are */
	if (u->share)
		unc_share_shorten(u->share);
	return r;
}

/* ---- usable freeze registers ---- */

static void read_all(const struct unc_run *run)
{
	struct uncore *u = run->u;
	const struct unc_ops *controls = &run->program.phase[UNC_FREEZE_CHECK];

	for (size_t i = 0; i < controls->n;)
		i += unc_run_some(u->hw, controls->op + i, controls->n - i,
				  run->control_values + i);
}

/* Bits that are as they were written, now or in a second look. */
static uint64_t showing(struct uncore *u, const struct unc_op *op)
{
	uint64_t missing = op->mask, value;

	for (int look = 0; missing && look < 2; look++)
		if (unc_run_op(u->hw, op, &value) == 0)
			missing &= value ^ op->value;
	return op->mask & ~missing;
}

/* Once known, this costs no access.  A package may have several registers, all alike. */
void unc_freeze_check_learn(const struct unc_run *run)
{
	struct uncore *u = run->u;
	const struct unc_ops *controls = &run->program.phase[UNC_FREEZE_CHECK];

	for (size_t i = 0; i < controls->n;) {
		const unsigned group = controls->scope[i].group;
		struct unc_box_kind *kind = unc_kind_of(u, group);
		const bool known = !(controls->op[i].mask & ~kind->shows);
		uint64_t shows = UINT64_MAX;

		for (; i < controls->n && controls->scope[i].group == group; i++)
			if (!known)
				shows &= showing(u, &controls->op[i]);
		kind->shows |= known ? 0 : shows;
	}
}

/* ---- comparison ---- */

static int report(struct uncore *u, struct unc_scope scope, const struct unc_op *op, uint64_t bits,
		  uint64_t value)
{
	const struct unc_box *b = scope.box == UNC_NO_BOX ? NULL : &u->machine.boxes[scope.group];
	char name[UNC_DIE_NAME];

	u->groups[scope.group].taken = true;
	if (!b)
		return unc_fail(&u->err, UNCORE_ESTOLEN,
				"%s, register %#" PRIx64 " held %#" PRIx64 " instead of "
				"%#" PRIx64 " under mask %#" PRIx64 " just before the stop: "
				"another tool froze all boxes of the package, the counts are "
				"invalid",
				unc_die_name(name, &u->machine, op->package), op->address,
				value & bits, op->value & bits, bits);
	return unc_fail(&u->err, UNCORE_ESTOLEN,
			"%s%s%u of package %u: box control %#" PRIx64 " held %#" PRIx64 " "
			"instead of %#" PRIx64 " under mask %#" PRIx64 " just before the "
			"stop: another tool froze or changed the box, its counts are invalid",
			b->type->name, unc_gap(b->type), b->number, b->socket, op->address,
			value & bits, op->value & bits, bits);
}

/* It differed, or could not be read.  perf freezes for moments, so it is looked at again. */
static int judge(struct unc_run *run, size_t i, unc_may_be_frozen *may_be_frozen)
{
	struct uncore *u = run->u;
	const struct unc_op *op = &run->program.phase[UNC_FREEZE_CHECK].op[i];
	const struct unc_scope scope = run->program.phase[UNC_FREEZE_CHECK].scope[i];
	uint64_t value = 0, bits;
	const int error = unc_try(u, op, &value);

	/* of a device that is gone the counters tell */
	if (error < 0)
		return error == -ENODEV && !unc_is_msr(op)
			       ? 0
			       : unc_op_failed(u->hw, op, error, &u->err);
	bits = (value ^ op->value) & op->mask & unc_kind_of(u, scope.group)->shows;
	if (!bits || (may_be_frozen && may_be_frozen(run, op->package)))
		return 0;
	return report(u, scope, op, bits, value);
}

int unc_freeze_check_look(struct unc_run *run, unc_may_be_frozen *may_be_frozen)
{
	struct uncore *u = run->u;
	const struct unc_ops *controls = &run->program.phase[UNC_FREEZE_CHECK];
	int result = 0;

	for (size_t i = 0; i < controls->n; i++)
		u->groups[controls->scope[i].group].taken = false;
	read_all(run);
	for (size_t i = 0; i < controls->n; i++) {
		const struct unc_result *seen = &run->control_values[i];
		const struct unc_op *op = &controls->op[i];
		const uint64_t shows = op->mask & unc_kind_of(u, controls->scope[i].group)->shows;
		int r = 0;

		if (seen->error < 0 || (seen->value ^ op->value) & shows)
			r = judge(run, i, may_be_frozen);
		result = result < 0 ? result : r;
	}
	return result;
}
