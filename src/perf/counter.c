/* SPDX-License-Identifier: BSD-3-Clause */
/* counter.c - a counter that the kernel keeps. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf/perf.h"

/* A descriptor that is not standard input, output or error; see files.h. */
static int off_standard(int fd)
{
	int other;

	if (fd > STDERR_FILENO)
		return fd;
	other = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (other < 0)
		other = -errno;
	close(fd);
	return other;
}

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
	const long fd = syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : off_standard((int)fd);
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
