/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arch.c - programs for the architectural counters of a core; SDM vol. 3B 18.2,
 * docs/hardware/core.md.
 *
 * The global registers and the control of the fixed counters are shared with other users'
 * counters, so only our bits are changed.  A counter counts if
 *
 *         its own control enables it, and GLOBAL_CTRL does, and (version 4 and later)
 *         the counters of the core are not frozen: CTR_FRZ of GLOBAL_STATUS.
 *
 * Version 1 only has the first condition.  Before version 4, 0x391 and 0x392 are other
 * registers, and are not accessed.
 */
#include "arch/arch.h"
#include "plan/arch.h"

static const struct unc_arch *arch_of(const struct unc_job *j)
{
	return j->box->type->arch;
}

static bool has_global(const struct unc_job *j)
{
	return arch_of(j)->version >= UNC_ARCH_VERSION_GLOBAL;
}

static bool has_reset(const struct unc_job *j)
{
	return arch_of(j)->version >= UNC_ARCH_VERSION_RESET;
}

/* ---- bits of the job's counters ---- */

static bool is_fixed(const struct unc_job *j, unsigned counter)
{
	return counter >= arch_of(j)->n_counters;
}

static unsigned fixed_shift(const struct unc_job *j, unsigned counter)
{
	return UNC_ARCH_FIXED_BITS * (counter - arch_of(j)->n_counters);
}

/* Bits in GLOBAL_CTRL, GLOBAL_STATUS, the register that clears that, and INUSE. */
static uint64_t global_bit(const struct unc_job *j, unsigned counter)
{
	if (is_fixed(j, counter))
		return UINT64_C(1) << (UNC_ARCH_FIXED_FIRST + counter - arch_of(j)->n_counters);
	return UINT64_C(1) << counter;
}

static uint64_t global_bits(const struct unc_job *j)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < j->n; i++)
		bits |= global_bit(j, j->assignments[i].counter);
	return bits;
}

/* Of FIXED_CTR_CTRL. */
static uint64_t fixed_bits(const struct unc_job *j)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < j->n; i++)
		if (is_fixed(j, j->assignments[i].counter))
			bits |= (uint64_t)UNC_ARCH_FIXED_ALL
				<< fixed_shift(j, j->assignments[i].counter);
	return bits;
}

/* The bits of FIXED_CTR_CTRL with which a counter counts; 0: it is not a fixed one. */
static uint64_t fixed_busy(const struct unc_job *j, unsigned counter)
{
	const uint64_t levels = UNC_ARCH_FIXED_OS | UNC_ARCH_FIXED_USR;

	return is_fixed(j, counter) ? levels << fixed_shift(j, counter) : 0;
}

static uint64_t fixed_value(const struct unc_job *j)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < j->n; i++) {
		const struct unc_assignment *s = &j->assignments[i];
		const uint64_t levels = (s->control & UNC_ARCH_OS ? UNC_ARCH_FIXED_OS : 0) |
					(s->control & UNC_ARCH_USR ? UNC_ARCH_FIXED_USR : 0);

		if (is_fixed(j, s->counter))
			value |= levels << fixed_shift(j, s->counter);
	}
	return value;
}

/* ---- operations ---- */

static void write(struct unc_ops *ops, const struct unc_job *j, uint32_t address, uint64_t value)
{
	unc_ops_push(ops, (struct unc_op){
				  .kind = UNCORE_WRITE,
				  .space = UNCORE_CPU,
				  .width = 64,
				  .package = j->box->package,
				  .unit = j->box->index,
				  .address = address,
				  .value = value,
			  });
}

/* A read of some bits, to be saved or compared with value; or a change of them. */
static void bits(struct unc_ops *ops, const struct unc_job *j, enum uncore_op_kind kind,
		 uint32_t address, uint64_t mask, uint64_t value, bool saved)
{
	unc_ops_push(ops, (struct unc_op){
				  .kind = (uint8_t)kind,
				  .space = UNCORE_CPU,
				  .width = 64,
				  .package = j->box->package,
				  .unit = j->box->index,
				  .address = address,
				  .saved = saved,
				  .value = value,
				  .mask = mask,
			  });
}

static void write_selects(struct unc_ops *ops, const struct unc_job *j, bool clear, uint32_t enable)
{
	for (unsigned i = 0; i < j->n; i++) {
		const struct unc_assignment *s = &j->assignments[i];

		if (!is_fixed(j, s->counter))
			write(ops, j, UNC_ARCH_SELECT + s->counter,
			      clear ? 0 : s->control | enable);
	}
}

/* ---- programs ---- */

/* The bits of FIXED_CTR_CTRL that let the job's counters count. */
static uint64_t fixed_levels(const struct unc_job *j)
{
	uint64_t levels = 0;

	for (unsigned i = 0; i < j->n; i++)
		levels |= fixed_busy(j, j->assignments[i].counter);
	return levels;
}

/* Restored in reverse order, so the global enable bits come last. */
void unc_arch_save(struct unc_ops *ops, const struct unc_job *j)
{
	if (has_global(j))
		bits(ops, j, UNCORE_READ, UNC_ARCH_GLOBAL_CTRL, global_bits(j), 0, true);
	if (fixed_bits(j))
		bits(ops, j, UNCORE_READ, UNC_ARCH_FIXED_CTRL, fixed_bits(j), fixed_levels(j),
		     true);
	if (has_reset(j))
		bits(ops, j, UNCORE_READ, UNC_ARCH_IN_USE, global_bits(j), global_bits(j), false);
	for (unsigned i = 0; i < j->n; i++)
		if (!is_fixed(j, j->assignments[i].counter))
			bits(ops, j, UNCORE_READ, UNC_ARCH_SELECT + j->assignments[i].counter, 0,
			     UNC_ARCH_ENABLE, false);
}

