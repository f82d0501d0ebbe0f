/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stacks.c - the stacks of each platform, their root buses, and the registers that list these
 * (docs/hardware/stacks.md).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/nodes.h"
#include "sim/model/rows.h"
#include "sim/pcie/pcie.h"

#define INTEL        0x8086
#define N_OF_(array) (sizeof(array) / sizeof((array)[0]))

/* ---- platforms ---- */

/* clang-format off */
/* Stack, box, first port, distance, ports, part of the first port. */
static const struct sim_stack skx[] = {
	{0, 0, 0, 0, 0, 0}, {1, 1, 0, 1, 4, 0}, {2, 2, 0, 1, 4, 0}, {3, 3, 0, 1, 4, 0},
};
static const struct sim_stack icx[] = {
	{0, 5, 0, 0, 0, 0}, {1, 0, 2, 1, 4, 0}, {2, 1, 2, 1, 4, 0}, {4, 3, 2, 1, 4, 0}, {5, 4, 2, 1, 4, 0},
};
static const struct sim_stack spr_large[] = {
	{0, 1, 0, 0, 0, 0}, {1, 2, 1, 2, 4, 0}, {2, 4, 1, 2, 4, 0}, {3, 6, 1, 2, 4, 0},
	{4, 7, 1, 2, 4, 0}, {5, 9, 1, 2, 4, 0}, {8, 0, 1, 0, 1, 0}, {9, 3, 1, 0, 1, 0},
};
/* Boxes 0, 3 and 4 as Intel's tool assumes them. */
static const struct sim_stack spr_medium[] = {
	{3, 10, 0, 0, 0, 0}, {1, 1, 1, 2, 4, 0}, {2, 2, 1, 2, 4, 0}, {5, 5, 1, 2, 4, 0},
	{0, 0, 1, 2, 4, 0}, {4, 4, 1, 2, 4, 0}, {8, 3, 1, 0, 1, 0},
};
/* As Intel's tool assumes it. */
static const struct sim_stack emr[] = {
	{0, 7, 0, 0, 0, 0}, {1, 1, 1, 2, 4, 0}, {2, 2, 1, 2, 4, 0}, {3, 3, 1, 2, 4, 0},
	{4, 8, 1, 2, 4, 0}, {5, 6, 1, 2, 4, 0}, {8, 0, 1, 0, 1, 0}, {9, 4, 1, 0, 1, 0},
};
/* The firmware decides about the boxes of PE4 and PE5: 11 and 12 for odd seeds, 13 and 10 for even. */
#define XEON6(pe4, pe5) \
	{2, 3, 2, 1, 8, 0}, {3, 4, 2, 1, 8, 0}, {1, 2, 2, 1, 8, 0}, {4, 5, 2, 1, 8, 0}, \
	{0, 0, 2, 1, 8, 0}, {5, 7, 2, 1, 8, 0}, {28, 8, 2, 1, 8, 0}, \
	{8, 1, 1, 0, 1, 0}, {12, 6, 1, 0, 1, 0}, {9, 1, 0, 0, 1, 4}, {22, 9, 0, 0, 1, 5}, \
	{29, (pe4), 2, 1, 8, 0}, {26, (pe5), 2, 1, 8, 0},
static const struct sim_stack xeon6[] = {XEON6(11, 12)};
static const struct sim_stack xeon6_flex[] = {XEON6(13, 10)};
#define STACKS(array) (array), N_OF_(array)
#define NO_DMA {0, 0, 0}
static const struct sim_pcie_platform platforms[] = {
	{"skx", STACKS(skx), 5, 0x2030, 1, 0x201d, "8.0 GT/s PCIe", {0x2021, 4, 2}},
	{"icx", STACKS(icx), 0, 0x347a, 1, 0x28c0, "16.0 GT/s PCIe", {0x0b00, 1, 3}},
	{"spr", STACKS(spr_large), 0, 0x352a, 1, 0x28c0, "32.0 GT/s PCIe", NO_DMA},
	{"emr", STACKS(emr), 0, 0x352a, 1, 0x28c0, "32.0 GT/s PCIe", NO_DMA},
	{"gnr", STACKS(xeon6), 0, 0x0db0, 1, 0x28c0, "32.0 GT/s PCIe", NO_DMA},
	{"srf", STACKS(xeon6), 0, 0x0db0, 1, 0x28c0, "32.0 GT/s PCIe", NO_DMA},
};
static const struct sim_pcie_platform spr_medium_die = {
	"spr", STACKS(spr_medium), 0, 0x352a, 1, 0x28c0, "32.0 GT/s PCIe", NO_DMA};
