/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pci.c - PCI functions as /sys and /proc show them.
 *
 * BARs have the address in config space, and the length of the range with registers: the model
 * has no BAR sizes.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tree.h"

#define BARS   6
#define CONFIG 4096

struct function {
	const struct sim_pci *pci;
	unsigned number;
	uint64_t base[BARS], size[BARS];
	uint32_t flags[BARS]; /* of the register: I/O, 64 bits, prefetchable */
};

static uint32_t config(struct tree *tree, const struct sim_pci *pci, uint32_t offset)
{
	uint64_t value = 0;

	sim_pci_read(tree->sim, pci->segment, pci->bus, pci->devfn, offset, 32, &value);
	return (uint32_t)value;
}

static void read_bars(struct tree *tree, struct function *f)
{
	for (unsigned i = 0; i < BARS; i++) {
		const uint32_t low = config(tree, f->pci, 0x10 + 4 * i);
		const bool wide = (low & 7) == 4 && i + 1 < BARS;
		uint64_t base = low & ~15U;

		if (low & 1 || (low == 0 && !wide))
			continue;
		if (wide)
			base |= (uint64_t)config(tree, f->pci, 0x14 + 4 * i) << 32;
		f->size[i] = memory_size(tree->sim, base);
		f->base[i] = f->size[i] ? base : 0;
		f->flags[i] = low & 15;
		i += wide;
	}
}

/* First and last address and flags of six BARs, the ROM and six windows of a bridge. */
static void add_resource(struct tree *tree, struct node *dir, const struct function *f)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (unsigned i = 0; out && i < 13; i++) {
		const bool used = i < BARS && f->base[i];

		fprintf(out, "0x%016" PRIx64 " 0x%016" PRIx64 " 0x%016x\n", used ? f->base[i] : 0,
			used ? f->base[i] + f->size[i] - 1 : 0,
			used ? (f->flags[i] & 4 ? 0x140200U : 0x40200U) : 0);
	}
	if (out)
		fclose(out);
	tree_take_text(tree, dir, "resource", text);
	for (unsigned i = 0; i < BARS; i++) {
		struct node *bar =
			f->base[i] ? tree_add(tree, dir, NODE_MEMORY, "resource%u", i) : NULL;

		if (bar) {
			bar->base = f->base[i];
			bar->size = f->size[i];
		}
	}
}

static void add_config(struct tree *tree, struct node *dir, const char *name, unsigned number)
{
	struct node *n = tree_add(tree, dir, NODE_CONFIG, "%s", name);

	if (n) {
		n->unit = number;
		n->size = CONFIG;
	}
}

/* -1: unknown. */
static int package_of_node(const struct tree *tree, int number)
{
	size_t n;
	const struct sim_node *nodes = sim_nodes(tree->sim, &n);

	for (size_t i = 0; i < n; i++)
		if ((int)nodes[i].number == number)
			return (int)nodes[i].package;
	return -1;
}

static void add_sysfs(struct tree *tree, const struct function *f)
{
	const struct sim_pci *pci = f->pci;
	const uint32_t class = config(tree, pci, 8), subsystem = config(tree, pci, 0x2c);
	struct node *dir = tree_dir(tree, tree->root, "sys/bus/pci/devices/%04x:%02x:%02x.%x",
				    pci->segment, pci->bus, pci->devfn >> 3, pci->devfn & 7U);

	tree_text(tree, dir, "vendor", "0x%04x\n", pci->vendor);
	tree_text(tree, dir, "device", "0x%04x\n", pci->device);
	tree_text(tree, dir, "subsystem_vendor", "0x%04x\n", subsystem & 0xffff);
	tree_text(tree, dir, "subsystem_device", "0x%04x\n", subsystem >> 16);
	tree_text(tree, dir, "class", "0x%06x\n", class >> 8);
	tree_text(tree, dir, "revision", "0x%02x\n", class & 0xff);
	tree_text(tree, dir, "modalias", "pci:v%08Xd%08Xsv%08Xsd%08Xbc%02Xsc%02Xi%02X\n",
		  pci->vendor, pci->device, subsystem & 0xffff, subsystem >> 16, class >> 24,
		  class >> 16 & 0xff, class >> 8 & 0xff);
	tree_text(tree, dir, "irq", "0\n");
	tree_text(tree, dir, "enable", "1\n");
	tree_text(tree, dir, "numa_node", "%d\n", pci->numa_node);
	tree_add_package_cpus(tree, dir, "local_cpulist", "local_cpus",
			      package_of_node(tree, pci->numa_node));
	add_config(tree, dir, "config", f->number);
	add_resource(tree, dir, f);
}

