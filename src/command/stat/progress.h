/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - a progress line for long runs on a terminal. */
#ifndef UNC_TOOLS_PROGRESS_H
#define UNC_TOOLS_PROGRESS_H

#include <stdbool.h>

struct progress {
	bool wanted, shown;
	unsigned run, runs; /* 0: there is only one */
	double duration;    /* seconds; 0: unknown */
};

/* Until then, in seconds since the start, nothing is to be done. */
double progress_next(const struct progress *p, double t);
/* t seconds after the start: show it, or how far it is now. */
void progress_show(struct progress *p, double t);
/* Before anything else is printed. */
void progress_erase(struct progress *p);

#endif
