/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - what the memory controllers, the devices and the power meters counted. */
#ifndef WHO_MEMORY_H
#define WHO_MEMORY_H

#include "command/base/basket.h"
#include "command/who/shares.h"

#ifdef __cplusplus
extern "C" {
#endif

enum memory_quantity {
	MEMORY_READ,  /* bytes, all of them: by the memory controllers */
	MEMORY_WRITE, /* bytes */
	DEVICE_READ,  /* bytes that PCIe devices read from memory */
	DEVICE_WRITE,
	ENERGY_PACKAGE, /* uJ */
	ENERGY_DRAM,
	MEMORY_QUANTITIES,
	STACK_READ = MEMORY_QUANTITIES, /* bytes, by PCIe stack */
	STACK_WRITE
};

/* A port of a PCIe stack, or all of it, and the bytes of its devices in the last interval. */
struct memory_stack {
	unsigned package, box;
	int part;           /* of the channel mask; -1: the whole stack */
	bool estimate;      /* counted in a part of the time */
	double read, write; /* from and to memory, or a cache in front of it; NAN: not known yet */
	double read_error, write_error; /* of estimates: bytes, 95 of 100 are smaller */
	double seconds;                 /* the time in which they were counted */
	char *devices;                  /* "eth0, nvme1" at the beginning; NULL: unknown, or none */
};

/* A quantity of the whole machine in the last interval; NAN: unknown. */
struct memory_rate {
	double rate;  /* a second of the time in which it was counted */
	double doubt; /* ... that may be wrong because that time is not known better */
};

struct memory {
	struct uncore *u;
	unsigned packages;
	struct basket basket; /* a unit is a package, or the ports of one */
	struct memory_event {
		enum memory_quantity quantity;
		unsigned package;
		int stack;                 /* STACK_READ, STACK_WRITE: index, else -1 */
		int64_t before;            /* at the last read */
		struct uncore_times times; /* ..., of an estimate */
	} * events;
	struct memory_stack *stacks; /* PCIe stacks and ports, if they can be counted one by one */
	size_t n_stacks;
	bool here[MEMORY_QUANTITIES];                 /* can be counted in all packages */
	const char *names[MEMORY_QUANTITIES];         /* of the events */
	double used[MEMORY_QUANTITIES][WHO_PACKAGES]; /* of the last interval, NAN: unknown */
	struct memory_rate rates[MEMORY_QUANTITIES];  /* of the last interval */
	struct memory_clock {                         /* of a set */
		int64_t ns;                           /* counted up to the last read */
		struct looked_at at;                  /* the last read */
		bool looked;                          /* there was one */
	} * clocks;                                   /* two of each unit */
};

/*
 * 0, or the library's error if the memory controllers cannot be counted.  stacks: also PCIe stacks
 * and ports.
 */
int memory_open(struct memory *m, struct uncore *u, bool stacks);
void memory_close(struct memory *m);

/* The counts since the last call; 0 or the library's error. */
int memory_read(struct memory *m);

#ifdef __cplusplus
}
#endif
#endif
