/* SPDX-License-Identifier: BSD-3-Clause */
/* devices.h - the names of PCI devices by the box that counts them, for labels of counts. */
#ifndef COMMAND_DEVICES_H
#define COMMAND_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DEVICES_OF "iio" /* the kind of box that counts devices */

struct device_label {
	char *name;            /* the first name of a device, or its address */
	unsigned package, box; /* boxes are numbered per package, not per die */
	unsigned parts;        /* 0: unknown */
};

/* The devices whose box is known. */
struct device_labels {
	struct device_label *list;
	size_t n;
};

/* None if the machine's devices are not known. */
void read_device_labels(struct uncore *u, struct device_labels *labels);
void free_device_labels(struct device_labels *labels);

/*
 * "eth2, nvme0" of a box, or of some of its parts; a question mark is behind devices whose part is
 * unknown.  To be freed; NULL: no device is known there.
 */
char *label_of_parts(const struct device_labels *labels, const struct uncore_box_info *box,
		     unsigned parts);
char *label_of_box(const struct device_labels *labels, const struct uncore_box_info *box);

/* The same of an event that counts in a single box; its name may select a part. */
char *label_of_event(const struct device_labels *labels, struct uncore *u, unsigned id);

/* The box and the parts of an event that counts in a single stack; false: it does not. */
bool place_of_event(struct uncore *u, unsigned id, struct uncore_box_info *box, unsigned *parts);

/* The name of a device for people: its first name, or its address; to be freed. */
char *name_of_device(const struct uncore_device_info *device);

#ifdef __cplusplus
}
#endif
#endif
