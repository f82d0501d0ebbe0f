/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core.c - the registers of architectural performance monitoring, one set per
 * logical CPU (SDM vol. 3B, 18.2; docs/hardware/core.md).
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/model/core.h"

#define BIT(n) (UINT64_C(1) << (n))
#define LOW(n) (BIT(n) - 1)

#define STATUS_TRACE   BIT(55)
#define STATUS_LBR     BIT(58)
#define STATUS_FROZEN  BIT(59)
#define STATUS_ENCLAVE BIT(60)
#define STATUS_UNCORE  BIT(61)
#define STATUS_BUFFER  BIT(62)
#define STATUS_CHANGED BIT(63)
#define IN_USE_PMI     BIT(63)

#define DEBUG_BITS       UINT64_C(0x7fc3)
#define DEBUG_FREEZE_LBR BIT(11)
#define DEBUG_FREEZE     BIT(12)

enum reg {
	REG_NONE,
	REG_SELECT,
	REG_COUNTER,
	REG_FULL,
	REG_FIXED,
	REG_CAPABILITIES,
	REG_FIXED_CONTROL,
	REG_STATUS,
	REG_GLOBAL,
	REG_RESET,
	REG_SET,
	REG_IN_USE,
	REG_DEBUG
};

struct core_reg {
	enum reg reg;
	unsigned index;
};

int sim_core_build(struct sim *sim)
{
	const struct sim_core_part *part = sim_core_part(sim);
	size_t n;

	sim_cpus(sim, &n);
	sim->core = calloc(n, sizeof(*sim->core));
	if (sim->core == NULL)
		return -ENOMEM;
	for (size_t i = 0; part != NULL && i < n; i++)
		sim->core[i].global_control = LOW(part->counters); /* as reset leaves it */
	return 0;
}

uint64_t sim_cpu_faults(const struct sim *sim)
{
	return atomic_load_explicit(&sim->cpu_faults, memory_order_relaxed);
}

void sim_core_report(struct sim *sim, unsigned package, uint64_t cores)
{
	const struct sim_core_part *part = sim_core_part(sim);

	/* There is a bit for it from version 3 on. */
	for (unsigned i = 0; part != NULL && part->version > 2 && i < sim->cores && i < 64; i++)
		if ((cores >> i & 1) != 0)
			sim->core[package * sim->cores + i].status |= STATUS_UNCORE;
}

/* ---- counting ---- */

static uint64_t slot_bit(unsigned slot)
{
	return slot < CORE_COUNTERS ? BIT(slot) : BIT(32 + slot - CORE_COUNTERS);
}

static unsigned fixed_field(const struct sim_core *core, unsigned slot)
{
	return (unsigned)(core->fixed_control >> 4 * (slot - CORE_COUNTERS)) & 15;
}

static bool enabled(const struct sim_core *core, unsigned slot)
{
	if (slot < CORE_COUNTERS)
		return (core->select[slot] & CORE_EN) != 0;
	return (fixed_field(core, slot) & (FIXED_OS | FIXED_USR)) != 0;
}

static bool interrupts(const struct sim_core *core, unsigned slot)
{
	if (slot < CORE_COUNTERS)
		return (core->select[slot] & CORE_INT) != 0;
	return (fixed_field(core, slot) & FIXED_PMI) != 0;
}

/* The manual's condition: own enable, global enable, not frozen. */
static double gain_rate(struct sim *sim, unsigned cpu, unsigned slot)
{
	const struct sim_core *core = &sim->core[cpu];

	if (!enabled(core, slot) || (core->global_control & slot_bit(slot)) == 0 ||
	    (core->status & STATUS_FROZEN) != 0)
		return 0;
	if (slot < CORE_COUNTERS)
		return sim_core_rate(sim, cpu, core->select[slot]);
	return sim_core_fixed_rate(sim, cpu, slot - CORE_COUNTERS, fixed_field(core, slot));
}

static unsigned slot_width(const struct sim_core_part *part, unsigned slot)
{
	return slot < CORE_COUNTERS ? part->width : part->fixed_width;
}

