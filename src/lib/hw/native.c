/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * native.c - the registers of the real machine: device files below a root directory, opened
 * once.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/sysfs.h"
#include "hw/msr_safe.h"

struct native {
	struct unc_hw hw;
	char root[PATH_MAX];
	bool msr_ready, locked_down;
	struct unc_msr msr;
	struct unc_safe safe;
	int *pci_fd; /* by index into topology.pci */
	struct unc_mmio mmio;
	struct unc_numa numa;
	int clock; /* sim/now of a mounted machine with stepped time, or -1 */
};

static int native_read(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	struct native *n = (struct native *)hw;

	*value = 0; /* a 32-bit access fills the low half: x86 is little-endian */
	if (op->space == UNCORE_MSR)
		return unc_msr_read(&n->msr, op->package, (uint32_t)op->address, value);
	if (op->space == UNCORE_MMIO)
		return unc_mmio_read(&n->mmio, op, value);
	if (op->space == UNCORE_CPU)
		return unc_msr_cpu_read(&n->msr, op->unit, (uint32_t)op->address, value);
	return unc_pci_read(n->pci_fd[op->unit], (uint32_t)op->address, value, op->width / 8u);
}

/* The enable bit is in the low half, so that is written last. */
static int write_halves(int fd, uint32_t address, uint64_t value)
{
	const uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
	const int r = unc_pci_write(fd, address + 4, &high, sizeof(high));

	return r < 0 ? r : unc_pci_write(fd, address, &low, sizeof(low));
}

/*
 * 1: nothing to write. msr-safe silently drops bits that are not in its list.  If the list
 * cannot be read, that shows when the controls are read back at the end.
 */
static int check_mask(struct native *n, const struct unc_op *op, uint64_t value)
{
	uint64_t mask, old;
	int cpu, r;

	if (!unc_msr_is_safe(&n->msr))
		return 0;
	cpu = unc_msr_cpu(&n->msr, sched_getcpu(), op);
	if (cpu < 0 || !unc_safe_mask(&n->safe, (uint16_t)cpu, (uint32_t)op->address, &mask) ||
	    mask == UINT64_MAX)
		return 0;
	r = native_read(&n->hw, op, &old);
	if (r < 0)
		return r;
	if ((old ^ value) & ~mask)
		return -EROFS;
	return mask == 0;
}

static int native_write(struct unc_hw *hw, const struct unc_op *op, uint64_t value)
{
	struct native *n = (struct native *)hw;
	int r;

	if (op->space == UNCORE_MMIO)
		return unc_mmio_write(&n->mmio, op, value);
	if (op->space == UNCORE_PCI && op->width == 64)
		return write_halves(n->pci_fd[op->unit], (uint32_t)op->address, value);
	if (op->space == UNCORE_PCI)
		return unc_pci_write(n->pci_fd[op->unit], (uint32_t)op->address, &value,
				     op->width / 8u);
	r = check_mask(n, op, value);
	if (r != 0)
		return r < 0 ? r : 0;
	if (op->space == UNCORE_MSR)
		return unc_msr_write(&n->msr, op->package, (uint32_t)op->address, value);
	return unc_msr_cpu_write(&n->msr, op->unit, (uint32_t)op->address, value);
}

/* Through the batch device of msr-safe, or one by one. */
static int read_msrs(struct native *n, const struct unc_op *const *ops, unsigned count,
		     uint64_t *values)
{
	const int here = sched_getcpu();
	uint16_t cpu[UNC_BATCH_MAX];

	for (unsigned i = 0; i < count; i++)
		cpu[i] = (uint16_t)unc_msr_cpu(&n->msr, here, ops[i]);
	if (unc_safe_read(&n->safe, cpu, ops, count, values) == 0)
		return 0;
	return unc_read_each(&n->hw, ops, count, values);
}

static int native_read_many(struct unc_hw *hw, const struct unc_op *const *ops, unsigned count,
			    uint64_t *values)
{
	struct native *n = (struct native *)hw;

	if (unc_is_msr(ops[0]))
		return read_msrs(n, ops, count, values);
	return unc_pci_read(n->pci_fd[ops[0]->unit], (uint32_t)ops[0]->address, values,
			    count * sizeof(*values));
}

static int native_run_many(struct unc_hw *hw, const struct unc_op *ops, unsigned count,
			   struct unc_result *results)
{
	const struct native *n = (const struct native *)hw;
	const int here = sched_getcpu();
	uint16_t cpu[UNC_BATCH_MAX];

	for (unsigned i = 0; i < count; i++)
		cpu[i] = (uint16_t)unc_msr_cpu(&n->msr, here, &ops[i]);
	return unc_safe_run(&n->safe, cpu, ops, count, results);
}

/* ---- open ---- */

