/* SPDX-License-Identifier: BSD-3-Clause */
/* microhttpd.c - see microhttpd.h. */
#include "command/exporter/microhttpd.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define ENTRY(function) {#function, offsetof(struct microhttpd, to_##function)},
	MICROHTTPD_FUNCTIONS(ENTRY)
#undef ENTRY
};

const char *microhttpd_open(struct microhttpd *library)
{
	void *found = dlopen(UNCORE_MICROHTTPD, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; found && i < sizeof(functions) / sizeof(*functions); i++) {
		void *address = dlsym(found, functions[i].name);

		if (!address)
			return dlerror();
		memcpy((char *)library + functions[i].offset, &address, sizeof(address));
	}
	return found ? NULL : dlerror();
}
