/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_counts.c - the same event in the same boxes, counted by the kernel driver and by the
 * library at the same time.
 *
 * The library starts first on the highest counter of a box; the driver uses the lowest one and
 * freezes the box for both meanwhile.  Each read of the kernel's count lies between two of ours,
 * which bounds the difference.
 */
#include <math.h>
#include <stdlib.h>

#include "command/selftest/kernel.h"

#define WINDOW_MAX_US 5000000 /* upper limit for windows, which are extended if reads are slow */
#define READINGS      8 /* the closest one is used: the process may be preempted during others */

static int start_ours(struct testee *t, struct both *b)
{
	int r = uncore_set_create(t->u, &b->set);

	if (r == 0)
		r = uncore_set_assign(b->set, &b->id, 1);
	return r == 0 ? uncore_set_start(b->set) : r;
}

static int sample_once(const struct both *b, int64_t ours[2], struct unc_perf_count *kernels)
{
	int r = uncore_set_read(b->set, &ours[0]);

	if (r == 0 && unc_perf_read(b->fd, kernels) < 0)
		r = UNCORE_EIO;
	return r == 0 ? uncore_set_read(b->set, &ours[1]) : r;
}

static int sample(const struct both *b, int64_t ours[2], struct unc_perf_count *kernels)
{
	struct unc_perf_count count;
	int64_t between[2];
	int r = sample_once(b, ours, kernels);

	for (int i = 1; r == 0 && i < READINGS; i++) {
		r = sample_once(b, between, &count);
		if (r < 0 || between[1] - between[0] >= ours[1] - ours[0])
			continue;
		ours[0] = between[0];
		ours[1] = between[1];
		*kernels = count;
	}
	return r;
}

static bool goes_on(const struct comparison *s)
{
	return s->code == 0 && !s->skipped;
}

static void start(struct comparison *s)
{
	for (size_t i = 0; goes_on(s) && i < s->n; i++) {
		struct both *b = &s->at[i];

		s->code = start_ours(s->t, b);
		if (s->code == 0)
			b->fd = open_in_kernel(s, b);
	}
}

/* Stop the library last: it reports whether the kernel took our counter. */
static void stop(struct comparison *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct both *b = &s->at[i];
		int r = 0;

		if (b->fd >= 0) {
			unc_perf_close(b->fd);
			r = uncore_set_stop(b->set);
		}
		s->code = s->code ? s->code : r;
		uncore_set_destroy(b->set);
		b->set = NULL;
		b->fd = -1;
	}
}

static void count_both(struct comparison *s, unsigned us)
{
	start(s);
	for (size_t i = 0; goes_on(s) && i < s->n; i++)
		s->code = sample(&s->at[i], s->at[i].before, &s->at[i].then);
	if (goes_on(s))
		s->t->time->pass(s->t->time->arg, us);
	for (size_t i = 0; goes_on(s) && i < s->n; i++)
		s->code = sample(&s->at[i], s->at[i].after, &s->at[i].now);
	stop(s);
}

/* The counts of a box, their difference, and its uncertainty. */
struct apart {
	double kernels, ours, difference, unsure;
};

static struct apart apart_of(const struct both *b)
{
	const double least = (double)(b->after[0] - b->before[1]);
	const double most = (double)(b->after[1] - b->before[0]);
	struct apart a = {.kernels = (double)(b->now.count - b->then.count),
			  .ours = (least + most) / 2};

	a.difference = difference_of(a.kernels, fmin(fmax(a.kernels, least), most));
	a.unsure = difference_of(most, least) / 2;
	return a;
}

/* The largest difference, its box, and the largest uncertainty. */
static struct apart worst_of(struct comparison *s, const struct both **where)
{
	struct apart worst = {.difference = -1};
	double unsure = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct both *b = &s->at[i];
		const struct apart a = apart_of(b);

		if (b->now.running - b->then.running != b->now.enabled - b->then.enabled)
			keep_text(&s->skipped, text_of("the kernel multiplexed the counter with "
						       "other events"));
		unsure = fmax(unsure, a.unsure);
		if (a.difference > worst.difference) {
			worst = a;
			*where = b;
		}
	}
	worst.unsure = unsure;
	return worst;
}

static enum selftest_state judge_both(const struct apart *a)
{
	return a->difference <= TOLERANCE && a->unsure > TOLERANCE ? SELFTEST_WARN
								   : judge(a->difference);
}

/* On a busy computer, a difference within the noise is not a failure. */
static enum selftest_state busy_or(struct testee *t, enum selftest_state state, double difference)
{
	return verdict(t, difference, TOLERANCE) == SELFTEST_BUSY ? SELFTEST_BUSY : state;
}

/* The kernel must use a counter other than ours. */
static bool have_counters(struct comparison *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->at[i].kernels < 0 || s->at[i].kernels == s->at[i].ours) {
			keep_text(&s->skipped,
				  text_of("the kernel would use the same counter as this library"));
			return false;
		}
	return s->n > 0;
}

/* A window in which the uncertainty is half of the tolerance. */
static unsigned longer(unsigned us, double unsure)
{
	const double wanted = us * fmax(1, 2 * unsure / TOLERANCE);

	return wanted < WINDOW_MAX_US ? (unsigned)wanted : WINDOW_MAX_US;
}

enum selftest_state compare_counts(struct comparison *s, char **text)
{
	struct apart worst = {.difference = 1};
	const struct both *where = NULL;
	unsigned us = WINDOW_US;
	char *place;

	for (int i = 0;
	     i < TRIES && have_counters(s) && goes_on(s) && judge_both(&worst) != SELFTEST_PASS;
	     i++) {
		count_both(s, us);
		if (goes_on(s))
			worst = worst_of(s, &where);
		us = longer(us, worst.unsure);
	}
	*text = NULL;
	if (!goes_on(s) || !where)
		return SELFTEST_SKIP;
	place = place_text(where);
	*text = text_of("%s: kernel %.0f, this library %.0f; difference %.2f %%, known to %.2f %%",
			place, worst.kernels, worst.ours, 100 * worst.difference,
			100 * worst.unsure);
	free(place);
	return judge_both(&worst) == SELFTEST_PASS
		       ? SELFTEST_PASS
		       : busy_or(s->t, judge_both(&worst), worst.difference);
}
