/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.c - traffic of known size, and the resulting counts.
 *
 * A load runs on one CPU and moves a number of lines of one package's memory.  Other traffic is
 * counted for the same time, by the uncore clock, without the load and subtracted.
 */
#include "command/selftest/traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loads ---- */

/* A load that is ready to run, on a CPU of package `from` in memory of package `to`. */
static bool ready(const struct traffic *x, struct selftest_load *load, enum selftest_kernel kernel,
		  unsigned from, unsigned to)
{
	const struct selftest_traffic *made = x->t->time->traffic;

	*load = (struct selftest_load){
		.kernel = kernel, .cpu = x->at[from].first, .memory_cpu = x->at[to].first};
	return made->prepare(made->arg, load);
}

static void done(const struct traffic *x, struct selftest_load *load)
{
	const struct selftest_traffic *made = x->t->time->traffic;

	made->end(made->arg, load);
}

/* ---- counting ---- */

static int run(const struct traffic *x, struct uncore_set *set, struct selftest_load *load,
	       bool idle, int64_t *counts)
{
	const struct selftest_time *time = x->t->time;
	bool ran = true;
	int r, stopped;

	if (!idle && !time->traffic->prepare(time->traffic->arg, load))
		return NO_LOAD;
	r = uncore_set_start(set);
	if (r < 0)
		return r;
	if (idle)
		time->pass(time->arg, (unsigned)(load->ns / 1000));
	else
		ran = time->traffic->run(time->traffic->arg, load);
	stopped = uncore_set_stop(set);
	r = uncore_set_read(set, counts);
	return !ran ? NO_LOAD : stopped < 0 ? stopped : r;
}

int count_load(const struct traffic *x, struct selftest_load *load, const unsigned *ids, size_t n,
	       int64_t *counts)
{
	struct uncore_set *set = NULL;
	int r = uncore_set_create(x->t->u, &set);

	if (r == 0)
		r = uncore_set_assign(set, ids, n);
	if (r == 0)
		r = run(x, set, load, false, counts);
	uncore_set_destroy(set);
	return r;
}

/* counts: n of events, and the clock of both windows. */
static void subtract(const int64_t *with, const int64_t *idle, size_t n, double *gained)
{
	const double ratio = idle[n] > 0 ? (double)with[n] / (double)idle[n] : 1;

	for (size_t i = 0; i < n; i++)
		gained[i] = (double)with[i] - ratio * (double)idle[i];
}

int gain_of(const struct traffic *x, struct selftest_load *load, const unsigned *ids, size_t n,
	    double *gained)
{
	unsigned *all = need_memory(n + 1, sizeof(*all));
	int64_t *with = need_memory(2 * (n + 1), sizeof(*with)), *idle = with + n + 1;
	struct uncore_set *set = NULL;
	int r = uncore_event(x->t->u, "UNCORE_CLOCKTICKS", &all[n]);

	memcpy(all, ids, n * sizeof(*ids));
	if (r == 0)
		r = uncore_set_create(x->t->u, &set);
	if (r == 0)
		r = uncore_set_assign(set, all, n + 1);
	if (r == 0)
		r = run(x, set, load, false, with);
	if (r == 0)
		r = run(x, set, load, true, idle);
	if (r == 0)
		subtract(with, idle, n, gained);
	uncore_set_destroy(set);
	free(all);
	free(with);
	return r;
}

int event_of(const struct traffic *x, const char *name, unsigned package, unsigned *id)
{
	char full[UNCORE_NAME_MAX];

	snprintf(full, sizeof(full), "%s:pkg=%u", name, package);
	return uncore_event(x->t->u, full, id);
}

/* ---- report ---- */

void note_gain(struct worst_gain *w, double gained, double expected, double moved,
	       const char *where)
{
	const double apart = fabs(gained - expected) - TOLERANCE_COUNTS;
	const double difference = apart > 0 ? apart / moved : 0;

	if (*w->seen &&
	    (difference < w->difference || (difference <= w->difference && expected <= 0)))
		return;
	w->difference = difference;
	snprintf(w->seen, sizeof(w->seen), "%s counted %.0f, expected %.0f", where, gained,
		 expected);
}

/* ---- in each package ---- */

unsigned memory_of(const struct traffic *x, unsigned package, bool remote)
{
	return remote ? (package + 1) % x->packages : package;
}

static int check_one(const struct traffic *x, const struct load_check *c, unsigned package,
		     struct selftest_load *load, struct worst_gain *w)
{
	int r = ready(x, load, c->kernel, package, memory_of(x, package, c->remote)) ? 0 : NO_LOAD;

	struct worst_gain now;

	*w = (struct worst_gain){.difference = INFINITY};
	for (int i = 0;
	     r == 0 && i < TRIES && judge_by(w->difference, c->tolerance) != SELFTEST_PASS; i++) {
		r = c->look(x, load, package, c->arg, &now);
		if (r == 0 && now.difference < w->difference)
			*w = now;
	}
	done(x, load);
	return r;
}

void check_packages(const struct traffic *x, const struct load_check *c, char *what, char *expected)
{
	struct selftest_load load = {.ns = 0};
	struct worst_gain worst = {.difference = 0}, w;
	int r = 0;

	for (unsigned p = 0; r == 0 && p < x->packages; p++) {
		r = check_one(x, c, p, &load, &w);
		if (r == 0 && (!*worst.seen || w.difference > worst.difference))
			worst = w;
	}
	if (r == NO_LOAD)
		report_check(x->t, SELFTEST_SKIP, what, expected, text_of("%s", load.why));
	else if (r < 0)
		report_refusal(x->t, r, what, expected);
	else
		report_difference(x->t, worst.difference, c->tolerance, what, expected,
				  text_of("%s", worst.seen));
}
