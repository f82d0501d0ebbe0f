/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * devices.c - the devices behind the ports of a stack, at random: none, one, two behind a switch, a
 * network interface with virtual functions, or disks behind VMD.  Their paths are as Linux has
 * them below /sys.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/pcie/pcie.h"

#define PATH      256
#define VMD_FIRST 0x10000

#define MOST_BUSES 4  /* behind a port */
#define LANES      16 /* of a stack */

/* A stack while its devices are made. */
struct maker {
	struct sim *sim;
	struct sim_pcie_root *root;
	uint64_t *random;
	char top[PATH];        /* directory of the root bus, or of VMD's domain */
	unsigned segment, bus; /* of the ports */
	unsigned next, limit;  /* buses behind the ports */
	uint8_t part;          /* of the present port */
	unsigned width;        /* ... lanes */
};

static unsigned segment_of(const struct maker *m)
{
	const struct sim_discovery *d = m->sim->platform->discovery;

	return d != NULL && d->segments ? m->root->package : 0;
}

/* ---- lists ---- */

static void add_link(struct sim_pcie *pcie, const char *target, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add_link(struct sim_pcie *pcie, const char *target, const char *format, ...)
{
	struct sim_link *all = realloc(pcie->links, (pcie->n_links + 1) * sizeof(*all));
	char path[PATH];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (all != NULL)
		pcie->links = all;
	if (all == NULL) {
		pcie->failed = true;
		return;
	}
	all[pcie->n_links++] = (struct sim_link){strdup(path), strdup(target)};
	pcie->failed |=
		all[pcie->n_links - 1].path == NULL || all[pcie->n_links - 1].target == NULL;
}

static void add_file(struct sim_pcie *pcie, const char *text, const char *dir, const char *name)
{
	struct sim_file *all = realloc(pcie->files, (pcie->n_files + 1) * sizeof(*all));
	char path[4 * PATH];

	if (all == NULL) {
		pcie->failed = true;
		return;
	}
	pcie->files = all;
	snprintf(path, sizeof(path), "%.800s/%s", dir + 1, name);
	all[pcie->n_files] = (struct sim_file){strdup(path), strdup(text)};
	pcie->failed |= all[pcie->n_files].path == NULL || all[pcie->n_files].text == NULL;
	pcie->n_files++;
}

static void add_endpoint(struct maker *m, const char *name, const char *address, bool vmd)
{
	struct sim_pcie *pcie = m->sim->pcie;
	struct sim_endpoint *all = realloc(pcie->endpoints, (pcie->n_endpoints + 1) * sizeof(*all));

	if (all == NULL) {
		pcie->failed = true;
		return;
	}
	pcie->endpoints = all;
	all += pcie->n_endpoints++;
	*all = (struct sim_endpoint){.package = m->root->package,
				     .stack = m->root->stack->id,
				     .box = m->root->stack->box,
				     .part = m->part,
				     .vmd = vmd};
	snprintf(all->name, sizeof(all->name), "%s", name);
	snprintf(all->address, sizeof(all->address), "%s", address);
}

/* ---- devices ---- */

static const struct {
	char class[12], name[8], code[12]; /* code: base class, subclass, interface */
} kinds[] = {{"net", "eth", "0x020000"},
	     {"infiniband", "mlx5_", "0x020700"},
	     {"nvme", "nvme", "0x010802"},
	     {"block", "sd", "0x010700"}};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))
#define NET     0
#define DISK    2

/* Files that all functions have; ids: vendor and device. */
static void add_files(struct maker *m, const char *dir, const char *const ids[2], const char *code)
{
	struct sim_pcie *pcie = m->sim->pcie;
	char node[16];

	add_link(pcie, dir, "sys/bus/pci/devices/%s", strrchr(dir, '/') + 1);
	add_file(pcie, ids[0], dir, "vendor");
	add_file(pcie, ids[1], dir, "device");
	add_file(pcie, code, dir, "class");
	snprintf(node, sizeof(node), "%d", m->sim->no_numa ? -1 : (int)m->root->package);
	add_file(pcie, node, dir, "numa_node");
}

/* Add a function with its names; dir: its directory. */
static void add_device(struct maker *m, const char *dir, unsigned kind, bool vmd)
{
	static const char *const ids[2] = {"0x15b3", "0x1017"};
	struct sim_pcie *pcie = m->sim->pcie;
	char name[32], target[4 * PATH];

	snprintf(name, sizeof(name), "%s%zu", kinds[kind].name, pcie->n_endpoints);
	add_files(m, dir, ids, kinds[kind].code);
	snprintf(target, sizeof(target), "%.600s/%s/%s", dir, kinds[kind].class, name);
	add_link(pcie, target, "sys/class/%s/%s", kinds[kind].class, name);
	if (kind == DISK) {
		snprintf(target, sizeof(target), "%.600s/nvme/%s/%sn1", dir, name, name);
		add_link(pcie, target, "sys/class/block/%sn1", name);
	}
	add_endpoint(m, name, strrchr(dir, '/') + 1, vmd);
	m->root->parts |= (uint16_t)(1U << m->part);
}

/* The width is that of the port; the kernel knows no link of a virtual function. */
static void add_width(struct maker *m, const char *dir, unsigned width)
{
	const char *speed = width != 0 ? m->sim->pcie->platform->speed : "Unknown";
	char text[16];

	snprintf(text, sizeof(text), "%u", width);
	add_file(m->sim->pcie, speed, dir, "current_link_speed");
	add_file(m->sim->pcie, text, dir, "current_link_width");
	add_file(m->sim->pcie, speed, dir, "max_link_speed");
	add_file(m->sim->pcie, text, dir, "max_link_width");
}

