/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * boxes.c - how many boxes of a kind a package has (docs/hardware/), their PCI devices, and the
 * addresses of memory-mapped ones.
 */
#include "machine/boxes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "hw/regs.h"
#include "machine/discovered.h"

int unc_config_ask(struct unc_hw *hw, unsigned unit, uint32_t offset, uint64_t *value, char **why)
{
	char text[512];
	int r;
	const struct unc_op op = {
		.kind = UNCORE_READ,
		.space = UNCORE_PCI,
		.width = 32,
		.devfn = hw->topo->pci[unit].devfn,
		.unit = (uint16_t)unit,
		.address = offset,
	};

	r = unc_ask_pci_file(hw, unit);
	if (r == 0)
		r = unc_read_twice(hw, &op, value);
	if (r < 0 && why) {
		hw->ops->explain(hw, &op, r, text, sizeof(text));
		*why = strdup(text);
	}
	return r;
}

bool unc_config_read(struct unc_hw *hw, unsigned unit, uint32_t offset, uint64_t *value)
{
	return unc_config_ask(hw, unit, offset, value, NULL) == 0;
}

/* ---- number of boxes ---- */

#define THREADS_MAX 2 /* per core, on all processors with one box per core */

/*
 * Cores of a package by CPUID's topology leaf, 0 if it does not report them: threads up to the
 * core level, divided by those up to the thread level (SDM vol. 2A, CPUID).
 */
static unsigned cores_by_cpuid(const struct unc_machine *m, struct unc_hw *hw)
{
	const uint32_t leaf = 0xb,
		       kind[2] = {0x100, 0x201}; /* bits 7:0 are the number of the level */
	unsigned logical[2];

	for (unsigned level = 0; level < 2; level++) {
		uint32_t regs[4] = {0};

		if (m->topo.n_cpus == 0 ||
		    unc_ask_cpuid(hw, m->topo.cpus[0].id, leaf, level, regs) < 0 ||
		    (regs[2] & 0xffff) != kind[level])
			return 0;
		logical[level] = regs[1] & 0xffff;
	}
	return logical[0] ? logical[1] / logical[0] : 0;
}

unsigned unc_cores_online(const struct unc_machine *m, struct unc_hw *hw, unsigned package)
{
	const struct unc_topology *t = &m->topo;
	unsigned cores = 0;

	for (size_t i = 0; i < t->n_cpus; i++) {
		size_t j = 0;

		if (t->cpus[i].core == UNC_NOT_ASKED)
			t->cpus[i].core = unc_ask(hw, UNC_ASKED_CORE, t->cpus[i].id, 0, 0);
		if (t->cpus[i].core < 0)
			return UINT_MAX;
		if (unc_logical_package(&m->topo, t->cpus[i].package) != (int)package)
			continue;
		while (j < i && (t->cpus[j].package != t->cpus[i].package ||
				 t->cpus[j].core != t->cpus[i].core))
			j++;
		cores += j == i;
	}
	return cores;
}

/* The first device with that id in the package; devfn 0: at any address; -1: not found. */
static int find_device(const struct unc_machine *m, uint16_t device, uint8_t devfn, int package)
{
	for (unsigned i = 0; i < m->topo.n_pci; i++)
		if (m->topo.pci[i].device == device && (!devfn || m->topo.pci[i].devfn == devfn) &&
		    m->topo.pci[i].package == package)
			return (int)i;
	return -1;
}

static bool read_msr(struct unc_hw *hw, unsigned package, uint32_t msr, uint64_t *value)
{
	const struct unc_op op = unc_msr_op(package, msr);

	return unc_ask_msr_file(hw, package) == 0 && unc_read_twice(hw, &op, value) == 0;
}

static bool read_fuses(const struct unc_machine *m, struct unc_hw *hw,
		       const struct unc_capid *capid, unsigned package, uint64_t *value)
{
	const int unit = capid->device ? find_device(m, capid->device, 0, (int)package) : -1;
	uint64_t high = 0;

	if (!capid->device)
		return read_msr(hw, package, capid->offset, value);
	if (unit < 0 || !unc_config_read(hw, (unsigned)unit, capid->offset, value) ||
	    (capid->mask >> 32 && !unc_config_read(hw, (unsigned)unit, capid->offset + 4, &high)))
		return false;
	*value |= high << 32;
	return true;
}

static struct unc_number at_most(const struct unc_box_type *type, uint64_t n, const char *basis)
{
	return (struct unc_number){.n = n < type->n_boxes ? (unsigned)n : type->n_boxes,
				   .basis = basis};
}

