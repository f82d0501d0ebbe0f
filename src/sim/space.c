/*
 * space.c - the register space: an MSR or config address to a register of a
 * box, and the rules of the two kinds of access.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>

#include "model.h"

#define CONFIG_SIZE 4096

/*
 * A signal handler may read counters, so whoever holds the lock must not be
 * interrupted by one on the same thread: signals are blocked first.
 */
static void lock(struct sim *sim, sigset_t *saved)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, saved);
	while (atomic_flag_test_and_set_explicit(&sim->busy, memory_order_acquire))
		sched_yield();
}

static void unlock(struct sim *sim, const sigset_t *saved)
{
	atomic_flag_clear_explicit(&sim->busy, memory_order_release);
	pthread_sigmask(SIG_SETMASK, saved, NULL);
}

/* `address` as an entry of a register bank; fails outside it. */
static bool in_bank(uint32_t address, uint32_t base, uint32_t step, unsigned n, unsigned *index)
{
	if (base == 0 || address < base || (address - base) % step != 0)
		return false;
	*index = (address - base) / step;
	return *index < n;
}

static bool decode_single(const struct sim_kind *kind, uint32_t address, struct sim_ref *ref)
{
	if (address == kind->box_ctl)
		ref->reg = SIM_REG_BOX_CTL;
	else if (address == kind->filter)
		ref->reg = SIM_REG_FILTER;
	else if (address == kind->fixed_ctl)
		ref->reg = SIM_REG_FIXED_CTL;
	else if (address == kind->fixed_ctr)
		ref->reg = SIM_REG_FIXED_CTR;
	else
		return false;
	return true;
}

static bool decode(const struct sim_kind *kind, uint32_t address, struct sim_ref *ref)
{
	*ref = (struct sim_ref){0};
	if (address == 0)
		return false;
	if (decode_single(kind, address, ref))
		return true;
	if (in_bank(address, kind->control, kind->control_step, kind->n_counters, &ref->index))
		ref->reg = SIM_REG_CONTROL;
	else if (in_bank(address, kind->counter, kind->counter_step, kind->n_counters, &ref->index))
		ref->reg = SIM_REG_COUNTER;
	return ref->reg != SIM_REG_NONE;
}

static struct sim_box *msr_target(struct sim *sim, unsigned package, uint32_t msr,
				  struct sim_ref *ref)
{
	if (package >= sim->packages)
		return NULL;
	for (size_t i = 0; i < sim->n_boxes; i++) {
		struct sim_box *box = &sim->boxes[package * sim->n_boxes + i];
		uint32_t shift = box->kind->stride * box->index;

		if (box->kind->access == SIM_BY_MSR && msr > shift &&
		    decode(box->kind, msr - shift, ref))
			return box;
	}
	return NULL;
}

int sim_msr_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value)
{
	struct sim_ref ref;
	struct sim_box *box = msr_target(sim, package, msr, &ref);
	sigset_t saved;

	if (box == NULL)
		return -EIO;
	lock(sim, &saved);
	*value = sim_box_read(box, ref, sim_now(sim));
	unlock(sim, &saved);
	return 0;
}

int sim_msr_write(struct sim *sim, unsigned package, uint32_t msr, uint64_t value)
{
	struct sim_ref ref;
	struct sim_box *box = msr_target(sim, package, msr, &ref);
	sigset_t saved;

	atomic_fetch_add_explicit(&sim->writes, 1, memory_order_relaxed);
	/* Setting a reserved bit raises #GP, which the msr device reports as EIO. */
	if (box == NULL || (value & ~sim_box_bits(box, ref.reg)) != 0)
		return -EIO;
	lock(sim, &saved);
	sim_box_write(box, ref, value, sim_now(sim));
	unlock(sim, &saved);
	return 0;
}

static size_t find_device(const struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn)
{
	size_t i;

	for (i = 0; i < sim->n_pci; i++) {
		const struct sim_pci *pci = &sim->pci[i];

		if (pci->segment == segment && pci->bus == bus && pci->devfn == devfn)
			break;
	}
	return i;
}

/* A dword of config space to a register; false when no box has it. */
static bool config_target(const struct sim_device *device, uint32_t offset, struct sim_ref *ref)
{
	const struct sim_function *function = device->function;

	*ref = (struct sim_ref){0};
	if (device->box == NULL)
		return false;
	for (unsigned i = 0; i < function->n_extra; i++) {
		if (function->extra[i].offset == offset) {
			*ref = (struct sim_ref){.reg = SIM_REG_EXTRA, .index = i};
			return true;
		}
	}
	if (!function->pmon)
		return false;
	if (decode(device->box->kind, offset, ref))
		return true;
	/* Only counters have an upper half. */
	if (offset < 4 || !decode(device->box->kind, offset - 4, ref))
		return false;
	ref->high = true;
	return ref->reg == SIM_REG_COUNTER || ref->reg == SIM_REG_FIXED_CTR;
}

