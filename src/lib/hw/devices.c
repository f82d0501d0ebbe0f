/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * devices.c - Intel's PCI devices, from the kernel's lists below a root directory.
 *
 * A server has hundreds of devices.  One file lists the ids of all of them, but not their
 * segments; an address that occurs in two segments is looked up by itself.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/sysfs.h"
#include "hw/topology.h"

#define INTEL     0x8086
#define PCI_DIR   "sys/bus/pci/devices"
#define ADDRESSES 0x10000 /* bus, device and function */
#define TWICE     UINT32_MAX

/* ---- the kernel's list ---- */

/* Vendor and device by address; 0: not listed.  "7f58\t80863c41\t..." */
static void read_ids(uint32_t *ids, const char *root)
{
	char *list = unc_read_all(root, "proc/bus/pci/devices");
	char *line = list, *end;

	while (line && *line) {
		const unsigned long address = strtoul(line, &end, 16);
		const uint32_t id = (uint32_t)strtoul(end, NULL, 16);

		if (*end != '\t' || address >= ADDRESSES)
			break;
		ids[address] = ids[address] ? TWICE : id;
		line = strchr(end, '\n');
		if (line)
			line++;
	}
	free(list);
}

/* ---- one device ---- */

/* A device that cannot be read may have counters: its box is not considered absent. */
static void note_unread(struct unc_topology *topo, int error, const char *name, const char *file)
{
	if (topo->unread || error == ENOENT || error == ENODATA)
		return;
	topo->unread = -error;
	snprintf(topo->unread_file, sizeof(topo->unread_file), PCI_DIR "/%.20s%s", name, file);
}

/* 0: no number, or the device has vanished. */
static unsigned read_id(struct unc_topology *topo, const char *root, const char *name,
			const char *file)
{
	const long id = unc_read_number(0, root, PCI_DIR "/%s%s", name, file);

	if (id == 0)
		note_unread(topo, errno, name, file);
	return (unsigned)id;
}

/* Vendor and device in one file: "pci:v00008086d00003C41sv..." */
static uint32_t id_by_itself(struct unc_topology *topo, const char *root, const char *name)
{
	unsigned vendor, device;
	char alias[64];

	if (unc_read_line(alias, sizeof(alias), root, PCI_DIR "/%s/modalias", name) &&
	    sscanf(alias, "pci:v%8xd%8x", &vendor, &device) == 2)
		return vendor << 16 | device;
	vendor = read_id(topo, root, name, "/vendor");
	return vendor == INTEL ? vendor << 16 | read_id(topo, root, name, "/device") : 0;
}

static int add_device(struct unc_topology *topo, const char *root, const char *name,
		      const uint32_t *ids)
{
	struct unc_pci *pci = topo->pci, found;
	unsigned address;
	uint32_t id;

	if (!unc_pci_parse(name, &found))
		return 0;
	address = (unsigned)found.bus << 8 | found.devfn;
	id = ids[address] && ids[address] != TWICE ? ids[address] : id_by_itself(topo, root, name);
	if (id >> 16 != INTEL)
		return 0;
	if ((topo->n_pci & (topo->n_pci - 1)) == 0) {
		pci = realloc(pci, (topo->n_pci ? 2 * topo->n_pci : 1) * sizeof(*pci));
		if (!pci)
			return UNCORE_ENOMEM;
		topo->pci = pci;
	}
	found.device = (uint16_t)id;
	pci[topo->n_pci++] = found;
	return 0;
}

/* ---- all devices ---- */

static int by_address(const void *a, const void *b)
{
	const uint32_t x = unc_pci_address(a), y = unc_pci_address(b);

	return (x > y) - (x < y);
}

int unc_topology_pci(struct unc_topology *topo, const char *root)
{
	uint32_t *ids = calloc(ADDRESSES, sizeof(*ids));
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir;
	int r = ids ? 0 : UNCORE_ENOMEM;

	snprintf(path, sizeof(path), "%s/" PCI_DIR, root);
	dir = unc_opendir(path);
	if (!dir)
		note_unread(topo, errno, "", ""); /* a machine without PCI does not have it */
	else if (r == 0)
		read_ids(ids, root);
	while (dir && r == 0 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			r = add_device(topo, root, entry->d_name, ids);
	if (dir)
		closedir(dir);
	if (topo->n_pci)
		qsort(topo->pci, topo->n_pci, sizeof(*topo->pci), by_address);
	free(ids);
	return r;
}

/* ---- location of a device ---- */

/* The physical package of all CPUs of a list; -1: they are in several, or unknown. */
static int package_of_list(const struct unc_topology *topo, const char *list)
{
	unsigned first, last;
	int package = -1;

	while ((list = unc_next_range(list, &first, &last)))
		for (size_t i = 0; i < topo->n_cpus; i++) {
			const struct unc_cpu *cpu = &topo->cpus[i];

			if (cpu->id < first || cpu->id > last)
				continue;
			if (package >= 0 && package != (int)cpu->package)
				return -1;
			package = (int)cpu->package;
		}
	return package;
}

/* A node without online CPUs has an empty list. */
static int package_of_node(const struct unc_topology *topo, const char *root, long node)
{
	char list[4096];

	if (!unc_read_text(list, sizeof(list), root, "sys/devices/system/node/node%ld/cpulist",
			   node))
		return errno == ENODATA ? UNC_OFFLINE : -1;
	return list[strspn(list, " \n")] ? package_of_list(topo, list) : UNC_OFFLINE;
}

int unc_near(const struct unc_topology *topo, const char *root, size_t unit, struct unc_numa *numa)
{
	char name[UNC_PCI_NAME];
	const long node = unc_read_number(-1, root, PCI_DIR "/%s/numa_node",
					  unc_pci_name(name, &topo->pci[unit]));

	if (node < 0 || node >= UNC_MAX_NODES)
		return -1;
	if (!numa->asked[node]) {
		numa->asked[node] = true;
		numa->package[node] = package_of_node(topo, root, node);
	}
	return numa->package[node];
}

const char *unc_pci_name(char name[UNC_PCI_NAME], const struct unc_pci *pci)
{
	snprintf(name, UNC_PCI_NAME, "%04x:%02x:%02x.%x", pci->segment, pci->bus, pci->devfn >> 3,
		 pci->devfn & 7u);
	return name;
}

/* Segments of more than 16 bits are virtual: devices behind a storage controller (VMD). */
bool unc_pci_parse(const char *name, struct unc_pci *pci)
{
	unsigned segment, bus, device, function;
	char again[UNC_PCI_NAME];

	if (sscanf(name, "%x:%x:%x.%x", &segment, &bus, &device, &function) != 4)
		return false;
	*pci = (struct unc_pci){
		.segment = (uint16_t)segment,
		.bus = (uint8_t)bus,
		.devfn = (uint8_t)((device & 31) << 3 | (function & 7)),
		.near = UNC_NOT_ASKED,
		.package = -1,
	};
	return strcmp(unc_pci_name(again, pci), name) == 0;
}

int unc_pci_find(const struct unc_topology *topo, uint32_t address)
{
	for (size_t i = 0; i < topo->n_pci; i++)
		if (unc_pci_address(&topo->pci[i]) == address)
			return (int)i;
	return -1;
}
