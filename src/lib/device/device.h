/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device.h - where a PCI device is: package, IIO box and part of the channel mask
 * (docs/hardware/stacks.md).  All answers are asked for when they are needed; nothing is kept, so
 * that a device that was renamed or plugged in is found.
 */
#ifndef UNC_DEVICE_H
#define UNC_DEVICE_H

#include "hw/kernel_files.h"
#include "machine/stacks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_devices {
	const struct unc_machine *machine;
	struct unc_kernel_files files;
};

#define UNC_PATH_TEXT   512
#define UNC_AT_TEXT     24
#define UNC_DEVICE_NAME 64

/* A PCI address; the segment of a device behind VMD has more than 16 bits. */
struct unc_at {
	unsigned segment, bus, slot, function;
};

/* The devices between a root bus and a device, which may be the same. */
struct unc_chain {
	struct unc_root_bus_name root;
	struct unc_at port; /* root port, behind VMD in the segment of VMD; or the device itself */
	struct unc_at device; /* the last one */
	bool vmd;
};

/* ---- chain.c ---- */

/* "0000:3b:00.0" at the beginning of a text; returns its end, or NULL. */
const char *unc_at_parse(const char *text, struct unc_at *at);
const char *unc_at_text(const struct unc_at *at, char text[UNC_AT_TEXT]);
/* From a path below /sys/devices; false: there is no PCI device in it. */
bool unc_chain_parse(const char *path, struct unc_chain *chain);
bool unc_at_same(const struct unc_at *a, const struct unc_at *b);

/* ---- named.c ---- */

/*
 * A PCI address, with or without colons and segment, or the name of a network interface, InfiniBand
 * device, NVMe controller, block device, GPU or DSA: 0 and its chain.  UNCORE_ENODEV: no such
 * device, or it is not a PCI device; UNCORE_ENOSUPP: this machine's devices are not known;
 * UNCORE_EINVAL: the name is of two devices.
 */
int unc_device_named(const struct unc_devices *d, const char *name, struct unc_chain *chain,
		     struct unc_err *err);

/* Number i of the directories with a name for each device, such as "sys/class/net"; NULL: none. */
const char *unc_device_class(size_t i);

/* ---- place.c ---- */

struct unc_device_place {
	struct unc_chain chain;
	unsigned package;          /* logical */
	unsigned box, number;      /* on its die; in names */
	uint32_t parts;            /* bit p of the channel mask, or UNC_ALL_PARTS */
	bool accelerator;          /* in a stack that has only those */
	const char *stack, *basis; /* NULL: not known */
};

#define UNC_ALL_PARTS UINT32_MAX

/*
 * Where a device is: 0; the errors of unc_device_named(); UNCORE_ENOSUPP: the facts that are
 * needed are not known; UNCORE_EACCESS: they are in registers that cannot be read.
 */
int unc_device_find(const struct unc_devices *d, const char *name, struct unc_device_place *out,
		    struct unc_err *err);

/* The same of a device whose chain is known; name: of messages.  out has what is known. */
int unc_device_locate(const struct unc_devices *d, const struct unc_chain *chain, const char *name,
		      struct unc_device_place *out, struct unc_err *err);

/* ---- list.c ---- */

struct unc_listed_device {
	struct unc_chain chain;
	char *path;  /* "/sys/devices/pci0000:17/..." */
	char *names; /* "mlx5_0 eth2": in classes of devices, or "" */
	bool bridge; /* a port or a switch */
	bool virtual_function;
	char *problem; /* why the place is not known; NULL: it is */
	struct unc_device_place place;
};

struct unc_device_list {
	struct unc_listed_device *device; /* sorted by path */
	size_t n;
};

/*
 * The PCI devices behind ports, those on root buses that have names, and accelerators; not
 * bridges.  0; UNCORE_ENOSUPP: this machine's devices are not known; UNCORE_ENOMEM.
 */
int unc_device_list_make(const struct unc_devices *d, struct unc_device_list *list,
			 struct unc_err *err);
void unc_device_list_free(struct unc_device_list *list);

/* Whether the same events count both. */
bool unc_device_shares(const struct unc_listed_device *a, const struct unc_listed_device *b);
/* The first name of a device, or its address. */
const char *unc_device_name(const struct unc_listed_device *device, char text[UNC_DEVICE_NAME]);
/* "eth0, eth1": devices that are counted with the one at an address; "" if it is alone. */
void unc_device_others(const struct unc_device_list *list, const struct unc_at *at, char *text,
		       size_t len);

/* ---- die_files.c ---- */

/* By the kernel's files uncore_iio_N/dieM: true if exactly one box has this root bus. */
bool unc_stack_by_files(const struct unc_devices *d, const struct unc_stack_map *map,
			const struct unc_root_bus_name *root, struct unc_stack_found *out);

/* ---- parts.c ---- */

/* The parts of the channel mask that a device's traffic passes: 0, UNCORE_ENOSUPP. */
int unc_device_parts(const struct unc_devices *d, const struct unc_stack_map *map,
		     const struct unc_stack_found *stack, const struct unc_chain *chain,
		     uint32_t *parts, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
