/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - a line that tells how far a long run has come, where somebody sees it. */
#ifndef UNC_TOOLS_PROGRESS_H
#define UNC_TOOLS_PROGRESS_H

#include <stdbool.h>

struct progress {
	bool wanted, shown;
	unsigned run, runs; /* 0: there is only one */
	double duration;    /* seconds; 0: nobody knows */
};

/* Until then, in seconds since the start, nothing is to be done. */
double progress_next(const struct progress *p, double t);
/* t seconds after the start: show it, or how far it is now. */
void progress_show(struct progress *p, double t);
/* Before anything else is printed. */
void progress_erase(struct progress *p);

#endif
