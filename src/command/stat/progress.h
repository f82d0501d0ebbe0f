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

/* The next update, in seconds since the start. */
double progress_next(const struct progress *p, double t);
/* Show or update the progress t seconds after the start. */
void progress_show(struct progress *p, double t);
/* Erase the line before anything else is printed. */
void progress_erase(struct progress *p);

#endif