static bool is_vmd(const struct maker *m)
{
	return m->segment >= VMD_FIRST;
}

static void one(struct maker *m, const char *port)
{
	char dir[2 * PATH];

	snprintf(dir, sizeof(dir), "%.250s/%04x:%02x:00.0", port, m->segment, m->next++);
	add_device(m, dir, is_vmd(m) ? DISK : sim_random(m->random, N_KINDS), is_vmd(m));
	add_width(m, dir, m->width);
}

/* A switch with two ports. */
static void switched(struct maker *m, const char *port)
{
	char up[2 * PATH], dir[4 * PATH];
	const unsigned inner = m->next + 1U;

	snprintf(up, sizeof(up), "%.250s/%04x:%02x:00.0", port, m->segment, m->next);
	m->next += 2;
	for (unsigned i = 0; i < 2; i++) {
		snprintf(dir, sizeof(dir), "%.400s/%04x:%02x:%02x.0/%04x:%02x:00.0", up, m->segment,
			 inner, 3 * i, m->segment, m->next++);
		add_device(m, dir, sim_random(m->random, N_KINDS), is_vmd(m));
		add_width(m, dir, m->width / 2);
	}
}

/* A network interface with two virtual functions. */
static void shared(struct maker *m, const char *port)
{
	char dir[2 * PATH], physical[2 * PATH];

	for (unsigned i = 0; i < 3; i++) {
		snprintf(dir, sizeof(dir), "%.250s/%04x:%02x:00.%u", port, m->segment, m->next, i);
		add_device(m, dir, NET, false);
		add_width(m, dir, i == 0 ? m->width : 0);
		if (i == 0)
			snprintf(physical, sizeof(physical), "%s", dir);
		else
			add_link(m->sim->pcie, physical, "%.250s/physfn", dir + 1);
	}
	m->next++;
}

static void fill_port(struct maker *m, unsigned number)
{
	const struct sim_stack *stack = m->root->stack;
	char port[2 * PATH];

	if (m->next + MOST_BUSES > m->limit)
		return;
	m->part = (uint8_t)(stack->part + number * stack->step);
	snprintf(port, sizeof(port), "%.250s/%04x:%02x:%02x.0", m->top, m->segment, m->bus,
		 stack->slot + number * stack->step);
	switch (sim_random(m->random, is_vmd(m) ? 3 : 5)) {
	case 0:
		return;
	case 1:
		switched(m, port);
		return;
	case 3:
		shared(m, port);
		return;
	default:
		one(m, port);
	}
}

/* One, two or all of its ports: what a processor calls bifurcation. */
static void fill_ports(struct maker *m)
{
	const unsigned ports = m->root->stack->ports;
	const unsigned n = 1U << sim_random(m->random, 3);

	m->width = LANES / n;
	for (unsigned i = 0; i < n && n <= ports; i++)
		fill_port(m, i * (ports / n));
}

static unsigned n_stacks_before(const struct maker *m)
{
	return (unsigned)(m->root - m->sim->pcie->roots);
}

/* The domain has buses and segment of its own. */
static void enter_vmd(struct maker *m)
{
	char outer[PATH];

	snprintf(outer, sizeof(outer), "%.100s", m->top);
	m->segment = VMD_FIRST + n_stacks_before(m);
	snprintf(m->top, sizeof(m->top), "%.100s/%04x:%02x:%02x.5/pci%05x:00", outer, segment_of(m),
		 m->root->bus, m->sim->pcie->platform->vmd_slot, m->segment);
	m->bus = 0;
	m->next = 1;
	m->limit = 255;
}

/* An accelerator is on the root bus itself. */
static void add_accelerator(struct maker *m)
{
	char dir[2 * PATH];

	m->part = m->root->stack->part;
	snprintf(dir, sizeof(dir), "%.250s/%04x:%02x:%02x.0", m->top, m->segment, m->bus,
		 m->root->stack->slot);
	add_device(m, dir, NET, false);
}

#define DMA_FUNCTIONS 8

void sim_pcie_add_dma(struct sim *sim, struct sim_pcie_root *root)
{
	struct maker m = {.sim = sim, .root = root, .part = sim->pcie->platform->dma.part};
	char device[16], dir[PATH];
	const char *const ids[2] = {"0x8086", device};

	snprintf(device, sizeof(device), "0x%04x", sim->pcie->platform->dma.device);
	m.segment = segment_of(&m);
	for (unsigned i = 0; i < DMA_FUNCTIONS; i++) {
		snprintf(dir, sizeof(dir), "/sys/devices/pci%04x:%02x/%04x:%02x:%02x.%u", m.segment,
			 root->bus, m.segment, root->bus, sim->pcie->platform->dma.slot, i);
		add_files(&m, dir, ids, "0x088000");
		add_endpoint(&m, "", strrchr(dir, '/') + 1, false);
	}
}

void sim_pcie_add_devices(struct sim *sim, struct sim_pcie_root *root, uint64_t *random)
{
	struct maker m = {.sim = sim, .root = root, .random = random, .bus = root->bus};

	m.segment = segment_of(&m);
	m.next = root->bus + 1U;
	m.limit = m.next + sim->pcie->room;
	snprintf(m.top, sizeof(m.top), "/sys/devices/pci%04x:%02x", m.segment, m.bus);
	if (root->stack->ports == 0)
		return;
	if (root->stack->step == 0) {
		add_accelerator(&m);
		return;
	}
	if (sim_random(random, 5) == 0)
		enter_vmd(&m);
	fill_ports(&m);
}
