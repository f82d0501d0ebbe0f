/*
 * tree.h - a directory tree that looks like a two-package E5-2600 whose
 * registers are ordinary files; for benchmarks.
 */
#ifndef BENCH_TREE_H
#define BENCH_TREE_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TREE_CPUS = 16, TREE_CORES = 8 };

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
}

#endif
