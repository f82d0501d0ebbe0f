/* SPDX-License-Identifier: BSD-3-Clause */
/* own_library.h - whether uncore or uncored runs with the libuncore.so of its own version. */
#ifndef UNC_OWN_LIBRARY_H
#define UNC_OWN_LIBRARY_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "uncore.h"

/* For main(), before it uses any function of shared.h; false after a message. */
static inline bool unc_is_own_library(const char *program)
{
	if (strcmp(uncore_version(), UNCORE_VERSION) == 0)
		return true;
	fprintf(stderr,
		"%s: this is version %s, but libuncore.so is of version %s: install both of the "
		"same version, or unset LD_LIBRARY_PATH\n",
		program, UNCORE_VERSION, uncore_version());
	return false;
}

#endif
