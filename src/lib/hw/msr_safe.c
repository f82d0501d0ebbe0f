/* SPDX-License-Identifier: BSD-3-Clause */
/* msr_safe.c - the batch device of msr-safe and its allow-list; msr_safe.h. */
#include "hw/msr_safe.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/files.h"

/* ---- the interface; version 2 rejects programs that do not name it ---- */

#define VERSION 0x20000

struct batch_op {
	uint16_t cpu;
	uint16_t reads; /* 0: write */
	int32_t error;
	uint32_t msr;
	uint64_t data;
	uint64_t mask; /* set by the kernel: the write mask of the allow-list */
};

struct batch {
	uint32_t n, version; /* version is padding in version 1 */
	struct batch_op *ops;
};

#define RUN_BATCH _IOWR('c', 0xA2, struct batch)

static int submit(const struct unc_safe *safe, struct batch_op *ops, unsigned n)
{
	struct batch batch = {n, VERSION, ops};

	if (safe->batch < 0)
		return -ENODEV;
	return ioctl(safe->batch, RUN_BATCH, &batch) < 0 ? -errno : 0;
}

/* If the CPU goes offline in between, all ones remain. */
static struct batch_op reading(uint16_t cpu, const struct unc_op *op)
{
	return (struct batch_op){
		.cpu = cpu, .reads = 1, .msr = (uint32_t)op->address, .data = UINT64_MAX};
}

/* ---- counters ---- */

/* Out of memory may be temporary; other errors are not. */
static int refused(struct unc_safe *safe, int error)
{
	if (error != -ENOMEM && error != -E2BIG)
		atomic_store_explicit(&safe->refused, true, memory_order_relaxed);
	return error;
}

int unc_safe_read(struct unc_safe *safe, const uint16_t *cpu, const struct unc_op *const *ops,
		  unsigned n, uint64_t *values)
{
	struct batch_op batch[UNC_BATCH_MAX];
	int r;

	if (atomic_load_explicit(&safe->refused, memory_order_relaxed))
		return -EACCES;
	for (unsigned i = 0; i < n; i++)
		batch[i] = reading(cpu[i], ops[i]);
	r = submit(safe, batch, n);
	if (r < 0)
		return refused(safe, r);
	for (unsigned i = 0; i < n; i++) {
		values[i] = batch[i].data;
		if (values[i] == UINT64_MAX)
			return -ENXIO;
	}
	return 0;
}

/* ---- lists ---- */

static uint64_t wanted(const struct unc_op *op, uint64_t old)
{
	return op->kind == UNCORE_RMW ? (old & ~op->mask) | (op->value & op->mask) : op->value;
}

/*
 * Read the old values of what will be written, into results, and check the write mask. -EROFS
 * if a change would be silently dropped.
 */
static int look(const struct unc_safe *safe, const uint16_t *cpu, const struct unc_op *ops,
		unsigned n, struct unc_result *results)
{
	struct batch_op batch[UNC_BATCH_MAX];
	unsigned k = 0;
	int r;

	for (unsigned i = 0; i < n; i++)
		if (ops[i].kind != UNCORE_READ)
			batch[k++] = reading(cpu[i], &ops[i]);
	r = k ? submit(safe, batch, k) : 0;
	k = 0;
	for (unsigned i = 0; r == 0 && i < n; i++) {
		const struct batch_op *old = &batch[k];

		if (ops[i].kind == UNCORE_READ)
			continue;
		k++;
		results[i].value = old->data;
		results[i].error = old->mask ? 0 : -EROFS;
		/* an earlier write of the list has changed bits of the mask only */
		if ((old->data ^ wanted(&ops[i], old->data)) & ~old->mask)
			r = -EROFS;
	}
	return r;
}

/* Errors that the kernel reports before it carries out anything. */
static bool is_early(int error)
{
	return error == -EACCES || error == -EROFS || error == -ENXIO;
}

static int take_results(const struct batch_op *batch, const struct unc_op *ops, unsigned n,
			int error, struct unc_result *results)
{
	bool late = false;

	for (unsigned i = 0; i < n; i++) {
		results[i].error = batch[i].error;
		if (ops[i].kind == UNCORE_READ)
			results[i].value = batch[i].data;
		if (is_early(batch[i].error))
			return error;
		late |= batch[i].error != 0;
	}
	return late ? 0 : error;
}

