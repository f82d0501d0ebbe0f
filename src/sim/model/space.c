/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * space.c - the register space: accesses to MSRs, of a package and through a CPU, and to
 * registers of half the width.
 */
#include <errno.h>

#include "sim/model/model.h"

/* Process overflows until now first. */
uint64_t sim_box_look(struct sim_box *box, struct sim_ref ref, uint64_t now)
{
	sim_overflow_look(box->sim, box->package, now);
	return sim_box_read(box, ref, now);
}

static void poke(struct sim_box *box, struct sim_ref ref, uint64_t value, uint64_t now)
{
	sim_overflow_look(box->sim, box->package, now);
	sim_box_write(box, ref, value, now);
}

static struct sim_box *msr_target(const struct sim *sim, unsigned package, uint32_t msr,
				  struct sim_ref *ref)
{
	struct sim_box *box = sim_index_find(sim, package, msr);

	return box != NULL && sim_decode(box->kind, box->index, msr, ref) ? box : NULL;
}

/* MSRs described by `space` or by kinds; the caller holds the lock. */
static int read_msr(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value)
{
	const struct sim_space *space = sim->platform->space;
	struct sim_box *box;
	struct sim_ref ref;

	if (space != NULL)
		return space->read(sim, package, msr, value, sim_now(sim));
	if (sim_power_read(sim, package, msr, value, sim_now(sim)))
		return 0;
	box = msr_target(sim, package, msr, &ref);
	if (box == NULL)
		return sim_global_read(sim, package, msr, value) ? 0 : -EIO;
	*value = sim_box_look(box, ref, sim_now(sim));
	return 0;
}

/* Setting a reserved bit raises #GP, which the msr device reports as EIO. */
static int write_msr(struct sim *sim, unsigned package, uint32_t msr, uint64_t value)
{
	const struct sim_space *space = sim->platform->space;
	struct sim_box *box;
	struct sim_ref ref;

	if (space != NULL)
		return space->write(sim, package, msr, value, sim_now(sim));
	box = msr_target(sim, package, msr, &ref);
	if (box == NULL)
		return sim_global_write(sim, package, msr, value) ? 0 : -EIO;
	if (sim_box_refuses(box, ref, value))
		return -EIO;
	poke(box, ref, value, sim_now(sim));
	return 0;
}

int sim_msr_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value)
{
	sigset_t saved;
	int err;

	if (package >= sim->packages)
		return -EIO;
	sim_lock(sim, &saved);
	err = read_msr(sim, package, msr, value);
	sim_unlock(sim, &saved);
	return err;
}

int sim_msr_write(struct sim *sim, unsigned package, uint32_t msr, uint64_t value)
{
	sigset_t saved;
	int err;

	atomic_fetch_add_explicit(&sim->writes, 1, memory_order_relaxed);
	if (package >= sim->packages)
		return -EIO;
	sim_lock(sim, &saved);
	err = write_msr(sim, package, msr, value);
	sim_unlock(sim, &saved);
	return err;
}

uint32_t sim_read_half(struct sim *sim, struct sim_box *box, struct sim_ref ref)
{
	sigset_t saved;
	uint64_t value;

	sim_lock(sim, &saved);
	value = sim_box_look(box, ref, sim_now(sim));
	sim_unlock(sim, &saved);
	return (uint32_t)(ref.high ? value >> 32 : value);
}

void sim_write_half(struct sim *sim, struct sim_box *box, struct sim_ref ref, uint32_t value,
		    uint32_t bits, uint64_t exist)
{
	unsigned shift = ref.high ? 32 : 0;
	sigset_t saved;
	uint64_t now, mixed;

	sim_lock(sim, &saved);
	now = sim_now(sim);
	/* Bits that a 1 clears must not be written back. */
	mixed = ref.reg == SIM_REG_STATUS ? 0 : sim_box_look(box, ref, now);
	mixed = (mixed & ~((uint64_t)bits << shift)) | (uint64_t)(value & bits) << shift;
	poke(box, ref, mixed & exist, now);
	sim_unlock(sim, &saved);
}

/* ---- through a CPU ---- */

/* MSRs that do not belong to a CPU belong to its package. */
static int access_msr(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value, bool write)
{
	size_t n;
	int err;

	sim_cpus(sim, &n);
	if (cpu >= n)
		return -ENODEV;
	if (sim_core_access(sim, cpu, msr, value, write, &err))
		return err;
	return write ? sim_msr_write(sim, cpu / sim->cores, msr, *value)
		     : sim_msr_read(sim, cpu / sim->cores, msr, value);
}

static int counted(struct sim *sim, int err)
{
	if (err != 0)
		atomic_fetch_add_explicit(&sim->cpu_faults, 1, memory_order_relaxed);
	return err;
}

int sim_cpu_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	return counted(sim, access_msr(sim, cpu, msr, value, false));
}

int sim_cpu_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	return counted(sim, access_msr(sim, cpu, msr, &value, true));
}
