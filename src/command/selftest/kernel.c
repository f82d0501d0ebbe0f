/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.c - see kernel.h. */
#include "command/selftest/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void keep_text(char **first, char *text)
{
	if (*first)
		free(text);
	else
		*first = text;
}

char *place_text(const struct both *b)
{
	char name[BOX_NAME];

	return text_of("%s of package %u", box_name(name, b->box->kind, b->box->index),
		       b->box->package);
}

int open_in_kernel(struct comparison *s, const struct both *b)
{
	const uint64_t config[UNC_PERF_WORDS] = {b->perf.config, b->perf.config1, b->perf.config2};
	const int fd = unc_perf_open(b->perf.type, config, b->perf.cpu);

	if (fd == -EACCES || fd == -EPERM)
		keep_text(&s->skipped,
			  text_of("perf is not permitted: run as root or with CAP_PERFMON, or "
				  "set sysctl kernel.perf_event_paranoid=0"));
	else if (fd < 0)
		keep_text(&s->skipped,
			  text_of("%s: perf_event_open: %s", b->perf.pmu, strerror(-fd)));
	return fd;
}
