/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mmio.c - registers at physical addresses, mapped through the resource file of their PCI
 * device, or else through dev/mem.  If that file cannot be mapped (`uncore sim mount`), each
 * access is a pread or pwrite.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/sysfs.h"
#include "hw/mmio.h"

#define PCI_DIR "sys/bus/pci/devices"

struct unc_mapping {
	uint64_t start; /* physical, page-aligned */
	size_t bytes;
	volatile unsigned char *at; /* NULL: not mapped, see unc_mmio.file */
};

/* ---- addresses ---- */

#define BARS 6

struct unc_range {
	uint64_t first, last;
};

/* The kernel's list of a device's BARs; missing ones are 0. */
static bool read_ranges(const struct unc_pci *p, const char *root, struct unc_range range[BARS])
{
	char text[1024], name[UNC_PCI_NAME];
	const char *line = text;

	memset(range, 0, BARS * sizeof(*range));
	if (!unc_read_text(text, sizeof(text), root, PCI_DIR "/%s/resource", unc_pci_name(name, p)))
		return false;
	for (int i = 0; i < BARS && line; i++) {
		if (sscanf(line, "%" SCNx64 " %" SCNx64, &range[i].first, &range[i].last) != 2)
			range[i].first = 0;
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return true;
}

/* The BARs of all devices, read once because machines may have many memory-mapped boxes. */
static bool read_bars(struct unc_mmio *mmio, const struct unc_topology *t, const char *root)
{
	const size_t n = t->n_pci;

	if (mmio->bars || n == 0)
		return n != 0;
	mmio->bars = calloc(n, BARS * sizeof(*mmio->bars));
	for (size_t i = 0; mmio->bars && i < n; i++)
		read_ranges(&t->pci[i], root, &mmio->bars[i * BARS]);
	return mmio->bars;
}

/* The device whose BAR contains the range, and the number of that BAR; -1: not found. */
static int find_resource(struct unc_mmio *mmio, const struct unc_topology *t, const char *root,
			 uint64_t address, size_t bytes, char name[UNC_PCI_NAME], uint64_t *start)
{
	if (!read_bars(mmio, t, root))
		return -1;
	for (size_t i = 0; i < t->n_pci; i++) {
		const struct unc_range *range = &mmio->bars[i * BARS];

		unc_pci_name(name, &t->pci[i]);
		for (int bar = 0; bar < BARS; bar++) {
			if (range[bar].first && address >= range[bar].first &&
			    address <= range[bar].last && range[bar].last - address >= bytes - 1) {
				*start = range[bar].first;
				return bar;
			}
		}
	}
	return -1;
}

uint64_t unc_mmio_bar(const struct unc_pci *pci, const char *root, unsigned bar, uint64_t base)
{
	struct unc_range range[BARS];

	if (!read_ranges(pci, root, range) || range[bar].first != base ||
	    range[bar].last < range[bar].first)
		return 0;
	return range[bar].last - range[bar].first + 1;
}

/*
 * Registers are never in main memory.  An address that is must be wrong, and a write to it
 * would be fatal. 1, 0 or -errno; 0 if the kernel's list of memory cannot be read.
 */
static int is_ram(const char *root, uint64_t start, size_t bytes)
{
	char path[PATH_MAX], line[128];
	uint64_t first, last;
	bool ram = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/iomem", root);
	f = unc_fopen(path);
	if (!f)
		return errno == ENOENT || errno == EACCES || errno == EPERM ? 0 : -errno;
	while (!ram && fgets(line, sizeof(line), f))
		ram = strstr(line, ": System RAM") &&
		      sscanf(line, "%" SCNx64 "-%" SCNx64, &first, &last) == 2 && start <= last &&
		      start + bytes > first && last;
	fclose(f);
	return ram;
}

/* Accessing a page after the end of a file raises SIGBUS. */
static bool reaches(int fd, uint64_t end)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISCHR(st.st_mode))
		return true;
	return end <= (((uint64_t)st.st_size + page - 1) & ~(page - 1));
}

static void *map_file(const char *path, uint64_t offset, size_t bytes)
{
	const int fd = unc_open(path, O_RDWR | O_SYNC);
	void *at;
	int error;

	if (fd < 0)
		return MAP_FAILED;
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
	error = errno;
	if (at != MAP_FAILED && !reaches(fd, offset + bytes)) {
		munmap(at, bytes);
		at = MAP_FAILED;
		error = ENXIO;
	}
	close(fd);
	errno = error;
	return at;
}

/* The kernel's dev/mem can always be mapped; FUSE does not support mappings of live registers. */
static bool open_unmapped(struct unc_mmio *mmio, const char *path)
{
	if (errno == ENODEV && mmio->file == 0)
		mmio->file = unc_open(path, O_RDWR) + 1;
	return errno == ENODEV && mmio->file != 0;
}

