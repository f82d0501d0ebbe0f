/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.c - the CPU model and the CPUs from /proc and /sys below a root directory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "hw/topology.h"

#define CPU_DIR    "sys/devices/system/cpu"
#define MAX_CPUS   32768 /* four times what Linux can have */
#define MAX_ID     32767 /* of a package or a die */
#define NO_PACKAGE UINT32_MAX

/* ---- model ---- */

static unsigned cpuinfo_number(const char *text, const char *key)
{
	const char *value = unc_cpuinfo_value(text, key);

	return value ? (unsigned)strtoul(value, NULL, 10) : 0;
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
	vendor = unc_cpuinfo_value(text, "vendor_id");
	snprintf(topo->vendor, sizeof(topo->vendor), "%.*s",
		 vendor ? (int)strcspn(vendor, "\n") : 0, vendor ? vendor : "");
	topo->family = cpuinfo_number(text, "cpu family");
	topo->model = cpuinfo_number(text, "model");
	topo->stepping = cpuinfo_number(text, "stepping");
	topo->hypervisor = unc_cpuinfo_has_flag(text, "hypervisor");
	return 0;
}

static int no_memory(struct unc_err *err)
{
	return unc_fail(err, UNCORE_ENOMEM, "out of memory for the list of devices");
}

/* ---- CPUs ---- */

static int add_cpu(struct unc_topology *topo, unsigned id, struct unc_err *err)
{
	struct unc_cpu *cpus = topo->cpus;

	if ((topo->n_cpus & (topo->n_cpus - 1)) == 0) {
		cpus = realloc(cpus, (topo->n_cpus ? 2 * topo->n_cpus : 1) * sizeof(*cpus));
		if (!cpus)
			return no_memory(err);
		topo->cpus = cpus;
	}
	cpus[topo->n_cpus++] =
		(struct unc_cpu){.id = id, .package = NO_PACKAGE, .core = UNC_NOT_ASKED};
	return 0;
}

/* The kernel's list is ascending, which other code relies on. */
static int add_cpu_list(struct unc_topology *topo, const char *root, const char *list,
			struct unc_err *err)
{
	const char *rest = list;
	unsigned first, last, next = 0;
	int r = 0;

	while (r == 0 && (rest = unc_next_range(rest, &first, &last))) {
		if (first < next || last < first || last >= MAX_CPUS)
			return unc_fail(err, UNCORE_ENOSUPP,
					"%s/" CPU_DIR "/online is no ascending list of CPUs below "
					"%d: %.40s",
					root, MAX_CPUS, list);
		for (next = last + 1; r == 0 && first <= last; first++)
			r = add_cpu(topo, first, err);
	}
	return r;
}

/*
 * A missing file means that the CPU is offline, or that the kernel does not know dies.  Any
 * other error would silently drop a CPU, and perhaps its package.
 */
static int read_cpu(long *value, const struct unc_cpu *cpu, const char *root, const char *file,
		    struct unc_err *err)
{
	*value = unc_read_number(-1, root, CPU_DIR "/cpu%u/topology/%s", cpu->id, file);
	if (*value > MAX_ID)
		return unc_fail(err, UNCORE_ENOSUPP,
				"%s/" CPU_DIR "/cpu%u/topology/%s is %ld, and no package or die "
				"has a number above %d",
				root, cpu->id, file, *value, MAX_ID);
	if (*value >= 0 || errno == ENOENT || errno == ENODATA)
		return 0;
	return unc_fail(err, unc_code_of_errno(-errno),
			"%s/" CPU_DIR "/cpu%u/topology/%s cannot be read: %s", root, cpu->id, file,
			strerror(errno));
}

/* Read its package and die, and which file lists their other CPUs. */
static int read_package(struct unc_cpu *cpu, const char **list, const char *root,
			struct unc_err *err)
{
	long package, die = -1;
	int r = read_cpu(&package, cpu, root, "physical_package_id", err);

	if (r == 0 && package >= 0)
		r = read_cpu(&die, cpu, root, "die_id", err);
	*list = die < 0 ? "core_siblings_list" : "die_cpus_list";
	if (r == 0 && package >= 0)
		cpu->package = (unsigned)package | (die < 0 ? 0 : (unsigned)die) << 16;
	return r;
}

/* CPUs of the list without a package are in the package of this CPU. */
static void take_over(struct unc_topology *topo, const char *list, unsigned package)
{
	unsigned first, last;

	while ((list = unc_next_range(list, &first, &last)))
		for (size_t i = 0; i < topo->n_cpus; i++)
			if (topo->cpus[i].id >= first && topo->cpus[i].id <= last &&
			    topo->cpus[i].package == NO_PACKAGE)
				topo->cpus[i].package = package;
}

/* One CPU lists its siblings: three files per package or die instead of some per CPU. */
static int find_packages(struct unc_topology *topo, const char *root, struct unc_err *err)
{
	char list[4096];
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < topo->n_cpus; i++) {
		struct unc_cpu *cpu = &topo->cpus[i];
		const char *file;

		if (cpu->package != NO_PACKAGE)
			continue;
		r = read_package(cpu, &file, root, err);
		if (cpu->package != NO_PACKAGE &&
		    unc_read_text(list, sizeof(list), root, CPU_DIR "/cpu%u/topology/%s", cpu->id,
				  file))
			take_over(topo, list, cpu->package);
	}
	for (size_t i = 0; i < topo->n_cpus; i++)
		if (topo->cpus[i].package != NO_PACKAGE)
			topo->cpus[n++] = topo->cpus[i];
	topo->n_cpus = n;
	return r;
}

