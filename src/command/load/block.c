/* SPDX-License-Identifier: BSD-3-Clause */
/* block.c - loads on single lines, and the physical addresses of lines (proc(5), pagemap). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/base/clock.h"
#include "command/base/text.h"
#include "command/load/inside.h"

#define PRESENT (UINT64_C(1) << 63)
#define FRAME   ((UINT64_C(1) << 55) - 1)

/* The frame of a page; 0: not in memory, or hidden from this user. */
static uint64_t frame_of(uint64_t entry)
{
	return entry & PRESENT ? entry & FRAME : 0;
}

/* Entries of the pages of a load's memory, to be freed; NULL: why has the reason. */
static uint64_t *read_pages(const struct load *load, size_t page, size_t *n, char *why, size_t len)
{
	const int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	const size_t first = ((uintptr_t)load->memory + page - 1) / page;
	const size_t bytes = load->wanted.bytes / page * sizeof(uint64_t);
	uint64_t *entries = need_memory(load->wanted.bytes / page, sizeof(*entries));
	ssize_t got = fd < 0 ? -1 : pread(fd, entries, bytes, (off_t)(first * sizeof(*entries)));

	if (got < 0)
		snprintf(why, len, "cannot read /proc/self/pagemap: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	*n = got > 0 ? (size_t)got / sizeof(*entries) : 0;
	return entries;
}

static bool is_block(const uint64_t *entries, size_t pages)
{
	const uint64_t first = frame_of(entries[0]);

	if (!first || !pages || first % pages)
		return false;
	for (size_t i = 1; i < pages; i++)
		if (frame_of(entries[i]) != first + i)
			return false;
	return true;
}

static const char *why_none(const uint64_t *entries, size_t n)
{
	if (n && !frame_of(entries[0]))
		return "physical addresses are hidden: run as root, or with CAP_SYS_ADMIN";
	return "no contiguous physical memory: enable transparent huge pages";
}

bool load_find_block(const struct load *load, size_t bytes, size_t *offset, uint64_t *address,
		     char *why, size_t len)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = bytes / page;
	size_t n, i = 0;
	uint64_t *entries;
	bool found;

	*why = 0;
	entries = read_pages(load, page, &n, why, len);
	while (i + pages <= n && !is_block(entries + i, pages))
		i++;
	found = i + pages <= n;
	if (found) {
		*offset = i * page + (page - (uintptr_t)load->memory % page) % page;
		*address = frame_of(entries[i]) * page;
	} else if (!*why) {
		snprintf(why, len, "%s", why_none(entries, n));
	}
	free(entries);
	return found;
}

bool load_run_line(struct load *load, size_t offset, size_t times, struct load_moved *moved,
		   char *why, size_t len)
{
	cpu_set_t before;
	uint64_t begin;

	if (!load_go(load->wanted.cpu, &before, why, len))
		return false;
	begin = now_ns();
	load_read_again((const char *)load->memory + offset, times);
	*moved = (struct load_moved){.reads = times, .ns = now_ns() - begin};
	moved->ns += moved->ns == 0;
	load_go_back(load->wanted.cpu, &before);
	return true;
}