/* If the fuses cannot be read, the boxes are found one by one. */
static struct unc_number boxes_by_fuses(const struct unc_machine *m, struct unc_hw *hw,
					const struct unc_box_type *type, unsigned package)
{
	const char *const fuses = "the fuses of the package";
	const struct unc_capid *capid = type->capid;
	uint64_t value;

	if (!read_fuses(m, hw, capid, package, &value))
		return at_most(type, type->n_boxes,
			       "their registers: the fuses of the package cannot be read");
	value &= capid->mask;
	if (capid->means == UNC_FUSES_ANY)
		return at_most(type, value ? type->n_boxes : capid->if_zero, fuses);
	if (capid->means == UNC_FUSES_BITS)
		return at_most(type, (unsigned)__builtin_popcountll(value), fuses);
	return at_most(type, value, fuses);
}

unsigned unc_cpus_online(const struct unc_machine *m, unsigned package)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->topo.n_cpus; i++)
		n += unc_logical_package(&m->topo, m->topo.cpus[i].package) == (int)package;
	return n;
}

/*
 * A core that is offline still has its cache slice.  If CPUID does not report cores, or reports
 * fewer than these CPUs need, each CPU may be a core if there are enough slices, or they are
 * pairs if there are exactly as many.  Otherwise the kernel is asked for the core of each CPU:
 * a file per CPU.
 */
static unsigned cores_in_package(const struct unc_machine *m, struct unc_hw *hw, unsigned package,
				 unsigned slices)
{
	const unsigned reported = cores_by_cpuid(m, hw), cpus = unc_cpus_online(m, package);
	unsigned online;

	if (reported * THREADS_MAX >= cpus)
		return reported;
	if (cpus <= slices)
		return cpus;
	if ((cpus + THREADS_MAX - 1) / THREADS_MAX == slices)
		return slices;
	online = unc_cores_online(m, hw, package);
	return reported > online ? reported : online;
}

static struct unc_number boxes_by_cores(const struct unc_box_type *type, unsigned cores)
{
	return at_most(type, cores,
		       cores < UINT_MAX ? "the cores of the package"
					: "their registers: the cores cannot be counted");
}

/*
 * Every core has a slice: a source that reports fewer slices, or more than possible, is
 * ignored.
 */
static struct unc_number boxes_by_slices(const struct unc_machine *m, struct unc_hw *hw,
					 const struct unc_box_type *type, unsigned package)
{
	const unsigned functions = unc_slices_by_functions(m, type, package);
	const unsigned cores = cores_in_package(m, hw, package, functions);
	const unsigned least = cores < UINT_MAX ? cores : 1;
	struct unc_number number = {
		.n = functions,
		.cores = cores,
		.basis = "the PCI functions of the package, one for each slice of its L3 cache",
	};

	if (number.n >= least && number.n <= type->n_boxes)
		return number;
	number.n = unc_slices_by_cache(m, hw, package);
	number.basis = "the L3 cache of the package, a slice for each 2048 sets (CPUID leaf 4)";
	if (number.n >= least && number.n <= type->n_boxes)
		return number;
	return boxes_by_cores(type, cores);
}

struct unc_number unc_boxes_in_package(const struct unc_machine *m, struct unc_hw *hw,
				       const struct unc_box_type *type, unsigned package)
{
	if (type->count == UNC_COUNT_CAPID)
		return boxes_by_fuses(m, hw, type, package);
	if (type->count != UNC_COUNT_CORES)
		return at_most(type, type->n_boxes, NULL);
	if (type->slice_ids[0])
		return boxes_by_slices(m, hw, type, package);
	return boxes_by_cores(type, cores_in_package(m, hw, package, 0));
}

/*
 * A C-Box per core, boxes counted by fuses, boxes that every package has, and boxes from
 * discovery tables.  A virtual machine may have none of them.
 */
bool unc_box_certain(const struct unc_machine *m, struct unc_hw *hw, const struct unc_box *b)
{
	const struct unc_box_type *t = b->type;
	uint64_t value;

	if (m->topo.hypervisor)
		return false;
	if (t->space != UNC_IN_MSR || m->discovered)
		return true;
	if (t->count == UNC_COUNT_CAPID)
		return read_fuses(m, hw, t->capid, b->package, &value);
	return t->count == UNC_COUNT_CORES ? !b->beyond : t->n_boxes == 1;
}

/* ---- addresses ---- */

/* Whether the device is part of the box, and not one that exists without it. */
static bool is_real(const struct unc_machine *m, const struct unc_pci_id *id, int package)
{
	return !id->with[0] || find_device(m, id->with[0], 0, package) >= 0 ||
	       find_device(m, id->with[1], 0, package) >= 0;
}

int unc_box_device(const struct unc_machine *m, const struct unc_box *b, int package, bool extra)
{
	for (const struct unc_pci_id *id = b->type->pci_ids; id && id->device; id++) {
		const bool ours = id->index == b->index && id->extra == extra;
		const int unit = ours ? find_device(m, id->device, id->devfn, package) : -1;

		if (unit >= 0 && is_real(m, id, package))
			return unit;
	}
	return -1;
}

/* A device of the box that is not real. */
static bool shows_alone(const struct unc_machine *m, const struct unc_box *b)
{
	for (const struct unc_pci_id *id = b->type->pci_ids; id && id->device; id++)
		if (id->with[0] && id->index == b->index &&
		    find_device(m, id->device, id->devfn, b->package) >= 0)
			return true;
	return false;
}