/* Time of the first interrupt, if it stops the counters; else `now`. */
static uint64_t end(struct sim *sim, unsigned cpu, uint64_t now)
{
	const struct sim_core *core = &sim->core[cpu];
	uint64_t first = now;

	if ((core->debug & DEBUG_FREEZE) == 0)
		return now;
	for (unsigned slot = 0; slot < CORE_SLOTS; slot++) {
		uint64_t left = BIT(slot_width(sim_core_part(sim), slot)) - core->value[slot];
		double rate = interrupts(core, slot) ? gain_rate(sim, cpu, slot) : 0;
		double ns = rate > 0 ? (double)left / rate * 1e9 + 1 : 0;

		if (rate > 0 && ns < (double)(first - core->since))
			first = core->since + (uint64_t)ns;
	}
	return first;
}

/* Version 4 freezes by a status bit; older versions clear the global enables. */
static void freeze(struct sim_core *core, const struct sim_core_part *part)
{
	if (part->version < 4) {
		core->global_control = 0;
		return;
	}
	core->status |= STATUS_FROZEN;
	if ((core->debug & DEBUG_FREEZE_LBR) != 0)
		core->status |= STATUS_LBR;
}

static void advance(struct sim *sim, unsigned cpu, uint64_t to)
{
	const struct sim_core_part *part = sim_core_part(sim);
	struct sim_core *core = &sim->core[cpu];
	bool stop = false;

	for (unsigned slot = 0; slot < CORE_SLOTS; slot++) {
		uint64_t more = sim_gain(gain_rate(sim, cpu, slot), core->since, to);
		uint64_t sum = core->value[slot] + more;

		core->value[slot] = sum & LOW(slot_width(part, slot));
		if (core->value[slot] == sum)
			continue;
		core->status |= slot_bit(slot);
		if (interrupts(core, slot) && (core->debug & DEBUG_FREEZE) != 0)
			stop = true;
	}
	core->since = to;
	if (stop)
		freeze(core, part);
}

static void catch_up(struct sim *sim, unsigned cpu, uint64_t now)
{
	struct sim_core *core = &sim->core[cpu];

	while (core->since < now)
		advance(sim, cpu, end(sim, cpu, now));
}

/* ---- registers ---- */

static bool in(uint32_t msr, uint32_t first, unsigned n, unsigned *index)
{
	*index = msr - first;
	return msr >= first && *index < n;
}

static struct core_reg find(const struct sim_core_part *part, uint32_t msr)
{
	static const struct {
		uint32_t msr;
		enum reg reg;
		unsigned version; /* the first that has it */
	} single[] = {
		{0x1d9, REG_DEBUG, 1},  {0x345, REG_CAPABILITIES, 2}, {0x38d, REG_FIXED_CONTROL, 2},
		{0x38e, REG_STATUS, 2}, {0x38f, REG_GLOBAL, 2},       {0x390, REG_RESET, 2},
		{0x391, REG_SET, 4},    {0x392, REG_IN_USE, 4},
	};
	unsigned index;

	if (in(msr, 0x186, part->counters, &index))
		return (struct core_reg){REG_SELECT, index};
	if (in(msr, 0xc1, part->counters, &index))
		return (struct core_reg){REG_COUNTER, index};
	if ((part->capabilities & BIT(13)) != 0 && in(msr, 0x4c1, part->counters, &index))
		return (struct core_reg){REG_FULL, index};
	if (in(msr, 0x309, part->fixed, &index))
		return (struct core_reg){REG_FIXED, CORE_COUNTERS + index};
	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		if (single[i].msr == msr && part->version >= single[i].version)
			return (struct core_reg){single[i].reg, 0};
	return (struct core_reg){REG_NONE, 0};
}

/* Derived from the controls; locks nothing. */
static uint64_t in_use(const struct sim_core *core)
{
	uint64_t bits = 0;

	for (unsigned slot = 0; slot < CORE_SLOTS; slot++) {
		bool taken = slot < CORE_COUNTERS ? (core->select[slot] & 0xff) != 0
						  : enabled(core, slot);

		if (taken)
			bits |= slot_bit(slot);
		if (interrupts(core, slot))
			bits |= IN_USE_PMI;
	}
	return bits;
}

static uint64_t get(const struct sim_core_part *part, const struct sim_core *core,
		    struct core_reg core_reg)
{
	switch (core_reg.reg) {
	case REG_SELECT:
		return core->select[core_reg.index];
	case REG_COUNTER:
	case REG_FULL:
	case REG_FIXED:
		return core->value[core_reg.index];
	case REG_CAPABILITIES:
		return part->capabilities;
	case REG_FIXED_CONTROL:
		return core->fixed_control;
	case REG_STATUS:
		return core->status;
	case REG_GLOBAL:
		return core->global_control;
	case REG_IN_USE:
		return in_use(core);
	case REG_DEBUG:
		return core->debug;
	default: /* registers that set or reset bits read as 0 */
		return 0;
	}
}

