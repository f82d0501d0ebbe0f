/*
 * topology.c - CPUs and PCI devices from /proc and /sys below a root directory.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "machine/machine.h"
#include "machine/sysfs.h"
#include "regs/regs.h"

#define INTEL 0x8086

#define CPU_DIR "sys/devices/system/cpu"
#define PCI_DIR "sys/bus/pci/devices"

/* ---- model ---- */

/* The value behind "key\t: " in the first CPU's paragraph. */
static const char *cpuinfo_value(const char *text, const char *key)
{
	const size_t len = strlen(key);

	for (const char *line = text; line && *line && *line != '\n';) {
		const char *colon = strchr(line, ':');
		const char *end = strchr(line, '\n');

		if (strncmp(line, key, len) == 0 &&
		    (line[len] == '\t' || line[len] == ' ' || line[len] == ':'))
			return colon && (!end || colon < end) ? colon + 1 + (colon[1] == ' ')
							      : NULL;
		line = end ? end + 1 : NULL;
	}
	return NULL;
}

static unsigned cpuinfo_number(const char *text, const char *key)
{
	const char *value = cpuinfo_value(text, key);

	return value ? (unsigned)strtoul(value, NULL, 10) : 0;
}

static bool has_flag(const char *text, const char *flag)
{
	const char *flags = cpuinfo_value(text, "flags");
	const size_t len = strlen(flag);

	for (const char *f = flags; f && *f && *f != '\n';) {
		const size_t n = strcspn(f, " \n");

		if (n == len && strncmp(f, flag, len) == 0)
			return true;
		f += n + (f[n] == ' ');
	}
	return false;
}

int unc_topology_model(struct unc_topology *topo, const char *root, struct unc_err *err)
{
	char text[8192];
	const char *vendor;

	memset(topo, 0, sizeof(*topo));
	if (!unc_read_text(text, sizeof(text), root, "proc/cpuinfo"))
		return unc_fail(
			err, UNCORE_ENOSUPP,
			"%s/proc/cpuinfo cannot be read (%s), so the CPU model is unknown; mount "
			"proc, or correct UNCORE_SYSROOT",
			root, strerror(errno));
	vendor = cpuinfo_value(text, "vendor_id");
	snprintf(topo->vendor, sizeof(topo->vendor), "%.*s",
		 vendor ? (int)strcspn(vendor, "\n") : 0, vendor ? vendor : "");
	topo->family = cpuinfo_number(text, "cpu family");
	topo->model = cpuinfo_number(text, "model");
	topo->stepping = cpuinfo_number(text, "stepping");
	topo->hypervisor = has_flag(text, "hypervisor");
	return 0;
}

static int no_memory(struct unc_err *err)
{
	return unc_fail(err, UNCORE_ENOMEM, "out of memory for the list of devices");
}

/* ---- CPUs ---- */

/*
 * A file that is not there means that the CPU is not, or has no such number.  Any other failure
 * would leave out what is there, and with the CPU perhaps its package.
 */
static int read_cpu(long *value, long missing, const char *root, unsigned id, const char *file,
		    struct unc_err *err)
{
	*value = unc_read_number(missing, root, CPU_DIR "/cpu%u/topology/%s", id, file);
	if (*value != missing || errno == ENOENT || errno == ENODATA)
		return 0;
	return unc_fail(err, unc_code_of_errno(-errno),
			"%s/" CPU_DIR "/cpu%u/topology/%s cannot be read: %s", root, id, file,
			strerror(errno));
}

static int add_cpu(struct unc_topology *topo, const char *root, unsigned id, struct unc_err *err)
{
	struct unc_cpu *cpus = topo->cpus;
	long package, core;
	int r = read_cpu(&package, -1, root, id, "physical_package_id", err);

	if (r < 0 || package < 0)
		return r;
	r = read_cpu(&core, -1, root, id, "core_id", err);
	if (r < 0)
		return r;
	if ((topo->n_cpus & (topo->n_cpus - 1)) == 0) {
		cpus = realloc(cpus, (topo->n_cpus ? 2 * topo->n_cpus : 1) * sizeof(*cpus));
		if (!cpus)
			return no_memory(err);
		topo->cpus = cpus;
	}
	cpus[topo->n_cpus++] = (struct unc_cpu){
		.id = id,
		.package = (unsigned)package,
		.core = core < 0 ? 0 : (unsigned)core,
	};
	return 0;
}

/* "0-3,8" */
static int add_cpu_list(struct unc_topology *topo, const char *root, const char *list,
			struct unc_err *err)
{
	int r = 0;

