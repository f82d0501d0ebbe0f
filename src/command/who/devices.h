/* SPDX-License-Identifier: BSD-3-Clause */
/* devices.h - names of the devices behind a PCIe stack, as the kernel has them in /sys. */
#ifndef WHO_DEVICES_H
#define WHO_DEVICES_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * "eth0, nvme1" for a box of the kind iio, to be freed; NULL if the kernel's driver does not map
 * stacks to buses (uncore_iio_N/dieN, Linux 5.6 and later on some processors), or no device has a
 * name.
 */
char *devices_of_stack(const char *root, unsigned package, unsigned box);

#ifdef __cplusplus
}
#endif
#endif