/* -errno if MSRs cannot be written through the kernel's own files, else 0. */
static int writes_refused(const struct native *n)
{
	char allow[16];

	if (n->locked_down)
		return -EPERM;
	return unc_read_text(allow, sizeof(allow), n->root,
			     "sys/module/msr/parameters/allow_writes") &&
			       strncmp(allow, "off", 3) == 0
		       ? -EROFS
		       : 0;
}

static int ready(struct native *n)
{
	const size_t pci = n->hw.topo->n_pci;
	int r;

	if (n->msr_ready)
		return 0;
	r = unc_msr_init(&n->msr, n->hw.topo, n->root);
	n->pci_fd = malloc((pci ? pci : 1) * sizeof(*n->pci_fd));
	if (r == 0)
		r = unc_safe_open(&n->safe, n->root);
	if (r < 0 || !n->pci_fd)
		return -ENOMEM;
	n->msr.refused = writes_refused(n);
	n->hw.batch = n->safe.batch >= 0 ? UNC_BATCH_MAX : 0;
	for (size_t i = 0; i < pci; i++)
		n->pci_fd[i] = -1;
	n->msr_ready = true;
	return 0;
}

/* The files of MSRs and PCI devices. */
static int open_file(struct native *n, const struct unc_question *q)
{
	const int r = ready(n);

	if (r < 0)
		return r;
	if (q->asked == UNC_ASKED_MSR_FILE)
		return unc_msr_open(&n->msr, q->where);
	if (q->asked == UNC_ASKED_CPU_FILE)
		return unc_msr_cpu_open(&n->msr, q->where);
	return unc_pci_open(&n->pci_fd[q->where], &n->hw.topo->pci[q->where], n->root);
}

static int native_ask(struct unc_hw *hw, const struct unc_question *q, uint64_t answer[2])
{
	struct native *n = (struct native *)hw;
	uint32_t regs[4] = {0};
	int r;

	switch (q->asked) {
	case UNC_ASKED_CPUID:
		r = unc_cpuid(n->root, q->where, (uint32_t)(q->address >> 32), (uint32_t)q->address,
			      regs);
		return unc_answer_cpuid(r, regs, answer);
	case UNC_ASKED_BAR:
		answer[0] = unc_mmio_bar(&hw->topo->pci[q->where], n->root, q->width, q->address);
		return 0;
	case UNC_ASKED_MAPPING:
		r = unc_mmio_map(&n->mmio, hw->topo, n->root, q->address, q->width);
		break;
	case UNC_ASKED_CORE:
		r = unc_topology_core(n->root, q->where);
		break;
	case UNC_ASKED_NODE:
		r = unc_near(hw->topo, n->root, q->where, &n->numa);
		break;
	default:
		r = open_file(n, q);
	}
	return unc_answer_number(r, answer);
}

static void native_close(struct unc_hw *hw)
{
	struct native *n = (struct native *)hw;

	if (n->msr_ready) {
		for (size_t i = 0; i < hw->topo->n_pci; i++)
			if (n->pci_fd[i] >= 0)
				close(n->pci_fd[i]);
		unc_msr_free(&n->msr);
		unc_safe_free(&n->safe);
	}
	unc_mmio_free(&n->mmio);
	if (n->clock >= 0)
		close(n->clock);
	free(n->pci_fd);
	free(n);
}

/* ---- why something failed ---- */

static bool locked_down(const char *root)
{
	char text[128];

	return unc_read_text(text, sizeof(text), root, "sys/kernel/security/lockdown") &&
	       (strstr(text, "[integrity]") || strstr(text, "[confidentiality]"));
}

/* Lockdown forbids writes to the kernel's own files, but not through msr-safe. */
static bool has_safe(const char *root)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/dev/cpu/0/msr_safe", root);
	return access(path, R_OK | W_OK) == 0;
}

int unc_hw_native_allowed(const char *root, struct unc_err *err)
{
	if (locked_down(root) && !has_safe(root))
		return unc_fail(
			err, UNCORE_EACCESS,
			"the kernel is locked down (%s/sys/kernel/security/lockdown), registers "
			"cannot be written: disable Secure Boot or lockdown",
			strcmp(root, "/") == 0 ? "" : root);
	return 0;
}

/* A CPU of the operation's package. */
static unsigned cpu_of(const struct unc_topology *t, const struct unc_op *op)
{
	unsigned cpu = 0;

	if (op->space == UNCORE_CPU)
		return op->unit;
	for (size_t i = t->n_cpus; i-- > 0;)
		if (unc_package_of_cpu(t, t->cpus[i].id) == (int)op->package)
			cpu = t->cpus[i].id;
	return cpu;
}

