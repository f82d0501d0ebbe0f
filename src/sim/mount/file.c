/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file.c - read and write the files, with the behaviour of the kernel's files: the msr and cpuid
 * drivers, config space in sysfs, /dev/mem.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "processes.h"
#include "tree.h"

#define PAGE       4096
#define MOST_PAGES 4096 /* maximum searched in a BAR */

bool file_can_write(const struct node *node)
{
	return node->kind == NODE_MSR || node->kind == NODE_CONFIG || node->kind == NODE_MEMORY ||
	       node->kind == NODE_ADVANCE || node->kind == NODE_KILL_AT || node->take != NULL;
}

/* ---- register by register ---- */

/* A read or write request and its buffer. */
struct transfer {
	struct tree *tree;
	const struct node *node;
	struct request request;
	bool write;
	char *to;
	const char *from;
	size_t len;
	uint64_t offset;
};

/* Return the bytes done so far, as is usual in the kernel. */
static ssize_t done_or(size_t done, int error)
{
	return done || !error ? (ssize_t)done : error;
}

static int transfer_one(const struct transfer *t, struct access *a, size_t done)
{
	const size_t bytes = a->width / 8;
	int error;

	a->write = t->write;
	if (t->write)
		memcpy(&a->value, t->from + done, bytes);
	error = trace_access(t->tree, &t->request, a);
	if (!t->write && !error)
		memcpy(t->to + done, &a->value, bytes);
	return error;
}

/* Access the same register repeatedly, 8 bytes each. */
static ssize_t transfer_msr(const struct transfer *t)
{
	size_t done = 0;
	int error = 0;

	if (t->len % 8)
		return -EINVAL;
	if (t->offset > UINT32_MAX)
		return -EIO;
	for (; !error && done < t->len; done += error ? 0 : 8) {
		struct access a = {.space = ACCESS_MSR,
				   .unit = t->node->unit,
				   .address = t->offset,
				   .width = 64};

		error = transfer_one(t, &a, done);
	}
	return done_or(done, error);
}

/* The widest access that offset and remaining size allow, at most a dword. */
static unsigned config_width(uint64_t offset, size_t rest)
{
	if (offset % 2 || rest < 2)
		return 8;
	return offset % 4 || rest < 4 ? 16 : 32;
}

static ssize_t transfer_config(const struct transfer *t)
{
	const size_t len = t->offset >= t->node->size           ? 0
			   : t->len < t->node->size - t->offset ? t->len
								: t->node->size - t->offset;
	size_t done = 0;
	int error = 0;

	while (!error && done < len) {
		struct access a = {.space = ACCESS_CONFIG,
				   .unit = t->node->unit,
				   .address = t->offset + done,
				   .width = config_width(t->offset + done, len - done)};

		error = transfer_one(t, &a, done);
		done += error ? 0 : a.width / 8;
	}
	return done_or(done, error);
}

/* ---- memory ---- */

static unsigned packages(struct sim *sim)
{
	size_t n;
	const struct sim_cpu *cpus = sim_cpus(sim, &n);

	return (cpus[n - 1].package + 1) * (cpus[n - 1].die + 1);
}

/* The package whose registers are at an address, -1: none. */
static int package_at(struct sim *sim, uint64_t address)
{
	uint64_t value;

	for (unsigned p = 0; p < packages(sim); p++)
		if (sim_mmio_read(sim, p, address & ~UINT64_C(3), 32, &value) == 0)
			return (int)p;
	return -1;
}

uint64_t memory_size(struct sim *sim, uint64_t base)
{
	const int package = base ? package_at(sim, base) : -1;
	uint64_t size = 0, value;

	while (package >= 0 && size < (uint64_t)MOST_PAGES * PAGE &&
	       sim_mmio_read(sim, (unsigned)package, base + size, 32, &value) == 0)
		size += PAGE;
	return size;
}

static ssize_t transfer_memory(const struct transfer *t)
{
	const struct node *node = t->node;
	size_t done = 0;
	int error = 0;

	if (t->offset % 4 || t->len % 4)
		return -EINVAL;
	if (node->size && (t->offset >= node->size || t->len > node->size - t->offset))
		return t->write ? -ENOSPC : 0;
	while (!error && done < t->len) {
		const uint64_t address = node->base + t->offset + done;
		const int package = package_at(t->tree->sim, address);
		struct access a = {.space = ACCESS_MEMORY,
				   .unit = package < 0 ? 0 : (unsigned)package,
				   .address = address,
				   .width = address % 8 || t->len - done < 8 ? 32 : 64};

		error = transfer_one(t, &a, done);
		done += error ? 0 : a.width / 8;
	}
	return done_or(done, error);
}

/* ---- other files ---- */

