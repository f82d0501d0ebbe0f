/* SPDX-License-Identifier: BSD-3-Clause */
/* system_row.c - see system_row.h. */
#include "command/stat/system_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/event_name.h"
#include "command/base/gain.h"

/* Name all packages of the rows, instead of the last one's. */
static char *name_packages(char *text, const char *name)
{
	const char *packages = strcasestr(name, ":pkg=");
	const size_t len = packages ? strcspn(packages + 1, ":") : 0;

	if (!packages)
		return text;
	cut_place(text, ":pkg=");
	return memchr(packages, '*', len + 1) ? text
					      : text_and(text, "%.*s", (int)len + 1, packages);
}

static unsigned packages_of(struct uncore *u)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};

	return uncore_machine(u, &machine) < 0 ? 0 : machine.packages;
}

/*
 * The label of the sum of the rows; NULL: they are neither all packages nor all boxes, or some of
 * them cannot be counted.  A single box of each package has a sum, several single boxes do not.
 */
static const char *sum_of_what(struct uncore *u, const char *name, size_t rows, const char *whole)
{
	const unsigned packages = packages_of(u);
	unsigned id;

	if (uncore_event(u, whole, &id) < 0) /* a part cannot be counted */
		return NULL;
	if (strcasestr(name, "pkg=*") && packages > 1)
		return rows == packages || strcasestr(name, "box=*") ? "system" : NULL;
	return rows > 1 && strcasestr(name, "box=*") ? "total" : NULL;
}

/* Means cannot be added, and a sum of clocks is not a clock. */
static bool has_sum(const struct row *row)
{
	return !row->real && strcmp(row->units, "cycles") != 0;
}

/* NULL: nothing is shown. */
static struct system *system_of(struct uncore *u, const struct row *last, const char *name,
				size_t n)
{
	const bool boxes = strcasestr(name, "box=*");
	struct system *system = need_memory(1, sizeof(*system));

	*system = (struct system){text_of("%s", last->name), NULL, n, NULL,
				  boxes && n > packages_of(u)};
	if (boxes)
		cut_place(system->name, ":box=");
	system->name = name_packages(system->name, name);
	if (has_sum(last))
		system->sum = sum_of_what(u, name, n, system->name);
	if (system->sum || system->spread)
		return system;
	free(system->name);
	free(system);
	return NULL;
}

void add_system_row(struct uncore *u, struct wanted *w, const char *name, size_t *rows, size_t n)
{
	struct row *last = n ? &w->rows[rows[n - 1]] : NULL;
	struct system *system = last && !last->system ? system_of(u, last, name, n) : NULL;

	if (!system) {
		free(rows);
		return;
	}
	system->rows = rows;
	last->system = system;
}

void free_system_row(struct row *row)
{
	if (!row->system)
		return;
	free(row->system->name);
	free(row->system->rows);
	free(row->system);
}

/* ---- summaries ---- */

static double number_of(const struct row *row, const struct result *result)
{
	return row->real ? result->value : (double)result->count;
}

static bool is_shown(const struct row *row, const struct result *result)
{
	return !has_no_window(&result->times) && isfinite(number_of(row, result));
}

/* Of the least or the most, whose deviation and window are those of its row. */
static struct result extreme_of(const struct row *row, enum summary_kind kind,
				const struct result *results)
{
	const struct system *system = row->system;
	struct result found = results[system->rows[0]];

	for (size_t i = 1; i < system->n; i++) {
		const struct result *part = &results[system->rows[i]];
		const double difference = number_of(row, part) - number_of(row, &found);

		if (is_shown(row, part) &&
		    (!is_shown(row, &found) ||
		     (kind == SUMMARY_MIN ? difference < 0 : difference > 0)))
			found = *part;
	}
	return found;
}

/*
 * The time of the part that was counted least.  The errors add up, at most: parts may share their
 * windows.  Not counted as a whole if a part was not, or in other runs than the rest.
 */
static struct uncore_times times_of_sum(const struct system *system, const struct result *results)
{
	const struct result *first = &results[system->rows[0]];
	struct uncore_times times = first->times;
	double error = 0;
	bool known = true;

	for (size_t i = 0; i < system->n; i++) {
		const struct result *part = &results[system->rows[i]];

		if (has_no_window(&part->times))
			return part->times;
		if (part->seconds != first->seconds)
			return (struct uncore_times){.enabled_ns = 1,
						     .error = UNCORE_ERROR_NO_WINDOW};
		if (counted_percent(part) < counted_percent(&(struct result){.times = times}))
			times = part->times;
		known = known && part->times.error >= 0;
		error += part->times.error;
	}
	times.error = known ? error : UNCORE_ERROR_UNKNOWN;
	return times;
}

/* Sum or mean. */
static struct result sum_of(const struct row *row, enum summary_kind kind,
			    const struct result *results)
{
	const struct system *system = row->system;
	struct result sum = results[system->rows[0]];

	for (size_t i = 1; i < system->n; i++) {
		const struct result *part = &results[system->rows[i]];

		sum.count += part->count;
		sum.value += part->value;
	}
	sum.times = times_of_sum(system, results);
	if (kind == SUMMARY_MEAN) {
		sum.count = llround((double)sum.count / (double)system->n);
		sum.value /= (double)system->n;
		if (sum.times.error > 0)
			sum.times.error /= (double)system->n;
	}
	sum.deviation = NAN;
	return sum;
}

bool find_summary(const struct row *last, enum summary_kind kind, const struct result *results,
		  struct summary *s)
{
	static const char *const labels[] = {NULL, "min", "mean", "max"};
	const struct system *system = last->system;

	if (!system || (kind == SUMMARY_SUM ? !system->sum : !system->spread))
		return false;
	s->name =
		text_of("%s (%s)", system->name, kind == SUMMARY_SUM ? system->sum : labels[kind]);
	s->row = (struct row){.name = s->name,
			      .rate_divisor = kind == SUMMARY_SUM ? 1 : last->rate_divisor,
			      .real = last->real};
	memcpy(s->row.units, last->units, sizeof(s->row.units));
	s->result = kind == SUMMARY_MIN || kind == SUMMARY_MAX ? extreme_of(last, kind, results)
							       : sum_of(last, kind, results);
	return true;
}
