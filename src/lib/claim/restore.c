/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * restore.c - carry out the operations that end a run, and record those that fail.
 *
 * A failed access is retried at once.  A register that still cannot be restored is recorded in the
 * ledger and retried at the next call that takes the lock, at close and at exit.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claim/handle.h"

/* Instead of an error number: the register does not hold what was written. */
#define NO_EFFECT (-ECANCELED)

int unc_try(struct uncore *u, const struct unc_op *op, uint64_t *value)
{
	int r = -EIO;

	for (int i = 0; r < 0 && i < UNC_TRIES; i++)
		r = unc_run_op(u->hw, op, value);
	return r;
}

/* ---- record failures ---- */

static void drop(struct uncore *u, size_t k)
{
	u->ledger.n_failed--;
	memmove(&u->ledger.failed[k], &u->ledger.failed[k + 1],
		(u->ledger.n_failed - k) * sizeof(*u->ledger.failed));
}

/* A later operation on the same bits makes an earlier one obsolete. */
static void supersede(struct uncore *u, const struct unc_op *op)
{
	for (size_t k = u->ledger.n_failed; k-- > 0;) {
		struct unc_op *old = &u->ledger.failed[k].op;

		if (unc_same_register(old, op) && !unc_op_leave_out(old, unc_op_bits(op)))
			drop(u, k);
	}
}

/* Out of memory: it is not retried. */
static void record(struct uncore *u, const struct unc_op *op, int error, uint64_t back)
{
	struct unc_failed *all = realloc(u->ledger.failed, (u->ledger.n_failed + 1) * sizeof(*all));
	const struct unc_op read = unc_op_reading(op);
	struct unc_failed *p;

	if (!all)
		return;
	u->ledger.failed = all;
	p = &all[u->ledger.n_failed++];
	*p = (struct unc_failed){.op = *op, .error = error, .back = back};
	p->readable = unc_try(u, &read, &p->held) == 0;
}

/* ---- report ---- */

static int report(struct uncore *u, const struct unc_op *op, int error)
{
	const struct unc_op read = unc_op_reading(op);
	char why[512], held[48] = "cannot be read", location[UNC_DIE_NAME];
	uint64_t value;

	if (error == NO_EFFECT)
		snprintf(why, sizeof(why), "the write had no effect");
	else
		u->hw->ops->explain(u->hw, op, error, why, sizeof(why));
	if (unc_try(u, &read, &value) == 0)
		snprintf(held, sizeof(held), "holds %#" PRIx64, value & unc_op_bits(op));
	return unc_fail(&u->err, unc_code_of_errno(error),
			"%s, register %#" PRIx64 ": cannot restore %#" PRIx64 ", the "
			"register %s: %s; it is retried at the next call, at close and at exit",
			unc_op_location(location, &u->machine, op), op->address,
			op->value & unc_op_bits(op), held, why);
}

/* ---- retry ---- */

/* If the value has changed since, the write took effect after all, or another tool wrote it. */
static bool is_done(struct uncore *u, const struct unc_failed *p)
{
	const struct unc_op read = unc_op_reading(&p->op);
	uint64_t value;

	return p->readable && unc_try(u, &read, &value) == 0 &&
	       (value ^ p->held) & unc_op_bits(&p->op);
}

/* Write again.  0, an error, or NO_EFFECT. */
static int write_again(struct uncore *u, const struct unc_op *op, uint64_t back)
{
	const struct unc_op read = unc_op_reading(op);
	uint64_t value;
	const int error = unc_try(u, op, &value);

	if (error < 0 || !back || unc_try(u, &read, &value) < 0)
		return error;
	return (value ^ op->value) & back ? NO_EFFECT : 0;
}

void unc_failed_retry(struct uncore *u)
{
	for (size_t k = 0; k < u->ledger.n_failed;) {
		struct unc_failed *p = &u->ledger.failed[k];

		p->error = is_done(u, p) ? 0 : write_again(u, &p->op, p->back);
		if (p->error == 0)
			drop(u, k);
		else
			k++;
	}
}

