/* SPDX-License-Identifier: BSD-3-Clause */
/* window.c - see window.h. */
#include "command/base/window.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/sysfs.h"
#include "command/base/root.h"
#include "uncore.h"

#define BUSY_WINDOW    100000  /* us, of up to two processes for each processor */
#define LONGEST_WINDOW 1000000 /* us */
#define LOOKS          3       /* processes that run for a moment are not a load */

/* "0.75 0.70 0.66 3/512 4711": this process is one of the three. */
static double read_load(void)
{
	double minute, running;
	char text[128];

	if (!unc_read_line(text, sizeof(text), files_root(), "/proc/loadavg") ||
	    sscanf(text, "%lf %*f %*f %lf/", &minute, &running) != 2)
		return 0;
	return fmax(minute, running - 1);
}

double load_of_computer(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	double load = read_load();

	for (int i = 1; i < LOOKS; i++) {
		nanosleep(&moment, NULL);
		load = fmin(load, read_load());
	}
	return load;
}

unsigned window_for_load(double load, double processors, double seconds)
{
	double window = UNCORE_MULTIPLEX_US;

	if (load >= processors)
		window = fmin(BUSY_WINDOW * fmax(1, load / processors / 2), LONGEST_WINDOW);
	if (seconds > 0)
		window = fmin(window, 1e6 * seconds / 10);
	return (unsigned)fmax(window, UNCORE_MULTIPLEX_US);
}

double doubt_of_lengths(double windows)
{
	return LENGTH_DOUBT / UNIFORM / sqrt(sqrt(fmax(windows, 1)));
}
