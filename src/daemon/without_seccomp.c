/* SPDX-License-Identifier: BSD-3-Clause */
/* without_seccomp.c - in the place of seccomp.c where there is no libseccomp. */
#include "daemon/daemon.h"

int daemon_filter_calls(const char **why)
{
	*why = "built without libseccomp";
	return 0;
}
