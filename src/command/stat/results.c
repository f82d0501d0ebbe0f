/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c - the values of rows: events, and formulas of several events. */
#include <math.h>
#include <stdlib.h>

#include "command/base/gain.h"
#include "command/base/window.h"
#include "counts.h"

static double value_of(const struct operand *o, const struct reading *r)
{
	const int64_t value = r->values[o->event];

	return o->real ? uncore_real(value) : (double)value;
}

/* An empty interval was counted completely. */
static double share(const struct uncore_times *times)
{
	return times->enabled_ns ? (double)times->running_ns / (double)times->enabled_ns : 1;
}

double error_percent(const struct row *row, const struct result *result)
{
	const double value = fabs(row->real ? result->value : (double)result->count);
	const double error = result->times.error;

	return error >= 0 && value > 0 ? 100 * error / value : error >= 0 ? 0 : NAN;
}

/* The library's error is that of the windows' rates; means do not depend on their lengths. */
static void add_lengths(struct result *result, unsigned window_us)
{
	struct uncore_times *t = &result->times;

	if (t->running_ns < t->enabled_ns && t->error >= 0 && window_us)
		t->error = hypot(t->error,
				 (double)result->count * doubt_of_lengths((double)t->running_ns /
									  (1e3 * window_us)));
}

static void find_event(const struct counts *c, const struct row *row, const struct reading *r,
		       struct result *result)
{
	if (row->real)
		result->value = uncore_real(r->values[row->event]);
	else
		result->count = r->values[row->event];
	if (!r->times)
		return;
	result->times = r->times[row->event];
	if (!row->real)
		add_lengths(result, c->wanted->multiplex_us);
}

static void find_formula(const struct formula *f, const struct reading *r, struct result *result)
{
	const struct expression *e = &f->expression;
	double *values = need_memory(e->n_names, sizeof(*values));
	bool none = false;

	for (size_t i = 0; i < e->n_names; i++) {
		const struct operand *o = &f->operands[i];

		values[i] = value_of(o, r);
		if (!r->times)
			continue;
		none = none || has_no_window(&r->times[o->event]);
		if (i == 0 || share(&r->times[o->event]) < share(&result->times))
			result->times = r->times[o->event];
	}
	result->times.error = none ? UNCORE_ERROR_NO_WINDOW : UNCORE_ERROR_UNKNOWN;
	result->value = expression_value(e, values, r->seconds);
	free(values);
}

void find_results(const struct counts *c, const struct reading *r, struct result *results)
{
	for (size_t i = 0; i < c->wanted->n_rows; i++) {
		const struct row *row = &c->wanted->rows[i];

		results[i] = (struct result){.deviation = NAN};
		if (row->formula)
			find_formula(row->formula, r, &results[i]);
		else
			find_event(c, row, r, &results[i]);
	}
}

double result_seconds(const struct reading *r, const struct result *result)
{
	return result->seconds > 0 ? result->seconds : r->seconds;
}

const char *row_rate(char text[RATE_TEXT], const struct row *row, const struct result *result,
		     double seconds)
{
	return rate_text(text, row->real ? NULL : row->units,
			 (double)result->count / row->rate_divisor, seconds);
}

double counted_percent(const struct result *result)
{
	return 100 * share(&result->times);
}
