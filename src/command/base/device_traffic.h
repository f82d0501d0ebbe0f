/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device_traffic.h - find the box and part of a device by its traffic: count all boxes, and then
 * all parts of one, while the device moves data and while it does not (docs/devices.md).
 */
#ifndef COMMAND_DEVICE_TRAFFIC_H
#define COMMAND_DEVICE_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place counts clearly if it gains this many bytes, and this many times as much as any other. */
#define TRAFFIC_LEAST 1e6
#define TRAFFIC_CLEAR 20

/*
 * Called several times: idle, wait as long as the background is to be counted, else have the device
 * move data.  0, or an exit status that ends the measurement.
 */
typedef int traffic_source(void *arg, bool idle);

struct traffic_place {
	unsigned package, box, part;
	bool write;   /* the device wrote to memory more than it read */
	double bytes; /* that it moved in a run, in that direction */
};

/* The name of the event that counts it, in units of 4 bytes; to be freed. */
char *traffic_event(const struct traffic_place *at);

/*
 * 0 and the place; 1 and why it is not clear; the exit status of the source; or the library's
 * error.
 */
int find_device_traffic(struct uncore *u, traffic_source *source, void *arg,
			struct traffic_place *place, char *why, size_t len);

#ifdef __cplusplus
}
#endif
#endif
