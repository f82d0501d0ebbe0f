/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proxy.h - the simulated Xeon's PCI functions for a virtual machine.
 *
 * QEMU's x-pci-proxy-dev forwards every access to a function's config space
 * over a socket; what answers here is src/sim.  One function more, the portal,
 * is the way to the machine's MSRs and to its clock: the CPU model of QEMU has
 * neither.
 */
#ifndef LAB_PROXY_H
#define LAB_PROXY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

/* Of no vendor; what the simulated machine does not have must not look like Intel's. */
#define LAB_VENDOR 0x1234
#define LAB_PORTAL 0x5350
#define LAB_FILLER 0x5351

enum lab_kind {
	LAB_BOX,    /* a function of the simulated machine */
	LAB_ABSENT, /* function 0 of a slot that has only others: nothing, but it must be there */
	LAB_MAILBOX
};

struct lab_function {
	enum lab_kind kind;
	uint8_t bus, devfn;
	bool first; /* function 0 of a slot with several: says so */
	uint16_t vendor, device;
	int fd; /* our end of its socket */
};

/*
 * The portal's registers in its config space.  A write to LAB_GO carries the
 * access out; LAB_STATUS is 0 or an errno.  Users of them take a lock.
 * LAB_CLOCK reads as ns since the machine was built; a write to its upper
 * half lets that much time pass (machines with time=virtual).
 */
enum {
	LAB_PACKAGE = 0x40,
	LAB_ADDRESS = 0x44,
	LAB_VALUE = 0x48, /* 64 bits */
	LAB_GO = 0x50,    /* 1: read the MSR, 2: write it */
	LAB_STATUS = 0x54,
	LAB_CLOCK = 0x60, /* 64 bits */
};

struct lab_portal {
	uint32_t package, address, status;
	uint64_t value;
	uint64_t clock; /* reads: latched with the low half; writes: the low half */
};

struct lab {
	struct sim *sim;
	struct lab_function *functions;
	size_t n;
	struct lab_portal portal;
	FILE *trace; /* NULL: none */
};

/* devices.c: the functions to present, in order of their place; -ENOMEM */
int lab_devices(struct lab *lab);

/* QEMU's arguments for them, for lab_function.fd's other ends; appended to `args`. */
struct lab_args {
	char **arg;
	size_t n, room;
};

int lab_add(struct lab_args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));
int lab_arguments(struct lab_args *args, const struct lab *lab, const int *ends);

/* access.c: config space, at most four bytes at a time */
uint32_t lab_config_read(struct lab *lab, const struct lab_function *function, uint32_t offset,
			 unsigned bytes);
void lab_config_write(struct lab *lab, const struct lab_function *function, uint32_t offset,
		      unsigned bytes, uint32_t value);

/* proxy.c: take one message from the function's socket; false: it was closed */
bool lab_serve(struct lab *lab, const struct lab_function *function);

#endif
