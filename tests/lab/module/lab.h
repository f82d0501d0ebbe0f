/* SPDX-License-Identifier: GPL-2.0-only */
/* lab.h - where the registers of the lab's machine are kept. */
#ifndef UNCORE_LAB_H
#define UNCORE_LAB_H

#include <linux/types.h>

/*
 * One backend is chosen with the parameter backend=NAME.  read and write are
 * called with interrupts off, on a CPU of the package, and must not sleep; they
 * return 0 or -EIO, as for a register that the CPU does not have.
 */
struct lab_backend {
	const char *name;
	int (*init)(unsigned int packages);
	void (*exit)(void);
	int (*read)(unsigned int package, u32 msr, u64 *value);
	int (*write)(unsigned int package, u32 msr, u64 value);
};

extern const struct lab_backend lab_store, lab_portal;

#endif
