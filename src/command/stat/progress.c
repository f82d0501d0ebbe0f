/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - see progress.h. */
#include "progress.h"

#include <math.h>
#include <stdio.h>

#define LONG_RUN 10 /* seconds after which progress is shown */

double progress_next(const struct progress *p, double t)
{
	return p->wanted ? fmax(floor(t) + 1, LONG_RUN) : INFINITY;
}

/* ECMA-48: erase the line from the cursor on. */
#define ERASE "\r\033[K"

void progress_show(struct progress *p, double t)
{
	if (!p->wanted || t < LONG_RUN)
		return;
	fputs(ERASE, stderr);
	if (p->runs)
		fprintf(stderr, "run %u of %u, ", p->run, p->runs);
	fprintf(stderr, "%.0f s", floor(t));
	if (p->duration > 0)
		fprintf(stderr, " of %.10g s", p->duration);
	fflush(stderr);
	p->shown = true;
}

void progress_erase(struct progress *p)
{
	if (!p->shown)
		return;
	fputs(ERASE, stderr);
	fflush(stderr);
	p->shown = false;
}
