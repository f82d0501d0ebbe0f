/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.c - see channel.h. */
#include "command/base/channel.h"

#include <string.h>

bool counts_channels(struct uncore *u, unsigned id)
{
	static const char *const names[] = {"UNCORE_MEM_", "UNCORE_DRAM_", "UNCORE_PMEM_",
					    "UNCORE_HBM_", "UNCORE_MCDRAM_"};
	static const char *const kinds[] = {"imc", "hbm", "edc_eclk", "mbox"};
	struct uncore_event_info info = {.size = sizeof(info)};

	if (uncore_event_info(u, id, &info) < 0)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(info.name, names[i], strlen(names[i])) == 0)
			return true;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(info.kind, kinds[i]) == 0)
			return true;
	return false;
}
