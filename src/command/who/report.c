/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - see report.h. */
#include "command/who/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"

#define MONITORING_ERROR 0.02
/* BDF102 and SKX99: the smallest correction factor of the kernel's table is 0.55. */
#define UNCORRECTED_ERROR 0.45

/* ---- rows ---- */

double report_monitoring_error(double bytes, double total, double written, bool uncorrected)
{
	const double question = fmin(written, fmax(bytes, total - bytes));

	return MONITORING_ERROR + (bytes > 0 ? question / bytes : 0) +
	       (uncorrected ? UNCORRECTED_ERROR : 0);
}

/* The error of a rate, relative to it. */
static double doubt_of(double rate, double doubt)
{
	return rate > 0 ? doubt / rate : doubt > 0 ? INFINITY : 0;
}

static double error_of(const struct report *r, double bytes)
{
	if (r->source == SOURCE_CORES)
		return CORES_ERROR;
	if (r->source == SOURCE_PERF)
		return THREADS_ERROR;
	return report_monitoring_error(bytes, r->read + r->write, r->write, r->uncorrected);
}

/* Values that the source does not measure are unknown. */
static void add_row(struct report *r, const char *name, struct report_row row)
{
	const bool monitored = r->source == SOURCE_RESCTRL;

	row.name = name;
	row.remote = monitored ? fmax(row.bytes - row.local, 0) : (double)NAN;
	row.local = monitored ? row.local : (double)NAN;
	row.cache = r->occupancy ? row.cache : (double)NAN;
	row.joules = r->energy ? row.joules : (double)NAN;
	row.error += error_of(r, row.bytes);
	row.doubt = doubt_of(row.rate, row.doubt);
	r->rows[r->n++] = row;
}

static double mixed_error(const struct share *share)
{
	const double bytes = sum_of_packages(share->values.total);

	return bytes > 0 ? share->mixed / bytes : 0;
}

/* Owners that did nothing have no row. */
static void add_owner(struct report *r, const struct share *share)
{
	const struct share_values *v = &share->values;
	const struct report_row row = {.bytes = sum_of_packages(v->total),
				       .local = sum_of_packages(v->local),
				       .cache = sum_of_packages(v->occupancy),
				       .joules = sum_of_packages(v->joules),
				       .rate = sum_of_packages(share->rate),
				       .doubt = sum_of_packages(share->doubt),
				       .error = mixed_error(share)};

	if (row.bytes > 0 || row.cache > 0)
		add_row(r, share->owner, row);
}

static void add_package(struct report *r, const struct shares *shares, unsigned package)
{
	struct report_row row = {.bytes = 0};

	for (size_t i = 0; i < shares->n; i++) {
		const struct share_values *v = &shares->list[i].values;

		row.bytes += v->total[package];
		row.local += v->local[package];
		row.cache += v->occupancy[package];
		row.joules += v->joules[package];
		row.rate += shares->list[i].rate[package];
		row.doubt += shares->list[i].doubt[package];
	}
	snprintf(r->names[package], sizeof(r->names[package]), "package %u", package);
	add_row(r, r->names[package], row);
}

static int largest_first(const void *a, const void *b)
{
	const double x = ((const struct report_row *)a)->bytes,
		     y = ((const struct report_row *)b)->bytes;

	return (x < y) - (x > y);
}

static void add_rows(struct report *r, const struct source *s)
{
	const struct shares *shares = source_shares(s);

	r->rows = need_memory(shares->n + WHO_PACKAGES, sizeof(*r->rows));
	r->names = need_memory(WHO_PACKAGES, sizeof(*r->names));
	if (r->by == BY_SOCKET) {
		for (unsigned p = 0; p < s->memory.packages; p++)
			add_package(r, shares, p);
		return;
	}
	for (size_t i = 0; i < shares->n; i++)
		add_owner(r, &shares->list[i]);
	qsort(r->rows, r->n, sizeof(*r->rows), largest_first);
}

/* ---- the whole ---- */

/* Unknown as a whole if a part is. */
static struct memory_rate add_rates(struct memory_rate a, struct memory_rate b)
{
	return (struct memory_rate){a.rate + b.rate, a.doubt + b.doubt};
}