static void clear_counters(struct unc_ops *ops, const struct unc_job *j)
{
	for (unsigned i = 0; i < j->n; i++) {
		const unsigned c = j->assignments[i].counter;

		write(ops, j, j->box->type->ctrs[c], 0);
	}
}

/*
 * CTR_FRZ is cleared with our overflow bits: a freeze is a temporary state set by an interrupt
 * handler, and nothing would count in it.  ASCI is not cleared, because that would hide it from
 * a set that is already counting on this core.
 */
static uint64_t stale_status(const struct unc_job *j)
{
	if (!has_reset(j))
		return 0;
	return UNC_ARCH_FROZEN | (j->before->n == 0 ? UNC_ARCH_ENCLAVE : 0);
}

void unc_arch_setup(struct unc_ops *ops, const struct unc_job *j)
{
	if (has_global(j))
		bits(ops, j, UNCORE_RMW, UNC_ARCH_GLOBAL_CTRL, global_bits(j), 0, false);
	write_selects(ops, j, true, 0);
	if (fixed_bits(j))
		bits(ops, j, UNCORE_RMW, UNC_ARCH_FIXED_CTRL, fixed_bits(j), 0, false);
	clear_counters(ops, j);
	if (!has_global(j))
		return;
	write(ops, j, UNC_ARCH_CLEAR, global_bits(j) | stale_status(j));
	write_selects(ops, j, false, UNC_ARCH_ENABLE);
	if (fixed_bits(j))
		bits(ops, j, UNCORE_RMW, UNC_ARCH_FIXED_CTRL, fixed_bits(j), fixed_value(j), false);
}

void unc_arch_start(struct unc_ops *ops, const struct unc_job *j)
{
	if (has_global(j))
		bits(ops, j, UNCORE_RMW, UNC_ARCH_GLOBAL_CTRL, global_bits(j), global_bits(j),
		     false);
	else
		write_selects(ops, j, false, UNC_ARCH_ENABLE);
}

/*
 * All enable bits must still be set, and no SGX enclave may have run: ASCI, SDM vol. 3
 * "Interaction with performance monitoring".  The control is compared afterwards.
 */
void unc_arch_stop(struct unc_ops *ops, const struct unc_job *j)
{
	if (has_reset(j))
		bits(ops, j, UNCORE_READ, UNC_ARCH_STATUS, UNC_ARCH_FROZEN | UNC_ARCH_ENCLAVE, 0,
		     false);
	if (has_global(j)) {
		bits(ops, j, UNCORE_READ, UNC_ARCH_GLOBAL_CTRL, global_bits(j), global_bits(j),
		     false);
		bits(ops, j, UNCORE_RMW, UNC_ARCH_GLOBAL_CTRL, global_bits(j), 0, false);
	} else {
		write_selects(ops, j, false, 0);
	}
}

void unc_arch_check(struct unc_ops *ops, const struct unc_job *j)
{
	const uint64_t enable = has_global(j) ? UNC_ARCH_ENABLE : 0;
	const uint64_t mask = j->box->type->event_mask | UNC_ARCH_ENABLE;

	for (unsigned i = 0; i < j->n; i++) {
		const struct unc_assignment *s = &j->assignments[i];

		if (!is_fixed(j, s->counter))
			bits(ops, j, UNCORE_READ, UNC_ARCH_SELECT + s->counter, mask,
			     s->control | enable, false);
	}
	if (fixed_bits(j))
		bits(ops, j, UNCORE_READ, UNC_ARCH_FIXED_CTRL, fixed_bits(j), fixed_value(j),
		     false);
}

/* ---- counters of other processes ---- */

/* The bits that show that a counter is in use, in a register that unc_arch_save() reads. */
static uint64_t busy_bits(const struct unc_job *j, const struct unc_op *op, unsigned counter)
{
	if (op->address == UNC_ARCH_IN_USE)
		return global_bit(j, counter);
	if (is_fixed(j, counter))
		return op->address == UNC_ARCH_FIXED_CTRL ? fixed_busy(j, counter) : 0;
	return op->address == UNC_ARCH_SELECT + counter ? UNC_ARCH_ENABLE : 0;
}

int unc_arch_busy(const struct unc_job *j, const struct unc_op *op, uint64_t value)
{
	for (unsigned i = 0; i < j->n; i++)
		if (value & busy_bits(j, op, j->assignments[i].counter))
			return j->assignments[i].counter;
	return -1;
}

uint64_t unc_arch_own_bits(const struct unc_job *j, const struct unc_op *op)
{
	if (op->address == UNC_ARCH_GLOBAL_CTRL)
		return global_bits(j);
	if (op->address == UNC_ARCH_FIXED_CTRL)
		return fixed_bits(j);
	for (unsigned i = 0; i < j->n; i++) {
		const unsigned c = j->assignments[i].counter;

		if (!is_fixed(j, c) && op->address == UNC_ARCH_SELECT + c)
			return UINT64_MAX;
	}
	return 0;
}
