/* SPDX-License-Identifier: BSD-3-Clause */
/* root.c - see root.h. */
#include "command/base/root.h"

#include <string.h>

#include "base/environment.h"

const char *files_root(void)
{
	const char *root = unc_variable("UNCORE_SYSROOT");

	return root && strcmp(root, "/") != 0 ? root : "";
}
