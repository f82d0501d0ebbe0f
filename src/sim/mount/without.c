/* SPDX-License-Identifier: BSD-3-Clause */
/* without.c - `uncore sim mount` without libfuse3: report that it is unsupported. */
#include <stdio.h>

#include "sim/mount/mount.h"

int mount_machine(const struct mount_options *options, char *why, size_t len)
{
	snprintf(why, len,
		 "cannot mount at %s: uncore was built without libfuse3; install libfuse3-dev "
		 "(fuse3-devel), then run ./configure and make again",
		 options->dir);
	return -1;
}
