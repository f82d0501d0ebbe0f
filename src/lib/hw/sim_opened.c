/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim_opened.c - the simulator of libuncore.so: a library in the same directory, which is opened
 * for the first simulated machine, so that programs which count do not contain it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "hw/regs.h"
#include "sim/sim.h"

#define LIBRARY "libuncore-sim.so.0"

/* Its path: the directory of this library, wherever the loader found that. */
static bool path_of(char path[PATH_MAX])
{
	static const char here;
	const char *slash;
	Dl_info info;

	if (!dladdr(&here, &info) || !info.dli_fname)
		return false;
	slash = strrchr(info.dli_fname, '/');
	return snprintf(path, PATH_MAX, "%.*s" LIBRARY,
			slash ? (int)(slash + 1 - info.dli_fname) : 0, info.dli_fname) < PATH_MAX;
}

int unc_simulator_open(struct unc_simulator *s, struct unc_err *err)
{
	char path[PATH_MAX] = LIBRARY;
	const char *why, *version;
	int code;

	errno = 0;
	s->library = path_of(path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!s->library && errno == ENOMEM)
		return unc_fail(err, UNCORE_ENOMEM, "out of memory for the simulator");
	s->call = s->library ? dlsym(s->library, "sim_functions") : NULL;
	version = s->call ? s->call->version : NULL;
	if (version && strcmp(version, UNCORE_VERSION) == 0)
		return 0;
	if (version)
		code = unc_fail(err, UNCORE_EINVAL,
				"%s is of version %s, but libuncore of %s: install both of the "
				"same version",
				path, version, UNCORE_VERSION);
	else
		code = unc_fail(err, UNCORE_EINVAL,
				"cannot open the simulator, %s; install the one of the same build "
				"as libuncore in its directory",
				(why = dlerror()) ? why : LIBRARY);
	unc_simulator_close(s);
	return code;
}

void unc_simulator_close(struct unc_simulator *s)
{
	if (s->library)
		dlclose(s->library);
	s->library = NULL;
}
