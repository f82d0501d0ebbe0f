/* SPDX-License-Identifier: BSD-3-Clause */
/* counter.c - a counter of the kernel. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/kernel/perf.h"
#include "base/files.h"

int unc_perf_open(uint32_t type, const uint64_t config[UNC_PERF_WORDS], unsigned cpu)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config[0],
		.config1 = config[1],
		.config2 = config[2],
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	const int fd = unc_off_standard(
		(int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC));

	return fd < 0 ? -errno : fd;
}

int unc_perf_read(int fd, struct unc_perf_count *count)
{
	ssize_t n;

	do
		n = read(fd, count, sizeof(*count));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return n == (ssize_t)sizeof(*count) ? 0 : -EIO;
}

void unc_perf_close(int fd)
{
	close(fd);
}