static const struct sim_pcie_platform flex_platforms[] = {
	{"gnr", STACKS(xeon6_flex), 0, 0x0db0, 1, 0x28c0, "32.0 GT/s PCIe", NO_DMA},
	{"srf", STACKS(xeon6_flex), 0, 0x0db0, 1, 0x28c0, "32.0 GT/s PCIe", NO_DMA},
};
/* clang-format on */

#define MEDIUM_CORES 32

static bool is_medium(const struct sim *sim)
{
	return strcmp(sim->platform->name, "spr") == 0 && sim->cores <= MEDIUM_CORES;
}

static const struct sim_pcie_platform *platform_in(const struct sim *sim,
						   const struct sim_pcie_platform *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].name, sim->platform->name) == 0)
			return &list[i];
	return NULL;
}

const struct sim_pcie_platform *sim_pcie_platform(const struct sim *sim)
{
	const struct sim_pcie_platform *flex =
		platform_in(sim, flex_platforms, N_OF_(flex_platforms));

	if (is_medium(sim))
		return &spr_medium_die;
	return flex && sim->device_seed % 2 == 0 ? flex
						 : platform_in(sim, platforms, N_OF_(platforms));
}

/* ---- root buses ---- */

static bool has_segments(const struct sim *sim)
{
	return sim->platform->discovery != NULL && sim->platform->discovery->segments;
}

static unsigned range_of(const struct sim *sim)
{
	return has_segments(sim) ? 256 : 256 / sim->packages;
}

static unsigned base_of(const struct sim *sim, unsigned package)
{
	return has_segments(sim) ? 0 : package * range_of(sim);
}

/* Only these processors list their stacks in an order that differs from that of the buses. */
static bool is_ordered(const struct sim *sim)
{
	return strcmp(sim->platform->name, "skx") == 0 || strcmp(sim->platform->name, "icx") == 0;
}

/* The first root bus is the package's first bus; the others follow, each with room behind it. */
static void place_roots(struct sim *sim, unsigned package, uint64_t *random)
{
	struct sim_pcie *pcie = sim->pcie;
	const unsigned n = pcie->platform->n_stacks, room = (range_of(sim) - 4) / n;
	struct sim_pcie_root *first = &pcie->roots[pcie->n_roots];

	pcie->room = room - room / 4 - 1;
	for (unsigned i = 0; i < n; i++)
		first[i] = (struct sim_pcie_root){
			.package = package,
			.stack = &pcie->platform->stacks[i],
			.bus = (uint8_t)(base_of(sim, package) +
					 (i == 0 ? 0 : i * room + sim_random(random, room / 4))),
		};
	for (unsigned i = n; !is_ordered(sim) && i > 2; i--) {
		const unsigned other = 1 + sim_random(random, i - 1);
		const struct sim_stack *stack = first[i - 1].stack;

		first[i - 1].stack = first[other].stack;
		first[other].stack = stack;
	}
	pcie->n_roots += n;
}

static const struct sim_pcie_root *root_of(const struct sim *sim, unsigned package, unsigned n)
{
	return &sim->pcie->roots[package * sim->pcie->platform->n_stacks + n];
}

/* The third and fourth buses of skx have the memory controllers and the links of its stacks. */
uint8_t sim_pcie_bus(const struct sim *sim, unsigned package, unsigned n)
{
	if (strcmp(sim->platform->name, "skx") == 0)
		return root_of(sim, package, n - 1)->bus;
	return (uint8_t)(base_of(sim, package) + n - 1);
}

/* ---- registers ---- */

#define BUS_NUMBERS 0x300
#define NAMES_STACK 0x09a2
#define LISTS_BUSES 0x09a6
#define TELLS_DIE   0x325b

