/* SPDX-License-Identifier: BSD-3-Clause */
/* devices.c - the PCI functions, and how they are passed to QEMU. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "proxy.h"

#define INTEL      0x8086
#define BUSES      256
#define DEVICES    32
#define FIRST_ROOT 16 /* slot of the first expander bridge on bus 0; boxes come before */

/*
 * The simulated machines have PCI devices other than their uncore: the bridge at 0:0.0, which QEMU
 * provides, and cards, which it does not need.
 */
static bool is_provided_by_qemu(const struct sim_pci *pci)
{
	return pci->vendor != INTEL || pci->device == 0x1521 || (pci->bus == 0 && pci->devfn == 0);
}

static bool in_slot(const struct lab *lab, uint8_t bus, unsigned slot)
{
	for (size_t i = 0; i < lab->n; i++)
		if (lab->functions[i].bus == bus && lab->functions[i].devfn >> 3 == slot)
			return true;
	return false;
}

/* On bus 0; QEMU gives the first slots to other devices. */
static uint8_t portal_slot(const struct lab *lab)
{
	unsigned slot = 4;

	while (in_slot(lab, 0, slot))
		slot++;
	return (uint8_t)(slot << 3);
}

static int by_place(const void *a, const void *b)
{
	const struct lab_function *x = a, *y = b;

	return (x->bus << 8 | x->devfn) - (y->bus << 8 | y->devfn);
}

/* Function 0 announces the others of a slot, so every slot gets one. */
static void add_firsts(struct lab *lab)
{
	const size_t n = lab->n;

	for (size_t i = 0; i < n; i++) {
		const struct lab_function *one = &lab->functions[i];
		const uint8_t first = one->devfn & 0xf8;
		bool found = false;

		for (size_t k = 0; k < lab->n; k++)
			if (lab->functions[k].bus == one->bus && lab->functions[k].devfn == first)
				found = true;
		if (!found)
			lab->functions[lab->n++] = (struct lab_function){.kind = LAB_ABSENT,
									 .bus = one->bus,
									 .devfn = first,
									 .vendor = LAB_VENDOR,
									 .device = LAB_FILLER};
	}
}

static bool has_more(const struct lab *lab, const struct lab_function *first)
{
	for (size_t i = 0; i < lab->n; i++)
		if (lab->functions[i].bus == first->bus &&
		    lab->functions[i].devfn >> 3 == first->devfn >> 3 &&
		    &lab->functions[i] != first)
			return true;
	return false;
}

int lab_devices(struct lab *lab)
{
	size_t n;
	const struct sim_pci *pci = sim_pci_devices(lab->sim, &n);

	lab->functions = calloc(2 * n + 1, sizeof(*lab->functions));
	if (lab->functions == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (!is_provided_by_qemu(&pci[i]))
			lab->functions[lab->n++] = (struct lab_function){.bus = pci[i].bus,
									 .devfn = pci[i].devfn,
									 .vendor = pci[i].vendor,
									 .device = pci[i].device};
	add_firsts(lab);
	for (size_t i = 0; i < lab->n; i++)
		lab->functions[i].first =
			lab->functions[i].devfn % 8 == 0 && has_more(lab, &lab->functions[i]);
	lab->functions[lab->n] = (struct lab_function){.kind = LAB_MAILBOX,
						       .devfn = portal_slot(lab),
						       .vendor = LAB_VENDOR,
						       .device = LAB_PORTAL};
	lab->n++;
	qsort(lab->functions, lab->n, sizeof(*lab->functions), by_place);
	return 0;
}

int lab_add(struct lab_args *args, const char *format, ...)
{
	char **more = args->arg;
	va_list list;
	int n;

	if (args->n + 2 > args->room) {
		args->room = 2 * args->room + 16;
		more = realloc(more, args->room * sizeof(*more));
		if (more == NULL)
			return -ENOMEM;
		args->arg = more;
	}
	va_start(list, format);
	n = vasprintf(&more[args->n], format, list);
	va_end(list);
	if (n < 0)
		return -ENOMEM;
	more[++args->n] = NULL;
	return 0;
}

/*
 * Firmware numbers the buses behind an expander bridge in order, beginning
 * after its own number.  So neighbouring buses hang on one.
 */
static int add_buses(struct lab_args *args, const struct lab *lab)
{
	bool used[BUSES] = {false};
	unsigned root = 0, roots = 0;
	int r = 0;

	for (size_t i = 0; i < lab->n; i++)
		used[lab->functions[i].bus] = true;
	for (unsigned bus = 1; r == 0 && bus < BUSES; bus++) {
		if (!used[bus])
			continue;
		if (bus == 1 || !used[bus - 1] || root == 0) {
			root = bus - 1;
			r = lab_add(args, "-device") |
			    lab_add(args, "pxb-pcie,id=root%u,bus=pcie.0,bus_nr=%u,addr=%#x", root,
				    root, FIRST_ROOT + roots++);
		}
		r |= lab_add(args, "-device") |
		     lab_add(args, "i82801b11-bridge,id=bus%u,bus=root%u,addr=%#x", bus, root,
			     bus - root - 1);
	}
	return r;
}

int lab_arguments(struct lab_args *args, const struct lab *lab, const int *ends)
{
	int r = add_buses(args, lab);

	for (size_t i = 0; r == 0 && i < lab->n; i++) {
		const struct lab_function *f = &lab->functions[i];
		char bus[16] = "pcie.0";

		if (f->bus != 0)
			snprintf(bus, sizeof(bus), "bus%u", f->bus);
		r = lab_add(args, "-device") |
		    lab_add(args, "x-pci-proxy-dev,bus=%s,addr=%#x.%u%s,fd=%d", bus, f->devfn >> 3,
			    f->devfn & 7U, f->first ? ",multifunction=on" : "", ends[i]);
	}
	return r;
}
