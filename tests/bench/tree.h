/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - a directory tree that looks like a two-package E5-2600 whose
 * registers are ordinary files; for benchmarks.
 */
#ifndef BENCH_TREE_H
#define BENCH_TREE_H

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TREE_CPUS = 16, TREE_CORES = 8, TREE_DEVICES = 83 };

static inline void tree_path(char *path, size_t len, const char *root, const char *format, ...)
{
	const int used = snprintf(path, len, "%s/", root);
	va_list args;

	va_start(args, format);
	vsnprintf(path + used, len - (size_t)used, format, args);
	va_end(args);
}

/* mkdir -p of everything before the last slash */
static inline void tree_parents(const char *path)
{
	char copy[512];

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(copy, 0755);
		*slash = '/';
	}
}

static inline int tree_create(const char *path)
{
	int fd;

	tree_parents(path);
	fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0644);
	if (fd < 0) {
		perror(path);
		exit(1);
	}
	return fd;
}

static inline void tree_text(const char *root, const char *name, const char *text)
{
	char path[512];
	int fd;

	tree_path(path, sizeof(path), root, "%s", name);
	fd = tree_create(path);
	if (write(fd, text, strlen(text)) < 0)
		perror(path);
	close(fd);
}

static inline void tree_cpus(const char *root)
{
	char name[128], text[32];

	tree_text(root, "proc/cpuinfo",
		  "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 45\n"
		  "stepping\t: 7\nflags\t\t: msr\n\n");
	tree_text(root, "sys/devices/system/cpu/online", "0-15\n");
	for (int cpu = 0; cpu < TREE_CPUS; cpu++) {
		int fd;
		char path[512];

		snprintf(name, sizeof(name),
			 "sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
		snprintf(text, sizeof(text), "%d\n", cpu / TREE_CORES);
		tree_text(root, name, text);
		snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%d/topology/core_id", cpu);
		snprintf(text, sizeof(text), "%d\n", cpu % TREE_CORES);
		tree_text(root, name, text);
		snprintf(name, sizeof(name),
			 "sys/devices/system/cpu/cpu%d/topology/core_siblings_list", cpu);
		tree_text(root, name, cpu < TREE_CORES ? "0-7\n" : "8-15\n");
		tree_path(path, sizeof(path), root, "dev/cpu/%d/msr", cpu);
		fd = tree_create(path);
		if (ftruncate(fd, 8192) < 0)
			perror(path);
		close(fd);
	}
}

static inline void tree_pci(const char *root, unsigned bus, unsigned dev, unsigned fn, unsigned id,
			    uint32_t node)
{
	const uint32_t map = 0x8; /* node 0 is package 0, node 1 package 1 */
	char name[128], text[32], path[512];
	int fd;

	snprintf(name, sizeof(name), "sys/bus/pci/devices/0000:%02x:%02x.%x/vendor", bus, dev, fn);
	tree_text(root, name, "0x8086\n");
	snprintf(name, sizeof(name), "sys/bus/pci/devices/0000:%02x:%02x.%x/device", bus, dev, fn);
	snprintf(text, sizeof(text), "0x%04x\n", id);
	tree_text(root, name, text);
	tree_path(path, sizeof(path), root, "sys/bus/pci/devices/0000:%02x:%02x.%x/config", bus,
		  dev, fn);
	fd = tree_create(path);
	if (ftruncate(fd, 4096) < 0 || pwrite(fd, &node, 4, 0x40) != 4 ||
	    pwrite(fd, &map, 4, 0x54) != 4)
		perror(path);
	close(fd);
}

/* Other devices of such a machine: root ports, DMA, USB, network, disks. */
static inline void tree_others(const char *root, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		tree_pci(root, i / 32, i % 32, i / 32, 0x3c20 + i % 16, i & 1);
}

/* The kernel's own list of all of them. */
static inline void tree_list(const char *root)
{
	char path[512], id[8];
	struct dirent *entry;
	unsigned bus, dev, fn;
	DIR *dir;
	int list;

	tree_path(path, sizeof(path), root, "proc/bus/pci/devices");
	list = tree_create(path);
	tree_path(path, sizeof(path), root, "sys/bus/pci/devices");
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		FILE *file;

		if (sscanf(entry->d_name, "0000:%x:%x.%x", &bus, &dev, &fn) != 3)
			continue;
		tree_path(path, sizeof(path), root, "sys/bus/pci/devices/%s/device", entry->d_name);
		file = fopen(path, "r");
		if (!file || !fgets(id, sizeof(id), file))
			perror(path);
		if (file)
			fclose(file);
		if (dprintf(list, "%02x%02x\t8086%.4s\t0\t               0\n", bus, dev << 3 | fn,
			    id + 2) < 0)
			perror("proc/bus/pci/devices");
	}
	if (dir)
		closedir(dir);
	close(list);
}

static inline void tree_build(const char *root)
{
	static const struct {
		unsigned dev, fn, id;
	} devices[] = {
		{0x0b, 3, 0x3ce0}, {0x0e, 1, 0x3c46}, {0x10, 0, 0x3cb0}, {0x10, 1, 0x3cb1},
		{0x10, 4, 0x3cb4}, {0x10, 5, 0x3cb5}, {0x08, 2, 0x3c41}, {0x09, 2, 0x3c42},
		{0x13, 1, 0x3c43}, {0x13, 5, 0x3c44}, {0x13, 6, 0x3c45}, {0x08, 6, 0x3c86},
		{0x09, 6, 0x3c96},
	};

	tree_cpus(root);
	for (unsigned package = 0; package < 2; package++)
		for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
			tree_pci(root, package ? 0xff : 0x7f, devices[i].dev, devices[i].fn,
				 devices[i].id, package);
	for (unsigned package = 0; package < 2; package++)
		for (unsigned slice = 0; slice < TREE_CORES; slice++)
			tree_pci(root, package ? 0xff : 0x7f, 0x0c + slice / 4, slice % 4, 0x3ce8,
				 package);
	tree_others(root, TREE_DEVICES - 2 * TREE_CORES -
				  2 * (unsigned)(sizeof(devices) / sizeof(*devices)));
	tree_list(root);
}

#endif
