/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stacks.h - PCIe stacks: which root bus belongs to which IIO box, and which port is which part of
 * the channel mask.  docs/hardware/stacks.md has the sources and what is uncertain.
 */
#ifndef UNC_STACKS_H
#define UNC_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct unc_platform;

/* The registers that list root buses. */
enum unc_stack_source {
	UNC_STACKS_NONE,
	UNC_STACKS_IN_MSR,    /* a byte per stack in MSR 0x300 of the package */
	UNC_STACKS_IN_SAD,    /* config 0x3f4 of D0:F0 of the root bus itself: bits 6:4 */
	UNC_STACKS_IN_CPU_BUS /* the list of CPU buses of function 09a6 */
};

enum unc_stack_kind {
	UNC_STACK_PORTS = 1,       /* PCIe ports */
	UNC_STACK_CHIPSET = 2,     /* DMI, and what else the first stack has */
	UNC_STACK_ACCELERATOR = 4, /* DSA and others */
	UNC_STACK_QAT = 8,         /* a bus of such a stack that has QAT only */
	UNC_STACK_HQM = 16,        /* ... that has DLB only */
};

struct unc_stack {
	uint8_t id; /* in the registers of the source */
	uint8_t box;
	uint8_t kind;        /* enum unc_stack_kind */
	char name[16];       /* "PCIe0" */
	const char *refused; /* why the box is not known; NULL: it is */
};

/* Functions F0 of devices first to last (any: all functions) have the parts from `part` on. */
struct unc_port {
	uint8_t kinds; /* of stacks */
	uint8_t above; /* number of its bus, counted from the root bus of the stack */
	uint8_t first, last;
	bool any;
	uint8_t part;
	uint16_t parts;      /* a single device that has several parts: bit p; 0: one */
	bool disputed;       /* sources disagree on the part */
	const char *refused; /* why the part is not known; NULL: it is */
};

/* A function of the uncore that only the bus of one stack has. */
struct unc_stack_function {
	uint16_t first, last; /* device ids */
	uint8_t id;           /* of the stack */
};

#define UNC_STACKS_BY_ORDER 5

struct unc_stack_map {
	const struct unc_platform *platform;
	uint8_t model; /* 0: all models of the platform */
	struct {
		uint16_t device, offset; /* 0: all; a dword of config space ... */
		uint8_t shift, value;    /* ... whose two bits from `shift` on are `value` */
	} die;
	const char *refused; /* why the machine has no map */
	enum unc_stack_source source;
	const struct unc_stack *stacks;             /* ended by an empty name */
	const struct unc_port *ports;               /* ended by kinds == 0 */
	const struct unc_stack_function *functions; /* ended by first == 0; NULL: none */
	bool has_files;                             /* the kernel has uncore_iio_N/dieM */
	uint8_t zero_box; /* the box for which "0000:00" there can be true */
	bool by_order;    /* a package with exactly five root buses has them in the order of: */
	uint8_t order[UNC_STACKS_BY_ORDER]; /* ids of stacks */
};

extern const struct unc_stack_map unc_stack_maps[]; /* ended by platform == NULL */

/* A metric that is counted by port: an event in which %u is the part, and the size of a count. */
struct unc_port_metric {
	const struct unc_platform *platform;
	char metric[24]; /* counted in the same boxes without a part */
	char event[48];
	int bytes;
};
extern const struct unc_port_metric unc_port_metrics[]; /* ended by platform == NULL */

/* Metrics of a package, and the metric of a stack that counts the same. */
struct unc_stack_metric {
	char of_package[24], of_stack[24];
};
extern const struct unc_stack_metric unc_stack_metrics[]; /* ended by an empty name */

#ifdef __cplusplus
}
#endif
#endif
