/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * silence.c - boxes in which the driver counts nothing: it keeps a PMU whose box it could not
 * initialize, and its events read 0 (docs/reference/differences.md).
 */
#include <stdio.h>
#include <time.h>

#include "backend/kernel/perf.h"
#include "hw/sysfs.h"

#define TRIES   100
#define WAIT_NS 100000

bool unc_perf_counts(const struct unc_perf_event *event)
{
	const struct timespec wait = {.tv_nsec = WAIT_NS};
	const int fd = unc_perf_group_add(-1, event);
	struct unc_perf_group is = {.n = 0};
	bool counts = fd < 0 || unc_perf_group_enable(fd, true) < 0;

	for (int i = 0; !counts && i < TRIES; i++) {
		nanosleep(&wait, NULL);
		counts = unc_perf_group_read(fd, 1, &is) < 0 || is.counts[0] > 0;
	}
	if (fd >= 0)
		unc_perf_close(fd);
	return counts;
}

/* The clock of a box as the driver describes it: "event=0xff,umask=0x00". */
static bool find_clock(const struct unc_machine *m, const char *root, const struct unc_box *box,
		       struct unc_perf_event *e)
{
	unsigned event, umask = 0;
	char text[64];

	if (unc_perf_pmu(m, root, box, e, NULL) < 0 ||
	    !unc_read_word(text, sizeof(text), root,
			   "sys/bus/event_source/devices/%s/events/clockticks", e->pmu) ||
	    sscanf(text, "event=%x,umask=%x", &event, &umask) < 1 || event > 0xff || umask > 0xff)
		return false;
	e->config[0] = event | umask << 8;
	return true;
}

bool unc_perf_silent(const struct unc_machine *machine, const char *root, const struct unc_box *box)
{
	struct unc_perf_event clock;

	return find_clock(machine, root, box, &clock) && !unc_perf_counts(&clock);
}