bool sim_pcie_msr(const struct sim *sim, unsigned package, uint32_t msr, uint64_t *value)
{
	if (sim->pcie == NULL || msr != BUS_NUMBERS || strcmp(sim->platform->name, "skx") != 0)
		return false;
	*value = UINT64_C(1) << 63;
	for (unsigned i = 0; i < sim->pcie->platform->n_stacks; i++)
		*value |= (uint64_t)root_of(sim, package, i)->bus
			  << 8 * root_of(sim, package, i)->stack->id;
	return true;
}

static const struct sim_pcie_root *root_at(const struct sim *sim, const struct sim_pci *pci,
					   unsigned package)
{
	for (unsigned i = 0; i < sim->pcie->platform->n_stacks; i++)
		if (root_of(sim, package, i)->bus == pci->bus)
			return root_of(sim, package, i);
	return NULL;
}

static uint32_t bus_dword(const struct sim *sim, unsigned package, uint32_t offset)
{
	uint32_t valid = 0, dword = 0;

	for (unsigned i = 0; i < sim->pcie->platform->n_stacks; i++) {
		const struct sim_pcie_root *root = root_of(sim, package, i);
		const unsigned id = root->stack->id;

		valid |= UINT32_C(1) << id;
		if (offset == (id < 16 ? 0x190U : 0x1c0U) + id % 16 / 4 * 4)
			dword |= (uint32_t)root->bus << id % 4 * 8;
	}
	return offset == 0x1a0 ? valid : dword;
}

bool sim_pcie_config(const struct sim *sim, const struct sim_pci *pci, unsigned package,
		     uint32_t offset, uint32_t *value)
{
	const struct sim_pcie_root *root;

	if (sim->pcie == NULL)
		return false;
	root = root_at(sim, pci, package);
	if (pci->device == LISTS_BUSES)
		*value = bus_dword(sim, package, offset);
	else if (pci->device == NAMES_STACK && offset == 0x3f4 && root != NULL)
		*value = package / sim->dies | (root->stack->id & 7U) << 4;
	else if (pci->device == TELLS_DIE && offset == 0x94)
		*value = is_medium(sim) ? 0x40 : 0xc0;
	else
		return false;
	return true;
}

/* ---- build ---- */

static void add_function(struct sim *sim, const struct sim_pcie_root *root, uint16_t device,
			 uint8_t devfn)
{
	struct sim_pcie *pcie = sim->pcie;
	struct sim_pci *all =
		realloc(pcie->functions, (pcie->n_functions + 1) * sizeof(*pcie->functions));

	if (all == NULL) {
		pcie->failed = true;
		return;
	}
	pcie->functions = all;
	all[pcie->n_functions++] = (struct sim_pci){
		.segment = (uint16_t)(has_segments(sim) ? root->package : 0),
		.bus = root->bus,
		.devfn = devfn,
		.vendor = INTEL,
		.device = device,
		.numa_node = sim->no_numa ? -1 : sim_first_node(sim, root->package)};
}

unsigned sim_pcie_package(const struct sim *sim, size_t i)
{
	const struct sim_pci *pci = &sim->pcie->functions[i];

	return has_segments(sim) ? pci->segment : pci->bus / range_of(sim);
}

static bool has_own_list(const struct sim *sim)
{
	return has_segments(sim);
}

static void add_functions(struct sim *sim, unsigned package)
{
	const bool is_skx = strcmp(sim->platform->name, "skx") == 0;
	const bool is_icx = strcmp(sim->platform->name, "icx") == 0;

	if (!is_skx && !is_icx && !has_own_list(sim))
		add_function(sim, root_of(sim, package, 0), LISTS_BUSES, 3 << 3);
	if (is_skx)
		add_function(sim, root_of(sim, package, 1), 0x208d, 8 << 3);
	for (unsigned i = 0; !is_skx && i < sim->pcie->platform->n_stacks; i++)
		add_function(sim, root_of(sim, package, i), NAMES_STACK, 0);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct sim_link *)a)->path, ((const struct sim_link *)b)->path);
}