/* The low half of the position is the leaf, which increments; the high half is the subleaf. */
static ssize_t read_cpuid(struct tree *tree, const struct node *node, char *to, size_t len,
			  uint64_t offset)
{
	size_t done = 0;
	int error = 0;

	if (len % 16)
		return -EINVAL;
	for (; !error && done < len; done += error ? 0 : 16, offset++) {
		uint32_t regs[4];

		error = sim_cpuid(tree->sim, node->unit, (uint32_t)offset, (uint32_t)(offset >> 32),
				  regs);
		if (!error)
			memcpy(to + done, regs, sizeof(regs));
	}
	return done_or(done, error);
}

static ssize_t read_bytes(const char *text, size_t size, char *to, size_t len, uint64_t offset)
{
	if (offset >= size)
		return 0;
	if (len > size - offset)
		len = size - offset;
	memcpy(to, text + offset, len);
	return (ssize_t)len;
}

static ssize_t read_number(uint64_t number, char *to, size_t len, uint64_t offset)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 "\n", number);
	return read_bytes(text, strlen(text), to, len, offset);
}

static ssize_t read_kill_at(const struct tree *tree, char *to, size_t len, uint64_t offset)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64 "\n",
		 __atomic_load_n(&tree->kill_at, __ATOMIC_RELAXED));
	return read_bytes(text, strlen(text), to, len, offset);
}

static ssize_t read_made(struct tree *tree, const struct node *node, char *to, size_t len,
			 uint64_t offset)
{
	char *text = processes_text(tree, node);
	const ssize_t n = text ? read_bytes(text, strlen(text), to, len, offset) : -ESRCH;

	free(text);
	return n;
}

/* Decimal digits with an optional minus sign and line end. */
static bool parse(const char *from, size_t len, bool *minus, uint64_t *number)
{
	char text[32], *end;
	const char *digits = text;

	if (len >= sizeof(text))
		return false;
	memcpy(text, from, len);
	text[len] = '\0';
	*minus = text[0] == '-';
	digits += *minus;
	if (*digits < '0' || *digits > '9')
		return false;
	errno = 0;
	*number = strtoull(digits, &end, 10);
	return !errno && (!*end || strcmp(end, "\n") == 0);
}

static ssize_t advance(struct tree *tree, const char *from, size_t len)
{
	uint64_t ns;
	bool minus;

	if (!parse(from, len, &minus, &ns) || minus)
		return -EINVAL;
	if (!tree->virtual_time)
		return -EOPNOTSUPP;
	sim_advance(tree->sim, ns);
	return (ssize_t)len;
}

static ssize_t arm(struct tree *tree, const char *from, size_t len)
{
	uint64_t writes;
	bool minus;

	if (!parse(from, len, &minus, &writes) || writes > INT64_MAX)
		return -EINVAL;
	__atomic_store_n(&tree->kill_at, minus ? -(int64_t)writes : (int64_t)writes,
			 __ATOMIC_RELAXED);
	return (ssize_t)len;
}

/* ---- any file ---- */

static ssize_t transfer(const struct transfer *t)
{
	switch (t->node->kind) {
	case NODE_MSR:
		return transfer_msr(t);
	case NODE_CONFIG:
		return transfer_config(t);
	default:
		return transfer_memory(t);
	}
}

ssize_t file_read(struct tree *tree, const struct node *node, pid_t pid, char *to, size_t len,
		  uint64_t offset)
{
	struct transfer t = {tree, node, {pid, 0}, false, to, NULL, len, offset};

	switch (node->kind) {
	case NODE_DIR:
	case NODE_RUN:
		return -EISDIR;
	case NODE_TEXT:
		return read_bytes(node->text, node->size, to, len, offset);
	case NODE_NOW:
		return read_number(sim_now(tree->sim), to, len, offset);
	case NODE_CALLS:
		return read_number(__atomic_load_n(&tree->calls, __ATOMIC_RELAXED), to, len,
				   offset);
	case NODE_ADVANCE:
		return 0;
	case NODE_KILL_AT:
		return read_kill_at(tree, to, len, offset);
	case NODE_MADE:
		return read_made(tree, node, to, len, offset);
	case NODE_CPUID:
		return read_cpuid(tree, node, to, len, offset);
	default:
		processes_advance(tree);
		t.request = trace_request(tree, pid);
		return transfer(&t);
	}
}

ssize_t file_write(struct tree *tree, const struct node *node, const struct writer *by,
		   const char *from, size_t len, uint64_t offset)
{
	struct transfer t = {tree, node, {by->pid, 0}, true, NULL, from, len, offset};

	if (!file_can_write(node))
		return -EACCES;
	if (node->kind == NODE_ADVANCE)
		return advance(tree, from, len);
	if (node->kind == NODE_KILL_AT)
		return arm(tree, from, len);
	if (node->kind == NODE_MADE)
		return processes_write(tree, node, by->uid, from, len);
	processes_advance(tree);
	t.request = trace_request(tree, by->pid);
	return transfer(&t);
}