static void name_file(const struct native *n, const struct unc_op *op, char *path, size_t len)
{
	const struct unc_topology *t = n->hw.topo;
	char name[UNC_PCI_NAME];

	if (unc_is_msr(op)) {
		snprintf(path, len, "dev/cpu/%u/%s", cpu_of(t, op),
			 n->msr_ready ? n->msr.name : "msr");
	} else if (op->space == UNCORE_MMIO) {
		snprintf(path, len, "dev/mem");
	} else {
		snprintf(path, len, "sys/bus/pci/devices/%s/config",
			 unc_pci_name(name, &t->pci[op->unit]));
	}
}

/* The file is open, so its mode is not the reason. */
static bool list_forbids(const struct native *n, const struct unc_op *op, int error)
{
	return unc_is_msr(op) && n->msr_ready && n->msr.opened && unc_msr_is_safe(&n->msr) &&
	       (error == -EACCES || error == -EROFS);
}

static void native_explain(struct unc_hw *hw, const struct unc_op *op, int error, char *text,
			   size_t len)
{
	const struct native *n = (const struct native *)hw;
	const char *root = strcmp(n->root, "/") == 0 ? "" : n->root;
	char path[128], why[256];

	name_file(n, op, path, sizeof(path));
	if (list_forbids(n, op, error))
		unc_safe_explain(&n->safe, (uint16_t)cpu_of(hw->topo, op), op,
				 hw->writable ? hw->writable(hw->machine, op) : 0, why,
				 sizeof(why));
	else
		snprintf(why, sizeof(why), "%s; %s", unc_what_failed(error),
			 unc_remedy(op, error, error == -EPERM && locked_down(n->root)));
	snprintf(text, len, "%s/%s, register %#" PRIx64 ": %s", root, path, op->address, why);
}

/* clang-format off */
#define NATIVE_OPS                      \
	.read = native_read,            \
	.write = native_write,          \
	.read_many = native_read_many,  \
	.run_many = native_run_many,    \
	.ask = native_ask,              \
	.explain = native_explain,      \
	.close = native_close
/* clang-format on */

static const struct unc_hw_ops native_ops = {NATIVE_OPS};

/* ---- a simulated machine that is mounted ---- */

static int64_t mounted_now(struct unc_hw *hw)
{
	char text[24] = "";

	if (unc_pread(((const struct native *)hw)->clock, text, sizeof(text) - 1, 0) <= 0)
		return 0;
	return strtoll(text, NULL, 10);
}

static const struct unc_hw_ops mounted_ops = {NATIVE_OPS, .now = mounted_now};

static int open_clock(const char *root)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/sim/now", root);
	return unc_open(path, O_RDONLY);
}

/* Files that only `uncore sim mount` provides. */
static void find_mounted(struct native *n)
{
	char text[1024];

	n->clock = -1;
	if (strcmp(n->root, "/") == 0 ||
	    !unc_read_text(text, sizeof(text), n->root, "sim/machine") ||
	    strncmp(text, "sim:", 4) != 0)
		return;
	n->hw.where = UNC_MOUNTED;
	if (!strstr(text, "time=virtual"))
		return;
	n->clock = open_clock(n->root);
	n->hw.stepped = n->clock >= 0;
	n->hw.ops = n->hw.stepped ? &mounted_ops : &native_ops;
}

struct unc_hw *unc_hw_native(const char *root, const struct unc_topology *topo)
{
	struct native *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->hw.ops = &native_ops;
	n->hw.topo = topo;
	snprintf(n->root, sizeof(n->root), "%s", root);
	n->safe.batch = -1;
	n->locked_down = locked_down(root);
	find_mounted(n);
	return &n->hw;
}

/* ---- the CPUID instruction on a given CPU, through dev/cpu/N/cpuid ---- */

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "base/files.h"
#include "hw/native.h"

/* All CPUs of a machine have the same counters, so this CPU can stand for the one requested. */
static int instruction(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
#if defined(__x86_64__) || defined(__i386__)
	if (__get_cpuid_count(leaf, subleaf, &regs[0], &regs[1], &regs[2], &regs[3]))
		return 0;
#endif
	(void)leaf;
	(void)subleaf;
	memset(regs, 0, 4 * sizeof(*regs));
	return -ENOENT;
}

int unc_cpuid(const char *root, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	char path[PATH_MAX];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/dev/cpu/%u/cpuid", root, cpu);
	fd = unc_open(path, O_RDONLY);
	if (fd < 0)
		return strcmp(root, "/") == 0 ? instruction(leaf, subleaf, regs) : -errno;
	n = unc_pread(fd, regs, 4 * sizeof(*regs), (off_t)subleaf << 32 | leaf);
	close(fd);
	return n == (ssize_t)(4 * sizeof(*regs)) ? 0 : -EIO;
}