int sim_pcie_build(struct sim *sim)
{
	struct sim_pcie *pcie = sim->device_seed != 0 ? calloc(1, sizeof(*pcie)) : NULL;
	uint64_t random = sim->device_seed;

	if (sim->device_seed == 0)
		return 0;
	sim->pcie = pcie;
	if (pcie == NULL)
		return -ENOMEM;
	pcie->platform = sim_pcie_platform(sim);
	for (unsigned p = 0; p < sim->packages; p++)
		place_roots(sim, p, &random);
	for (unsigned p = 0; p < sim->packages; p++)
		add_functions(sim, p);
	for (unsigned i = 0; i < pcie->n_roots; i++)
		sim_pcie_add_devices(sim, &pcie->roots[i], &random);
	for (unsigned i = 0; pcie->platform->dma.device && i < pcie->n_roots; i++)
		if (pcie->roots[i].stack->id == 0)
			sim_pcie_add_dma(sim, &pcie->roots[i]);
	if (pcie->n_links != 0)
		qsort(pcie->links, pcie->n_links, sizeof(*pcie->links), by_path);
	return pcie->failed ? -ENOMEM : 0;
}

void sim_pcie_free(struct sim *sim)
{
	struct sim_pcie *pcie = sim->pcie;

	if (pcie == NULL)
		return;
	for (size_t i = 0; i < pcie->n_links; i++) {
		free((char *)pcie->links[i].path);
		free((char *)pcie->links[i].target);
	}
	for (size_t i = 0; i < pcie->n_files; i++) {
		free((char *)pcie->files[i].path);
		free((char *)pcie->files[i].text);
	}
	free(pcie->links);
	free(pcie->files);
	free(pcie->functions);
	free(pcie->endpoints);
	free(pcie);
}

const struct sim_link *sim_links(const struct sim *sim, size_t *n)
{
	*n = sim->pcie != NULL ? sim->pcie->n_links : 0;
	return sim->pcie != NULL ? sim->pcie->links : NULL;
}

const struct sim_file *sim_files(const struct sim *sim, size_t *n)
{
	*n = sim->pcie != NULL ? sim->pcie->n_files : 0;
	return sim->pcie != NULL ? sim->pcie->files : NULL;
}

const struct sim_endpoint *sim_endpoints(const struct sim *sim, size_t *n)
{
	*n = sim->pcie != NULL ? sim->pcie->n_endpoints : 0;
	return sim->pcie != NULL ? sim->pcie->endpoints : NULL;
}

/* ---- traffic ---- */

static uint16_t parts_of(const struct sim *sim, const struct sim_box *box)
{
	uint16_t parts = 0;

	for (unsigned i = 0; i < sim->pcie->platform->n_stacks; i++) {
		const struct sim_pcie_root *root = root_of(sim, box->package, i);

		if (root->stack->box == box->index)
			parts |= root->parts;
	}
	return parts;
}

static double weight(unsigned port, unsigned ports)
{
	return (double)(ports - port);
}

/* The additional traffic of the devices of a port: sim_device_load(). */
static double more_of(const struct sim_box *box, unsigned port)
{
	const struct sim_pcie *pcie = box->sim->pcie;
	double more = 0;

	for (size_t i = 0; pcie != NULL && i < pcie->n_endpoints; i++) {
		const struct sim_endpoint *e = &pcie->endpoints[i];

		if (e->package == box->package && e->box == box->index && e->part == port)
			more += e->share;
	}
	return more;
}

/* The first port has most of it; only ports with devices have any, if there are devices. */
double sim_port_share(const struct sim_box *box, unsigned port, unsigned ports)
{
	const uint16_t parts = box->sim->pcie != NULL ? parts_of(box->sim, box) : UINT16_MAX;
	double sum = 0;

	if ((parts >> port & 1) == 0)
		return more_of(box, port);
	for (unsigned i = 0; i < ports; i++)
		sum += (parts >> i & 1) != 0 ? weight(i, ports) : 0;
	return weight(port, ports) / sum + more_of(box, port);
}

int sim_pcie_set_share(struct sim *sim, size_t endpoint, double share)
{
	struct sim_pcie *pcie = sim->pcie;

	if (pcie == NULL || endpoint >= pcie->n_endpoints)
		return -ENODEV;
	pcie->endpoints[endpoint].share = share;
	return 0;
}
