/* SPDX-License-Identifier: BSD-3-Clause */
/* roofline.c - count by run and by interval; see roofline.h. */
#include "command/roofline/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/rate.h"
#include "command/tools.h"

const char *const roofline_traffic[] = {"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES",
					"UNCORE_HBM_READ_BYTES", "UNCORE_HBM_WRITE_BYTES", NULL};

/* ---- events ---- */

static int add_event(struct roofline *r, struct uncore *u, unsigned precision, unsigned width)
{
	const struct operation_event *event = &r->events->of[precision][width];
	uint64_t config;
	int code;

	if (!event->name)
		return TOOL_OK;
	code = uncore_core_event(u, event->name, &config);
	if (code < 0)
		return report(u, code);
	r->counters[r->n] = (struct core_counter){.config = config, .fd = -1};
	r->precision_of[r->n] = (unsigned char)precision;
	r->width_of[r->n++] = (unsigned char)width;
	return TOOL_OK;
}

static int add_events(struct roofline *r, struct uncore *u)
{
	int status = TOOL_OK;

	for (unsigned p = 0; p < PRECISIONS; p++)
		for (unsigned w = 0; w < WIDTHS && r->precision[p] && status == TOOL_OK; w++)
			status = add_event(r, u, p, w);
	return status;
}

/* The counters of a run. */
static struct core_counter *part_of_run(struct roofline *r, unsigned run, size_t *n)
{
	const size_t first = r->n * run / r->runs;

	*n = r->n * (run + 1) / r->runs - first;
	return &r->counters[first];
}

/* All in one run, or else a half in each of two.  1, 0 or a negative errno. */
static int find_runs(struct roofline *r)
{
	int fit = 0;

	for (r->runs = 1; fit == 0 && r->runs <= ROOFLINE_RUNS; r->runs++) {
		fit = 1;
		for (unsigned run = 0; fit == 1 && run < r->runs; run++) {
			size_t n;
			struct core_counter *part = part_of_run(r, run, &n);

			fit = counters_fit(part, n);
		}
	}
	r->runs--;
	return fit;
}

static int say_error(int error)
{
	char *why = counters_why(-error);

	say("cannot count the operations of the program: %s", why);
	free(why);
	return TOOL_FAILED;
}

int roofline_prepare(struct roofline *r, struct uncore *u)
{
	struct uncore_machine_info m = {.size = sizeof(m)};
	const char *why;
	int fit;

	uncore_machine(u, &m);
	r->events = operation_events(m.platform, &why);
	if (!r->events) {
		say("cannot count the operations of the program: %s", why);
		return TOOL_WRONG;
	}
	if (m.simulated)
		say("SIMULATED: operations are what this computer counts by the codes of the "
		    "simulated processor");
	if (add_events(r, u) != TOOL_OK)
		return TOOL_FAILED;
	fit = find_runs(r);
	if (fit < 0)
		return say_error(fit);
	if (fit == 0) {
		say("cannot count the operations of the program: other programs or the NMI watchdog "
		    "use the counters of the cores; end them (sysctl kernel.nmi_watchdog=0)");
		return TOOL_BUSY;
	}
	if (r->runs > 1)
		say("the program runs twice: its %zu events need more counters than are free",
		    r->n);
	return TOOL_OK;
}

/* ---- a run ---- */

int roofline_start(struct roofline *r)
{
	size_t n;
	struct core_counter *part = part_of_run(r, r->run, &n);
	const int error = counters_open(part, n);

	if (error < 0)
		return say_error(error);
	if (!r->marked && r->runs == 1)
		marks_open(&r->marks);
	r->marked = r->runs == 1;
	return TOOL_OK;
}

/* Of the counters of this run, up to now; false: one cannot be read. */
static bool read_operations(struct roofline *r, double operations[PRECISIONS])
{
	size_t n;
	struct core_counter *part = part_of_run(r, r->run, &n);
	const size_t first = (size_t)(part - r->counters);

	if (!counters_read(part, n))
		return false;
	for (enum precision p = 0; p < PRECISIONS; p++)
		operations[p] = 0;
	for (size_t i = first; i < first + n; i++)
		operations[r->precision_of[i]] += operations_of(
			&r->events->of[r->precision_of[i]][r->width_of[i]], r->counters[i].count);
	return true;
}

void roofline_interval(struct roofline *r, const struct roofline_part *part)
{
	double operations[PRECISIONS];
	struct roofline_part *at;

	if (r->runs > 1 || !read_operations(r, operations))
		return;
	if (r->n_intervals == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->intervals = need_more(r->intervals, r->room, sizeof(*r->intervals));
	}
	at = &r->intervals[r->n_intervals++];
	*at = *part;
	for (enum precision p = 0; p < PRECISIONS; p++) {
		at->operations[p] = operations[p] - r->before[p];
		r->before[p] = operations[p];
	}
}

