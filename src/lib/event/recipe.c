/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recipe.c - how a platform measures a metric.  Numerator and denominator of a mean are lists
 * of the recipe's events.
 */
#include <string.h>

#include "event/formula.h"

static const struct unc_recipe *recipe_in(const struct unc_recipe *r, const struct unc_metric *m)
{
	while (*r->events->event && unc_metric_of(r) != m)
		r++;
	return *r->events->event ? r : NULL;
}

/* NULL: not in the platform's tables. */
static const struct unc_recipe *written(const struct unc_platform *platform,
					const struct unc_metric *m)
{
	const struct unc_recipe *const *lists = platform->desc->metrics;
	const struct unc_recipe *found = NULL;

	for (unsigned i = 0; !found && lists && lists[i]; i++)
		found = recipe_in(lists[i], m);
	for (const struct unc_power *p = unc_power; !found && p->platform; p++)
		if (p->platform == platform)
			found = recipe_in(p->recipes, m);
	return found;
}

/* Factors that the divisor cancels are left out. */
static void reduce(struct unc_recipe *r)
{
	const int by = r->divisor;

	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *r->events[i].event; i++)
		if (!by || r->events[i].above % by)
			return;
	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *r->events[i].event; i++)
		r->events[i].above /= by;
	r->divisor = 0;
}

/* Numerator or denominator of a mean as a total. */
static struct unc_recipe side(const struct unc_recipe *mean, const struct unc_metric *m)
{
	const bool above = unc_metric_above(unc_metric_of(mean)) == m;
	struct unc_recipe r = {.metric = (uint16_t)(m - unc_metrics),
			       .divisor = mean->divisor,
			       .collides = above && mean->above,
			       .energy = mean->energy};
	unsigned n = 0;

	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *mean->events[i].event; i++) {
		struct unc_metric_event t = mean->events[i];

		t.above = above ? t.above : t.below;
		t.below = 0;
		t.clock = false;
		if (t.above)
			r.events[n++] = t;
	}
	if (r.collides)
		memcpy(r.instead, mean->instead, sizeof(r.instead));
	reduce(&r);
	return r;
}

bool unc_recipe_find(const struct unc_platform *platform, const struct unc_metric *m,
		     struct unc_recipe *out)
{
	const struct unc_recipe *found = written(platform, m);

	if (found) {
		*out = *found;
		return true;
	}
	for (const struct unc_metric *mean = unc_metrics; !found && *mean->name; mean++) {
		if (unc_metric_above(mean) == m || unc_metric_below(mean) == m)
			found = written(platform, mean);
		if (found)
			*out = side(found, m);
	}
	return found;
}
