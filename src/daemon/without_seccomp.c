/* SPDX-License-Identifier: BSD-3-Clause */
/* without_seccomp.c - replaces seccomp.c in builds without libseccomp. */
#include "daemon/daemon.h"

int daemon_filter_calls(const char **why)
{
	*why = "built without libseccomp";
	return 0;
}