/* What the package's node device tells: see facts snbep section 8. */
static uint32_t node_dword(const struct sim *sim, unsigned package, uint32_t offset)
{
	uint32_t map = 0;

	if (offset == sim->platform->node_id)
		return 0x1f00 | package; /* only bits 2:0 are the node */
	if (offset == sim->platform->node_map)
		for (unsigned i = 0; i < sim->packages; i++)
			map |= i << 3 * i;
	return map;
}

static uint32_t plain_dword(const struct sim *sim, size_t device, uint32_t offset)
{
	const struct sim_pci *pci = &sim->pci[device];

	if (offset == 0)
		return (uint32_t)pci->device << 16 | pci->vendor;
	if (offset == 8)
		return UINT32_C(0x08800007); /* class: other system peripheral */
	if (pci->device == sim->platform->node_device && sim->devices[device].function != NULL)
		return node_dword(sim, sim->devices[device].package, offset);
	return 0;
}

static uint32_t read_dword(struct sim *sim, size_t device, uint32_t offset)
{
	struct sim_device *target = &sim->devices[device];
	struct sim_ref ref;
	sigset_t saved;
	uint64_t value;

	if (!config_target(target, offset, &ref))
		return plain_dword(sim, device, offset);
	lock(sim, &saved);
	value = sim_box_read(target->box, ref, sim_now(sim));
	unlock(sim, &saved);
	return (uint32_t)(ref.high ? value >> 32 : value);
}

/* The register's new value when `bits` of one of its dwords become `value`. */
static uint64_t merge(const struct sim_device *device, struct sim_ref ref, uint64_t old,
		      uint32_t value, uint32_t bits)
{
	unsigned shift = ref.high ? 32 : 0;
	uint64_t mixed = (old & ~((uint64_t)bits << shift)) | (uint64_t)(value & bits) << shift;

	if (ref.reg == SIM_REG_EXTRA)
		return mixed & device->function->extra[ref.index].mask;
	return mixed & sim_box_bits(device->box, ref.reg);
}

static void write_dword(struct sim *sim, size_t device, uint32_t offset, uint32_t value,
			uint32_t bits)
{
	struct sim_device *target = &sim->devices[device];
	struct sim_ref ref;
	sigset_t saved;
	uint64_t now, old;

	if (!config_target(target, offset, &ref))
		return;
	lock(sim, &saved);
	now = sim_now(sim);
	old = sim_box_read(target->box, ref, now);
	sim_box_write(target->box, ref, merge(target, ref, old, value, bits), now);
	unlock(sim, &saved);
}

static int check_access(const struct sim *sim, size_t device, uint32_t offset, unsigned width)
{
	if (device == sim->n_pci)
		return -ENODEV;
	if (width != 8 && width != 16 && width != 32 && width != 64)
		return -EINVAL;
	/* 64 bits are two accesses and need no more than dword alignment. */
	if (offset % (width == 64 ? 4 : width / 8) != 0)
		return -EINVAL;
	return offset > CONFIG_SIZE - width / 8 ? -EINVAL : 0;
}

int sim_pci_read(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn, uint32_t offset,
		 unsigned width, uint64_t *value)
{
	size_t device = find_device(sim, segment, bus, devfn);
	int err = check_access(sim, device, offset, width);

	if (err != 0)
		return err;
	*value = read_dword(sim, device, offset & ~UINT32_C(3)) >> offset % 4 * 8;
	if (width < 32)
		*value &= (UINT64_C(1) << width) - 1;
	if (width == 64)
		*value |= (uint64_t)read_dword(sim, device, offset + 4) << 32;
	return 0;
}

int sim_pci_write(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn, uint32_t offset,
		  unsigned width, uint64_t value)
{
	size_t device = find_device(sim, segment, bus, devfn);
	int err = check_access(sim, device, offset, width);
	unsigned shift = offset % 4 * 8;
	uint32_t bits = width >= 32 ? UINT32_MAX : ((UINT32_C(1) << width) - 1) << shift;

	atomic_fetch_add_explicit(&sim->writes, 1, memory_order_relaxed);
	if (err != 0)
		return err;
	write_dword(sim, device, offset & ~UINT32_C(3), (uint32_t)value << shift, bits);
	if (width == 64)
		write_dword(sim, device, offset + 4, (uint32_t)(value >> 32), UINT32_MAX);
	return 0;
}