static void take_memory(struct report *r, const struct memory *m)
{
	r->read = sum_of_packages(m->used[MEMORY_READ]);
	r->write = sum_of_packages(m->used[MEMORY_WRITE]);
	r->devices = sum_of_packages(m->used[DEVICE_READ]) + sum_of_packages(m->used[DEVICE_WRITE]);
	r->total_rate = add_rates(m->rates[MEMORY_READ], m->rates[MEMORY_WRITE]);
	r->devices_rate = add_rates(m->rates[DEVICE_READ], m->rates[DEVICE_WRITE]);
	r->misses = m->names[DEVICE_WRITE] && strstr(m->names[DEVICE_WRITE], "_MISS_");
	r->package_joules = 1e-6 * sum_of_packages(m->used[ENERGY_PACKAGE]);
	r->dram_joules = 1e-6 * sum_of_packages(m->used[ENERGY_DRAM]);
}

static void take_stacks(struct report *r, const struct source *s)
{
	const struct memory *m = &s->memory;

	r->stacks = need_memory(m->n_stacks, sizeof(*r->stacks));
	for (size_t i = 0; i < m->n_stacks; i++) {
		const struct memory_stack *stack = &m->stacks[i];

		if (!(stack->read <= 0 && stack->write <= 0))
			r->stacks[r->n_stacks++] =
				(struct report_stack){.package = stack->package,
						      .box = stack->box,
						      .part = stack->part,
						      .estimate = stack->estimate,
						      .read = stack->read,
						      .write = stack->write,
						      .read_error = stack->read_error,
						      .write_error = stack->write_error,
						      .seconds = stack->seconds,
						      .names = stack->devices};
	}
}

/* Uncertainties add up. */
static void leave(struct memory_rate *left, struct memory_rate part)
{
	if (isnan(part.rate))
		return;
	left->rate -= part.rate;
	left->doubt += part.doubt;
}

/* All counts of an interval, or all rates; part: that of a row. */
struct account {
	struct memory_rate total, writes, devices, device_writes;
	struct memory_rate (*part)(const struct report_row *row);
};

static struct memory_rate bytes_of_row(const struct report_row *row)
{
	return (struct memory_rate){row->bytes, 0};
}

static struct memory_rate rate_of_row(const struct report_row *row)
{
	return (struct memory_rate){row->rate, row->rate > 0 ? row->doubt * row->rate : 0};
}

/* Cores do not filter write-backs, so all writes that devices did not cause are left. */
static struct memory_rate undivided_of(const struct report *r, const struct account *a)
{
	struct memory_rate left = a->writes;

	if (r->source == SOURCE_RESCTRL)
		return (struct memory_rate){(double)NAN, (double)NAN};
	leave(&left, a->device_writes);
	left.rate = fmax(left.rate, 0);
	return left;
}

static struct memory_rate unexplained_of(const struct report *r, const struct account *a)
{
	struct memory_rate left = a->total;

	leave(&left, undivided_of(r, a));
	leave(&left, a->devices);
	for (size_t i = 0; i < r->n; i++)
		leave(&left, a->part(&r->rows[i]));
	return left;
}

static void explain(struct report *r, const struct memory *m)
{
	const struct account rates = {r->total_rate, m->rates[MEMORY_WRITE], r->devices_rate,
				      m->rates[DEVICE_WRITE], rate_of_row};
	const struct account bytes = {{r->read + r->write, 0},
				      {r->write, 0},
				      {r->devices, 0},
				      {sum_of_packages(m->used[DEVICE_WRITE]), 0},
				      bytes_of_row};

	r->undivided_rate = undivided_of(r, &rates);
	r->unexplained_rate = unexplained_of(r, &rates);
	r->undivided = undivided_of(r, &bytes).rate;
	r->unexplained = unexplained_of(r, &bytes).rate;
}

/*
 * An owner moves no more than the memory controllers count: its time may be less certain than that.
 * The source's error does not exceed it.
 */
