// SPDX-License-Identifier: GPL-2.0-only
/* store.c - registers that keep what is written, and count nothing. */
#include <linux/mm.h>

#include "lab.h"

#define REGISTERS 0x4000 /* MSR numbers, all ranges of main.c */

static u64 *store;

static int store_init(unsigned int packages)
{
	store = kvcalloc(packages, REGISTERS * sizeof(*store), GFP_KERNEL);
	return store ? 0 : -ENOMEM;
}

static void store_exit(void)
{
	kvfree(store);
}

static int store_read(unsigned int package, u32 msr, u64 *value)
{
	*value = READ_ONCE(store[package * REGISTERS + msr]);
	return 0;
}

static int store_write(unsigned int package, u32 msr, u64 value)
{
	WRITE_ONCE(store[package * REGISTERS + msr], value);
	return 0;
}

const struct lab_backend lab_store = {
	.name = "store",
	.init = store_init,
	.exit = store_exit,
	.read = store_read,
	.write = store_write,
};
