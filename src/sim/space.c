/*
 * space.c - the register space: an address to a register of a box, the lock,
 * and MSR accesses.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>

#include "model.h"

/*
 * A signal handler may read counters, so whoever holds the lock must not be
 * interrupted by one on the same thread: signals are blocked first.
 */
void sim_lock(struct sim *sim, sigset_t *saved)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, saved);
	while (atomic_flag_test_and_set_explicit(&sim->busy, memory_order_acquire))
		sched_yield();
}

void sim_unlock(struct sim *sim, const sigset_t *saved)
{
	atomic_flag_clear_explicit(&sim->busy, memory_order_release);
	pthread_sigmask(SIG_SETMASK, saved, NULL);
}

/* `address` as an entry of a register bank; fails outside it. */
static bool in_bank(uint32_t address, uint32_t base, uint32_t step, unsigned n, unsigned *index)
{
	if (base == 0 || address < base || (step != 0 && (address - base) % step != 0))
		return false;
	*index = step != 0 ? (address - base) / step : address - base;
	return *index < n;
}

static bool in_list(uint32_t address, const uint16_t *list, unsigned n, unsigned *index)
{
	for (*index = 0; *index < n; (*index)++)
		if (list[*index] == address)
			return true;
	return false;
}

static bool decode_single(const struct sim_kind *kind, uint32_t address, struct sim_ref *ref)
{
	if (address == kind->box_ctl)
		ref->reg = SIM_REG_BOX_CTL;
	else if (address == kind->status)
		ref->reg = SIM_REG_STATUS;
	else if (address == kind->filter)
		ref->reg = SIM_REG_FILTER;
	else if (address == kind->filter_high)
		ref->reg = SIM_REG_FILTER_HIGH;
	else if (address == kind->fixed_ctl)
		ref->reg = SIM_REG_FIXED_CTL;
	else if (address == kind->fixed_ctr)
		ref->reg = SIM_REG_FIXED_CTR;
	else
		return false;
	return true;
}

static bool decode_counter(const struct sim_kind *kind, uint32_t address, unsigned *index)
{
	if (kind->counters != NULL)
		return in_list(address, kind->counters, kind->n_counters, index);
	return in_bank(address, kind->counter, kind->counter_step, kind->n_counters, index);
}

static bool decode(const struct sim_kind *kind, uint32_t address, struct sim_ref *ref)
{
	if (address == 0)
		return false;
	if (decode_single(kind, address, ref))
		return true;
	if (in_bank(address, kind->control, kind->control_step, kind->n_counters, &ref->index))
		ref->reg = SIM_REG_CONTROL;
	else if (decode_counter(kind, address, &ref->index))
		ref->reg = SIM_REG_COUNTER;
	return ref->reg != SIM_REG_NONE;
}

static bool decode_free(const struct sim_kind *kind, unsigned box, uint32_t address,
			struct sim_ref *ref)
{
	for (unsigned i = 0; i < kind->n_free; i++) {
		const struct sim_free *group = &kind->free[i];
		uint32_t shift = group->offsets != NULL ? group->offsets[box] : group->stride * box;
		unsigned number;

		if (address > shift &&
		    in_bank(address - shift, group->first, group->step, group->n, &number)) {
			*ref = (struct sim_ref){.reg = SIM_REG_FREE,
						.index = i * SIM_FREE_GROUP + number};
			return true;
		}
	}
	return false;
}

bool sim_decode(const struct sim_kind *kind, unsigned index, uint32_t address, struct sim_ref *ref)
{
	uint32_t shift = kind->offsets != NULL ? kind->offsets[index] : kind->stride * index;

	*ref = (struct sim_ref){0};
	if (address > shift && decode(kind, address - shift, ref))
		return true;
	return decode_free(kind, index, address, ref);
}

static struct sim_box *msr_target(const struct sim *sim, unsigned package, uint32_t msr,
				  struct sim_ref *ref)
{
	struct sim_box *box = sim_index_find(sim, package, msr);

	return box != NULL && sim_decode(box->kind, box->index, msr, ref) ? box : NULL;
}

/* Either one of the two ways in which MSRs are described; the caller holds the lock. */
static int read_msr(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value)
{
	const struct sim_space *space = sim->platform->space;
	struct sim_box *box;
	struct sim_ref ref;

	if (space != NULL)
		return space->read(sim, package, msr, value, sim_now(sim));
	box = msr_target(sim, package, msr, &ref);
	if (box == NULL)
		return sim_global_read(sim, package, msr, value) ? 0 : -EIO;
	*value = sim_box_read(box, ref, sim_now(sim));
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
	sim_box_write(box, ref, value, sim_now(sim));
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
	value = sim_box_read(box, ref, sim_now(sim));
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
	mixed = ref.reg == SIM_REG_STATUS ? 0 : sim_box_read(box, ref, now);
	mixed = (mixed & ~((uint64_t)bits << shift)) | (uint64_t)(value & bits) << shift;
	sim_box_write(box, ref, mixed & exist, now);
	sim_unlock(sim, &saved);
}