void unc_box_devices(const struct unc_machine *m, struct unc_box *b)
{
	b->pci = unc_box_device(m, b, b->package, false);
	b->extra = unc_box_device(m, b, b->package, true);
	if (b->pci < 0 && shows_alone(m, b))
		unc_box_mark(b, UNCORE_ABSENT_INCOMPLETE);
}

static uint64_t part(uint64_t value, uint32_t mask, uint8_t shift)
{
	return (value & mask) << shift;
}

/* It would count, and stop, the same as the other one. */
static bool is_located(const struct unc_machine *m, const struct unc_box *b)
{
	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct unc_box *other = &m->boxes[i];

		if (other != b && other->type == b->type && other->package == b->package &&
		    !other->absent && other->offset == b->offset)
			return true;
	}
	return false;
}

void unc_box_locate(const struct unc_machine *m, struct unc_hw *hw, struct unc_box *b)
{
	const struct unc_memory *mem = b->type->memory;
	const int unit = find_device(m, mem->device, 0, b->package);
	const unsigned index = b->index, boxes = mem->boxes;
	const unsigned controller = index / boxes, nth = index % boxes;
	uint64_t base = 0, distance = 0;
	char *why = NULL;
	int r;

	if (unit < 0) {
		unc_box_no_device(m, b, find_device(m, mem->device, 0, -1) >= 0,
				  UNCORE_ABSENT_LOCATOR_HIDDEN);
		return;
	}
	r = unc_config_ask(hw, (unsigned)unit, mem->base, &base, &why);
	if (r == 0)
		r = unc_config_ask(hw, (unsigned)unit, mem->controller + 4 * controller, &distance,
				   &why);
	if (r < 0) {
		unc_box_mark(b, UNCORE_ABSENT_LOCATOR);
		unc_box_lost_for(b, r, why);
		return;
	}
	base = part(base, mem->base_mask, mem->base_shift);
	if (base == 0 || (uint32_t)distance == UINT32_MAX) {
		unc_box_mark(b, UNCORE_ABSENT_NO_ADDRESS);
		return;
	}
	b->offset = base + part(distance, mem->controller_mask, mem->controller_shift) +
		    mem->first + (uint64_t)b->type->stride * nth;
	if (is_located(m, b))
		unc_box_mark(b, UNCORE_ABSENT_SAME_ADDRESS);
}

bool unc_box_uncertain(const struct unc_box *b)
{
	const struct unc_memory *mem = b->type->memory;

	return mem && b->index % mem->boxes >= mem->certain;
}

uint64_t unc_free_address(const struct unc_box *b, unsigned counter)
{
	const struct unc_free *f = b->type->free;
	uint64_t address = b->offset;

	while (f->n && counter >= f->n)
		counter -= (f++)->n;
	address += f->first + (uint64_t)counter * f->step;
	return address + (f->offsets ? f->offsets[b->index] : (uint64_t)f->stride * b->index);
}

uint64_t unc_box_address(const struct unc_box *b)
{
	const struct unc_box_type *t = b->type;

	if (t->free)
		return unc_free_address(b, 0);
	return (t->no_box_ctl ? t->ctl : t->box_ctl) + b->offset;
}

/* ---- the list ---- */

struct unc_box *unc_box_append(struct unc_machine *m, const struct unc_box_type *type,
			       unsigned package, unsigned index)
{
	struct unc_box *boxes = m->boxes;

	if ((m->n_boxes & (m->n_boxes - 1)) == 0) {
		boxes = realloc(boxes, (m->n_boxes ? 2 * m->n_boxes : 1) * sizeof(*boxes));
		if (!boxes)
			return NULL;
		m->boxes = boxes;
	}
	boxes += m->n_boxes++;
	*boxes = (struct unc_box){
		.type = type,
		.index = (uint16_t)index,
		.package = (uint16_t)package,
		.first = (uint32_t)m->n_counters,
		.offset = type->offsets ? type->offsets[index] : type->stride * index,
		.pci = -1,
		.extra = -1,
		.map = -1,
	};
	m->n_counters += type->n_counters + 1u; /* the last one is the fixed counter */
	return boxes;
}

struct unc_box *unc_machine_add(struct unc_machine *m, struct unc_hw *hw,
				const struct unc_box_type *type, unsigned package, unsigned index)
{
	struct unc_box *b = unc_box_append(m, type, package, index);

	if (b && type->space == UNC_IN_PCI)
		unc_box_devices(m, b);
	if (b && type->memory)
		unc_box_locate(m, hw, b);
	return b;
}

size_t unc_boxes_of(const struct unc_machine *m, const struct unc_box_type *type, size_t *begin)
{
	size_t i = 0;

	while (i < m->n_boxes && m->boxes[i].type != type)
		i++;
	*begin = i;
	while (i < m->n_boxes && m->boxes[i].type == type)
		i++;
	return i;
}
