/* SPDX-License-Identifier: BSD-3-Clause */
/* carry_out.c - execute lists of register operations on any access method. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "hw/pmon.h"

int64_t unc_hw_now(struct unc_hw *hw)
{
	struct timespec t;

	if (hw->ops->now)
		return hw->ops->now(hw);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool all_ones(const struct unc_op *op, uint64_t value)
{
	return op->width && value == UINT64_MAX >> (64 - op->width);
}

/* Every PCI device has a vendor id. */
static bool is_present(struct unc_hw *hw, const struct unc_op *op)
{
	const struct unc_op vendor = {
		.kind = UNCORE_READ, .space = UNCORE_PCI, .width = 32, .unit = op->unit};
	uint64_t value = UINT32_MAX;

	return op->space == UNCORE_PCI && hw->ops->read(hw, &vendor, &value) == 0 &&
	       !all_ones(&vendor, value);
}

/*
 * Whether all ones may be the value: for registers without reserved bits, such as a match or a
 * mask.
 */
static bool may_hold_ones(struct unc_hw *hw, const struct unc_op *op)
{
	const struct unc_pmon_register *reg = unc_pmon_find(hw->pmon, op);

	return reg && all_ones(op, reg->bits) && (unc_is_msr(op) || is_present(hw, op));
}

int unc_read_twice(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	const int r = hw->ops->read(hw, op, value);

	return r == 0 && all_ones(op, *value) ? hw->ops->read(hw, op, value) : r;
}

int unc_read_register(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	int r = hw->ops->read(hw, op, value);

	if (r < 0 || !all_ones(op, *value))
		return r;
	r = hw->ops->read(hw, op, value);
	return r == 0 && all_ones(op, *value) && !may_hold_ones(hw, op) ? -ENODEV : r;
}

int unc_read_each(struct unc_hw *hw, const struct unc_op *const *ops, unsigned n, uint64_t *values)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < n; i++)
		r = hw->ops->read(hw, ops[i], &values[i]);
	return r;
}

int unc_run_op(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	int r;

	if (op->kind == UNCORE_READ)
		return unc_read_register(hw, op, value);
	r = unc_pmon_check(hw, op);
	if (r < 0)
		return r;
	switch (op->kind) {
	case UNCORE_WRITE:
		return hw->ops->write(hw, op, op->value);
	default:
		r = unc_read_register(hw, op, value);
		if (r < 0)
			return r;
		return hw->ops->write(hw, op, (*value & ~op->mask) | (op->value & op->mask));
	}
}

int unc_op_failed(struct unc_hw *hw, const struct unc_op *op, int error, struct unc_err *err)
{
	char why[512];

	if (error == -UNC_NOT_PMON)
		unc_pmon_explain(hw, op, why, sizeof(why));
	else
		hw->ops->explain(hw, op, error, why, sizeof(why));
	return unc_fail(err, unc_code_of_errno(error), "%s", why);
}

/* A batch reads old values before it writes anything. */
static bool changed_before(const struct unc_op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].kind != UNCORE_READ && unc_same_register(&ops[i], &ops[n]))
			return true;
	return false;
}

/*
 * How many of the operations one batch can carry out; 0 or 1: none.  Each is checked against
 * the map of registers.
 */
static size_t stretch(const struct unc_hw *hw, const struct unc_op *ops, size_t n)
{
	size_t i = 0;

	while (i < n && i < hw->batch && unc_is_msr(&ops[i]) && unc_pmon_certain(hw, &ops[i]) &&
	       !(ops[i].kind == UNCORE_RMW && changed_before(ops, i)))
		i++;
	return i;
}

/* As unc_read_register() does. */
static void doubt(struct unc_hw *hw, const struct unc_op *ops, size_t n, struct unc_result *results)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].kind == UNCORE_READ && all_ones(&ops[i], results[i].value))
			results[i].error = unc_read_register(hw, &ops[i], &results[i].value);
}

size_t unc_run_some(struct unc_hw *hw, const struct unc_op *ops, size_t n,
		    struct unc_result *results)
{
	const bool batches = hw->batch > 1;
	const size_t any = n < UNC_BATCH_MAX ? n : UNC_BATCH_MAX;
	const size_t most = batches ? stretch(hw, ops, n) : any;
	size_t i = 0;

	if (batches && most > 1 && hw->ops->run_many(hw, ops, (unsigned)most, results) == 0) {
		doubt(hw, ops, most, results);
		return most;
	}
	do {
		results[i].value = 0;
		results[i].error = unc_run_op(hw, &ops[i], &results[i].value);
	} while (results[i++].error == 0 && i < most);
	return i;
}

int unc_run_list(struct unc_hw *hw, const struct unc_op *ops, size_t n, uint64_t *values,
		 size_t *done, struct unc_err *err)
{
	struct unc_result results[UNC_BATCH_MAX];

	for (*done = 0; *done < n;) {
		const size_t some = unc_run_some(hw, ops + *done, n - *done, results);

		for (size_t i = 0; i < some; i++, (*done)++) {
			const struct unc_op *op = &ops[*done];

			if (results[i].error < 0)
				return unc_op_failed(hw, op, results[i].error, err);
			if (values && op->kind == UNCORE_READ)
				*values++ = results[i].value;
		}
	}
	return 0;
}
