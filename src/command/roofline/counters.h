/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counters.h - core events of a program and its children, by the kernel (perf_event_open(2)).
 * Nothing is ever scaled: an event counts for the whole time, or is refused.
 */
#ifndef ROOFLINE_COUNTERS_H
#define ROOFLINE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct core_counter {
	uint64_t config; /* event select and umask, PERF_TYPE_RAW */
	int fd;          /* -1: closed */
	double count;    /* at the last reading */
	bool whole;      /* it counted whenever the program ran */
};

/*
 * Whether these fit the counters that are free now, by counting this thread for a moment.  Returns
 * 1, 0 or a negative errno.
 */
int counters_fit(struct core_counter *counters, size_t n);

/*
 * Open them for the programs that this thread starts, which they count from exec() on, with their
 * children.  0 or a negative errno.
 */
int counters_open(struct core_counter *counters, size_t n);
/* Read all; false: one cannot be read. */
bool counters_read(struct core_counter *counters, size_t n);
void counters_close(struct core_counter *counters, size_t n);

/* The cause of an errno of these functions and the remedy, to be freed. */
char *counters_why(int error);

#ifdef __cplusplus
}
#endif
#endif
