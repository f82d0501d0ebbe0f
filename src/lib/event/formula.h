/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formula.h - a metric on this machine: its events, and its value from their counts.  Pure
 * functions; value is signal-safe.
 */
#ifndef UNC_FORMULA_H
#define UNC_FORMULA_H

#include <stddef.h>
#include <stdint.h>

#include "metrics/metrics.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_formula_event {
	unsigned id;       /* event number */
	unsigned package;  /* its number in formulas with a term per package */
	int64_t times, by; /* for a total: count * times / by */
	double above, below, clock;
};

struct unc_formula {
	const struct unc_recipe *recipe;
	struct unc_recipe *own; /* the recipe, if it was made for this formula; else NULL */
	double boxes;           /* for a rate: number of boxes of the first event */
	size_t n, room;
	struct unc_formula_event *events; /* by package */
};

/* Whether the value is stored as the bits of a double. */
static inline bool unc_formula_is_real(const struct unc_formula *f)
{
	return unc_metric_of(f->recipe)->kind != UNC_TOTAL;
}

/* The value from the counts and the length of their window. 0/0 is NaN: the mean of nothing. */
int64_t unc_formula_value(const struct unc_formula *f, const int64_t *counts, double seconds);

void unc_formula_free(struct unc_formula *f);

/* How a platform measures a metric; false: it cannot. */
bool unc_recipe_find(const struct unc_platform *platform, const struct unc_metric *metric,
		     struct unc_recipe *out);

/* A recipe as text, "(A - B) / C". */
void unc_recipe_text(const struct unc_recipe *recipe, char *text, size_t len);

#ifdef __cplusplus
}
#endif
#endif
