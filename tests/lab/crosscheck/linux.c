/* SPDX-License-Identifier: BSD-3-Clause */
/* linux.c - see linux.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux.h"

#define PMUS  "/sys/bus/event_source/devices"
#define CPUS  "/sys/devices/system/cpu"
#define PCI   "/sys/bus/pci/devices"
#define CLOCK 0x60 /* tests/lab/simpci/proxy.h */

/* The number in a file, or -1. */
static long number_in(const char *path)
{
	FILE *f = fopen(path, "r");
	char text[32] = "";
	char *end;
	long n;

	if (f == NULL)
		return -1;
	if (fgets(text, sizeof(text), f) == NULL)
		text[0] = '\0';
	fclose(f);
	n = strtol(text, &end, 0);
	return end != text ? n : -1;
}

/* "uncore_imc" or "uncore_imc_3", not "uncore_imc_free_running_0" */
static int belongs(const char *name, const char *kind, int *box)
{
	const size_t n = strlen(kind);
	char *end;

	if (strncmp(name, "uncore_", 7) != 0 || strncmp(name + 7, kind, n) != 0)
		return 0;
	name += 7 + n;
	*box = -1;
	if (*name == '\0')
		return 1;
	*box = (int)strtol(name + 1, &end, 10);
	return *name == '_' && end != name + 1 && *end == '\0';
}

size_t find_pmus(const char *kind, struct pmu *pmu, size_t n)
{
	DIR *dir = opendir(PMUS);
	const struct dirent *entry;
	char path[512];
	size_t found = 0;

	if (dir == NULL)
		return 0;
	while (found < n && (entry = readdir(dir)) != NULL) {
		if (!belongs(entry->d_name, kind, &pmu[found].box))
			continue;
		snprintf(pmu[found].name, sizeof(pmu[found].name), "%.63s", entry->d_name);
		snprintf(path, sizeof(path), PMUS "/%s/type", entry->d_name);
		pmu[found++].type = (uint32_t)number_in(path);
	}
	closedir(dir);
	return found;
}

size_t package_cpus(int *cpu, size_t n)
{
	char path[128];
	size_t packages = 0;
	long package;

	for (int i = 0; packages < n; i++) {
		snprintf(path, sizeof(path), CPUS "/cpu%d/topology/physical_package_id", i);
		package = number_in(path);
		if (package < 0)
			break;
		if ((size_t)package == packages)
			cpu[packages++] = i;
	}
	return packages;
}

int open_counter(const struct pmu *pmu, int cpu, uint64_t config, uint64_t config1)
{
	struct perf_event_attr attr = {
		.type = pmu->type,
		.size = sizeof(attr),
		.config = config,
		.config1 = config1,
	};
	const long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0UL);

	return fd < 0 ? -errno : (int)fd;
}

int read_counter(int fd, uint64_t *value)
{
	return read(fd, value, sizeof(*value)) == (ssize_t)sizeof(*value) ? 0 : -errno;
}

int read_register(const struct uncore_op_info *op, const char *location, int cpu, uint64_t *value)
{
	char path[128];
	ssize_t n;
	int fd;

	if (op->space == UNCORE_MSR)
		snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	else
		snprintf(path, sizeof(path), PCI "/%s/config", location + strlen("pci "));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	*value = 0;
	n = pread(fd, value, op->space == UNCORE_MSR ? 8 : op->width / 8U, (off_t)op->address);
	close(fd);
	return n > 0 ? 0 : -EIO;
}

/* The function that is the way to the machine: see tests/lab/simpci. */
static int open_portal(void)
{
	DIR *dir = opendir(PCI);
	const struct dirent *entry;
	char path[512];
	int fd = -ENOENT;

	while (dir != NULL && fd < 0 && (entry = readdir(dir)) != NULL) {
		snprintf(path, sizeof(path), PCI "/%s/device", entry->d_name);
		if (number_in(path) != 0x5350)
			continue;
		snprintf(path, sizeof(path), PCI "/%s/config", entry->d_name);
		fd = open(path, O_RDWR | O_CLOEXEC);
	}
	if (dir != NULL)
		closedir(dir);
	return fd;
}

int advance(uint64_t ns)
{
	const uint32_t half[2] = {(uint32_t)ns, (uint32_t)(ns >> 32)};
	const int fd = open_portal();
	int r = fd < 0 ? -ENODEV : 0;

	/* The upper half lets the time pass. */
	for (int i = 0; r == 0 && i < 2; i++)
		if (pwrite(fd, &half[i], 4, CLOCK + 4 * i) != 4)
			r = -EIO;
	if (fd >= 0)
		close(fd);
	return r;
}
