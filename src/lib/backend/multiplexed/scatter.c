/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter.c - how much the windows of an event differ, and so the accuracy of its estimate.
 *
 * Until its next window an event is assumed to have the rate of the last one, so the estimate
 * is a mean of n rates, and its standard error is s / sqrt(n), where s is the standard
 * deviation of the rates, less the part that was counted and not estimated. `noise` is the
 * square of the relative error for one nanosecond of windows; divided by the time that a set
 * has been running it is that of the set.
 */
#include "backend/multiplexed/mux.h"

double unc_root(double square)
{
	double root = square > 1 ? square : 1, next;

	if (!(square > 0))
		return 0;
	while ((next = (root + square / root) / 2) < root)
		root = next;
	return root;
}

void unc_scatter_add(struct unc_scatter *s, double count, double length, bool known)
{
	if (!(length > 0))
		return;
	if (!known) {
		s->doubted_c += count;
		s->doubted_l += length;
		return;
	}
	s->n++;
	s->c += count;
	s->l += length;
	s->r += count / length;
	s->rr += count / length * (count / length);
}

double unc_scatter_noise(const struct unc_scatter *s)
{
	const double rate = s->l > 0 ? s->c / s->l : 0;
	const double squares = s->rr - 2 * rate * s->r + s->n * rate * rate;

	if (s->n < 1)
		return UNCORE_ERROR_NO_WINDOW;
	if (s->n < 2)
		return UNCORE_ERROR_UNKNOWN;
	return squares > 0 && rate > 0 ? squares / (s->n - 1) / (rate * rate) * s->l / s->n : 0;
}

double unc_error_of(const struct unc_times *t, double noise)
{
	const double running = (double)t->running_ns, enabled = (double)t->enabled_ns;

	if (running >= enabled)
		return 0;
	if (noise < 0 || !(running > 0))
		return noise < 0 ? noise : UNCORE_ERROR_NO_WINDOW;
	return (double)t->count * enabled / running *
	       unc_root(noise / running * (1 - running / enabled));
}
