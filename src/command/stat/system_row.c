/* SPDX-License-Identifier: BSD-3-Clause */
/* system_row.c - see system_row.h. */
#include "command/stat/system_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cut ":box=3" or ":pkg=1" out of a name. */
static void cut_qualifier(char *name, const char *qualifier)
{
	char *begin = strstr(name, qualifier), *end;

	if (!begin)
		return;
	end = begin + 1 + strcspn(begin + 1, ":");
	memmove(begin, end, strlen(end) + 1);
}

static unsigned packages_of(struct uncore *u)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};

	return uncore_machine(u, &machine) < 0 ? 0 : machine.packages;
}

/*
 * Whether the rows cover the whole system, so that their sum is the system's count.  This includes
 * the same single box of each package, but not several single boxes.
 */
static bool is_whole(struct uncore *u, const char *name, size_t rows)
{
	const unsigned packages = packages_of(u);

	if (!strcasestr(name, "pkg=*") || packages < 2)
		return false;
	return rows == packages || strcasestr(name, "box=*");
}

/* Means cannot be added, and a sum of clocks is not a clock. */
static bool has_sum(const struct row *row)
{
	return !row->real && strcmp(row->units, "cycles") != 0;
}

void add_system_row(struct uncore *u, struct wanted *w, const char *name, size_t *rows, size_t n)
{
	struct row *last = n ? &w->rows[rows[n - 1]] : NULL;
	const bool boxes = strcasestr(name, "box=*"), spread = boxes && n > packages_of(u);
	const bool sum = last && has_sum(last) && is_whole(u, name, n);
	char *text;

	if (!last || last->system || (!sum && !spread)) {
		free(rows);
		return;
	}
	text = text_of("%s", last->name);
	if (boxes)
		cut_qualifier(text, ":box=");
	if (strcasestr(name, "pkg=*"))
		cut_qualifier(text, ":pkg=");
	last->system = need_memory(1, sizeof(*last->system));
	*last->system = (struct system){text, rows, n, sum, spread};
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

/* Sum or mean; counted for the time of the one that was counted least. */
static struct result sum_of(const struct row *row, enum summary_kind kind,
			    const struct result *results)
{
	const struct system *system = row->system;
	struct result sum = results[system->rows[0]];

	for (size_t i = 1; i < system->n; i++) {
		const struct result *part = &results[system->rows[i]];

		sum.count += part->count;
		sum.value += part->value;
		if (counted_percent(part) < counted_percent(&sum))
			sum.times = part->times;
	}
	if (kind == SUMMARY_MEAN) {
		sum.count = llround((double)sum.count / (double)system->n);
		sum.value /= (double)system->n;
	}
	sum.deviation = NAN;
	return sum;
}

bool find_summary(const struct row *last, enum summary_kind kind, const struct result *results,
		  struct summary *s)
{
	static const char *const labels[] = {"system", "min", "mean", "max"};
	const struct system *system = last->system;

	if (!system || (kind == SUMMARY_SUM ? !system->sum : !system->spread))
		return false;
	s->name = text_of("%s (%s)", system->name, labels[kind]);
	s->row = (struct row){.name = s->name,
			      .rate_divisor = kind == SUMMARY_SUM ? 1 : last->rate_divisor,
			      .real = last->real};
	memcpy(s->row.units, last->units, sizeof(s->row.units));
	s->result = kind == SUMMARY_MIN || kind == SUMMARY_MAX ? extreme_of(last, kind, results)
							       : sum_of(last, kind, results);
	return true;
}