int unc_topology_core(const char *root, unsigned cpu)
{
	const int core = (int)unc_read_number(-1, root, CPU_DIR "/cpu%u/topology/core_id", cpu);

	if (core >= 0)
		return core;
	return errno == ENOENT || errno == ENODATA ? 0 : -errno;
}

static unsigned count_list(const char *list)
{
	unsigned first, last, n = 0;

	while ((list = unc_next_range(list, &first, &last)) && first <= last && last < MAX_CPUS)
		n += last - first + 1;
	return n;
}

/* CPUs that a kernel could add later are not present; a kernel without the file has none. */
static unsigned count_offline(const struct unc_topology *topo, const char *root)
{
	char list[4096];

	if (unc_read_text(list, sizeof(list), root, CPU_DIR "/present")) {
		const unsigned present = count_list(list);

		return present > topo->n_cpus ? present - (unsigned)topo->n_cpus : 0;
	}
	return unc_read_text(list, sizeof(list), root, CPU_DIR "/offline") ? count_list(list) : 0;
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
	if (r == 0)
		r = find_packages(topo, root, err);
	topo->n_offline = count_offline(topo, root);
	if (r == 0 && unc_topology_pci(topo, root) < 0)
		r = no_memory(err);
	if (r < 0)
		return r;
	if (!topo->n_cpus)
		return unc_fail(err, UNCORE_ENOSUPP,
				"%s/" CPU_DIR "/cpu*/topology reports no package of any CPU", root);
	return 0;
}

static bool has_cpu(const struct unc_topology *topo, unsigned id)
{
	for (size_t i = 0; i < topo->n_cpus; i++)
		if (topo->cpus[i].id == id)
			return true;
	return false;
}

static size_t add_range(char *list, size_t len, size_t at, unsigned first, unsigned last)
{
	int n;

	if (first == last)
		n = snprintf(list + at, len - at, "%s%u", at ? "," : "", first);
	else
		n = snprintf(list + at, len - at, "%s%u-%u", at ? "," : "", first, last);
	return at + (size_t)n < len ? at + (size_t)n : len - 1;
}

static bool has_package_of(const struct unc_topology *topo, const char *root, unsigned id)
{
	struct unc_cpu cpu = {.id = id, .package = NO_PACKAGE};
	struct unc_err none;
	const char *list;

	unc_err_init(&none);
	read_package(&cpu, &list, root, &none);
	unc_err_destroy(&none);
	for (size_t i = 0; i < topo->n_cpus; i++)
		if (topo->cpus[i].package == cpu.package)
			return true;
	return cpu.package == NO_PACKAGE;
}

unsigned unc_topology_later(const struct unc_topology *topo, const char *root, char *list,
			    size_t len, bool *package)
{
	unsigned first, last, n = 0;
	char online[4096];
	const char *rest = online;
	size_t at = 0;

	list[0] = '\0';
	*package = false;
	if (!unc_read_text(online, sizeof(online), root, CPU_DIR "/online"))
		return 0;
	while ((rest = unc_next_range(rest, &first, &last)) && last < MAX_CPUS)
		for (unsigned end; first <= last; first = end + 1) {
			for (end = first; end <= last && !has_cpu(topo, end); end++, n++)
				*package |= !has_package_of(topo, root, end);
			if (end > first)
				at = add_range(list, len, at, first, end - 1);
		}
	return n;
}

void unc_topology_free(struct unc_topology *topo)
{
	free(topo->cpus);
	free(topo->pci);
	free(topo->package_ids);
	memset(topo, 0, sizeof(*topo));
}

/*
 * The packages of a machine, or their dies: logical and physical numbers.
 */

int unc_logical_package(const struct unc_topology *t, unsigned physical)
{
	for (unsigned i = 0; i < t->n_packages; i++)
		if (t->package_ids[i] == physical)
			return (int)i;
	return -1;
}

/* Sorted by package, then by die. */
static bool is_before(unsigned physical, unsigned other)
{
	return (physical << 16 | physical >> 16) < (other << 16 | other >> 16);
}

int unc_package_add(struct unc_topology *t, unsigned physical)
{
	unsigned *ids, i;

	if (unc_logical_package(t, physical) >= 0)
		return 0;
	ids = realloc(t->package_ids, (t->n_packages + 1) * sizeof(*ids));
	if (!ids)
		return UNCORE_ENOMEM;
	t->package_ids = ids;
	for (i = t->n_packages++; i > 0 && is_before(physical, ids[i - 1]); i--)
		ids[i] = ids[i - 1];
	ids[i] = physical;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const unsigned id = *(const unsigned *)a, other = ((const struct unc_cpu *)b)->id;

	return (id > other) - (id < other);
}

int unc_package_of_cpu(const struct unc_topology *t, unsigned cpu)
{
	const struct unc_cpu *found =
		t->n_cpus ? bsearch(&cpu, t->cpus, t->n_cpus, sizeof(*t->cpus), by_id) : NULL;

	return found ? unc_logical_package(t, found->package) : -1;
}
