/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formula.c - compute the value of a metric from the counts of its events; the formula as text.
 */
#include "event/formula.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Counts have up to 63 bits, and with a factor the product may need more than 64. */
static int64_t total(const struct unc_formula *f, const int64_t *counts)
{
	__int128 sum = 0;

	for (size_t i = 0; i < f->n; i++)
		sum += (__int128)counts[i] * f->events[i].times / f->events[i].by;
	return (int64_t)sum;
}

/* The sum of one package, in clocks or in ns; *i moves to the next package. */
static double above(const struct unc_formula *f, const int64_t *counts, double seconds, size_t *i)
{
	const unsigned package = f->events[*i].package;
	const bool time = unc_metric_of(f->recipe)->kind == UNC_TIME;
	double sum = 0, clocks = 0;

	for (; *i < f->n && f->events[*i].package == package; (*i)++) {
		sum += f->events[*i].above * (double)counts[*i];
		clocks += f->events[*i].clock * (double)counts[*i];
	}
	return time ? sum * seconds * 1e9 / clocks : sum;
}

static double below(const struct unc_formula *f, const int64_t *counts, double seconds)
{
	const enum unc_metric_kind kind = unc_metric_of(f->recipe)->kind;
	double sum = 0;

	if (kind == UNC_RATE)
		return seconds * f->boxes;
	if (kind == UNC_POWER)
		return seconds;
	for (size_t i = 0; i < f->n; i++)
		sum += f->events[i].below * (double)counts[i];
	return sum;
}

#define RATIO_BITS 0x7f

/* The mean of levels that are not 0; NaN: all are 0. */
static double level(const struct unc_formula *f, const int64_t *held)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < f->n; i++) {
		const int64_t ratio = held[i] >> f->recipe->shift & RATIO_BITS;

		sum += (double)(ratio * f->recipe->divisor);
		n += ratio != 0;
	}
	return sum / n;
}

int64_t unc_formula_value(const struct unc_formula *f, const int64_t *counts, double seconds)
{
	double value = 0;
	int64_t bits;

	if (!unc_formula_is_real(f))
		return total(f, counts);
	for (size_t i = 0; i < f->n && unc_metric_of(f->recipe)->kind != UNC_LEVEL;)
		value += above(f, counts, seconds, &i);
	if (unc_metric_of(f->recipe)->kind == UNC_LEVEL)
		value = level(f, counts);
	else
		value /= below(f, counts, seconds);
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* ---- text ---- */

struct text {
	char *at;
	size_t len, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
	va_list args;
	int n = 0;

	va_start(args, format);
	if (t->used < t->len)
		n = vsnprintf(t->at + t->used, t->len - t->used, format, args);
	va_end(args);
	t->used += n < 0 ? 0 : (size_t)n;
}

static int factor(const struct unc_metric_event *part, bool is_above)
{
	return is_above ? part->above : part->below;
}

static unsigned n_events(const struct unc_recipe *r, bool is_above)
{
	unsigned n = 0;

	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *r->events[i].event; i++)
		n += factor(&r->events[i], is_above) != 0;
	return n;
}

static void put_where(struct text *t, const struct unc_metric_event *part)
{
	if (part->of == 2)
		put(t, " [%s boxes, scaled]", part->part ? "odd" : "even");
	else if (part->of)
		put(t, " [boxes %u, %u, ..., scaled]", part->part, part->part + part->of);
	else if (part->mean)
		put(t, " [mean of boxes]");
	else if (*part->each)
		put(t, " * boxes");
}

/* The factor of a value that is not a total is shown with the divisor in it, "2.5 * ". */
static void put_factor(struct text *t, const struct unc_recipe *r, int n)
{
	const enum unc_metric_kind kind = unc_metric_of(r)->kind;
	const bool whole = kind == UNC_TOTAL || kind == UNC_LEVEL;
	const double by = r->divisor && !whole ? r->divisor : 1;

	if (n != by && n != -by)
		put(t, "%g * ", (n < 0 ? -n : n) / by);
}

static void put_sum(struct text *t, const struct unc_recipe *r, bool is_above)
{
	const bool total = unc_metric_of(r)->kind == UNC_TOTAL && !r->divisor;
	bool brackets = !total && n_events(r, is_above) > 1, first = true;

	for (unsigned i = 0; !is_above && i < UNC_MAX_METRIC_EVENTS && *r->events[i].event; i++)
		brackets |= r->events[i].below && (r->events[i].below != 1 || *r->events[i].each);

	put(t, "%s", brackets ? "(" : "");
	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *r->events[i].event; i++) {
		const int n = factor(&r->events[i], is_above);

		if (n == 0)
			continue;
		put(t, "%s", first ? (n < 0 ? "-" : "") : n < 0 ? " - " : " + ");
		put_factor(t, r, n);
		put(t, "%s", r->events[i].event);
		put_where(t, &r->events[i]);
		first = false;
	}
	put(t, "%s", brackets ? ")" : "");
}

static void put_clock(struct text *t, const struct unc_recipe *r)
{
	put(t, " * ns / ");
	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *r->events[i].event; i++)
		if (r->events[i].clock) {
			put(t, "%s", r->events[i].event);
			put_where(t, &r->events[i]);
		}
}

void unc_recipe_text(const struct unc_recipe *r, char *text, size_t len)
{
	const enum unc_metric_kind kind = unc_metric_of(r)->kind;
	struct text t = {text, len, 0};

	if (kind == UNC_LEVEL)
		put(&t, "%d * ", r->divisor);
	put_sum(&t, r, true);
	if (kind == UNC_LEVEL)
		put(&t, "[%u:%u]", r->shift + 6u, (unsigned)r->shift);
	if (kind == UNC_TOTAL && r->divisor > 1)
		put(&t, " / %d", r->divisor);
	if (kind == UNC_RATE)
		put(&t, " / (seconds * boxes)");
	if (r->energy && kind == UNC_TOTAL)
		put(&t, " * uJ");
	if (kind == UNC_POWER)
		put(&t, " * J / seconds");
	if (n_events(r, false)) {
		put(&t, " / ");
		put_sum(&t, r, false);
	}
	if (kind == UNC_TIME)
		put_clock(&t, r);
}
