/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mount.h - a simulated machine as a tree of files: what a kernel would show of it
 * below /dev, /proc and /sys.
 *
 * Part of the `uncore` command, not of the library.  Calls src/sim and nothing else
 * of the project.
 */
#ifndef MOUNT_H
#define MOUNT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mount_options {
	const char *machine; /* "sim:..." */
	const char *dir;
	const char *trace; /* a file for every register access; NULL: none, "-": standard error */
	bool background;
};

/*
 * Build the machine, show it below dir and serve it until it is unmounted or a signal
 * ends the process.  0, or -1 with a sentence in why.
 */
int mount_machine(const struct mount_options *options, char *why, size_t len);

#ifdef __cplusplus
}
#endif
#endif
