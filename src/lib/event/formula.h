/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formula.h - a metric on this machine: which events it counts, and the value
 * that their counts make.  Pure functions; value is signal-safe.
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
	unsigned package;  /* its number among those that the formula tells apart */
	int64_t times, by; /* of a total: count * times / by */
	double above, below, clock;
};

struct unc_formula {
	const struct unc_recipe *recipe;
	double boxes; /* of a rate: boxes that the first event counts in */
	size_t n, room;
	struct unc_formula_event *events; /* by package */
};

/* Whether the value is a double's bits. */
static inline bool unc_formula_is_real(const struct unc_formula *f)
{
	return f->recipe->metric->kind != UNC_TOTAL;
}

/*
 * The value from the events' counts and the length of their window.  0/0 is a NaN:
 * the mean of nothing.
 */
int64_t unc_formula_value(const struct unc_formula *f, const int64_t *counts, double seconds);

void unc_formula_free(struct unc_formula *f);

/* How a platform measures a metric; false: not at all. */
bool unc_recipe_find(const struct unc_platform *platform, const struct unc_metric *metric,
		     struct unc_recipe *out);

/* A recipe as text, "(A - B) / C". */
void unc_recipe_text(const struct unc_recipe *recipe, char *text, size_t len);

#ifdef __cplusplus
}
#endif
#endif