int unc_failed_refuse(struct uncore *u, const struct unc_op *ops, size_t n)
{
	for (size_t k = 0; k < u->ledger.n_failed; k++)
		for (size_t i = 0; i < n; i++)
			if (unc_same_register(&u->ledger.failed[k].op, &ops[i]))
				return report(u, &u->ledger.failed[k].op,
					      u->ledger.failed[k].error);
	return 0;
}

int unc_report_failed(struct uncore *u)
{
	return u->ledger.n_failed ? report(u, &u->ledger.failed[0].op, u->ledger.failed[0].error)
				  : 0;
}

/* ---- lists ---- */

/* The value just read must be the one in the operation. */
static int compare(struct uncore *u, const struct unc_op *op, uint64_t value)
{
	return (value ^ op->value) & op->mask
		       ? unc_held_other(&u->err, &u->machine, op, value, "at the end")
		       : 0;
}

/* Finish an operation that succeeded, or failed once; only the first failure is reported. */
static int finish(struct uncore *u, const struct unc_op *op, struct unc_result *result,
		  enum unc_carry how, bool first)
{
	const bool back = how == UNC_RESTORE && op->kind != UNCORE_READ;

	if (result->error < 0)
		result->error = unc_try(u, op, &result->value);
	if (back && u->ledger.n_failed)
		supersede(u, op);
	if (back && result->error < 0)
		record(u, op, result->error, 0);
	if (!first)
		return 0;
	if (result->error < 0 && back)
		return report(u, op, result->error);
	if (result->error < 0)
		return unc_op_failed(u->hw, op, result->error, &u->err);
	return how == UNC_COMPARE && op->kind == UNCORE_READ ? compare(u, op, result->value) : 0;
}

int unc_carry_out(struct uncore *u, const struct unc_op *ops, size_t n, enum unc_carry how,
		  int result)
{
	struct unc_result results[UNC_BATCH_MAX];

	for (size_t i = 0, some; i < n; i += some) {
		some = unc_run_some(u->hw, ops + i, n - i, results);
		for (size_t k = 0; k < some; k++) {
			const int code = finish(u, &ops[i + k], &results[k], how, result == 0);

			result = result < 0 ? result : code;
		}
	}
	return result;
}

/* ---- look back ---- */

static bool is_recorded(const struct uncore *u, const struct unc_op *op)
{
	for (size_t k = 0; k < u->ledger.n_failed; k++)
		if (unc_same_register(&u->ledger.failed[k].op, op))
			return true;
	return false;
}

/* A register does not hold what was written. */
static int write_back(struct uncore *u, const struct unc_op *op, uint64_t bits, bool first)
{
	int error;

	if (is_recorded(u, op))
		return 0;
	error = write_again(u, op, bits);
	if (error == 0)
		return 0;
	record(u, op, error, bits);
	return first ? report(u, op, error) : 0;
}

int unc_look_back(struct uncore *u, const struct unc_op *ops, const struct unc_back *backs,
		  size_t n, int result)
{
	for (size_t i = 0; i < n;) {
		struct unc_op reads[UNC_BATCH_MAX];
		struct unc_result seen[UNC_BATCH_MAX];
		uint64_t bits[UNC_BATCH_MAX];
		size_t of[UNC_BATCH_MAX], some = 0;

		for (; i < n && some < UNC_BATCH_MAX; i++) {
			bits[some] = backs[i].bits & unc_op_bits(&ops[i]);
			if (bits[some]) {
				reads[some] = unc_op_reading(&ops[i]);
				of[some++] = i;
			}
		}
		for (size_t k = 0; k < some;)
			k += unc_run_some(u->hw, reads + k, some - k, seen + k);
		/* a register that cannot be read proves nothing */
		for (size_t k = 0; k < some; k++) {
			const struct unc_op *op = &ops[of[k]];
			int r = 0;

			if (seen[k].error == 0 && (seen[k].value ^ op->value) & bits[k])
				r = write_back(u, op, bits[k], result == 0);
			result = result < 0 ? result : r;
		}
	}
	return result;
}
