/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * restore.c - carry out what ends a set, and keep what fails.
 *
 * An access that fails is tried again at once.  A register that could not be given back then
 * is kept in the ledger, and written at the next call that takes the lock, at close and at exit.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claim/handle.h"

int unc_try(struct uncore *u, const struct unc_op *op, uint64_t *value)
{
	int r = -EIO;

	for (int i = 0; r < 0 && i < UNC_TRIES; i++)
		r = unc_run_op(u->hw, op, value);
	return r;
}

/* ---- what is kept ---- */

static void drop(struct uncore *u, size_t k)
{
	u->ledger.n_failed--;
	memmove(&u->ledger.failed[k], &u->ledger.failed[k + 1],
		(u->ledger.n_failed - k) * sizeof(*u->ledger.failed));
}

/* A later operation on the same bits makes an earlier one obsolete. */
static void overtake(struct uncore *u, const struct unc_op *op)
{
	for (size_t k = u->ledger.n_failed; k-- > 0;) {
		struct unc_op *old = &u->ledger.failed[k].op;

		if (unc_same_register(old, op) && !unc_op_leave_out(old, unc_op_bits(op)))
			drop(u, k);
	}
}

/* Without memory it was tried for the last time. */
static void keep(struct uncore *u, const struct unc_op *op, int error)
{
	struct unc_failed *all = realloc(u->ledger.failed, (u->ledger.n_failed + 1) * sizeof(*all));
	const struct unc_op read = unc_op_reading(op);
	struct unc_failed *p;

	if (!all)
		return;
	u->ledger.failed = all;
	p = &all[u->ledger.n_failed++];
	*p = (struct unc_failed){.op = *op, .error = error};
	p->readable = unc_try(u, &read, &p->held) == 0;
}

/* ---- what is told ---- */

static int tell(struct uncore *u, const struct unc_op *op, int error)
{
	const struct unc_op read = unc_op_reading(op);
	char why[512], held[48] = "cannot be read", location[UNC_DIE_NAME];
	uint64_t value;

	u->hw->ops->explain(u->hw, op, error, why, sizeof(why));
	if (unc_try(u, &read, &value) == 0)
		snprintf(held, sizeof(held), "holds %#" PRIx64, value & unc_op_bits(op));
	return unc_fail(&u->err, unc_code_of_errno(error),
			"%s, register %#" PRIx64 ": cannot restore %#" PRIx64 ", the "
			"register %s: %s; it is retried at the next call, at close and at exit",
			unc_op_location(location, &u->machine, op), op->address,
			op->value & unc_op_bits(op), held, why);
}

/* ---- trying again ---- */

/* What holds another value by now was written after all, or is somebody else's. */
static bool is_done(struct uncore *u, const struct unc_failed *p)
{
	const struct unc_op read = unc_op_reading(&p->op);
	uint64_t value;

	return p->readable && unc_try(u, &read, &value) == 0 &&
	       (value ^ p->held) & unc_op_bits(&p->op);
}

void unc_failed_retry(struct uncore *u)
{
	for (size_t k = 0; k < u->ledger.n_failed;) {
		struct unc_failed *p = &u->ledger.failed[k];
		uint64_t old;

		if (!is_done(u, p))
			p->error = unc_try(u, &p->op, &old);
		else
			p->error = 0;
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
				return tell(u, &u->ledger.failed[k].op, u->ledger.failed[k].error);
	return 0;
}

int unc_report_failed(struct uncore *u)
{
	return u->ledger.n_failed ? tell(u, &u->ledger.failed[0].op, u->ledger.failed[0].error) : 0;
}

/* ---- lists ---- */

/* A register that must hold a value, read just now. */
static int compare(struct uncore *u, const struct unc_op *op, uint64_t value)
{
	return (value ^ op->value) & op->mask
		       ? unc_held_other(&u->err, &u->machine, op, value, "at the end")
		       : 0;
}

/* One operation that was carried out, or failed, once; what is told is the first failure. */
static int finish(struct uncore *u, const struct unc_op *op, struct unc_result *result,
		  enum unc_carry how, bool first)
{
	const bool back = how == UNC_GIVE_BACK && op->kind != UNCORE_READ;

	if (result->error < 0)
		result->error = unc_try(u, op, &result->value);
	if (back)
		overtake(u, op);
	if (back && result->error < 0)
		keep(u, op, result->error);
	if (!first)
		return 0;
	if (result->error < 0 && back)
		return tell(u, op, result->error);
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