/* Directory names include the segment, except for the first segment. */
static void add_proc(struct tree *tree, const struct function *f)
{
	const struct sim_pci *pci = f->pci;
	struct node *dir;
	char name[8];

	if (pci->segment)
		dir = tree_dir(tree, tree->root, "proc/bus/pci/%04x:%02x", pci->segment, pci->bus);
	else
		dir = tree_dir(tree, tree->root, "proc/bus/pci/%02x", pci->bus);
	snprintf(name, sizeof(name), "%02x.%x", pci->devfn >> 3, pci->devfn & 7U);
	add_config(tree, dir, name, f->number);
}

/* Bus and devfn, ids, interrupt, addresses and sizes of the BARs and the ROM. */
static void print_device(FILE *out, const struct function *f)
{
	fprintf(out, "%02x%02x\t%04x%04x\t0", f->pci->bus, f->pci->devfn, f->pci->vendor,
		f->pci->device);
	for (unsigned i = 0; i <= BARS; i++)
		fprintf(out, "\t%16" PRIx64, i < BARS && f->base[i] ? f->base[i] | f->flags[i] : 0);
	for (unsigned i = 0; i <= BARS; i++)
		fprintf(out, "\t%16" PRIx64, i < BARS ? f->size[i] : 0);
	fprintf(out, "\t\n");
}

/* ---- ACPI: the list of buses ---- */

#define MCFG_HEAD   44
#define MCFG_RECORD 16

static void put(unsigned char *at, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

/* All bytes of a table add up to 0. */
static unsigned char checksum(const unsigned char *table, size_t len)
{
	unsigned char sum = 0;

	for (size_t i = 0; i < len; i++)
		sum = (unsigned char)(sum + table[i]);
	return (unsigned char)-sum;
}

/*
 * PCI Firmware Specification 3.x, 4.1.2: each segment with all its buses.  Programs
 * look here for bus numbers; there is no config space at the addresses.
 */
static void add_mcfg(struct tree *tree, unsigned segments)
{
	const size_t len = MCFG_HEAD + segments * MCFG_RECORD;
	unsigned char *table = calloc(1, len);
	struct node *n = tree_add(tree, tree_dir(tree, tree->root, "sys/firmware/acpi/tables"),
				  NODE_TEXT, "MCFG");

	if (!table || !n) {
		tree->no_memory = true;
		free(table);
		return;
	}
	put(table, 0x4746434d, 4); /* "MCFG" */
	put(table + 4, len, 4);
	table[8] = 1;
	put(table + 10, UINT64_C(0x45524f434e55), 6);     /* "UNCORE" */
	put(table + 16, UINT64_C(0x4554414c554d4953), 8); /* "SIMULATE" */
	for (unsigned i = 0; i < segments; i++) {
		unsigned char *record = table + MCFG_HEAD + (size_t)i * MCFG_RECORD;

		put(record, UINT64_C(0x80000000) + ((uint64_t)i << 28), 8);
		put(record + 8, i, 2);
		record[11] = 255; /* the last bus */
	}
	table[9] = checksum(table, len);
	n->text = (char *)table;
	n->size = len;
}

void tree_add_pci(struct tree *tree)
{
	size_t n, len;
	const struct sim_pci *pci = sim_pci_devices(tree->sim, &n);
	unsigned segments = 1;
	char *list = NULL;
	FILE *out = open_memstream(&list, &len);

	tree_dir(tree, tree->root, "sys/bus/pci/devices");
	for (size_t i = 0; out && i < n; i++) {
		struct function f = {.pci = &pci[i], .number = (unsigned)i};

		read_bars(tree, &f);
		add_sysfs(tree, &f);
		add_proc(tree, &f);
		if (pci[i].segment >= segments)
			segments = pci[i].segment + 1U;
		print_device(out, &f);
	}
	if (out)
		fclose(out);
	tree_take_text(tree, tree_dir(tree, tree->root, "proc/bus/pci"), "devices", list);
	add_mcfg(tree, segments);
}