static void bound_doubts(struct report *r)
{
	const double all = r->total_rate.rate + r->total_rate.doubt;

	for (size_t i = 0; i < r->n; i++) {
		struct report_row *row = &r->rows[i];
		const double most = doubt_of(row->rate, fmax(row->rate, all - row->rate));

		if (isfinite(row->doubt) && isfinite(most))
			row->doubt = fmin(row->doubt, fmax(most - row->error, 0));
	}
}

/* Rates without an error are not shown. */
static bool is_too_short(const struct report *r)
{
	bool withheld = isinf(r->total_rate.doubt) || isinf(r->devices_rate.doubt);

	for (size_t i = 0; i < r->n; i++)
		withheld |= isinf(r->rows[i].doubt);
	return withheld;
}

void report_new(struct report *r, const struct source *s)
{
	const bool monitored = s->kind == SOURCE_RESCTRL;
	const struct monitor *m = &s->monitor;

	*r = (struct report){.source = s->kind,
			     .by = s->by,
			     .seconds = s->seconds,
			     .ungrouped = monitored ? m->ungrouped : s->threads.ungrouped,
			     .error = monitored ? m->error : s->threads.error,
			     .starved = monitored ? 0 : s->threads.starved,
			     .lost = m->lost,
			     .unread = m->unread,
			     .uncorrected = monitored && m->resctrl.uncorrected,
			     .occupancy = monitored && m->resctrl.occupancy,
			     .energy = monitored && m->resctrl.energy};
	take_memory(r, &s->memory);
	take_stacks(r, s);
	add_rows(r, s);
	explain(r, &s->memory);
	bound_doubts(r);
}

void report_free(struct report *r)
{
	free(r->stacks);
	free(r->rows);
	free(r->names);
}

/* ---- notes ---- */

static char *source_note(enum source_kind source)
{
	switch (source) {
	case SOURCE_RESCTRL:
		return text_of("A line that is written back counts for the owner whose miss evicts "
			       "it: the errors include all writes that may be another owner's.");
	case SOURCE_CORES:
		return text_of("Reads are those that missed the last-level cache, by core: "
			       "prefetches into it are unexplained, and writes are not divided.");
	default:
		return text_of("Reads are misses of the last-level cache: lines that the hardware "
			       "prefetches are unexplained, and writes are not divided.");
	}
}

static char *ungrouped_note(const struct report *r)
{
	if (!r->ungrouped)
		return NULL;
	if (r->source == SOURCE_PERF)
		return text_of("%u threads could not be counted: %s.", r->ungrouped,
			       strerror(r->error));
	return text_of("%u owners are in the row %s: %s.", r->ungrouped, OWNER_OTHERS,
		       r->error == ENOSPC
			       ? "all monitoring IDs are used; choose larger owners with --by"
			       : strerror(r->error));
}

char *report_note(const struct report *r, unsigned i)
{
	char *notes[] = {
		source_note(r->source),
		r->uncorrected ? text_of("This kernel does not correct the bandwidth that the "
					 "processor monitors (BDF102, SKX99): use Linux 5.11 or "
					 "later.")
			       : NULL,
		ungrouped_note(r),
		r->starved ? text_of("%u threads were not counted: others used the counters of "
				     "their CPUs while they ran; their reads are unexplained.",
				     r->starved)
			   : NULL,
		r->lost ? text_of("%u monitoring groups were removed by another program: their "
				  "traffic is in the row unexplained.",
				  r->lost)
			: NULL,
		r->unread ? text_of("%u monitoring groups could not be read: their traffic is in "
				    "the row unexplained.",
				    r->unread)
			  : NULL,
		isnan(r->devices) ? text_of("Traffic of devices cannot be counted here: it is in "
					    "the row unexplained.")
				  : NULL,
		is_too_short(r) ? text_of("Rates are not shown (-) where a quarter of the time in "
					  "which they were counted is uncertain: choose a longer "
					  "interval with -I.")
				: NULL,
		!isnan(r->devices) && !r->misses
			? text_of("Traffic of devices that the last-level cache serves is "
				  "included in their row.")
			: NULL,
	};
	char *found = NULL;
	unsigned k = 0;

	for (size_t n = 0; n < sizeof(notes) / sizeof(*notes); n++) {
		if (notes[n] && k++ == i)
			found = notes[n];
		else
			free(notes[n]);
	}
	return found;
}