/* ---- map ---- */

static int known(const struct unc_mmio *mmio, uint64_t start, size_t bytes)
{
	for (unsigned i = 0; i < mmio->n; i++)
		if (start >= mmio->map[i].start &&
		    start + bytes <= mmio->map[i].start + mmio->map[i].bytes)
			return (int)i;
	return -1;
}

static int add(struct unc_mmio *mmio, uint64_t start, size_t bytes, void *at)
{
	struct unc_mapping *map = realloc(mmio->map, (mmio->n + 1) * sizeof(*map));

	if (!map) {
		if (at)
			munmap(at, bytes);
		return -ENOMEM;
	}
	mmio->map = map;
	map[mmio->n] = (struct unc_mapping){start, bytes, at};
	return (int)mmio->n++;
}

int unc_mmio_map(struct unc_mmio *mmio, const struct unc_topology *t, const char *root,
		 uint64_t address, size_t bytes)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t start = address & ~(page - 1);
	const size_t whole = (size_t)((address - start + bytes + page - 1) & ~(page - 1));
	char path[PATH_MAX], device[UNC_PCI_NAME];
	uint64_t base;
	int i = known(mmio, start, whole), bar, ram = 0;
	void *at = MAP_FAILED;

	if (i >= 0)
		return i;
	if (mmio->n > UINT16_MAX || address + bytes < address)
		return -ENXIO;
	bar = find_resource(mmio, t, root, address, bytes, device, &base);
	if (bar >= 0 && (base & (page - 1)) == 0) {
		snprintf(path, sizeof(path), "%s/" PCI_DIR "/%s/resource%d", root, device, bar);
		at = map_file(path, start - base, whole);
	}
	if (at == MAP_FAILED)
		ram = is_ram(root, start, whole);
	if (ram)
		return ram < 0 ? ram : -EFAULT;
	if (at == MAP_FAILED) {
		snprintf(path, sizeof(path), "%s/dev/mem", root);
		at = map_file(path, start, whole);
		if (at == MAP_FAILED && open_unmapped(mmio, path))
			at = NULL;
	}
	return at == MAP_FAILED ? -errno : add(mmio, start, whole, at);
}

void unc_mmio_free(struct unc_mmio *mmio)
{
	for (unsigned i = 0; i < mmio->n; i++)
		if (mmio->map[i].at)
			munmap((void *)mmio->map[i].at, mmio->map[i].bytes);
	if (mmio->file)
		close(mmio->file - 1);
	free(mmio->bars);
	free(mmio->map);
}

/* ---- access ---- */

static const struct unc_mapping *mapping(const struct unc_mmio *mmio, const struct unc_op *op)
{
	const struct unc_mapping *map = op->unit < mmio->n ? &mmio->map[op->unit] : NULL;
	const size_t bytes = op->width / 8u;

	if (!map || op->address % bytes || op->address < map->start ||
	    op->address - map->start > map->bytes - bytes)
		return NULL;
	return map;
}

static int read_file(const struct unc_mmio *mmio, const struct unc_op *op, uint64_t *value)
{
	const ssize_t n = unc_pread(mmio->file - 1, value, op->width / 8u, (off_t)op->address);

	return n == op->width / 8 ? 0 : n < 0 ? -errno : -ENXIO;
}

static int write_file(const struct unc_mmio *mmio, const struct unc_op *op, uint64_t value)
{
	const ssize_t n = unc_pwrite(mmio->file - 1, &value, op->width / 8u, (off_t)op->address);

	return n == op->width / 8 ? 0 : n < 0 ? -errno : -ENXIO;
}

int unc_mmio_read(const struct unc_mmio *mmio, const struct unc_op *op, uint64_t *value)
{
	const struct unc_mapping *map = mapping(mmio, op);
	const volatile unsigned char *p;

	if (!map)
		return -ENXIO;
	*value = 0;
	if (!map->at)
		return read_file(mmio, op, value);
	p = map->at + (op->address - map->start);
	*value = op->width == 64 ? *(const volatile uint64_t *)p : *(const volatile uint32_t *)p;
	return 0;
}

int unc_mmio_write(const struct unc_mmio *mmio, const struct unc_op *op, uint64_t value)
{
	const struct unc_mapping *map = mapping(mmio, op);
	volatile unsigned char *p;

	if (!map)
		return -ENXIO;
	if (!map->at)
		return write_file(mmio, op, value);
	p = map->at + (op->address - map->start);
	if (op->width == 64)
		*(volatile uint64_t *)p = value;
	else
		*(volatile uint32_t *)p = (uint32_t)value;
	return 0;
}
