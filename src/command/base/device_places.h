/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device_places.h - the bytes of devices, port by port: the events of each port whose devices are
 * known, and of each whole stack whose ports are not known (docs/devices.md, "Labels").
 */
#ifndef COMMAND_DEVICE_PLACES_H
#define COMMAND_DEVICE_PLACES_H

#include "command/base/devices.h"

#ifdef __cplusplus
extern "C" {
#endif

struct device_place {
	unsigned package, box;
	int part;        /* of the channel mask; -1: the whole stack */
	char *devices;   /* "eth2, nvme0"; NULL: none is known */
	unsigned ids[2]; /* events: bytes that devices read from memory, and write to it */
};

struct device_places {
	struct device_place *list;
	size_t n;
};

/*
 * In the order of packages, stacks and parts.  all: also stacks without devices.  None if the
 * machine counts no bytes of stacks.
 */
void find_device_places(struct uncore *u, const struct device_labels *labels, bool all,
			struct device_places *places);
void free_device_places(struct device_places *places);

/* "iio3", or "iio3 part 2"; to be freed. */
char *name_of_place(unsigned box, int part);

#ifdef __cplusplus
}
#endif
#endif
