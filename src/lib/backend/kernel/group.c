/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c - groups of events that the kernel counts together. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/kernel/perf.h"
#include "base/files.h"

int unc_perf_group_add(int leader, const struct unc_perf_event *e)
{
	struct perf_event_attr attr = {
		.type = e->type,
		.size = sizeof(attr),
		.config = e->config[0],
		.config1 = e->config[1],
		.config2 = e->config[2],
		.pinned = leader < 0,
		.disabled = leader < 0,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	const int fd = unc_off_standard((int)syscall(SYS_perf_event_open, &attr, -1, (int)e->cpu,
						     leader, PERF_FLAG_FD_CLOEXEC));

	return fd < 0 ? -errno : fd;
}

int unc_perf_group_enable(int leader, bool on)
{
	const unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

	return ioctl(leader, request, PERF_IOC_FLAG_GROUP) < 0 ? -errno : 0;
}

/* Reading a pinned group that has no counters returns end of file: perf_event_open(2). */
int unc_perf_group_read(int leader, unsigned n, struct unc_perf_group *group)
{
	const ssize_t expected = (ssize_t)((3 + n) * sizeof(uint64_t));
	ssize_t got;

	do
		got = read(leader, group, sizeof(*group));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if (got == 0)
		return -EBUSY;
	return got == expected && group->n == n ? 0 : -EIO;
}
