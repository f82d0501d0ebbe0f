/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    library.c
 * @ingroup papi_components
 * @brief   Opens libuncore at run time, so that libpapi does not need it.
 *
 * The library stays open: its threads and PAPI's event sets may outlive PAPI_shutdown().
 */
#include "library.h"

#ifdef UNCORE_THIN

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libuncore.so.0"
#define ROOT    "PAPI_UNCORE_ROOT"

struct uncore_library _uncore_library;

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define UNCORE_ENTRY(function) {#function, offsetof(struct uncore_library, to_##function)},
	UNCORE_FUNCTIONS(UNCORE_ENTRY)
#undef UNCORE_ENTRY
};

/* The directory of an installation, or of the library itself. */
static void *open_below(const char *root)
{
	static const char *const directories[] = {"lib", "lib64", "."};
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s/%s", root, directories[i], LIBRARY);
		if (access(path, F_OK) == 0)
			return dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	return NULL;
}

/* Tell a library that is missing from one that lacks something itself. */
static int fail_to_open(const char *root, char *why, size_t len)
{
	const char *error = dlerror();

	if (root && !error)
		snprintf(why, len, "no " LIBRARY " in " ROOT "=%.60s: set it to where libuncore is",
			 root);
	else if (!root && strncmp(error, LIBRARY ":", sizeof(LIBRARY)) == 0)
		snprintf(why, len,
			 LIBRARY " not found: install libuncore0, or set " ROOT
				 " to its directory");
	else
		snprintf(why, len, "cannot open " LIBRARY ": %s", error);
	return -1;
}

static int fail_to_find(void *library, const char *function, char *why, size_t len)
{
	const char *(*version)(void) = (const char *(*)(void))dlsym(library, "uncore_version");

	snprintf(why, len, LIBRARY " of version %.20s is too old, it lacks %s: install a newer one",
		 version ? version() : "0", function);
	dlclose(library);
	return -1;
}

int _uncore_library_open(char *why, size_t len)
{
	const char *root = secure_getenv(ROOT); /* not of a privileged program */
	struct uncore_library found;
	void *library, *address;
	size_t i;

	if (_uncore_library.to_uncore_open)
		return 0;
	root = root && *root ? root : NULL;
	dlerror();
	library = root ? open_below(root) : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return fail_to_open(root, why, len);
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		address = dlsym(library, functions[i].name);
		if (!address)
			return fail_to_find(library, functions[i].name, why, len);
		memcpy((char *)&found + functions[i].offset, &address, sizeof(address));
	}
	_uncore_library = found;
	return 0;
}

#else

int _uncore_library_open(char *why, size_t len)
{
	(void)why;
	(void)len;
	return 0;
}

#endif
