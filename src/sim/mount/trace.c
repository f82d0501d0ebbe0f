/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c - carry out register accesses, and log them on request. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "tree.h"

/* ---- the machine ---- */

static int carry_out(struct sim *sim, struct access *a)
{
	const struct sim_pci *pci;
	size_t n;

	if (a->space == ACCESS_MSR)
		return a->write ? sim_cpu_msr_write(sim, a->unit, (uint32_t)a->address, a->value)
				: sim_cpu_msr_read(sim, a->unit, (uint32_t)a->address, &a->value);
	if (a->space == ACCESS_MEMORY)
		return a->write ? sim_mmio_write(sim, a->unit, a->address, a->width, a->value)
				: sim_mmio_read(sim, a->unit, a->address, a->width, &a->value);
	pci = &sim_pci_devices(sim, &n)[a->unit];
	return a->write ? sim_pci_write(sim, pci->segment, pci->bus, pci->devfn,
					(uint32_t)a->address, a->width, a->value)
			: sim_pci_read(sim, pci->segment, pci->bus, pci->devfn,
				       (uint32_t)a->address, a->width, &a->value);
}

/* ---- lines ---- */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void print_location(FILE *out, struct sim *sim, const struct access *a)
{
	const struct sim_pci *pci;
	size_t n;

	if (a->space == ACCESS_MSR) {
		fprintf(out, "msr pkg%u/cpu%u", sim_cpus(sim, &n)[a->unit].package, a->unit);
		return;
	}
	if (a->space == ACCESS_MEMORY) {
		fprintf(out, "mem pkg%u", a->unit);
		return;
	}
	pci = &sim_pci_devices(sim, &n)[a->unit];
	fprintf(out, "pci %04x:%02x:%02x.%x", pci->segment, pci->bus, pci->devfn >> 3,
		pci->devfn & 7U);
}

static void print_access(struct tree *tree, const struct request *request, const struct access *a,
			 int error)
{
	const uint64_t ns = now_ns() - tree->trace.birth;
	FILE *out = tree->trace.out;

	fprintf(out, "%" PRIu64 ".%09" PRIu64 " %lu %ld %s ", ns / 1000000000, ns % 1000000000,
		request->number, (long)request->pid, a->write ? "write" : "read");
	print_location(out, tree->sim, a);
	fprintf(out, " 0x%" PRIx64 " %u ", a->address, a->width);
	if (error && !a->write)
		fprintf(out, "failed: %s\n", strerror(-error));
	else
		fprintf(out, "0x%" PRIx64 "%s%s\n", a->value, error ? " failed: " : "",
			error ? strerror(-error) : "");
}

struct request trace_request(struct tree *tree, pid_t pid)
{
	return (struct request){pid, __atomic_add_fetch(&tree->calls, 1, __ATOMIC_RELAXED)};
}

void trace_start(struct trace *trace, FILE *out)
{
	trace->out = out;
	trace->birth = now_ns();
	fprintf(out, "# seconds call pid operation space place register bits value\n");
}

static int access_of(struct tree *tree, const struct request *request, struct access *a)
{
	const int turn = a->write ? kill_at_write(tree) : 0;
	int error;

	if (turn < 0)
		return kill_caller(request->pid);
	error = carry_out(tree->sim, a);
	if (tree->trace.out)
		print_access(tree, request, a, error);
	return turn ? kill_caller(request->pid) : error;
}

int trace_access(struct tree *tree, const struct request *request, struct access *access)
{
	int error;

	if (!tree->trace.out)
		return access_of(tree, request, access);
	pthread_mutex_lock(&tree->trace.lock);
	error = access_of(tree, request, access);
	pthread_mutex_unlock(&tree->trace.lock);
	return error;
}
