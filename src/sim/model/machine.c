/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.c - parts of a simulated machine: CPUs, boxes, PCI functions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/nodes.h"
#include "sim/pcie/pcie.h"

#define INTEL 0x8086

static unsigned table_of(const struct sim *sim, const struct sim_kind *kind, unsigned index)
{
	return kind->by_die && index >= sim->platform->dies ? kind->table + 1U : kind->table;
}

static int build_boxes(struct sim *sim)
{
	const struct sim_platform *platform = sim->platform;
	struct sim_box *box;

	for (unsigned k = 0; k < platform->n_kinds; k++)
		sim->n_boxes += sim_box_count(sim, &platform->kinds[k]);
	box = sim->boxes = calloc(sim->packages * sim->n_boxes, sizeof(*box));
	if (box == NULL)
		return -ENOMEM;
	for (unsigned p = 0; p < sim->packages; p++)
		for (unsigned k = 0; k < platform->n_kinds; k++)
			for (unsigned i = 0; i < sim_box_count(sim, &platform->kinds[k]); i++)
				*box++ = (struct sim_box){
					.sim = sim,
					.kind = &platform->kinds[k],
					.package = p,
					.index = i,
					.table = table_of(sim, &platform->kinds[k], i)};
	return 0;
}

static int build_cpus(struct sim *sim)
{
	unsigned n = sim->packages * sim->cores;

	sim->cpus = calloc(n, sizeof(*sim->cpus));
	if (sim->cpus == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		sim->cpus[i] = (struct sim_cpu){.id = i,
						.package = i / sim->cores / sim->dies,
						.core = i % sim->cores,
						.die = i / sim->cores % sim->dies};
	return 0;
}

static bool hidden(const struct sim *sim, uint16_t device)
{
	for (unsigned i = 0; i < sim->n_hidden; i++)
		if (sim->hidden[i] == device)
			return true;
	return false;
}

static bool segments(const struct sim *sim)
{
	return sim->platform->discovery != NULL && sim->platform->discovery->segments;
}

/*
 * The bus range is split evenly unless each package has its own segment; most of a package's
 * uncore devices are on its highest bus.
 */
static uint8_t bus_of(const struct sim *sim, unsigned package, const struct sim_function *function)
{
	unsigned ranges = segments(sim) ? 1 : sim->packages;
	unsigned range = segments(sim) ? 0 : package;

	if (function->bus != 0 && sim->pcie != NULL)
		return sim_pcie_bus(sim, package, function->bus);
	if (function->bus == 0)
		return (uint8_t)((range + 1) * 256 / ranges - 1);
	return (uint8_t)(range * 256 / ranges + function->bus - 1);
}

static void add_device(struct sim *sim, struct sim_pci pci, struct sim_device device)
{
	if (hidden(sim, pci.device))
		return;
	sim->pci[sim->n_pci] = pci;
	sim->devices[sim->n_pci++] = device;
}

static struct sim_pci function_at(const struct sim *sim, unsigned package,
				  const struct sim_function *function)
{
	return (struct sim_pci){.segment = (uint16_t)(segments(sim) ? package : 0),
				.bus = bus_of(sim, package, function),
				.devfn = function->devfn,
				.vendor = INTEL,
				.device = function->device,
				.numa_node = sim->no_numa ? -1 : sim_first_node(sim, package)};
}

bool sim_box_function(const struct sim *sim, const struct sim_box *box, struct sim_pci *pci)
{
	for (unsigned i = 0; i < sim->platform->n_functions; i++) {
		const struct sim_function *function = &sim->platform->functions[i];

		if (!function->pmon || function->kind == NULL || function->box != box->index ||
		    strcmp(function->kind, box->kind->name) != 0)
			continue;
		*pci = function_at(sim, box->package, function);
		return true;
	}
	return false;
}

static void add_function(struct sim *sim, unsigned package, const struct sim_function *function)
{
	struct sim_pci pci = function_at(sim, package, function);
	struct sim_device device = {.function = function, .package = package};

	if (function->kind != NULL) {
		device.box = sim_box_find(sim, package, function->kind, function->box);
		if (device.box == NULL) /* nor its function */
			return;
	}
	add_device(sim, pci, device);
}

/* Functions without PMON registers. */
static unsigned slice_functions(const struct sim *sim)
{
	return sim->platform->slices.device != 0 ? sim->slices : 0;
}

static int build_slices(struct sim *sim)
{
	const struct sim_slices *slices = &sim->platform->slices;
	unsigned n = slice_functions(sim);

	sim->slice = calloc(n != 0 ? n : 1, sizeof(*sim->slice));
	if (sim->slice == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		unsigned device = slices->in_row != 0 ? i / slices->in_row : i % 2;
		unsigned function = slices->in_row != 0 ? i % slices->in_row : i / 2;

		sim->slice[i] = (struct sim_function){
			.device = (uint16_t)(slices->device + i * slices->id_step),
			.devfn = (uint8_t)((12 + device) << 3 | function),
		};
	}
	return 0;
}

static void add_package(struct sim *sim, unsigned package)
{
	for (unsigned i = 0; i < sim->platform->n_functions; i++)
		add_function(sim, package, &sim->platform->functions[i]);
	for (unsigned i = 0; i < slice_functions(sim); i++)
		add_function(sim, package, &sim->slice[i]);
}

static int build_devices(struct sim *sim)
{
	const struct sim_platform *platform = sim->platform;
	size_t more = sim->pcie != NULL ? sim->pcie->n_functions : 0;
	size_t most = platform->n_others + more +
		      (size_t)sim->packages * (platform->n_functions + slice_functions(sim));

	sim->pci = calloc(most, sizeof(*sim->pci));
	sim->devices = calloc(most, sizeof(*sim->devices));
	if (sim->pci == NULL || sim->devices == NULL || build_slices(sim) != 0)
		return -ENOMEM;
	for (unsigned i = 0; sim->pcie == NULL && i < platform->n_others; i++)
		add_device(sim, platform->others[i], (struct sim_device){0});
	for (unsigned p = 0; p < sim->packages; p++)
		add_package(sim, p);
	for (size_t i = 0; i < more; i++)
		add_device(sim, sim->pcie->functions[i],
			   (struct sim_device){.package = sim_pcie_package(sim, i)});
	return 0;
}

static int build_space(struct sim *sim)
{
	if (sim->platform->space == NULL)
		return 0;
	sim->space = calloc(sim->packages, sim->platform->space->size);
	return sim->space != NULL ? 0 : -ENOMEM;
}

int sim_build(struct sim *sim)
{
	if (build_space(sim) != 0 || build_cpus(sim) != 0 || build_boxes(sim) != 0 ||
	    sim_nodes_build(sim) != 0 || sim_pcie_build(sim) != 0)
		return -ENOMEM;
	if (sim_index_build(sim) != 0 || build_devices(sim) != 0)
		return -ENOMEM;
	if (sim_core_build(sim) != 0)
		return -ENOMEM;
	return sim_discovery_build(sim);
}