static uint64_t counter_bits(const struct sim_core_part *part)
{
	return LOW(part->counters) | LOW(part->fixed) << 32 | part->global_more;
}

static uint64_t status_bits(const struct sim_core_part *part)
{
	uint64_t bits = counter_bits(part) | STATUS_BUFFER | STATUS_CHANGED;

	if (part->version > 2)
		bits |= STATUS_UNCORE;
	if (part->version > 3)
		bits |= STATUS_LBR | STATUS_FROZEN | STATUS_ENCLAVE;
	if (part->trace)
		bits |= STATUS_TRACE;
	return bits;
}

static uint64_t fixed_bits(const struct sim_core_part *part)
{
	uint64_t bits = part->fixed_more;
	uint64_t field = FIXED_OS | FIXED_USR | FIXED_PMI | (part->any_gone ? 0 : FIXED_ANY);

	for (unsigned i = 0; i < part->fixed; i++)
		bits |= field << 4 * i;
	return bits;
}

/* The bits that a write may set; the others are reserved. */
static uint64_t writable(const struct sim_core_part *part, enum reg reg)
{
	switch (reg) {
	case REG_SELECT:
		return (LOW(32) & ~(part->any_gone ? CORE_ANY : 0)) | part->select_more;
	case REG_COUNTER: /* the upper half is ignored */
		return UINT64_MAX;
	case REG_FULL:
		return LOW(part->width);
	case REG_FIXED:
		return LOW(part->fixed_width);
	case REG_FIXED_CONTROL:
		return fixed_bits(part);
	case REG_GLOBAL:
		return counter_bits(part);
	case REG_RESET:
		return status_bits(part);
	case REG_SET:
		return status_bits(part) & ~STATUS_CHANGED;
	default:
		return DEBUG_BITS;
	}
}

static bool read_only(enum reg reg)
{
	return reg == REG_CAPABILITIES || reg == REG_STATUS || reg == REG_IN_USE;
}

static void put(const struct sim_core_part *part, struct sim_core *core, struct core_reg core_reg,
		uint64_t value)
{
	switch (core_reg.reg) {
	case REG_SELECT:
		core->select[core_reg.index] = value;
		break;
	case REG_COUNTER:
		/* Bit 31 is copied into all bits above it. */
		core->value[core_reg.index] =
			(uint64_t)(int64_t)(int32_t)(uint32_t)value & LOW(part->width);
		break;
	case REG_FULL:
	case REG_FIXED:
		core->value[core_reg.index] = value;
		break;
	case REG_FIXED_CONTROL:
		core->fixed_control = value;
		break;
	case REG_GLOBAL:
		core->global_control = value;
		break;
	case REG_RESET:
		core->status &= ~value;
		break;
	case REG_SET:
		core->status |= value;
		break;
	default:
		core->debug = value;
		break;
	}
}

/* The caller holds the lock. */
static int access_reg(struct sim *sim, unsigned cpu, struct core_reg core_reg, uint64_t *value,
		      bool write)
{
	const struct sim_core_part *part = sim_core_part(sim);

	catch_up(sim, cpu, sim_now(sim));
	if (!write) {
		*value = get(part, &sim->core[cpu], core_reg);
		return 0;
	}
	if (read_only(core_reg.reg) || (*value & ~writable(part, core_reg.reg)) != 0)
		return -EIO;
	put(part, &sim->core[cpu], core_reg, *value);
	return 0;
}

bool sim_core_access(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value, bool write,
		     int *err)
{
	const struct sim_core_part *part = sim_core_part(sim);
	struct core_reg core_reg = {REG_NONE, 0};
	sigset_t saved;

	if (part != NULL)
		core_reg = find(part, msr);
	if (core_reg.reg == REG_NONE)
		return false;
	if (write)
		atomic_fetch_add_explicit(&sim->writes, 1, memory_order_relaxed);
	sim_lock(sim, &saved);
	*err = access_reg(sim, cpu, core_reg, value, write);
	sim_unlock(sim, &saved);
	return true;
}
