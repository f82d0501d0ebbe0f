/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mount.h - a simulated machine as a file tree, as a kernel would show it below /dev, /proc
 * and /sys.
 *
 * Part of the `uncore` command, not of the simulator's library.  Calls only sim.h of this project.
 */
#ifndef MOUNT_H
#define MOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MOUNT_RUN_SIZE (UINT64_C(64) << 20)

struct mount_options {
	const char *machine; /* "sim:..." */
	const char *dir;
	const char *processes; /* a file that describes processes (docs/who.md); NULL: none */
	const char *trace; /* a file for every register access; NULL: none, "-": standard error */
	bool background;
	/*
	 * The number of the register write at which the process is killed (SIGKILL), 0: none.
	 * The write is carried out.  If negative, write number -kill_at is not carried out.
	 */
	int64_t kill_at;
	uint64_t run_size; /* bytes in the files of run/uncore; MOUNT_RUN_SIZE */
};

/*
 * Build the machine, mount it at dir and serve it until it is unmounted or a signal ends the
 * process.  0, or -1 with a message in why.
 */
int mount_machine(const struct mount_options *options, char *why, size_t len);

#ifdef __cplusplus
}
#endif
#endif
