/* SPDX-License-Identifier: BSD-3-Clause */
/* mean.h - the mean of several runs and its standard error. */
#ifndef COMMAND_MEAN_H
#define COMMAND_MEAN_H

/* All zeros before the first run. */
struct mean {
	unsigned n;
	double mean;
	double squares; /* sum of the squared distances from the mean */
};

/* Add a run; NaN is ignored. */
void mean_add(struct mean *m, double value);

/*
 * Standard deviation of the mean (that of the runs, divided by the root of their number) in percent
 * of the mean, as perf stat prints it after "+-"; NaN with fewer than two runs.
 */
double mean_deviation(const struct mean *m);

#endif