int unc_safe_run(const struct unc_safe *safe, const uint16_t *cpu, const struct unc_op *ops,
		 unsigned n, struct unc_result *results)
{
	struct batch_op batch[UNC_BATCH_MAX];
	int r = look(safe, cpu, ops, n, results);

	if (r < 0)
		return r;
	for (unsigned i = 0; i < n; i++) {
		batch[i] = reading(cpu[i], &ops[i]);
		if (ops[i].kind == UNCORE_READ)
			continue;
		/* a write that changes nothing needs no permission */
		batch[i].reads = results[i].error != 0;
		if (!batch[i].reads)
			batch[i].data = wanted(&ops[i], results[i].value);
	}
	r = submit(safe, batch, n);
	return take_results(batch, ops, n, r, results);
}

/* ---- the allow-list ---- */

static int by_number(const void *a, const void *b)
{
	const uint32_t x = ((const struct unc_allowed *)a)->msr;
	const uint32_t y = ((const struct unc_allowed *)b)->msr;

	return (x > y) - (x < y);
}

static bool add_line(struct unc_safe *safe, struct unc_allowed line)
{
	const size_t n = safe->n_allowed;

	/* room for 64, doubled when full */
	if (!safe->allowed || (n >= 64 && (n & (n - 1)) == 0)) {
		struct unc_allowed *more = realloc(safe->allowed, (n ? 2 * n : 64) * sizeof(*more));

		if (!more)
			return false;
		safe->allowed = more;
	}
	safe->allowed[safe->n_allowed++] = line;
	return true;
}

static bool read_list(struct unc_safe *safe, FILE *f)
{
	struct unc_allowed one;
	char line[256];

	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx32 " %" SCNx64, &one.msr, &one.mask) == 2 &&
		    !add_line(safe, one))
			return false;
	if (safe->allowed)
		qsort(safe->allowed, safe->n_allowed, sizeof(*safe->allowed), by_number);
	return true;
}

int unc_safe_open(struct unc_safe *safe, const char *root)
{
	static const char *const names[] = {
		"allowlist", "whitelist"}; /* the present name, and the one before 1.5 */
	char path[PATH_MAX];
	bool complete = true;

	snprintf(path, sizeof(path), "%s/dev/cpu/msr_batch", root);
	safe->batch = unc_open(path, O_RDONLY);
	/* it includes the masks; most users cannot read the list */
	for (unsigned i = 0; safe->batch < 0 && !safe->allowed && i < 2; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/dev/cpu/msr_%s", root, names[i]);
		f = unc_fopen(path);
		if (f) {
			complete = read_list(safe, f);
			fclose(f);
		}
	}
	return complete ? 0 : -ENOMEM;
}

void unc_safe_free(struct unc_safe *safe)
{
	if (safe->batch >= 0)
		close(safe->batch);
	free(safe->allowed);
}

bool unc_safe_mask(const struct unc_safe *safe, uint16_t cpu, uint32_t msr, uint64_t *mask)
{
	const struct unc_op op = {.address = msr};
	const struct unc_allowed key = {.msr = msr}, *found;
	struct batch_op one = reading(cpu, &op);
	const int r = submit(safe, &one, 1);

	*mask = r == 0 ? one.mask : 0;
	if (r == 0 || one.error == -EACCES)
		return true;
	if (!safe->allowed)
		return false;
	found = bsearch(&key, safe->allowed, safe->n_allowed, sizeof(key), by_number);
	*mask = found ? found->mask : 0;
	return true;
}

void unc_safe_explain(const struct unc_safe *safe, uint16_t cpu, const struct unc_op *op,
		      uint64_t needed, char *text, size_t len)
{
	char what[64] = "does not have it";
	uint64_t mask = 0;

	if (op->kind != UNCORE_READ) {
		const uint64_t bits = op->kind == UNCORE_RMW ? op->mask : op->value;

		needed |= bits;
		unc_safe_mask(safe, cpu, (uint32_t)op->address, &mask);
		snprintf(what, sizeof(what), "does not let its bits %#" PRIx64 " be written",
			 needed & ~mask);
	}
	snprintf(text, len,
		 "msr-safe's allow-list %s; let it have the line 0x%08" PRIX64 " 0x%016" PRIX64
		 " (uncore allowlist prints all that are needed)",
		 what, op->address, needed | mask);
}
