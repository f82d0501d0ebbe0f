/* run.c - execute lists of register operations on any backend. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "regs/regs.h"

int unc_code_of_errno(int error)
{
	switch (-error) {
	case EACCES:
	case EPERM:
	case ENOENT:
	case ENODATA:
	case EROFS:
		return UNCORE_EACCESS;
	case ENODEV:
	case ENXIO:
	case ERANGE:
		return UNCORE_ENODEV;
	case ENOMEM:
	case EMFILE:
	case ENFILE:
		return UNCORE_ENOMEM;
	default:
		return UNCORE_EIO;
	}
}

int64_t unc_hw_now(struct unc_hw *hw)
{
	struct timespec t;

	if (hw->ops->now)
		return hw->ops->now(hw);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int unc_run_op(struct unc_hw *hw, const struct uncore_op *op, uint64_t *value)
{
	int r;

	switch (op->kind) {
	case UNCORE_READ:
		return hw->ops->read(hw, op, value);
	case UNCORE_WRITE:
		return hw->ops->write(hw, op, op->value);
	default:
		r = hw->ops->read(hw, op, value);
		if (r < 0)
			return r;
		return hw->ops->write(hw, op, (*value & ~op->mask) | (op->value & op->mask));
	}
}

int unc_op_failed(struct unc_hw *hw, const struct uncore_op *op, int error, struct unc_err *err)
{
	char why[512];

	hw->ops->explain(hw, op, error, why, sizeof(why));
	return unc_fail(err, unc_code_of_errno(error), "%s", why);
}

int unc_run_list(struct unc_hw *hw, const struct uncore_op *ops, size_t n, uint64_t *values,
		 size_t *done, struct unc_err *err)
{
	uint64_t value = 0;
	int r;

	for (*done = 0; *done < n; (*done)++) {
		const struct uncore_op *op = &ops[*done];

		r = unc_run_op(hw, op, &value);
		if (r < 0)
			return unc_op_failed(hw, op, r, err);
		if (values && op->kind == UNCORE_READ)
			*values++ = value;
	}
	return 0;
}