	while (r == 0 && *list >= '0' && *list <= '9') {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; r == 0 && first <= last && first < 65536; first++)
			r = add_cpu(topo, root, (unsigned)first, err);
		list = end + (*end == ',');
	}
	return r;
}

/* ---- PCI ---- */

/* Physical package of the first CPU of a NUMA node. */
static int package_of_node(const struct unc_topology *topo, const char *root, long node)
{
	const long cpu = node < 0
				 ? -1
				 : unc_read_number(-1, root,
						   "sys/devices/system/node/node%ld/cpulist", node);

	for (size_t i = 0; i < topo->n_cpus; i++)
		if ((long)topo->cpus[i].id == cpu)
			return (int)topo->cpus[i].package;
	return -1;
}

/* What cannot be read may be a device of ours: its box is not absent because of that. */
static void note_unread(struct unc_topology *topo, int error, const char *name, const char *file)
{
	if (topo->unread || error == ENOENT || error == ENODATA)
		return;
	topo->unread = -error;
	snprintf(topo->unread_file, sizeof(topo->unread_file), PCI_DIR "/%.20s%s", name, file);
}

/* 0: it has no such number, or has vanished. */
static long read_id(struct unc_topology *topo, const char *root, const char *name, const char *file)
{
	const long id = unc_read_number(0, root, PCI_DIR "/%s%s", name, file);

	if (id == 0)
		note_unread(topo, errno, name, file);
	return id;
}

static int add_pci(struct unc_topology *topo, const char *root, const char *name)
{
	struct unc_pci *pci = topo->pci;
	unsigned segment, bus, device, function;

	if (sscanf(name, "%x:%x:%x.%x", &segment, &bus, &device, &function) != 4 ||
	    read_id(topo, root, name, "/vendor") != INTEL)
		return 0;
	if ((topo->n_pci & (topo->n_pci - 1)) == 0) {
		pci = realloc(pci, (topo->n_pci ? 2 * topo->n_pci : 1) * sizeof(*pci));
		if (!pci)
			return UNCORE_ENOMEM;
		topo->pci = pci;
	}
	pci[topo->n_pci++] = (struct unc_pci){
		.segment = (uint16_t)segment,
		.bus = (uint8_t)bus,
		.devfn = (uint8_t)(device << 3 | function),
		.device = (uint16_t)read_id(topo, root, name, "/device"),
		.near = package_of_node(topo, root,
					unc_read_number(-1, root, PCI_DIR "/%s/numa_node", name)),
		.package = -1,
	};
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct unc_pci *x = a, *y = b;
	const uint32_t ax = (uint32_t)x->segment << 16 | (uint32_t)x->bus << 8 | x->devfn;
	const uint32_t ay = (uint32_t)y->segment << 16 | (uint32_t)y->bus << 8 | y->devfn;

	return (ax > ay) - (ax < ay);
}

static int add_pci_devices(struct unc_topology *topo, const char *root)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir;
	int r = 0;

	snprintf(path, sizeof(path), "%s/" PCI_DIR, root);
	dir = unc_opendir(path);
	if (!dir) {
		note_unread(topo, errno, "", ""); /* a machine without PCI has none */
		return 0;
	}
	while (r == 0 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			r = add_pci(topo, root, entry->d_name);
	closedir(dir);
	if (topo->n_pci)
		qsort(topo->pci, topo->n_pci, sizeof(*topo->pci), by_address);
	return r;
}

int unc_topology_devices(struct unc_topology *topo, const char *root, struct unc_err *err)
{
	char online[4096];
	int r;

	if (!unc_read_text(online, sizeof(online), root, CPU_DIR "/online"))
		return unc_fail(err, UNCORE_ENOSUPP,
				"%s/" CPU_DIR "/online cannot be read (%s): is sysfs mounted?",
				root, strerror(errno));
	r = add_cpu_list(topo, root, online, err);
	if (r == 0 && add_pci_devices(topo, root) < 0)
		r = no_memory(err);
	if (r < 0)
		return r;
	if (!topo->n_cpus)
		return unc_fail(err, UNCORE_ENOSUPP,
				"%s/" CPU_DIR "/cpu*/topology tells no package of any CPU", root);
	return 0;
}

const char *unc_pci_name(char name[UNC_PCI_NAME], const struct unc_pci *pci)
{
	snprintf(name, UNC_PCI_NAME, "%04x:%02x:%02x.%x", pci->segment, pci->bus, pci->devfn >> 3,
		 pci->devfn & 7u);
	return name;
}

void unc_topology_free(struct unc_topology *topo)
{
	free(topo->cpus);
	free(topo->pci);
	memset(topo, 0, sizeof(*topo));
}
