/* SPDX-License-Identifier: BSD-3-Clause */
/* counters.c - see counters.h. */
#include "command/roofline/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command/base/text.h"

#define MOMENT 20000 /* rounds of a loop, some microseconds */

/* Only user code: each user may count his own programs up to perf_event_paranoid 2. */
static int open_event(uint64_t config, bool programs)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_RAW,
				       .size = sizeof(attr),
				       .config = config,
				       .disabled = 1,
				       .inherit = programs,
				       .enable_on_exec = programs,
				       .exclude_kernel = 1,
				       .exclude_hv = 1,
				       .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
						      PERF_FORMAT_TOTAL_TIME_RUNNING};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_all(struct core_counter *counters, size_t n, bool programs)
{
	for (size_t i = 0; i < n; i++)
		counters[i] = (struct core_counter){.config = counters[i].config, .fd = -1};
	for (size_t i = 0; i < n; i++) {
		counters[i].fd = open_event(counters[i].config, programs);
		if (counters[i].fd < 0) {
			const int error = counters[i].fd;

			counters_close(counters, i);
			return error;
		}
	}
	return 0;
}

int counters_open(struct core_counter *counters, size_t n)
{
	return open_all(counters, n, true);
}

static bool read_counter(struct core_counter *c)
{
	struct {
		uint64_t value, enabled, running;
	} now;

	if (read(c->fd, &now, sizeof(now)) != sizeof(now))
		return false;
	c->count = (double)now.value;
	c->whole = now.running == now.enabled;
	return true;
}

bool counters_read(struct core_counter *counters, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!read_counter(&counters[i]))
			return false;
	return true;
}

void counters_close(struct core_counter *counters, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (counters[i].fd >= 0)
			close(counters[i].fd);
		counters[i].fd = -1;
	}
}

int counters_fit(struct core_counter *counters, size_t n)
{
	int result = open_all(counters, n, false);

	if (result < 0)
		return result;
	for (size_t i = 0; i < n; i++)
		ioctl(counters[i].fd, PERF_EVENT_IOC_ENABLE, 0);
	for (volatile unsigned i = 0; i < MOMENT; i++)
		;
	result = counters_read(counters, n) ? 1 : -EIO;
	for (size_t i = 0; i < n; i++)
		result = result == 1 && !counters[i].whole ? 0 : result;
	counters_close(counters, n);
	return result;
}

static int paranoid(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level = 0;

	if (file && fscanf(file, "%d", &level) != 1)
		level = 0;
	if (file)
		fclose(file);
	return level;
}

char *counters_why(int error)
{
	if ((error == EACCES || error == EPERM) && paranoid() > 2)
		return text_of("kernel.perf_event_paranoid is %d: set it to 2 (sysctl "
			       "kernel.perf_event_paranoid=2), or run as root",
			       paranoid());
	if (error == EACCES || error == EPERM)
		return text_of("the kernel does not permit it: run outside of a container that "
			       "filters perf_event_open, or as root");
	if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV)
		return text_of("the kernel has no counters of the cores here: a virtual machine "
			       "requires a virtual PMU");
	if (error == ENOSYS)
		return text_of("the kernel has no perf_event_open");
	return text_of("perf_event_open: %s", strerror(error));
}