static int take_counters(struct roofline *r)
{
	size_t n;
	struct core_counter *part = part_of_run(r, r->run, &n);
	double operations[PRECISIONS];

	if (!read_operations(r, operations)) {
		say("cannot read the operations of the program");
		return TOOL_FAILED;
	}
	for (size_t i = 0; i < n; i++)
		if (!part[i].whole) {
			say("the operations of the program are not known: another program took "
			    "counters of the cores during the run, and estimates are not used");
			return TOOL_BUSY;
		}
	return TOOL_OK;
}

static void add_run(struct roofline *r, const struct roofline_part *part)
{
	size_t n;
	const size_t first = (size_t)(part_of_run(r, r->run, &n) - r->counters);

	for (size_t i = first; i < first + n; i++) {
		const unsigned p = r->precision_of[i], w = r->width_of[i];

		r->operations[p][w] = operations_of(&r->events->of[p][w], r->counters[i].count);
		r->whole.operations[p] += r->operations[p][w];
	}
	r->run_bytes[r->run] = part->bytes;
	r->whole.seconds += part->seconds / r->runs;
	r->whole.bytes += part->bytes / r->runs;
	r->whole.reads += part->reads / r->runs;
	r->whole.end = part->end;
	r->counted = r->run + 1 == r->runs;
}

int roofline_stop(struct roofline *r, const struct roofline_part *part)
{
	size_t n;
	struct core_counter *counters = part_of_run(r, r->run, &n);
	const int status = take_counters(r);

	if (status == TOOL_OK)
		add_run(r, part);
	counters_close(counters, n);
	return status;
}

void roofline_free(struct roofline *r)
{
	counters_close(r->counters, r->n);
	if (r->marked)
		marks_close(&r->marks);
	free(r->intervals);
	r->intervals = NULL;
	r->n = 0;
}

/* ---- parts ---- */

double part_intensity(const struct roofline_part *part, enum precision precision)
{
	return part->bytes > 0 ? part->operations[precision] / part->bytes : (double)NAN;
}

double part_rate(const struct roofline_part *part, enum precision precision)
{
	return per_second(part->operations[precision], part->seconds);
}

static void add_part(struct roofline_part *sum, const struct roofline_part *interval)
{
	sum->end = interval->end;
	sum->seconds += interval->seconds;
	sum->bytes += interval->bytes;
	sum->reads += interval->reads;
	for (enum precision p = 0; p < PRECISIONS; p++)
		sum->operations[p] += interval->operations[p];
}

/* Where the operations a second change or, if that cuts more, the bytes. */
static size_t cut(const struct roofline *r, size_t starts[PHASES_MOST])
{
	double *values = need_memory(2 * r->n_intervals, sizeof(*values)),
	       *bytes = values + r->n_intervals;
	size_t other[PHASES_MOST], found, more;
	double sum = 0;

	for (size_t i = 0; i < r->n_intervals; i++) {
		const struct roofline_part *part = &r->intervals[i];

		values[i] = part_rate(part, PRECISION_DOUBLE) + part_rate(part, PRECISION_SINGLE);
		bytes[i] = per_second(part->bytes, part->seconds);
		sum += bytes[i];
	}
	found = phases_find(values, r->n_intervals, starts);
	more = isnan(sum) ? 0 : phases_find(bytes, r->n_intervals, other);
	if (more > found)
		memcpy(starts, other, sizeof(other));
	free(values);
	return more > found ? more : found;
}

static void judge_phases(struct roofline *r)
{
	size_t starts[PHASES_MOST];
	const size_t n = r->n_intervals >= (size_t)2 * PHASE_LENGTH ? cut(r, starts) : 0;

	r->n_phases = n > 1 ? n : 0;
	for (size_t i = 0; i < r->n_phases; i++) {
		const size_t end = i + 1 < n ? starts[i + 1] : r->n_intervals;

		for (size_t k = starts[i]; k < end; k++)
			add_part(&r->phases[i], &r->intervals[k]);
	}
}

/* Whether the program was in a region for most of an interval. */
static bool is_inside(const struct marked_region *region, const struct roofline_part *interval)
{
	const double begin = interval->end - interval->seconds;
	double sum = 0;

	for (size_t i = 0; i < region->n; i++)
		sum += fmax(fmin(region->times[i].end, interval->end) -
				    fmax(region->times[i].begin, begin),
			    0);
	return sum > 0.5 * interval->seconds;
}

/* An interval belongs to a region that takes most of it. */
static void judge_regions(struct roofline *r)
{
	marks_read(&r->marks, r->whole.end);
	for (size_t i = 0; i < r->marks.n && r->n_regions < REGIONS_MOST; i++) {
		struct roofline_part *region = &r->regions[r->n_regions++];

		*region = (struct roofline_part){.name = r->marks.regions[i].name};
		for (size_t k = 0; k < r->n_intervals; k++)
			if (is_inside(&r->marks.regions[i], &r->intervals[k]))
				add_part(region, &r->intervals[k]);
	}
}

void roofline_judge(struct roofline *r, struct uncore *u)
{
	const double reads = r->whole.reads / r->whole.bytes;

	judge_phases(r);
	if (r->marked)
		judge_regions(r);
	roof_find(&r->roof, u, isfinite(reads) ? reads : 1);
}
